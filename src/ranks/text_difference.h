/*
 * text_difference: finds the first lines in which the texts of two compiles differ, ignoring what differs on every
 * rank. Strings are in the arena given. One thread.
 */
#pragma once

#include "ranks/compare/contents.h"

/* The text of one of the two compiles at that place. */
struct text_side {
    struct str line; /* as written, but without a long common beginning; empty if there is nothing */
    struct str op;   /* for a collective; else empty */
    struct str file; /* the user's line that it comes from, as in struct collective_call; may be empty */
    int64_t place, from_place;
};

struct text_difference {
    struct text_side sides[2];
    bool counts; /* one has more texts of the facet than the other; there are no lines */
};

/*
 * Compares the artifacts of one facet of two compiles. With `sizes`, sizes of tensors count as differences. False if
 * none is found, for example because texts cannot be read.
 */
bool text_difference_find(struct arena *a, struct contents *contents, const struct compile *x, const struct compile *y,
                          enum rank_facet f, bool sizes, struct text_difference *out);

/* The same for guards, whose order does not count. */
bool guard_difference_find(struct arena *a, struct contents *contents, const struct compile *x, const struct compile *y,
                           struct text_difference *out);
