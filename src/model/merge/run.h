/*
 * run: makes the inputs of one invocation, and puts what was read together once all of them are in: joins records that
 * complete each other, decides statuses, tells runs of a job apart, sorts. One thread.
 */
#pragma once

#include "model/model.h"

struct run *run_new(void);
/* Closes the inputs, and frees all that was read from them. NULL is fine. */
void run_free(struct run *r);

/* A new input at the end of r->inputs, with its own arena. Not opened. `path` is copied. */
struct input *run_add_input(struct run *r, struct str path);

/* An input of no run yet. */
struct input *input_new(struct str path);
/* Closes it and frees all that was read from it. */
void input_free(struct input *in);
/* Sets the path, which lives as long as the input, and what follows from it: a rank, whose file it is. */
void input_use_path(struct input *in, struct str path);

/* Opens in->source; fills why_not and failure, and returns -errno, when that fails. */
int input_open(struct input *in);

/*
 * To be called once, after every input was read. Sorts inputs by path and processes by (group, rank, start, pid),
 * computes totals and everything the records say only together:
 *
 * - a graph break that only a restart reason or a resume function shows (PyTorch 2.5 and earlier)
 * - one failure of a compile from its metrics and its dynamo_error
 * - file names that a forked process has from its parent's file
 * - storage sizes of tensors, specialised symbols, compile statuses
 */
void run_finish(struct run *r);

/* Whether graphs or code are there that no compile has: those of export and AOTInductor. Texts of a log are neither. */
bool run_has_loose_code(const struct run *r);

/*
 * Forgets all groups but one: their inputs stay listed, as not used and without their messages. Call before run_finish.
 * Returns how many groups there are; none is kept when there is no such one.
 */
uint32_t run_keep_group(struct run *r, uint32_t group);
/* Forgets all but the newest (--latest). */
void run_keep_latest(struct run *r);

/* A rank, an epoch of its processes (from 0), or both; -1: all of them. */
struct run_part {
    int64_t rank, epoch;
};

/* Forgets what is of other ranks: before run_finish. */
void run_keep_rank(struct run *r, int64_t rank);
/* Forgets compiles, and times, of other epochs: after run_finish. What has no compile id stays. */
void run_keep_epoch(struct run *r, int64_t epoch);
