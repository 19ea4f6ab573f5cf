/*
 * error_compiler: a C++ compiler that was found, ran and failed, of which the text shows no error that is known: where
 * its own words are. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "analysis/known_errors/error_step_list.h"

/* False where the message is none of a C++ compiler, or has the compiler's error. */
bool error_compiler_say(struct arena *a, const struct error *e, struct error_steps *out);
