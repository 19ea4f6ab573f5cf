/*
 * bytecode_use: finds out what a function does with the value with which it continues after a graph break. PyTorch
 * writes the bytecode of such a function as dis prints it (NAME_ORIGINAL_BYTECODE; 2.13 and later): a jump to the
 * place where it continues and the value is stored in a variable, and then the lines that use the variable. If neither
 * Python nor PyTorch needs the number itself, the use is USE_OTHER. Any thread.
 */
#pragma once

#include "util/str.h"

enum value_use {
    USE_OTHER,  /* nothing that is known to need the number */
    USE_BRANCH, /* `if n > 3:` */
    USE_LOOP,   /* `for i in range(n):` */
    USE_INDEX,  /* `items[n]`, where items is a tensor or anything else */
    USE_AMONG,  /* `x[:, n]`: one of several indices, not the end of a slice */
};

struct bytecode_use {
    enum value_use use;
    int64_t line;         /* in the source file */
    struct str name;      /* the variable */
    /* the last call in the line receives the value: the variable is, for example, what int() returns */
    bool called;
    struct str container; /* USE_INDEX: the last name of the object that is indexed, "experts" */
};

/* The first use that needs the number. Strings are views of the text. */
void bytecode_use_find(struct str text, struct bytecode_use *out);
