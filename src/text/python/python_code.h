/*
 * python_code: the little that the parsers of this folder know of Python's grammar: what is inside a string literal or
 * a bracket. Guard texts quote user data (`L['s'] == 'a # b'`), so a mark counts only outside of it. Any thread.
 */
#pragma once

#include "util/str.h"

enum python_place {
    PYTHON_NOT_IN_STRING,
    PYTHON_TOP_LEVEL, /* neither in a string literal nor in a bracket */
};

/*
 * Offset of the first occurrence of mark at such a place, or -1. A quote that is never closed is an apostrophe, not
 * the start of a literal; a closing bracket too many is ignored. Linear in the length of the code.
 * The mark is not empty and begins with no quote.
 */
ptrdiff_t python_find(struct str code, struct str mark, enum python_place place);
