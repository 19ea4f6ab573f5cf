/*
 * source_root: fills in lines of the user's code that a trace refers to but does not contain, from files on this
 * machine (--source-root DIR). A file matches a path of the trace if it is below DIR under the last components of the
 * path (the more, the better) and contains the lines of it that the trace does have. If the trace has none, a function
 * that was compiled must be defined at the line that the trace names.
 */
#pragma once

#include "model/model.h"

struct source_root_result {
    size_t filled;      /* calls that got a source line */
    size_t files;       /* files that were used */
    size_t differing;   /* files that exist but have other contents */
    struct str example; /* the path of one of these, from the trace */
};

/* 0, or -errno if DIR is not a directory. Texts live as long as the run. One thread. */
int source_root_apply(struct run *run, const char *dir, struct source_root_result *out);
