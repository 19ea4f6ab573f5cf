/*
 * check: what a workload's checks say of a trial: how it ended, and whether what it printed and wrote is what the first
 * run printed and wrote. The texts of results live in the arena. One thread; see check_file.h.
 */
#pragma once

#include "relaunch/check_file.h"

/* What a trial left to compare. */
struct check_side {
    struct str name;             /* of the trial, for people */
    const char *output;          /* the file with its standard output */
    struct checked_files files;
};

/* Sets whether the trial failed, and adds a row for each check of the exit status. */
void check_end(struct arena *a, const struct workload *w, struct trial *t);

/*
 * Adds a row for every other check. Without `then` (the trial is the first) only those that will find nothing to
 * compare.
 */
void check_results(struct arena *a, const struct workload *w, const struct check_side *then,
                   const struct check_side *now, const struct check_python *python, struct trial *t);

/* "0.25 here, 0.5 in base (line 3); max abs difference 0.25, max rel 0.5": what there is to tell of a result. */
struct str check_words(struct arena *a, const struct check_result *r, struct str then);
