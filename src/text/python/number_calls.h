/*
 * number_calls: what functions of Python and PyTorch do with a number that only the running graph knows, which Dynamo
 * captured from a tensor (`capture_scalar_outputs`, PyTorch 2.13). Found by calling each of them with one. Static
 * tables; any thread.
 */
#pragma once

#include "util/str.h"

enum number_call {
    NUMBER_UNKNOWN, /* a function that no table has */
    NUMBER_TAKEN,   /* takes it, and makes something of it and its other arguments */
    NUMBER_AS_SIZE, /* takes it, mostly for the size of the tensor that it makes */
    NUMBER_KEPT,    /* and what comes is a number, too: max(n, 1) */
    NUMBER_LISTED,  /* and what comes is a list of such: list(n), zip(n, m) */
    NUMBER_IGNORED, /* the number does not matter for what comes: isinstance(n, int) */
    NUMBER_NEEDED,  /* Python or PyTorch needs to know it: the graph breaks, or the call fails */
    NUMBER_IN_TEXT, /* ... for a text */
    NUMBER_AS_KEY,  /* ... to look something up */
    NUMBER_TESTED,  /* ... as a condition */
};

/* What a call does with a number: the owner is a module ("math") or an object, and empty for a builtin. */
enum number_call number_call_of(struct str owner, struct str name);
