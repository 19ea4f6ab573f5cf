/*
 * value_calls: what becomes of a value that is followed where it is handed to a function or a method. Private to
 * bytecode_use.c. One thread.
 */
#pragma once

#include "text/python/value_machine.h"

/* A call with so many arguments. Beside: something stands beside the function, nothing or the object of a method. */
void value_call(struct machine *m, const struct instruction *x, int64_t arguments, bool beside);
