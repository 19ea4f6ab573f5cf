/*
 * python_call: finds what a line of code calls, and with which arguments, from the line alone:
 *
 *   loss = model(ids, mask=batch["mask"])    calls model with `ids` and mask=`batch["mask"]`
 *
 * Lines come from traces, so they may be anything, also the middle of a statement. Views point into the line. Any
 * thread.
 */
#pragma once

#include "util/vec.h"

struct python_argument {
    struct str keyword; /* empty for a positional argument */
    unsigned stars;     /* 1 for *values, 2 for **values */
    struct str value;
};

struct python_call {
    struct str callee; /* "self.model" */
    VEC(struct python_argument) arguments;
};

/*
 * The call that the line is about: the only one that gets an argument with a name. Calls that only print, convert or
 * collect its result do not count: print(f(x)), float(f(x)), out.append(f(x)). False if there is none, or more than
 * one.
 */
bool python_only_call(struct arena *a, struct str line, struct python_call *out);

/*
 * Whether the line is a complete statement that assigns, returns or asserts, so that another statement can go before
 * it and sees the same names.
 */
bool python_is_whole_statement(struct str line);

/* A variable, or something reached from it by attributes and constant keys: x, batch.x, self.items["a"][0]. */
bool python_is_place(struct str expression);
