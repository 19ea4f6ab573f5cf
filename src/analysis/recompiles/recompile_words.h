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
