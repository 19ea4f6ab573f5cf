/*
 * shape_expression: conditions on sizes and on values read from tensors, which PyTorch prints as sympy does, as a user
 * writes them:
 *
 *   Eq(s77, 3) -> x.shape[0] == 3        with the names "s77 = L['x'].size()[0]"
 *   u0 > 2 -> length > 2                 with the names "u0 = length"
 *   Eq(Mod(u0, 4), 0) -> (u0 % 4) == 0   without a name for u0
 *
 * and the condition in a line of a program. Texts come from traces. Results are in the arena. Any thread.
 */
#pragma once

#include "util/arena.h"

struct shape_words {
    struct str text;
    bool is_python;   /* calls no function of sympy */
    bool has_symbols; /* s77 or u0 that no name is known for */
};

/* `names` says what symbols stand for: "s77 = L['x'].size()[0], u0 = length". */
struct shape_words shape_expression_words(struct arena *a, struct str expression, struct str names);

/* The opposite of a single comparison: "n == 0" -> "n != 0"; empty for anything else. */
struct str shape_condition_opposite(struct arena *a, struct str condition);

enum condition_form {
    CONDITION_NONE,       /* no condition, or a part of one */
    CONDITION_COMPARISON, /* n > 4 */
    CONDITION_VALUE,      /* flag, x[0] */
    CONDITION_OTHER,      /* several conditions: a > 1 and b, not a, 1 < a < 4 */
};

/* Of an expression: "n > 4". */
enum condition_form condition_form_of(struct str condition);

struct line_condition {
    enum condition_form form;
    struct str text;
    bool stands_alone; /* another statement may stand before the line: an if or an assert, no elif and no while */
};

/*
 * "n > 4" of "if n > 4:", "elif n > 4: return x", "while n > 4:" and "assert n > 4, message". A view of the line.
 * What calls something is CONDITION_OTHER, too: each call may read another value.
 */
struct line_condition line_condition_of(struct str line);
