/*
 * recompile_paste: the texts to paste against recompiles that change what is passed or compiled, with the caller's own
 * names. Each function sets x->paste, or leaves it empty. Any thread.
 */
#pragma once

#include "analysis/remedies/recompile_paste_sizes.h"

recompile_paste_fn recompile_paste_log, recompile_paste_log_of_sizes, recompile_paste_isolate, recompile_paste_tensor,
    recompile_paste_tensor_or_dynamic, recompile_paste_plain_tensor, recompile_paste_optimizer, recompile_paste_dtype,
    recompile_paste_layout, recompile_paste_clone, recompile_paste_index, recompile_paste_store,
    recompile_paste_backend, recompile_paste_captured, recompile_paste_sorted;

/* Whether the tensor may have a size of 1, whose stride contiguous() leaves as it is. False for channels last. */
bool recompile_may_keep_stride(struct finder *f, const struct recompile_cause *cause);
