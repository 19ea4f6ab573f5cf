/*
 * bytecode: the instructions of a function as dis prints them, of Python 3.10 to 3.14, and what each takes from the
 * stack and puts onto it. PyTorch writes this text for each function that it compiles (NAME_ORIGINAL_BYTECODE; 2.13 and
 * later). Strings are views of the text. Any thread.
 */
#pragma once

#include "util/str.h"

/* " 15     >>   86 LOAD_FAST   5 (total)"; since Python 3.13 with labels: " 15   L1:   LOAD_FAST   5 (total)". */
struct instruction {
    struct str name;   /* "LOAD_FAST" */
    int64_t argument;  /* 5; 0 without one */
    struct str detail; /* what is in its brackets: "total" */
    struct str label;  /* by which jumps name it: "86", "L1"; may be empty */
    int64_t line;      /* of the source file */
};

/* The versions of Python between which instructions of one name differ. */
enum bytecode_python {
    BYTECODE_310,
    BYTECODE_311, /* and 3.12 */
    BYTECODE_313, /* with labels in place of offsets */
    BYTECODE_314,
};

struct bytecode {
    struct str rest;
    enum bytecode_python python;
    int64_t line;
};

void bytecode_open(struct str text, struct bytecode *out);
bool bytecode_next(struct bytecode *b, struct instruction *out);

/* "86" of "to 86"; empty for others. */
struct str bytecode_target(const struct instruction *x);

/* How many values an instruction takes and leaves, where it does not jump. False when it is not known. */
bool bytecode_effect(enum bytecode_python python, const struct instruction *x, int64_t *takes, int64_t *leaves);
