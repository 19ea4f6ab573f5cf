/*
 * recompile_names: what a user calls an input of a compiled function, and the value that it has in a later compile. In
 * the finder's arena.
 */
#pragma once

#include "analysis/find/find.h"

/* "`ids`", or what the caller calls it where the parameter is one of a wrapper of PyTorch's; else "argument 1". */
struct str recompile_input_name(struct finder *f, const struct compile *c, struct str source);

/* What the value of the failed guard is in the compile that followed; empty when not known. */
struct str recompile_new_value(struct finder *f, const struct compile *c, const struct guard_reason *failed);

/* "the value from line 4" for ___stack0: what a resume function is handed has no name. */
struct str recompile_name_from_break(struct finder *f, const struct frame *fr);
