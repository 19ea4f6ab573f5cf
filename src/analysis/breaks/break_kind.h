/*
 * break_kind: what a graph break is about. Three tables say it: the number that PyTorch's registry of graph breaks
 * gives to a message (2.8 and later, break_kind_ids.c); the function that is called (break_kind_names.c), where a
 * number only says that some function cannot be traced; and for messages without a number their words
 * (break_kind_words.c). What each kind is answered with stands in break_fix.c. Any thread.
 */
#pragma once

#include "util/str.h"

enum break_kind {
    BREAK_UNNAMED, /* no row */

    /* The number does not say enough: the name of what is called decides. */
    BREAK_CALL,    /* of an object, a class or a method that Dynamo has no model of */
    BREAK_BUILTIN, /* of a builtin function with these arguments */
    BREAK_SKIPPED, /* of a function that Dynamo does not look into */

    /* wanted */
    BREAK_ASKED_FOR,
    BREAK_DISABLED,

    /* output */
    BREAK_PRINT,
    BREAK_WARNING,
    BREAK_LOGGER,          /* a method of logging.Logger */
    BREAK_OUTPUT_FUNCTION, /* a function of a module that prints or logs, and returns nothing */
    BREAK_OUTPUT_OBJECT,   /* the same as a method of an object */
    BREAK_PROGRESS,

    /* Python that computes no tensor */
    BREAK_TIMER,
    BREAK_FILE,
    BREAK_THREAD,
    BREAK_EVENT_LOOP,
    BREAK_ONCE, /* what has the same result every time */
    BREAK_HOST,
    BREAK_COPY,
    BREAK_RANDOM,
    BREAK_SEED,
    BREAK_GENERATOR_OBJECT, /* torch.Generator */

    /* code of others */
    BREAK_NUMPY,
    BREAK_NUMPY_OFF,
    BREAK_LIBRARY,
    BREAK_EXTENSION, /* written in C, outside of Python's library */
    BREAK_TORCH,     /* PyTorch's own, which it keeps out of the compiler */
    BREAK_TORCH_VALUE,

    /* values of tensors */
    BREAK_BRANCH,
    BREAK_OBJECT_BRANCH,
    BREAK_ASSERT,
    BREAK_NOT_FINITE,
    BREAK_ITEM,
    BREAK_ITEM_OPERATOR,
    BREAK_LIST_OF_FLOATS,
    BREAK_INDEX,
    BREAK_RANGE,
    BREAK_SIZE_BRANCH, /* on a size or number that depends on data */
    BREAK_NUMBER,      /* Python needs such a number itself */
    BREAK_MATH,        /* math.exp(x.item()) */
    BREAK_TEXT,
    BREAK_SORT,
    BREAK_SHAPE,
    BREAK_ONE_HOT,
    BREAK_NO_META,

    /* tensors */
    BREAK_RESIZE,
    BREAK_SHARE_MEMORY,
    BREAK_DATA,
    BREAK_TENSOR_ATTRIBUTE,
    BREAK_OUT,
    BREAK_SPARSE,
    BREAK_NESTED,
    BREAK_SUBCLASS,
    BREAK_OVERRIDE, /* an operator that a class of tensors overrides */
    BREAK_PARAMETER,

    /* autograd */
    BREAK_REQUIRES_GRAD,
    BREAK_NEW_LEAF,
    BREAK_RETAIN_GRAD,
    BREAK_BACKWARD,
    BREAK_AUTOGRAD, /* traced autograd at its limits */
    BREAK_AUTOGRAD_FUNCTION,
    BREAK_MODULE_HOOK,
    BREAK_TENSOR_HOOK,
    BREAK_HOOK_HANDLE,

    /* Python's control flow */
    BREAK_CONTEXT,
    BREAK_CONTEXT_CALL, /* entered by a call of its method */
    BREAK_CONTEXT_OFF,
    BREAK_CONTEXT_ESCAPES,
    BREAK_BLOCK, /* a break in the middle of something that cannot be resumed */
    BREAK_EXCEPTION,
    BREAK_GENERATOR,
    BREAK_GENERATOR_PASSED, /* made outside, and used up inside */
    BREAK_CLASS,
    BREAK_ESCAPES, /* an object that Dynamo cannot build leaves the graph */
    BREAK_INVALID,

    /* modules and operators */
    BREAK_RNN,
    BREAK_MODULE,
    BREAK_SCRIPT,
    BREAK_HIGHER_ORDER,
    BREAK_FAKE_KERNEL,
    BREAK_FAKE_ERROR,
    BREAK_NOT_COMPLIANT,
    BREAK_BACKEND,

    /* training */
    BREAK_OPTIMIZER,  /* PyTorch's optimizers at work */
    BREAK_TRAIN_STEP, /* what a training loop does around forward and backward */
    BREAK_DDP,
    BREAK_FSDP,
    BREAK_FLAT_FSDP,
    BREAK_FULLY_SHARD,
    BREAK_DTENSOR,
    BREAK_DISTRIBUTED,
    BREAK_ASYNC,

    /* Dynamo itself */
    BREAK_LIMIT, /* of recompiles */
    BREAK_RESTARTS,
    BREAK_HINTED, /* PyTorch's own hint is the best there is */
    BREAK_UNSUPPORTED,
    BREAK_BUG,
    BREAK_KINDS
};

/* By the number: "GB0025". BREAK_HINTED for numbers of later versions, BREAK_UNNAMED for an empty one. */
enum break_kind break_kind_of_id(struct str gb_id);

/*
 * By a function: module "logging", function "info"; a method is "Class.method", of a module that may be unknown
 * (empty). BREAK_UNNAMED when no row fits.
 */
enum break_kind break_kind_of_name(struct str module, struct str function);

/* The number that a message without one stands for, by its words: "Tensor.item" is GB0124. Static; may be empty. */
struct str break_id_of_words(struct str message);
