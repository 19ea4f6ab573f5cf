/*
 * error_steps: what to do about an error, as maintainers answer: by its message, else by its category. To add an
 * answer, add a row in an answers_*.def; for problems of the machine, a row in text/faults/faults.def. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "analysis/known_errors/error_step_list.h"

void error_next_steps(struct arena *a, const struct run *r, const struct error *e, struct error_steps *out);
