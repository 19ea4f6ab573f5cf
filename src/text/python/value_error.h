/*
 * value_error: what Python says of a value that cannot do what a line asks of it ("'bool' object is not
 * subscriptable"), and the expression of the line that has the value. Such words fit eager mode as well. Any thread.
 */
#pragma once

#include "util/str.h"

struct value_error {
    struct str name;  /* "causal_mask", "self.mask": the one expression of the line of which it is asked */
    struct str type;  /* "bool", as the message says */
    struct str asked; /* what stands behind the name: "[...]", "(...)", ".price" */
    bool plain;       /* a number or a truth value, of which the compiler itself asks no such thing */
};

/* False where the message is another one, or the line asks it of no value, or of several. Points into both. */
bool value_error_find(struct str message, struct str line, struct value_error *out);
