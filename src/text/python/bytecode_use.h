/*
 * bytecode_use: what a function does with a value that one of its lines reads from a tensor, and which is only known
 * when the graph runs: its instructions are followed in order, with what lies on the stack and in variables. Any
 * thread; strings are views of the text.
 */
#pragma once

#include "text/python/value_use.h"

/* The first use that needs the number. */
void bytecode_use_find(struct str text, const struct bytecode_read *read, struct bytecode_use *out);
