/*
 * value_use: a value that a line of code reads from a tensor, and which only the running graph knows, and what is done
 * with it. Plain data: the question and the answer of bytecode_use. Strings are views.
 */
#pragma once

#include "util/str.h"

/* What is known of a value. */
enum value_kind {
    VALUE_OTHER,
    VALUE_ITEMS,   /* a list, tuple or dict that is made here */
    VALUE_NUMBER,  /* the number that was read, or what is computed from it and constants */
    VALUE_NUMBERS, /* a list of such */
    VALUE_TRUTH,   /* a comparison of it */
    VALUE_SIZED,   /* a tensor whose size depends on data */
    VALUE_DERIVED, /* computed from any of these and others: a tensor, mostly */
    VALUE_RANGE,   /* range(n) */
    VALUE_SLICE,   /* x[:n] */
    VALUE_INDICES, /* a tuple with the number in it: x[:, n], torch.zeros((n, 3)) */
};

enum value_use {
    USE_OTHER,  /* nothing that is known to need the number */
    USE_BRANCH, /* `if n > 3:` */
    USE_LOOP,   /* `for i in range(n):` */
    USE_INDEX,  /* `items[n]`, `items[:n]` */
    USE_AMONG,  /* `x[:, n]`: one of several indices, not an end of a slice */
    USE_KEY,    /* `{n: x}`, `seen.index(n)` */
    USE_TEXT,   /* `str(n)` */
    USE_CALL,   /* `ctc_loss(…, n)`: a function that needs the number */
};

struct bytecode_read {
    int64_t line;                                      /* which reads the value */
    enum value_kind kind;                              /* NUMBER or SIZED */
    struct str callee;                                 /* what the line calls for it; empty: what reads tensors */
    bool (*has_items)(void *context, struct str name); /* whether a variable has items that a number chooses from */
    void *context;
};

struct bytecode_use {
    bool found;               /* the read, and all that comes after it could be followed */
    enum value_use use;       /* the first that needs the number */
    int64_t line;             /* of the source file */
    struct str name;          /* the variable that it is in; may be empty */
    struct str what;          /* what is indexed or called: "experts", "ctc_loss" */
    struct str unsure;        /* USE_OTHER: the first function of which it is not known what it does with the number */
    int64_t unsure_line;      /* 0 for none */
    int64_t read_line;        /* of a tensor whose size depends on data, a value is read there; 0 for none */
    enum value_kind returned; /* what the function returns of it */
};
