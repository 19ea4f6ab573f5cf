/* remedies_tensors: remedies where sizes, layouts or other properties of tensors change. Static. Any thread. */
#pragma once

#include "analysis/remedies/remedy_row.h"

extern const struct remedies remedies_tensors;

/* Alone it is no more than two compiles. */
bool recompile_has_two_values(const struct recompile_cause *cause);

/* A line in a PyTorch module: convolutions on CPU choose their implementation by the input size. */
bool recompile_is_choice_of_pytorch(struct finder *f, const struct recompile_cause *cause);

/* A line of PyTorch's own makes a size a constant. */
bool recompile_is_constant_of_pytorch(struct finder *f, const struct recompile_cause *cause);

/* The source of an integer of the call from which one of the sizes is computed, as by x.split(lengths); or empty. */
struct str remedies_tensors_tied_number(struct finder *f, const struct recompile_cause *cause);

/* Of several modules that share the code, and are called one after the other, the first gets the input of all. */
bool recompile_is_of_first_block(struct finder *f, const struct recompile_cause *cause);
