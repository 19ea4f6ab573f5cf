/*
 * recompile_constant: sizes that PyTorch's own code makes constants, as the log of `dynamic` shows: "eval Eq(s0, 3)
 * [guard added] (_subclasses/fake_tensor.py:1434 in <genexpr>)", with no line of the program. Any thread.
 */
#pragma once

#include "model/model.h"

struct recompile_constant {
    const struct call *by;    /* the line of PyTorch; NULL: none is known */
    const struct compile *in; /* the compile that has it */
};

/* "L['t'].size()[1] == 3": the source of the guard, and the number. False if it is no such guard. */
bool recompile_constant_read(struct str guard, struct str *source, struct str *value);

/* What made the size of a guard of that function a constant. */
void recompile_constant_find(const struct frame *fr, struct str guard, struct recompile_constant *out);

/* Whether the same line made this one a constant. */
bool recompile_constant_covers(const struct recompile_constant *made, const struct compile *c,
                               const struct specialization *s);

/* "`t.size()[1]` and `t.size()[2]`": the first of those that the line makes constants in one compile. */
struct str recompile_constant_words(struct arena *a, const struct recompile_constant *made);

/*
 * The lowering of Inductor that makes a size of this compile a constant, "convolution_backward_lowering", with no line
 * of the program; empty if none does. `source`: of this input alone, L['x'] or one of its sizes; empty: any.
 */
struct str recompile_constant_lowering(const struct compile *c, struct str source);
