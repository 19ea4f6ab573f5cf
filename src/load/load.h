/*
 * load: paths to a finished run. Finds the files, knows each by its content, reads the traces and digests among
 * them in parallel (one main task per file) and merges. Called from the main thread.
 */
#pragma once

#include "input/discover.h"
#include "model/merge/run.h"
#include "trace/trace.h"

struct follow;

struct load_options {
    struct trace_options trace;
    bool latest;                /* keep only the newest run of the job */
    uint32_t *groups;           /* if not NULL: keep only run number *groups, and say there how many there are */
    struct run_part *part;      /* if not NULL: keep only that */
    bool unfinished;            /* for a digest: inputs alone, as they were read */
    struct follow *follow;      /* traces among the paths that are read as they grow; NULL: none is */
    const struct trial *launch; /* that the files are of, where run.json is not among them: it knows its processes */
    uint64_t *progress;         /* counts bytes read, if not NULL; changed by several threads */
    uint64_t *expected;         /* bytes to read, set before reading begins, if not NULL */
};

/* What went wrong before anything was read. */
struct load_error {
    const char *path; /* as given */
    int error;        /* positive errno */
};

/*
 * Reads everything that `paths` stand for into a new run. Files that are no trace are inputs with used = false and
 * the reason. Returns NULL, with *error set, when a given path cannot be opened at all.
 */
struct run *load_run(const char *const *paths, size_t n, const struct load_options *options, struct pool *pool,
                     struct load_error *error);

/* Whether any record was read from the inputs that are used. */
bool run_has_records(const struct run *r);
