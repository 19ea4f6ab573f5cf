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

#include "util/vec.h"

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
    struct str expected, actual; /* either may be empty: of most values PyTorch tells only the one compiled for */
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
