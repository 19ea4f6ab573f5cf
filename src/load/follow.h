/*
 * follow: reads traces while they are being written. Each file keeps the state of its reader, and each look reads what
 * was added. Finishing the model of a file ends its reading, so a run is made only in a forked copy of the process:
 * the copy calls load_run with these files in its options, and exits. Files that are not traces (logs, dumps) are read
 * as a whole by that call. One thread.
 */
#pragma once

#include "input/discover.h"
#include "model/merge/run.h"
#include "trace/trace.h"

struct follow;

/* `paths` must live as long. */
struct follow *follow_new(const char *const *paths, size_t n);
void follow_free(struct follow *f);

/* The result of a look. */
struct follow_look {
    bool changed;  /* a file appeared, disappeared or has new content */
    size_t files;  /* found at the paths */
    size_t traces; /* of these, the ones that are read as they grow */
    /* a file that was cut off, replaced or rewritten, and is read again from its beginning; or empty */
    struct str restarted;
    const char *path;     /* a path that cannot be accessed, with ... */
    int error;            /* ... a negative errno */
};

/* Texts of the result live until the next look. */
struct follow_look follow_look(struct follow *f);

/*
 * For load_run in the forked copy, which then owns both results and exits without follow_free: the file at a path, and
 * its reader; NULL if it is not read as it grows.
 */
struct input *follow_input(const struct follow *f, struct str path);
struct trace_reader *follow_reader(const struct follow *f, struct str path);
