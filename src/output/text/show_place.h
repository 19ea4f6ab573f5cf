/*
 * show_place: all that is known of one line of the user's code, as text. One thread.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "output/text/text.h"

/* `file` ends like the path in the trace: "train.py" is any file of that name. */
struct show_place {
    struct str file;
    int64_t line;
    int rank; /* RANK_UNKNOWN: any */
};

/* Returns how many things were found. */
int show_place_write(struct text *t, const struct answers *answers, const struct show_place *p);
