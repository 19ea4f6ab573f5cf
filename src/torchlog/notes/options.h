/*
 * options: settings of the compiler that a text shows and that do not do what its writer wants: they stand where
 * PyTorch reads nothing, have a wrong name, or are a library's. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ": `torch._dynamo.activation_memory_budget` is not `torch._functorch.config.activation_memory_budget`": a setting
 * that is assigned to a module that has none of that name, while a config has it.
 */
struct series_found options_misplaced(struct arena *a, struct str text);

/* ": `TORCHINDUCTOR_MAX_AUTOTUN` is not `TORCHINDUCTOR_MAX_AUTOTUNE`": a variable that is set, and that none reads. */
struct series_found options_misspelled(struct arena *a, struct str text);

/* ": LINE": a library prints that it compiles with `dynamic=False`, and the text counts graphs or compiles by size. */
struct series_found options_fixed_sizes(struct arena *a, struct str text);
