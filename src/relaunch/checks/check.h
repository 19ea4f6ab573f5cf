/*
 * check: what a workload's checks say of a trial: how it ended, and whether what it printed and wrote is what the first
 * run printed and wrote. The texts of results live in the arena. One thread; see check_file.h.
 */
#pragma once

#include "relaunch/checks/check_file.h"

/* What a trial left to compare. */
struct check_side {
    struct str name;    /* of the trial, for people */
    const char *output; /* the file with its standard output; NULL when it ran something else than the workload */
    const char *ranks;  /* directory of what each rank wrote, as torchrun's --log-dir; may not be there */
    bool ranks_only;    /* the output is all of theirs, mixed */
    struct checked_files files;
    bool eager; /* torch.compile was off: what is right, as far as a compiler can be wrong */
};

/*
 * The sides of all trials so far, in their order. They are compared with the first, and from the first on that ended
 * well without torch.compile, with that one: what the compiler makes of a program has to be what the program says.
 */
struct check_history {
    const struct workload *workload;
    struct check_python python;
    VEC(struct check_side) sides;
    size_t reference;
};

/*
 * After a trial, which is the last of the `trials`: adds its side, says whether it failed, and fills its rows; when it
 * is the new reference, those of all others again.
 */
void check_trial(struct arena *a, struct check_history *h, const struct check_side *side, struct trial *trials);

/*
 * The whole standard output of a trial, against what two others agree on: positions among the sides. For programs whose
 * user did not say what their results are.
 */
void check_whole_output(struct arena *a, const struct check_history *h, size_t first, size_t second, size_t now,
                        struct check_result *r);

/* Sets whether the trial failed, and makes the rows of the exit status, which come first. */
void check_end(struct arena *a, const struct workload *w, struct trial *t);

/* The other rows. Without `then` (the trial is the first) only of checks that will find nothing to compare. */
void check_results(struct arena *a, const struct workload *w, const struct check_side *then,
                   const struct check_side *now, const struct check_python *python, struct trial *t);

/* "0.25 here, 0.5 in base (line 3); max abs difference 0.25, max rel 0.5": what a result is in words. */
struct str check_words(struct arena *a, const struct check_result *r, struct str then);
