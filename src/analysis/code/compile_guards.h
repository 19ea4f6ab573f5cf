/*
 * compile_guards: the guards of a compile, read from its artifacts, and what two compiles of a function check
 * differently. Results live in the arena given.
 */
#pragma once

#include "model/model.h"
#include "text/guards/guard_tree.h"

/* The artifact with the guards; NULL if the trace has none. */
const struct artifact *compile_guards_artifact(const struct compile *c);

/* The tree in such an artifact; false if it cannot be read. */
bool compile_guards_read(struct arena *a, const struct artifact *artifact, struct guard_tree *out);

/* The last compile of the same frame before c whose guards are in the trace; NULL if it is too far away. */
const struct compile *compile_guards_before(const struct compile *c);

/* Guards that only one of two compiles has; a check that a compile makes twice counts once. */
struct guards_alone {
    VEC(const struct guard_node *) added, gone;
};

void compile_guards_compare(struct arena *a, const struct guard_tree *before, const struct guard_tree *now,
                            struct guards_alone *out);
