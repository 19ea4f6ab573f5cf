/*
 * error_branches: tensors of a higher-order operator that must agree and do not: those of the branches of a cond, or
 * what a loop carries. Any thread.
 */
#pragma once

#include "analysis/known_errors/error_answers.h"
#include "analysis/known_errors/error_step_list.h"

/* What makes the property agree that the message names. False if this is no such answer, or none is named. */
bool error_branches_say(struct arena *a, const struct error *e, const struct error_answer *answer,
                        struct error_steps *out);
