/*
 * moved_option: a setting that stands where PyTorch has none of that name, while another of its configs has it. Any
 * thread.
 */
#pragma once

#include "analysis/answers/errors.h"

/* Where the setting belongs, as a sentence in the arena; empty for any other error or note. */
struct str moved_option_answer(struct arena *a, const struct error *e);
