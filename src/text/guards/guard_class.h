/*
 * guard_class: a failed guard, sorted into classes and taken apart: what guard_reason makes of a text. Plain data.
 */
#pragma once

#include "util/arena.h"

/* What changed. The name (guard_class_name) is what report.json calls `class`. */
enum guard_class {
    GUARD_SIZE,            /* size of a tensor dimension */
    GUARD_STRIDE,
    GUARD_NDIM,            /* number of dimensions */
    GUARD_DTYPE,
    GUARD_DEVICE,
    GUARD_LAYOUT,          /* dispatch key set: layout, subclass, autograd state together */
    GUARD_REQUIRES_GRAD,
    GUARD_TENSOR_ALIASING, /* which inputs are the same tensor or overlap */
    GUARD_INT,             /* value of a Python int */
    GUARD_FLOAT,
    GUARD_BOOL,
    GUARD_STRING,
    GUARD_CONSTANT,        /* another constant: a dtype, an enum, a range … */
    GUARD_NONE,            /* None against something */
    GUARD_TYPE,            /* type of an object */
    GUARD_IDENTITY,        /* which object: ___check_obj_id, `is` */
    GUARD_MODULE_ATTRIBUTE, /* attribute of an nn.Module, training flag */
    GUARD_DICT,            /* keys, order, length, version of a dict; members of a set */
    GUARD_LENGTH,          /* length of a list, tuple, string … */
    GUARD_GLOBAL_STATE,    /* grad mode, autocast, threads, deterministic, default dtype … */
    GUARD_FUNCTION,        /* closure or code object */
    GUARD_SHAPE_EXPRESSION, /* a relation between symbolic sizes */
    GUARD_DYNAMIC_MARKING, /* mark_dynamic and its kin */
    GUARD_ATTRIBUTE,       /* hasattr, attribute missing */
    GUARD_CONTEXT,         /* function modes, default device, hooks */
    GUARD_BACKEND,         /* compiled with another backend */
    GUARD_INVALIDATED,     /* the cache entry was dropped: an object died, a reset */
    GUARD_OTHER,
    GUARD_CLASS_COUNT
};

struct guard_reason {
    enum guard_class class;
    struct str against;   /* "0/0"; empty when the text has none */
    struct str guard;     /* the failed check, without source comment */
    struct str source;    /* as PyTorch names it: x, self._modules['lin'].weight, L['n']; empty when there is none */
    struct str name;      /* the source as the user would write it (guard_name) */
    struct str expected, actual; /* either may be empty: of most values PyTorch only prints the one compiled for */
    int64_t index;        /* dimension, for size and stride; else -1 */
    struct str user_code; /* the line that made the guard */
    struct str user_file;
    int64_t user_line;
    struct str user_function;
    struct str hint;      /* of (HINT: ...), or PyTorch's remark on the guard */
    struct str user_stack; /* text under "User stack trace:" */
    struct str words;     /* "dimension 0 of `x` went from 4 to 5"; in the arena, never empty, at most some 400 bytes */
    /*
     * Automatic dynamic shapes (or mark_dynamic) can serve this change with one compile: a size of an input tensor or
     * a Python int. Not a size that is 0 or 1 on either side (always compiled for), nor what PyTorch takes for static:
     * a parameter's sizes, the ints of modules, globals and default values.
     */
    bool could_be_dynamic;
};

const char *guard_class_name(enum guard_class c); /* "size", "dtype", "global_state", … */
const char *guard_class_title(enum guard_class c); /* "size of a tensor" */
