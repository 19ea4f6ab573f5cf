/*
 * recompile_words: sentences about what changed, with names and values that a user knows: the value that the new
 * compile was made for, and for the parameters of PyTorch's wrappers the caller's expressions. In the finder's arena.
 */
#pragma once

#include "analysis/recompiles/recompile_why.h"

/*
 * "dimension 1 of `ids` and `mask` went from 8 to 12", "`n` went from 2 to 3", "`labels` is no longer passed". Empty
 * if the trace gives no reason.
 */
struct str recompile_words(struct finder *f, const struct recompile_why *why);

/*
 * For how many sizes of that dimension the entries were compiled that did not fit, each for one alone; list gets them,
 * oldest first: "1, 2, 4".
 */
size_t recompile_sizes_before(struct finder *f, const struct recompile *rc, struct str source, int64_t dim,
                              struct str *list);

/* From so many on, PyTorch did not make the size dynamic when it had changed. */
enum { SIZES_OF_STATIC = 3 };
