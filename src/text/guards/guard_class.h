/* guard_class: a failed guard, classified and taken apart: the result of guard_reason. Plain data. */
#pragma once

#include "util/arena.h"

/* What changed. report.json has the name (guard_class_name) as `class`. */
enum guard_class {
    GUARD_SIZE, /* size of a tensor dimension */
    GUARD_STRIDE,
    GUARD_NDIM, /* number of dimensions */
    GUARD_DTYPE,
    GUARD_DEVICE,
    GUARD_LAYOUT, /* the dispatch key set: layout, subclass and autograd state together */
    GUARD_REQUIRES_GRAD,
    GUARD_TENSOR_ALIASING, /* which inputs are the same tensor or overlap */
    GUARD_INT,             /* value of a Python int */
    GUARD_FLOAT,
    GUARD_BOOL,
    GUARD_STRING,
    GUARD_CONSTANT,         /* another constant: a dtype, an enum, a range … */
    GUARD_NONE,             /* None on one side */
    GUARD_TYPE,             /* type of an object */
    GUARD_IDENTITY,         /* a different object: ___check_obj_id, `is` */
    GUARD_MODULE_ATTRIBUTE, /* attribute of an nn.Module, training flag */
    GUARD_DICT,             /* keys, order, length, version of a dict; members of a set */
    GUARD_LENGTH,           /* length of a list, tuple, string … */
    GUARD_GLOBAL_STATE,     /* grad mode, autocast, threads, deterministic, default dtype … */
    GUARD_FUNCTION,         /* closure or code object */
    GUARD_SHAPE_EXPRESSION, /* a relation between symbolic sizes */
    GUARD_DYNAMIC_MARKING,  /* mark_dynamic and similar functions */
    GUARD_ATTRIBUTE,        /* hasattr, attribute missing */
    GUARD_CONTEXT,          /* function modes, default device, hooks */
    GUARD_BACKEND,          /* compiled with a different backend */
    GUARD_INVALIDATED,      /* the cache entry was dropped because an object died, or by a reset */
    GUARD_OTHER,
    GUARD_CLASS_COUNT
};

struct guard_reason {
    enum guard_class class;
    struct str against;   /* "0/0"; empty if the text has none */
    struct str guard;     /* the failed check, without the comment */
    struct str source;    /* in PyTorch's notation: x, self._modules['lin'].weight, L['n']; empty if there is none */
    struct str name;      /* the source as the user would write it (guard_name) */
    struct str expected, actual; /* either may be empty: for most values, PyTorch only prints the expected one */
    int64_t index;               /* the dimension, for size and stride; else -1 */
    struct str user_code;        /* the line that caused the guard */
    struct str user_file;
    int64_t user_line;
    struct str user_function;
    struct str hint;       /* the text in (HINT: ...), or PyTorch's remark about the guard */
    struct str user_stack; /* the text under "User stack trace:" */
    /* "dimension 0 of `x` went from 4 to 5"; in the arena, never empty, at most about 400 bytes */
    struct str words;
    /*
     * Whether automatic dynamic shapes (or mark_dynamic) can cover this change with one compile: a size of an input
     * tensor or a Python int. False for a size that is 0 or 1 on either side (always specialized), and for values that
     * PyTorch treats as static: sizes of parameters, and ints of modules, globals and default values.
     */
    bool could_be_dynamic;
};

const char *guard_class_name(enum guard_class c); /* "size", "dtype", "global_state", … */
const char *guard_class_title(enum guard_class c); /* "size of a tensor" */
