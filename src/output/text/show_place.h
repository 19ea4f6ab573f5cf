/* show_place: everything that is known about one line of the user's code, as text. One thread. */
#pragma once

#include "analysis/answers/answers.h"
#include "output/text/text.h"

/* `file` is the end of a path in the trace: "train.py" is any file of that name. */
struct show_place {
    struct str file;
    int64_t line;
    int rank; /* RANK_UNKNOWN: any */
};

/* Returns the number of things found. */
int show_place_write(struct text *t, const struct answers *answers, const struct show_place *p);
