/*
 * guard_reason: reads one failed guard that caused a recompile, from the recompile_reasons artifact,
 * CompilationMetrics.recompile_reason or TORCH_LOGS=recompiles, classifies it, and puts it into words.
 *
 *   0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5
 *   0/1: n == 7                              # source line  # file.py:27 in f
 *   0/0: ___check_global_state()   KeyError: "..."   Cache line invalidated because ...
 *
 * If a reason lists several failed checks ("A; B; C"), the first one is read. Source: torch/csrc/dynamo/ guards.cpp
 * (the verbose messages of the leaf guards) and torch/_dynamo/guards.py (get_guard_fail_reason_helper,
 * strip_local_scope). Views point into the text, into static strings or into the arena. Any thread.
 */
#pragma once

#include "text/guards/guard_class.h"
#include "util/vec.h"

/* One reason: one line, or one with a user stack below it. Never fails: an unknown text is GUARD_OTHER. */
void guard_reason_parse(struct arena *a, struct str text, struct guard_reason *out);

/*
 * Splits a payload, a metrics field or a log body into its reasons, trimmed, in their order. The lines of a log body
 * ("Recompiling function ... triggered by the following guard failure(s):") lose their leading "- ", so such reasons
 * are in the arena.
 */
struct guard_reason_texts {
    VEC(struct str) list;
};
void guard_reason_split(struct arena *a, struct str text, struct guard_reason_texts *out);

/*
 * Where in a line a known failed guard with the id of a compile begins, "- 0/0: tensor 'x' size mismatch ...", or a
 * list of them, "["0/0: ..."]"; -1 if there is none.
 */
ptrdiff_t guard_reason_find(struct str line);
