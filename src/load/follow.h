/*
 * follow: traces that are read while they are being written. Each file keeps the state of its reader, and a look reads
 * what was added. What is read so far becomes a run only in a copy of the process (fork), as finishing the model of a
 * file ends its reading: the copy calls load_run with these files in its options, and ends. Files that are no traces
 * (logs, dumps) are read as a whole by that call. One thread.
 */
#pragma once

#include "input/discover.h"
#include "model/merge/run.h"
#include "trace/trace.h"

struct follow;

/* `paths` live as long. */
struct follow *follow_new(const char *const *paths, size_t n);
void follow_free(struct follow *f);

/* What a look saw. */
struct follow_look {
    bool changed;         /* a file came, went, or has other content */
    size_t files;         /* that the paths stand for */
    size_t traces;        /* of them, those that are read as they grow */
    struct str restarted; /* one that was cut off, replaced or rewritten, and is read from its beginning; or empty */
    const char *path;     /* that cannot be looked at, with ... */
    int error;            /* ... a negative errno */
};

/* Texts of the result live until the next look. */
struct follow_look follow_look(struct follow *f);

/*
 * For load_run in the copy, which then owns both, and ends without follow_free: the file at a path, and its reader;
 * NULL when it is not read as it grows.
 */
struct input *follow_input(const struct follow *f, struct str path);
struct trace_reader *follow_reader(const struct follow *f, struct str path);
