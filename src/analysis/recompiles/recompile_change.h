/*
 * recompile_change: what changed, by the guard that failed: the kinds of change that have remedies of their own.
 * Static. Any thread.
 */
#pragma once

#include "model/model.h"
#include "text/guards/guard_reason.h"

enum change {
    CHANGE_UNKNOWN,    /* the trace does not say */
    CHANGE_SIZE,       /* a size of a tensor that may be dynamic */
    CHANGE_SMALL_SIZE, /* a size that is, or was, 0 or 1 */
    CHANGE_PARAMETER,  /* a size of a torch.nn.Parameter that is passed to the function */
    CHANGE_MODULE,     /* a size of a parameter in a module: it is another module */
    CHANGE_INT,
    CHANGE_FLOAT,
    CHANGE_OPTIMIZER, /* a number in an optimizer's param_groups */
    CHANGE_GLOBAL_VALUE,
    CHANGE_DTYPE,
    CHANGE_DEVICE,
    CHANGE_STRIDE,
    CHANGE_DIMENSIONS,
    CHANGE_REQUIRES_GRAD,
    CHANGE_INFERENCE,
    CHANGE_TENSOR_KIND,
    CHANGE_ALIASING,
    CHANGE_IDENTITY,
    CHANGE_FUNCTION,
    CHANGE_TYPE,
    CHANGE_MODULE_ATTRIBUTE,
    CHANGE_TRAINING,
    CHANGE_GLOBAL_STATE,
    CHANGE_DICT,
    CHANGE_ARGUMENTS, /* which arguments are passed by name */
    CHANGE_CALLEE,    /* another function behind the same wrapper */
    CHANGE_LENGTH,
    CHANGE_NONE,
    CHANGE_CONSTANT,
    CHANGE_TENSOR_VALUE, /* of a tensor that is an index, say */
    CHANGE_RELATION,
    CHANGE_MARKING,
    CHANGE_ATTRIBUTE,
    CHANGE_BACKEND,
    CHANGE_INVALIDATED,
    CHANGE_OTHER,
    CHANGES
};

/* CHANGE_UNKNOWN for NULL. */
enum change recompile_change_of(const struct guard_reason *g);

/* "L['x']" of x, as symbols and guard trees name what a reason calls x. G[...] stays. In the arena. */
struct str recompile_full_source(struct arena *a, struct str source);

/* A value that a resume function is handed by the code before the graph break: it has no name in the program. */
bool recompile_is_from_break(const struct guard_reason *g);
