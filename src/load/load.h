/*
 * load: turns paths into a finished run. It finds the files, recognizes each by its content, reads the traces and
 * digests among them in parallel (one main task per file), and merges them. Called from the main thread.
 */
#pragma once

#include "input/discover.h"
#include "model/merge/run.h"
#include "trace/trace.h"

struct follow;

struct load_options {
    struct trace_options trace;
    bool latest;                /* keep only the newest run of the job */
    uint32_t *groups;           /* if not NULL: keep only run number *groups, and store in it how many there are */
    struct run_part *part;      /* if not NULL: keep only this part */
    bool unfinished;            /* for a digest: do not finish the run */
    struct follow *follow;      /* traces that are read while they grow; NULL: none */
    /* the trial that the files come from, if run.json is not among them: it knows the processes */
    const struct trial *launch;
    uint64_t *progress; /* if not NULL: counts the bytes read; updated by several threads */
    uint64_t *expected; /* if not NULL: set to the bytes to read, before reading begins */
};

/* Why nothing was read. */
struct load_error {
    const char *path; /* as given */
    int error;        /* positive errno */
};

/*
 * Reads all files at `paths` into a new run. Files that are not traces are inputs with used = false and the reason.
 * Returns NULL, with *error set, if a given path cannot be opened at all.
 */
struct run *load_run(const char *const *paths, size_t n, const struct load_options *options, struct pool *pool,
                     struct load_error *error);

/* Whether the inputs that are used have any records. */
bool run_has_records(const struct run *r);
