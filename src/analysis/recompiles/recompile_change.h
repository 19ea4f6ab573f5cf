/*
 * recompile_change: the kinds of change that have remedies of their own, determined from the failed guard. Static. Any
 * thread.
 */
#pragma once

#include "model/model.h"
#include "text/guards/guard_reason.h"

enum change {
    CHANGE_UNKNOWN,    /* the trace does not say */
    CHANGE_SIZE,       /* a size of a tensor that may be dynamic */
    CHANGE_SMALL_SIZE, /* a size that is or was 0 or 1 */
    CHANGE_PARAMETER,  /* a size of a torch.nn.Parameter that is passed to the function */
    CHANGE_MODULE,     /* a size of a module's own parameter: it is another module */
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
    CHANGE_TENSOR_VALUE, /* of an index tensor, for example */
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

/*
 * L['x'] for x, ___from_numpy(L['a']) for ___from_numpy(a): reasons print short names, symbols and guard trees full
 * sources. G[...] stays. In the arena.
 */
struct str recompile_full_source(struct arena *a, struct str source);

/* Whether it is on an array of NumPy, which the compiled code takes as a tensor: "___from_numpy(a)". */
bool recompile_is_of_numpy(const struct guard_reason *g);

/* Whether it is about a property of a module's parameter; g is not NULL. */
bool recompile_is_of_parameter(const struct guard_reason *g);

/* A value that a resume function gets from the code before the graph break: it has no name in the program. */
bool recompile_is_from_break(const struct guard_reason *g);

/* Whether such guards are about a property of a tensor: a size, a stride, the dtype. */
bool recompile_is_of_tensor(enum guard_class class);
