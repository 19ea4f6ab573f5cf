/* remedies_values: remedies where numbers, strings or flags change that are compiled in. Static. Any thread. */
#pragma once

#include "analysis/remedies/remedy_row.h"

extern const struct remedies remedies_values;

/* Each layer has its own number, so that a newer version of a library will not do without, either. */
bool remedies_values_are_layers(struct finder *f, const struct recompile_cause *cause);

/* Every call has another value: the code itself counts, or it is a text. */
bool remedies_values_are_endless(struct finder *f, const struct recompile_cause *cause);

/* An integer that stayed a constant, though the line that the guard names only computes with it; and what to say. */
bool remedies_values_is_computed_with(struct finder *f, const struct recompile_cause *cause);
struct str remedies_values_computed_words(struct arena *a, const struct recompile_cause *cause);

/* Several numbers of one list, which a line of the program needs as constants. */
bool recompile_is_of_numbers(struct finder *f, const struct recompile_cause *cause);

/* One compile for each object that has a name of its own: how many there are is not known. */
bool recompile_is_per_object(struct finder *f, const struct recompile_cause *cause);
