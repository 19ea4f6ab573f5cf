/*
 * bytecode_use: what a function does with the value on which it goes on after a graph break. PyTorch writes the
 * bytecode of such a function as dis prints it (NAME_ORIGINAL_BYTECODE; 2.13 and later): a jump to where it goes on,
 * where the value is put into a variable, and then the lines that use it. Uses for which neither Python nor PyTorch
 * needs the number itself are USE_OTHER. Any thread.
 */
#pragma once

#include "util/str.h"

enum value_use {
    USE_OTHER,  /* nothing that is known to need the number */
    USE_BRANCH, /* `if n > 3:` */
    USE_LOOP,   /* `for i in range(n):` */
    USE_INDEX,  /* `items[n]`: of a tensor, or of something else */
    USE_AMONG,  /* `x[:, n]`: one of several indices, not an end of a slice */
};

struct bytecode_use {
    enum value_use use;
    int64_t line;         /* of the source file */
    struct str name;      /* the variable */
    bool called;          /* what the line calls last gets the value: the variable has what int(), for one, returns */
    struct str container; /* USE_INDEX: the last name of what is indexed, "experts" */
};

/* The first use that needs the number. Strings are views of the text. */
void bytecode_use_find(struct str text, struct bytecode_use *out);
