/*
 * run: creates the inputs of one invocation, and merges them once all are read: it joins records that complete each
 * other, decides statuses, separates the runs of a job, and sorts. One thread.
 */
#pragma once

#include "model/model.h"

struct run *run_new(void);
/* Closes the inputs, and frees everything that was read from them. NULL is allowed. */
void run_free(struct run *r);

/* Adds a new input to r->inputs, with an arena of its own. It is not opened. `path` is copied. */
struct input *run_add_input(struct run *r, struct str path);

/* A new input that does not belong to a run yet. */
struct input *input_new(struct str path);
/* Closes it and frees all that was read from it. */
void input_free(struct input *in);
/*
 * Sets the path, which must live as long as the input, and what follows from it: a rank, and which process the file
 * belongs to.
 */
void input_use_path(struct input *in, struct str path);

/* Opens in->source; on failure fills why_not and failure, and returns -errno. */
int input_open(struct input *in);

/*
 * Call it once, after every input has been read. Sorts inputs by path and processes by (group, rank, start, pid),
 * computes totals, and draws the conclusions that need several records:
 *
 * - a graph break that only a restart reason or a resume function shows (PyTorch 2.5 and earlier)
 * - one failure of a compile from its metrics and its dynamo_error
 * - file names that a forked process has from its parent's file
 * - storage sizes of tensors, specialized symbols, compile statuses
 */
void run_finish(struct run *r);

/*
 * Whether there are graphs or code without a compile, which export and AOTInductor leave. Texts of a log do not count.
 */
bool run_has_loose_code(const struct run *r);

/*
 * Drops all groups except one: their inputs stay in the list, as unused and without messages. Call it before
 * run_finish. Returns the number of groups; nothing is kept if the group does not exist.
 */
uint32_t run_keep_group(struct run *r, uint32_t group);
/* Drops all groups except the newest (--latest). */
void run_keep_latest(struct run *r);

/* A rank, an epoch of its processes (from 0), or both; -1 means any. */
struct run_part {
    int64_t rank, epoch;
};

/* Drops everything of other ranks. Call it before run_finish. */
void run_keep_rank(struct run *r, int64_t rank);
/* Drops compiles and times of other epochs. Call it after run_finish. Records without a compile id stay. */
void run_keep_epoch(struct run *r, int64_t epoch);
