/*
 * stack: call stacks of user code, stored once. All stacks of a process form one tree: a stack is a pointer to its
 * innermost call, whose parents are its callers. Equal stacks are equal pointers. The stack trie of the report is this
 * tree. One thread while it grows, any afterwards.
 */
#pragma once

#include "model/code_file.h"
#include "util/map.h"
#include "util/vec.h"

struct call {
    const struct call *parent; /* the caller; NULL if it is the outermost */
    struct str file;           /* interned; "" if the trace has none */
    struct str function;
    struct str source; /* the line of code, if the trace has it */
    int64_t line;
    uint32_t depth;            /* 1 for the outermost */
    uint32_t index;            /* order of creation in the tree: parents come before children */
};

struct stack_tree {
    struct map calls; /* (parent, file, function, source, line) -> call */
    struct map strings;
    VEC(struct call *) all; /* in order of creation */
};

void stack_tree_init(struct stack_tree *t, struct arena *a);

/* Returns the call of `function` at file:line under parent. Strings are interned. */
const struct call *stack_push(struct stack_tree *t, const struct call *parent, struct str file, int64_t line,
                              struct str function, struct str source);

/* Outermost first, `depth` entries, in the arena. */
const struct call **stack_list(struct arena *a, const struct call *innermost);

/* The innermost call of the user's own code, or the innermost of all if there is none. NULL for NULL. */
const struct call *stack_user_call(const struct call *innermost);
/* The same, but NULL if no call is the user's own. */
const struct call *stack_own_call(const struct call *innermost);
/* Whether one of the functions, or of the parts of paths ("torch/fx/"), separated by '\n', is among the calls. */
bool stack_calls(const struct call *innermost, struct str names);
/* The innermost call of the program itself, outside installed packages; NULL if there is none. */
const struct call *stack_program_call(const struct call *innermost);
