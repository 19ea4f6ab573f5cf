/*
 * error_details: what this one error shows beyond the answer to its message, said beside the first step: the line where
 * it was noticed or where a value was made, names, sizes and strides that do not fit. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "analysis/known_errors/error_step_list.h"

/* Changes the words of the first step, if there is one. */
void error_details_add(struct arena *a, const struct error *e, struct error_steps *out);
