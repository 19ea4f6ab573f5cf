/*
 * recompile_names: the user's name for an input of a compiled function, and its value in a later compile. In the
 * finder's arena.
 */
#pragma once

#include "analysis/find/find.h"

/* "`ids`", or the caller's expression if the parameter belongs to a wrapper of PyTorch's own; else "argument 1". */
struct str recompile_input_name(struct finder *f, const struct compile *c, struct str source);

/* The new value in the next compile, for a guard that failed; empty if unknown. */
struct str recompile_new_value(struct finder *f, const struct compile *c, const struct guard_reason *failed);

/* "the value from line 4" for ___stack0: values that a resume function gets have no names. */
struct str recompile_name_from_break(struct finder *f, const struct frame *fr);
