/*
 * recompile_paste_sizes: the texts to paste that make sizes and numbers dynamic, and where they go. A text is literal
 * only if the trace proves that it works: a mark for sizes that were dynamic in a later compile, with the caller's own
 * names. A text that is not certain to work is a pattern. Each function sets x->paste, or leaves it empty. Any thread.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

typedef void recompile_paste_fn(struct finder *f, struct finding *x, const struct recompile_cause *cause);

recompile_paste_fn recompile_paste_sizes, recompile_paste_contiguous, recompile_paste_parameter, recompile_paste_number,
    recompile_paste_dynamic, recompile_paste_dynamic_function, recompile_paste_unspec_int, recompile_paste_sizes_anyway,
    recompile_paste_no_duck, recompile_paste_maybe_no_duck, recompile_paste_unspecialized;
