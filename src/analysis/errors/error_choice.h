/*
 * error_choice: the larger or smaller one of two sizes that are not known while tracing, which a function of PyTorch
 * takes without comparing them. Any thread.
 */
#pragma once

#include "analysis/known_errors/error_step_list.h"

/* Whether the line that asks calls `max` or `min`, or writes it out: "a if a > b else b". */
bool error_chooses_size(const struct error *e);

/* What to write instead. */
void error_choice_say(struct arena *a, const struct error *e, struct error_steps *out);
