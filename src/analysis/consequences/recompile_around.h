/*
 * recompile_around: which recompile of an enclosing function, or of the same module, a recompile follows from. Static;
 * any thread.
 */
#pragma once

#include "analysis/find/find.h"
#include "analysis/recompiles/recompile_cause.h"

/* Whether the caller decides about it, as it does about a constant, a type, None or the training mode. */
bool recompile_is_chosen(enum change change);

/* The finding of the enclosing function that was compiled again for the same reason; NULL if there is none. */
struct finding *recompile_around(const struct finder *f, const struct recompile_cause *x);

/*
 * The finding of a part of the module that was replaced by one of another class, where its parameters have another
 * size later; NULL if there is none.
 */
struct finding *recompile_part_replaced(const struct finder *f, const struct recompile_cause *x);

/* The finding of a tensor that became a Python number, whose values change later; NULL if there is none. */
struct finding *recompile_number_for_tensor(const struct finder *f, const struct recompile_cause *x);
