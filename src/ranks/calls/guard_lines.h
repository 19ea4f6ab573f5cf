/*
 * guard_lines: which line of the user's calls a collective, from the guards of the compile. A graph names the lines
 * around a call, while the guards on what the call's own line uses name that line:
 *
 *   +- ID_MATCH: ___check_obj_id(G['fc'], 1396)  # x = fc.all_reduce(x, "sum", group)  # me/train.py:112 in step
 *
 * Dynamo guards a thing once, for the first line that uses it. So a guard shows the line only of an operation that the
 * graph calls once. Strings are in the arena given. One thread.
 */
#pragma once

#include "ranks/compare/contents.h"

/* Sets the line of a call, and the file where none is known, if a single line of the compile's guards can be it. */
void guard_lines_place(struct arena *a, struct contents *contents, const struct compile *c,
                       struct collective_call *call);
