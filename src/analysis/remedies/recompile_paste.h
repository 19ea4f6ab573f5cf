/*
 * recompile_paste: the texts to paste against recompiles, and where they go. A text is literal only if the trace
 * proves that it works: a mark for sizes that were dynamic in a later compile, with the caller's own names. A text
 * that is not certain to work is a pattern. Each function sets x->paste, or leaves it empty.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"
#include "text/versions/names.h"

#define DYNAMIC_SOURCES "torch.compiler.config.dynamic_sources"

typedef void recompile_paste_fn(struct finder *f, struct finding *x, const struct recompile_cause *cause);

recompile_paste_fn recompile_paste_log, recompile_paste_log_of_sizes,
    recompile_paste_sizes, recompile_paste_contiguous, recompile_paste_parameter,
    recompile_paste_isolate, recompile_paste_tensor, recompile_paste_number, recompile_paste_dynamic,
    recompile_paste_tensor_or_dynamic,
    recompile_paste_dynamic_function, recompile_paste_plain_tensor,
    recompile_paste_optimizer, recompile_paste_dtype, recompile_paste_layout, recompile_paste_clone,
    recompile_paste_unspec_int, recompile_paste_index, recompile_paste_store, recompile_paste_sizes_anyway,
    recompile_paste_no_duck, recompile_paste_maybe_no_duck, recompile_paste_backend, recompile_paste_unspecialized;

/* Whether the tensor may have a size of 1, whose stride contiguous() leaves as it is. False for channels last. */
bool recompile_may_keep_stride(struct finder *f, const struct recompile_cause *cause);

/* Whether the trace's PyTorch has the name, or that parameter of torch.compile. False if its version is unknown. */
bool recompile_has(const struct recompile_cause *cause, enum name_kind kind, const char *name);
/* The same, and true if its version is unknown. */
bool recompile_may_have(const struct recompile_cause *cause, enum name_kind kind, const char *name);
bool recompile_has_parameter(const struct recompile_cause *cause, const char *parameter);

bool recompile_version_is_known(const struct recompile_cause *cause);
/* Whether it is that version or a later one. */
bool recompile_version_is(const struct recompile_cause *cause, uint64_t major, uint64_t minor);
