/*
 * error_cuda: an error code of the GPU's runtime that no known message answers: what each code means, and how to find
 * the call or the kernel. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"
#include "analysis/known_errors/error_step_list.h"

/* False where the message has no such code. */
bool error_cuda_say(struct arena *a, const struct error *e, struct error_steps *out);
