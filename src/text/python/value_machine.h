/*
 * value_machine: a machine that runs instructions of Python on kinds of values in place of values: what lies on the
 * stack, in variables and where jumps lead. Private to bytecode_use.c and value_calls.c. One thread.
 */
#pragma once

#include "text/python/bytecode.h"
#include "text/python/value_use.h"
#include "util/arena.h"

enum { MACHINE_DEPTH_MAX = 100, MACHINE_LABELS_MAX = 200, MACHINE_LOCALS_MAX = 200, MACHINE_INSTRUCTIONS_MAX = 20000 };

/* A value on the stack. */
struct slot {
    enum value_kind kind;
    struct str name;  /* "ctc_loss" */
    struct str owner; /* "functional": what it is an attribute of; empty for variables */
    bool is_null;     /* what Python puts beside functions that are no methods */
    bool is_constant, is_text;
};

struct stack {
    struct slot v[MACHINE_DEPTH_MAX];
    size_t n;
};

/* Where a jump leads, and what is on the stack there. */
struct label {
    struct str name;
    struct slot *v;
    size_t n;
    bool of_loop; /* when it ends */
};

struct local {
    struct str name;
    enum value_kind kind;
};

struct machine {
    struct arena *arena;
    const struct bytecode_read *read;
    struct bytecode_use *out;
    enum bytecode_python python;
    struct stack stack;
    struct slot nothing; /* below the stack */
    struct label labels[MACHINE_LABELS_MAX];
    struct local locals[MACHINE_LOCALS_MAX];
    size_t labels_n, locals_n;
    bool alive;    /* the instruction is reached from one before it */
    bool prologue; /* of a function that goes on after a graph break: a jump leads into the middle */
};

/* A value that is not there is VALUE_OTHER. */
struct slot machine_pop(struct machine *m);
void machine_push(struct machine *m, struct slot s);
void machine_push_kind(struct machine *m, enum value_kind kind);
/* The n-th from the top, from 1. Never NULL. */
struct slot *machine_peek(struct machine *m, int64_t n);

void machine_store(struct machine *m, struct str variable, enum value_kind kind);
enum value_kind machine_load(struct machine *m, struct str variable);

/* What is on the stack now will be there where the instruction jumps to. */
void machine_note_jump(struct machine *m, const struct instruction *from);
/* At an instruction that jumps may lead to. */
void machine_arrive(struct machine *m, const struct instruction *at);

/* The number is needed, or what is done with it is not known; the first time counts. */
void machine_need(struct machine *m, const struct instruction *x, enum value_use use, struct str what);
void machine_doubt(struct machine *m, const struct instruction *x, struct str what);

/* Whether it is the value that was read, or made of it. */
bool machine_follows(enum value_kind kind);
/* Whether it is a number, or has one in it. */
bool machine_is_number(enum value_kind kind);

/* Takes n values. What they are together: a number, if any is one or has one in it. */
enum value_kind machine_take(struct machine *m, int64_t n);
