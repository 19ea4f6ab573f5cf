/* show: one thing from a trace as text: the list of compiles, the facts about one compile, or a payload. */
#pragma once

#include "analysis/answers/answers.h"
#include "output/text/text.h"

struct show_query {
    bool has_id;
    struct compile_id id;
    /* an artifact name or short name, "metrics", "stack", "inputs", "symbols", an MD5 or ":LINE"; empty: a list */
    struct str what;
    int rank;    /* only this rank; RANK_UNKNOWN: any */
    bool failed; /* only guards that failed later */
};

/* Whether a compile has the requested rank and id. */
bool show_is_asked(const struct show_query *q, const struct compile *c);

/*
 * Appends what was asked for. A single payload is written byte for byte (with a newline at its end); before each of
 * several, a line says what it is. Returns the number of things found, or -errno if a payload cannot be read back.
 */
int show_write(struct text *t, const struct answers *answers, const struct show_query *q);

/* The text if nothing was found: that, and what there is. */
struct str show_instead(struct arena *a, const struct answers *answers, const struct show_query *q);

/* The only name that contains q->what; empty if there is none, or several. */
struct str show_completed(const struct answers *answers, const struct show_query *q);
