/*
 * guard_tensor: reads the messages of failed tensor guards: "tensor 'x' size mismatch at index 0. expected 4, actual
 * 5" and the like. Source: torch/csrc/dynamo/guards.cpp (TensorCheck::check_verbose, TENSOR_MATCH). Any thread.
 */
#pragma once

#include "text/guards/guard_words.h"

/* For a row "tensor '": "x' size mismatch at index 0. expected 4, actual 5". */
bool guard_tensor_read(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out);

/* For a row "expected type of '": "x' to be a tensor type, ' but found <class 'float'>". */
bool guard_tensor_type_read(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out);
