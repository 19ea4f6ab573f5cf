/* maker: builds a gpu_process; shared by the readers of activity files. One thread per input. */
#pragma once

#include "model/model.h"
#include "util/map.h"

/* A gpu_process under construction. */
struct activity_maker {
    struct input *in;
    struct gpu_process *gpu;
    struct map names; /* kind and name -> index + 1; its keys are in scratch */
    struct arena *scratch;
    bool limit_reported;
};

/* Adds a gpu_process to the input. */
void activity_begin(struct activity_maker *m, struct input *in, struct arena *scratch, struct str tool);

/* The number of a name; a new name gets the next number. */
uint32_t activity_name(struct activity_maker *m, enum gpu_kind kind, struct str name);

/*
 * Adds an activity whose name is such a number. False if it was refused: its times are impossible, or there are too
 * many activities, which is reported once.
 */
bool activity_add(struct activity_maker *m, const struct gpu_activity *a, uint64_t bytes);

/* Counts records of one kind for the input. */
void activity_count(struct input *in, const char *kind, uint64_t n);
