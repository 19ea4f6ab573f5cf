/*
 * shape_expression: rewrites conditions on sizes and on values read from tensors, which PyTorch prints in sympy's
 * notation, as a user would write them:
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
    bool is_python;   /* it calls no sympy function */
    bool has_symbols; /* it has a symbol such as s77 or u0 whose name is unknown */
};

/* `names` gives the meaning of symbols: "s77 = L['x'].size()[0], u0 = length". */
struct shape_words shape_expression_words(struct arena *a, struct str expression, struct str names);

/* The opposite of a single comparison: "n == 0" -> "n != 0"; empty for anything else. */
struct str shape_condition_opposite(struct arena *a, struct str condition);

enum condition_form {
    CONDITION_NONE,       /* not a condition, or part of one */
    CONDITION_COMPARISON, /* n > 4 */
    CONDITION_VALUE,      /* flag, x[0] */
    CONDITION_OTHER,      /* several conditions: a > 1 and b, not a, 1 < a < 4 */
};

/* The form of an expression such as "n > 4". */
enum condition_form condition_form_of(struct str condition);

struct line_condition {
    enum condition_form form;
    struct str text;
    bool stands_alone; /* another statement may go before the line: an if or an assert, but not an elif or a while */
};

/*
 * The condition "n > 4" in "if n > 4:", "elif n > 4: return x", "while n > 4:" and "assert n > 4, message". A view of
 * the line. A condition that calls something is CONDITION_OTHER, because each call may return another value.
 */
struct line_condition line_condition_of(struct str line);

/*
 * "a.numel() == b.numel()" of "if a.numel() != b.numel():", which most often only raises an error: what is true of a
 * program that works. Empty for any other line, and where one side is a number: then both sides may do work.
 */
struct str line_equality_of(struct arena *a, struct str line);

/*
 * "12" and "s70" of "... expression Ne(u0, 12) (unhinted: Ne(u0, s70))": the number is only the example's size, for
 * which the symbol stands. False where the unhinted form has the number, too, or is not of this form.
 */
bool hint_of_example(struct str message, struct str *number, struct str *symbol);

/*
 * "y.shape[-1] == x.shape[-1]" of the line "x[:, :y.shape[-1]] = y": that it takes all of the last dimension, which is
 * one way for it to be right. Empty for any other line. In the arena.
 */
struct str line_whole_slice_of(struct arena *a, struct str line);
