/*
 * check_file: files that a workload writes and that are compared between launches. All launches write to the same
 * place, so each launch's files are copied away afterwards; files that were there before do not count. Texts live in
 * the arena that is given. One thread; check_file_compare may launch the user's Python.
 */
#pragma once

#include "relaunch/checks/check_text.h"
#include "relaunch/workload/environment.h"

#include <sys/stat.h>

struct checked_file {
    struct str path;    /* where the workload writes the file */
    struct stat before; /* its state before the launch; st_ino is 0 if it did not exist */
    struct str kept;    /* the copy; empty if there is none */
    struct str why_not; /* why there is no copy */
};

struct checked_files {
    VEC(struct checked_file) list; /* one for each check of the workload; empty for checks that are not about files */
};

/* Call it before a launch. */
void check_files_look(struct arena *a, const struct workload *w, struct checked_files *out);

/* Call it after the launch: copies the files that it wrote into `dir`, which is created if there are any. */
void check_files_keep(struct arena *a, const struct workload *w, const char *dir, struct checked_files *files);

/* The Python that reads arrays and tensors. */
struct check_python {
    struct str python;
    const struct environment *environment; /* the workload's */
    const char *scratch;                   /* a private directory */
};

/* Compares the copies from two launches. */
void check_file_compare(struct arena *a, const struct check *c, const struct checked_file *then,
                        const struct checked_file *now, const struct check_python *python, struct check_result *r);
