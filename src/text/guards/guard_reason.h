/*
 * guard_reason: one failed guard, as PyTorch gives it for a recompile: in the recompile_reasons artifact, in
 * CompilationMetrics.recompile_reason and in TORCH_LOGS=recompiles. Sorted into classes, taken apart, put into words.
 *
 *   0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5
 *   0/1: n == 7                              # source line  # file.py:27 in f
 *   0/0: ___check_global_state()   KeyError: "..."   Cache line invalidated because ...
 *
 * Of a reason that lists several failed checks ("A; B; C") the first is taken apart. Source: torch/csrc/dynamo/
 * guards.cpp (the verbose messages of the leaf guards) and torch/_dynamo/guards.py (get_guard_fail_reason_helper,
 * strip_local_scope). Views point into the text, into static strings or into the arena. Any thread.
 */
#pragma once

#include "text/guards/guard_class.h"
#include "util/vec.h"

/* One reason: one line, or one with a user stack below it. Never fails: what is not understood is GUARD_OTHER. */
void guard_reason_parse(struct arena *a, struct str text, struct guard_reason *out);

/*
 * Splits a payload, a metrics field or a log body that holds several reasons; each is trimmed, in order. A log body
 * ("Recompiling function ... triggered by the following guard failure(s):", a "- " before each line) loses its marks,
 * so its reasons are in the arena.
 */
struct guard_reason_texts {
    VEC(struct str) list;
};
void guard_reason_split(struct arena *a, struct str text, struct guard_reason_texts *out);

/*
 * Where in a line a failed guard of a compile that is named stands, "- 0/0: tensor 'x' size mismatch ...", or a list of
 * them, "["0/0: ..."]"; -1 when there is none that is known.
 */
ptrdiff_t guard_reason_find(struct str line);
