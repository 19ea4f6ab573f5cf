/*
 * python_code: the little of Python's grammar that the parsers of this folder need: what is inside a string literal or
 * a bracket, and which statements ask for a condition. Guard texts quote user data (`L['s'] == 'a # b'`), so a mark
 * only counts outside of it. Any thread.
 */
#pragma once

#include "util/str.h"

enum python_place {
    PYTHON_NOT_IN_STRING,
    PYTHON_TOP_LEVEL, /* neither in a string literal nor in a bracket */
};

/*
 * The offset of the first occurrence of mark at such a place, or -1. An unclosed quote is an apostrophe, not the start
 * of a literal; extra closing brackets are ignored. Linear in the length of the code. The mark must not be empty or
 * begin with a quote.
 */
ptrdiff_t python_find(struct str code, struct str mark, enum python_place place);

/* Whether it has nothing but names and dots: "self.sell"; true of an empty one. */
bool python_is_dotted(struct str s);

/* Whether the statement goes one way or another by its condition: "if x:", "elif x:", "while x:". */
bool python_branches(struct str statement);

/* Whether it asks if its condition is true: one that branches, or "assert x". */
bool python_asks(struct str statement);
