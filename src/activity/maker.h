/*
 * maker: what readers of activity share: a gpu_process in the making. One thread per input.
 */
#pragma once

#include "model/model.h"
#include "util/map.h"

/* A gpu_process in the making. */
struct activity_maker {
    struct input *in;
    struct gpu_process *gpu;
    struct map names; /* kind and name -> index + 1; its keys are in scratch */
    struct arena *scratch;
    bool limit_reported;
};

/* Adds a gpu_process to the input. */
void activity_begin(struct activity_maker *m, struct input *in, struct arena *scratch, struct str tool);

/* The number of a name, made on first sight. */
uint32_t activity_name(struct activity_maker *m, enum gpu_kind kind, struct str name);

/*
 * Adds an activity whose name is one of the numbers; times that no GPU has are refused. False when it was not taken:
 * because of them, or because there are too many, which is reported once.
 */
bool activity_add(struct activity_maker *m, const struct gpu_activity *a, uint64_t bytes);

/* Counts a kind of record of the input. */
void activity_count(struct input *in, const char *kind, uint64_t n);
