/*
 * error_choice: sizes that are not known while tracing: the larger or smaller one of two, which a function of PyTorch
 * takes without comparing them, and one of which PyTorch asks whether it is zero. Any thread.
 */
#pragma once

#include "analysis/known_errors/error_step_list.h"

/* Whether the line that asks calls `max` or `min`, or writes it out: "a if a > b else b". */
bool error_chooses_size(const struct error *e);

/* What to write instead. */
void error_choice_say(struct arena *a, const struct error *e, struct error_steps *out);

/* Whether the line makes a tensor of a size that is a value read from a tensor, or a sum or product of them. */
bool error_asks_zero_size(const struct error *e);

/* What PyTorch takes as an answer. */
void error_zero_size_say(struct arena *a, const struct error *e, struct error_steps *out);
