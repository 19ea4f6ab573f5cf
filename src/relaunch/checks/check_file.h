/*
 * check_file: files that a workload writes and that are compared between launches. All launches write to the same
 * place, so what one has written is copied away after it; what lies there from before is not taken for its own. Texts
 * live in the arena that is given. One thread; check_file_compare may launch the user's Python.
 */
#pragma once

#include "relaunch/checks/check_text.h"
#include "relaunch/workload/environment.h"

#include <sys/stat.h>

struct checked_file {
    struct str path;    /* where the workload writes it */
    struct stat before; /* as it was before the launch; st_ino is 0 when it was not there */
    struct str kept;    /* the copy; empty when there is none */
    struct str why_not; /* why there is none */
};

struct checked_files {
    VEC(struct checked_file) list; /* one for each check of the workload; empty for those that are of no file */
};

/* Before a launch. */
void check_files_look(struct arena *a, const struct workload *w, struct checked_files *out);

/* After it: copies what it wrote into `dir`, which is made when there is something. */
void check_files_keep(struct arena *a, const struct workload *w, const char *dir, struct checked_files *files);

/* The Python that reads arrays and tensors. */
struct check_python {
    struct str python;
    const struct environment *environment; /* the workload's */
    const char *scratch;                   /* a private directory */
};

/* Compares copies of two launches. */
void check_file_compare(struct arena *a, const struct check *c, const struct checked_file *then,
                        const struct checked_file *now, const struct check_python *python, struct check_result *r);
