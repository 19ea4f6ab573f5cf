/*
 * python_call: what one line of a program calls, and with which expressions, as far as the line alone shows:
 *
 *   loss = model(ids, mask=batch["mask"])    calls model with `ids` and mask=`batch["mask"]`
 *
 * Lines come from traces, so they may be anything, also the middle of a statement. Views point into the line. Any
 * thread.
 */
#pragma once

#include "util/vec.h"

struct python_argument {
    struct str keyword; /* empty: by position */
    unsigned stars;     /* 1 of *values, 2 of **values */
    struct str value;
};

struct python_call {
    struct str callee; /* "self.model" */
    VEC(struct python_argument) arguments;
};

/*
 * The call that the line is about: the only one to which something by name is passed. Calls that just print or convert
 * or collect its result are not counted: print(f(x)), float(f(x)), out.append(f(x)). False when there is none, or more
 * than one.
 */
bool python_only_call(struct arena *a, struct str line, struct python_call *out);

/*
 * Whether the line is a whole statement that assigns, returns or asserts, so that another statement may stand before it
 * and sees the same names.
 */
bool python_is_whole_statement(struct str line);

/* A variable, or what it leads to by attributes and constant keys: x, batch.x, self.items["a"][0]. */
bool python_is_place(struct str expression);
