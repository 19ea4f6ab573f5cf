/*
 * guard_lines: finds the user's line that calls a collective by the guards of the compile. A graph only names the
 * lines around a call, but guards on values that the call's own line uses name that line:
 *
 *   +- ID_MATCH: ___check_obj_id(G['fc'], 1396)  # x = fc.all_reduce(x, "sum", group)  # me/train.py:112 in step
 *
 * Dynamo guards a value once, for the first line that uses it. So a guard only shows the line of an operation that the
 * graph calls once. Strings are in the arena given. One thread.
 */
#pragma once

#include "ranks/compare/contents.h"

/*
 * Sets the line of a call, and the file if it is unknown, provided that only one line in the compile's guards is
 * possible.
 */
void guard_lines_place(struct arena *a, struct contents *contents, const struct compile *c,
                       struct collective_call *call);
