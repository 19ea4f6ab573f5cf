/*
 * show: one thing from a trace as text: the list of compiles, what is known of one, or a payload.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "output/text/text.h"

struct show_query {
    bool has_id;
    struct compile_id id;
    struct str what; /* artifact name or short name, "metrics", "stack", "inputs", "symbols", an MD5 or ":LINE"; empty:
                        a list */
    int rank;        /* only this one; RANK_UNKNOWN: any */
    bool failed;     /* of guards, those that failed later */
};

/* Whether a compile has the rank and the id that were asked for. */
bool show_is_asked(const struct show_query *q, const struct compile *c);

/*
 * Appends what was asked for. A payload that stands alone is written byte for byte (with a newline at its end); several
 * get a line before each that says what it is. Returns how many things were found, or -errno when a payload cannot be
 * read back.
 */
int show_write(struct text *t, const struct answers *answers, const struct show_query *q);

/* Where nothing was found: that, and what there is. */
struct str show_instead(struct arena *a, const struct answers *answers, const struct show_query *q);

/* The only name that has q->what inside; empty when there is none, or several. */
struct str show_completed(const struct answers *answers, const struct show_query *q);
