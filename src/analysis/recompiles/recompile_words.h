/*
 * recompile_words: sentences about what changed, with the names and the values that a user knows: the value that the
 * new compile was made for, and for the parameters of PyTorch's wrappers what the caller wrote. In the finder's arena.
 */
#pragma once

#include "analysis/recompiles/recompile_why.h"

/*
 * "dimension 1 of `ids` and `mask` went from 8 to 12", "`n` went from 2 to 3", "`labels` is no longer passed". Empty
 * where the trace gives no reason.
 */
struct str recompile_words(struct finder *f, const struct recompile_why *why);

/* "`ids`", or what the caller calls it where the parameter is one of a wrapper of PyTorch's; else "argument 1". */
struct str recompile_input_name(struct finder *f, const struct compile *c, struct str source);

/* What the value of the failed guard is in the compile that followed; empty when nothing tells. */
struct str recompile_new_value(struct finder *f, const struct compile *c, const struct guard_reason *failed);
