/*
 * guard_comment: parses the comment that PyTorch writes after a guard's check, in the guard tree and in recompile
 * reasons:
 *
 *   n == 7                              # return x * n  # file.py:27 in f (HINT: ...)
 *   6 <= x.size()[0]  # if x.shape[0] > 5:  # file.py:12 in f (_dynamo/variables/tensor.py:2606 in evaluate_expr)
 *   x.size()[1] == x.size()[0]  # duck sizing added this equality because ...
 *   ___check_global_state()             # _dynamo/output_graph.py:463 in init_ambient_guards
 *
 * Source: torch/_dynamo/guards.py (get_verbose_code_part), torch/fx/experimental/symbolic_shapes.py (for shapes).
 * Views point into the text; a hint made of two is in the arena. Any thread.
 */
#pragma once

#include "util/arena.h"

struct guard_comment {
    struct str check;     /* the text before the comment, trimmed; may have several lines */
    struct str user_code; /* the line that caused the guard; empty if the comment has only a place or a remark */
    /* as written: often relative, or shortened to its last components; PyTorch's own file if user_code is empty */
    struct str file;
    int64_t line;         /* 0 unknown */
    struct str function;
    struct str hint; /* the text in (HINT: ...), or PyTorch's remark about the origin of the guard */
};

/* Only the check, trimmed: `text` up to its comment. */
struct str guard_comment_check(struct str text);

/* `text` is a check and its comment, on one line or several. Without a comment, all of it is the check. */
void guard_comment_parse(struct arena *a, struct str text, struct guard_comment *out);
