/*
 * check: applies a workload's checks to a trial: how it ended, and whether its output and files are the same as in the
 * first run. Texts of results live in the arena. One thread; see check_file.h.
 */
#pragma once

#include "relaunch/checks/check_file.h"

/* The results of a trial, for comparison. */
struct check_side {
    struct str name;    /* the trial's name, for people */
    const char *output; /* the file with its standard output; NULL if it ran something other than the workload */
    /* the directory with each rank's output, in the layout of torchrun's --log-dir; may not exist */
    const char *ranks;
    bool ranks_only; /* the output is a mix of all ranks' output */
    struct checked_files files;
    bool eager; /* torch.compile was off: as far as the compiler can be wrong, this result is right */
};

/*
 * The sides of all trials so far, in order. They are compared with the first one. Once a trial without torch.compile
 * has ended well, they are compared with that trial instead, because compiling must not change what the program does.
 */
struct check_history {
    const struct workload *workload;
    struct check_python python;
    VEC(struct check_side) sides;
    size_t reference;
};

/*
 * Call it after a trial, which is the last of `trials`: adds its side, decides whether it failed, and fills its rows;
 * if it is the new reference, also the rows of all other trials.
 */
void check_trial(struct arena *a, struct check_history *h, const struct check_side *side, struct trial *trials);

/*
 * Compares the whole standard output of a trial with what two other trials agree on (indices of sides). For programs
 * whose user did not say what the results are.
 */
void check_whole_output(struct arena *a, const struct check_history *h, size_t first, size_t second, size_t now,
                        struct check_result *r);

/* Decides whether the trial failed, and makes the rows of the exit status, which come first. */
void check_end(struct arena *a, const struct workload *w, struct trial *t);

/* Makes the other rows. Without `then` (for the first trial), only rows of checks that will find nothing to compare. */
void check_results(struct arena *a, const struct workload *w, const struct check_side *then,
                   const struct check_side *now, const struct check_python *python, struct trial *t);

/* A result in words: "0.25 here, 0.5 in base (line 3); max abs difference 0.25, max rel 0.5". */
struct str check_words(struct arena *a, const struct check_result *r, struct str then);
