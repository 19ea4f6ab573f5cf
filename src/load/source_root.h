/*
 * source_root: lines of the user's code that a trace names but does not hold, taken from files on this machine
 * (--source-root DIR). A file belongs to a path of the trace when it lies below DIR under the path's last components,
 * the more of them the better, and holds the lines of it that the trace does have; where the trace has none, a function
 * that was compiled must be defined where the trace says.
 */
#pragma once

#include "model/model.h"

struct source_root_result {
    size_t filled;    /* calls that have a line now */
    size_t files;     /* that were used */
    size_t differing; /* that are there and hold something else */
    struct str example; /* one of those; of the run */
};

/* 0, or -errno when DIR is no directory. Texts live as long as the run. One thread. */
int source_root_apply(struct run *run, const char *dir, struct source_root_result *out);
