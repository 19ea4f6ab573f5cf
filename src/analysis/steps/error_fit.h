/*
 * error_fit: makes the steps against an error fit the text: what it states of its system, of a project's options and of
 * what was tried. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "analysis/known_errors/error_step_list.h"

/* The last of all: steps may be changed and left out. */
void error_fit_steps(struct arena *a, const struct error *e, struct error_steps *out);
