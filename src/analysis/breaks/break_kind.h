/*
 * break_kind: what a graph break is about. Three tables determine it: the number of a message in PyTorch's registry of
 * graph breaks (2.8 and later, break_kind_ids.c); the called function (break_kind_names.c), for numbers that only say
 * that some function cannot be traced; and the words of messages without a number (break_kind_words.c). The advice for
 * each kind is in break_fix.c. Any thread.
 */
#pragma once

#include "util/str.h"

enum break_kind {
    BREAK_UNNAMED, /* no row */

    /* The number is not specific enough: the name of the called function decides. */
    BREAK_CALL,    /* of an object, a class or a method that Dynamo has no model for */
    BREAK_BUILTIN, /* of a builtin function with these arguments */
    BREAK_TENSOR_CLASS, /* of a tensor's method, on an object whose class is named like a tensor's */
    BREAK_UNCALLED, /* ... of which one is a method of a tensor */
    BREAK_SKIPPED, /* of a function that Dynamo does not trace */

    /* intended */
    BREAK_ASKED_FOR,
    BREAK_DISABLED,
    BREAK_OPTIMIZER_OFF, /* the step of an optimizer that PyTorch keeps in plain Python: LBFGS */
    BREAK_BUCKETS, /* of DDPOptimizer */

    /* output */
    BREAK_PRINT,
    BREAK_WARNING,
    BREAK_LOGGER,          /* a method of logging.Logger */
    BREAK_OUTPUT_FUNCTION, /* a module's function that prints or logs, and returns nothing */
    BREAK_OUTPUT_OBJECT,   /* the same as a method of an object */
    BREAK_PROGRESS,

    /* Python code that computes no tensor */
    BREAK_TIMER,
    BREAK_FILE,
    BREAK_THREAD,
    BREAK_EVENT_LOOP,
    BREAK_ONCE, /* functions with the same result every time */
    BREAK_HOST,
    BREAK_WARNING_FILTER,
    BREAK_CALLER, /* frames of Python are looked at */
    BREAK_COPY,
    BREAK_CLASS_ATTRIBUTE, /* set, or counted up, in the class itself */
    BREAK_RANDOM,
    BREAK_SEED,
    BREAK_GENERATOR_OBJECT, /* torch.Generator */

    /* library code */
    BREAK_NUMPY,
    BREAK_NUMPY_OFF,
    BREAK_LIBRARY,
    BREAK_EXTENSION, /* written in C, not part of Python's standard library */
    BREAK_AUDIT,     /* sys.audit, which functions of Python's library call */
    BREAK_ABSTRACT,  /* isinstance() with an abstract base class, which C code answers */
    BREAK_TORCH,     /* PyTorch functions that it excludes from compiling */
    BREAK_TORCH_GENERATED, /* ... that code of FX calls */
    BREAK_TORCH_PRIVATE, /* ... that PyTorch itself calls */
    BREAK_TORCH_LACKING, /* ... that it should trace, and does not yet */
    BREAK_TORCH_WRAPPED, /* functions that a decorator of PyTorch's wraps */
    BREAK_TORCH_VALUE,

    /* values of tensors */
    BREAK_BRANCH,
    BREAK_OBJECT_BRANCH,
    BREAK_ASSERT,
    BREAK_NOT_FINITE,
    BREAK_DISTRIBUTION, /* torch.distributions checks arguments and values */
    BREAK_ITEM,
    BREAK_ITEM_OPERATOR,
    BREAK_LIST_OF_FLOATS,
    BREAK_INDEX,
    BREAK_RANGE,
    BREAK_SIZE_BRANCH, /* on a size or number that depends on data */
    BREAK_NUMBER,      /* Python itself needs such a number */
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
    BREAK_ADDRESS, /* x.data_ptr() == y.data_ptr() */
    BREAK_SPARSE,
    BREAK_NESTED,
    BREAK_SUBCLASS,
    BREAK_OVERRIDE, /* an operator that a class of tensors overrides */
    BREAK_OPAQUE, /* a class of tensors that does not say which tensors are in it */
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
    BREAK_CAPTURING,

    /* Python's control flow */
    BREAK_CONTEXT,
    BREAK_SUPPRESS,   /* contextlib.suppress */
    BREAK_CONTEXTLIB, /* a function with @contextmanager */
    BREAK_CONTEXT_DECORATOR, /* a function with @torch.no_grad() */
    BREAK_CONTEXT_SAVING, /* hooks on what is saved for backward */
    BREAK_CONTEXT_CALL, /* entered by a call of its method */
    BREAK_CONTEXT_STACK, /* entered by contextlib.ExitStack */
    BREAK_CONTEXT_OFF,
    BREAK_CONTEXT_ESCAPES,
    BREAK_BLOCK, /* a break inside something that cannot be resumed */
    BREAK_EXCEPTION,
    BREAK_GENERATOR,
    BREAK_GENERATOR_OF_TORCH, /* a context manager that PyTorch enters in a function of its own */
    BREAK_GENERATOR_PASSED, /* created outside, and consumed inside */
    BREAK_CLASS,
    BREAK_ESCAPES, /* an object that Dynamo cannot reconstruct leaves the graph */
    BREAK_INVALID,

    /* modules and operators */
    BREAK_RNN,
    BREAK_PACKED, /* a layer of eager-mode quantization, whose weights are no tensors */
    BREAK_QUANTIZED, /* a tensor of eager-mode quantization */
    BREAK_MODULE,
    BREAK_SCRIPT,
    BREAK_HIGHER_ORDER,
    BREAK_SIDE_EFFECT, /* what such an operator is given changes a variable outside */
    BREAK_FAKE_KERNEL,
    BREAK_FAKE_ERROR,
    BREAK_NOT_COMPLIANT,
    BREAK_BACKEND,

    /* PyTorch's optimizers */
    BREAK_OPTIMIZER,  /* PyTorch's optimizers at work */
    BREAK_TRAIN_STEP, /* the part of a training loop around forward and backward */
    BREAK_DDP,
    BREAK_DDP_EMPTY, /* the same, and the trace has no graph of the model inside */
    BREAK_DATA_PARALLEL,
    BREAK_FSDP,
    BREAK_FLAT_FSDP,
    BREAK_FULLY_SHARD,
    BREAK_DTENSOR,
    BREAK_DISTRIBUTED,
    BREAK_ASYNC,

    /* Dynamo itself */
    BREAK_LIMIT, /* of recompiles */
    BREAK_RESTARTS,
    BREAK_HINTED, /* PyTorch's own hint is the best advice */
    BREAK_UNSUPPORTED,
    BREAK_BUG,
    BREAK_KINDS
};

/* By number: "GB0025". BREAK_HINTED for numbers of later versions, BREAK_UNNAMED for an empty one. */
enum break_kind break_kind_of_id(struct str gb_id);
/* How many rows have it: 1, or 0 for numbers of later versions. */
size_t break_kind_rows_of_id(struct str gb_id);

/*
 * By function: module "logging", function "info"; a method is "Class.method", in a module that may be unknown (empty).
 * BREAK_UNNAMED if no row matches.
 */
enum break_kind break_kind_of_name(struct str module, struct str function);

/* The number that corresponds to a message without one, by its words: "Tensor.item" is GB0124. Static; may be empty. */
struct str break_id_of_words(struct str message);
/* Walks the numbers in its table: i from 0, NULL at the end. */
const char *break_id_of_words_at(size_t i);
