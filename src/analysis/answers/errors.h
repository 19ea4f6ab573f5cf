/*
 * errors: what failed, in which stage, and what to do next: the triage table. An exception that only makes Dynamo run
 * a frame eagerly is not an error (failure.fallback). Results live in the arena given; read-only on the model. To add
 * a kind of error, add a row to `rules` in errors.c.
 */
#pragma once

#include "model/model.h"
#include "text/faults/fault.h"
#include "text/python/value_error.h"

enum error_category {
    ERROR_ENVIRONMENT, /* caused by the machine, not by the model: text/faults/fault.h */
    ERROR_GRAPH_BREAK,
    ERROR_BACKEND,
    ERROR_RECOMPILATION,
    ERROR_ACCURACY,
    ERROR_DYNAMO_BUG,
    ERROR_RUNTIME_CRASH,
    ERROR_TRITON_KERNEL,
    ERROR_OUT_OF_MEMORY,
    ERROR_COLLECTIVE,
    ERROR_FAKE_TENSOR,
    ERROR_DATA_DEPENDENT,
    ERROR_CONSTRAINT,
    ERROR_CUDA_GRAPHS,
    ERROR_AOT_INDUCTOR,
    ERROR_MINIFIER,
    ERROR_HANG, /* stacks of a process that hangs */
    ERROR_USER,
    ERROR_OTHER,
    ERROR_WARNING, /* not an error: only in errors.warnings */
    ERROR_CATEGORIES
};

/* How much of a message rules and answers look for words in: a message may hold a whole graph. */
enum { ERROR_SEARCHED = 4096 };

enum error_stage { AT_DYNAMO, AT_AOTAUTOGRAD, AT_INDUCTOR, AT_CODE_COMPILER, AT_RUNTIME, AT_BACKEND, AT_STAGES };

struct error {
    const struct failure *failure;
    const struct fault *fault; /* if the category is ERROR_ENVIRONMENT; else NULL */
    enum error_category category;
    enum error_stage stage;
    struct str own_file; /* the user's line: the failure's, else from the compile's stack */
    int64_t own_line;
    struct str own_source;    /* that line; may be empty */
    const struct call *stack; /* the failure's, else the compile's: then only in the first error of the compile */
    /* PyTorch raised nothing: the backward graph could not be compiled ahead of time, and is tried again later */
    bool silent;
};

struct errors {
    VEC(struct error) list;     /* in the order of the compiles */
    VEC(struct error) warnings; /* of category ERROR_WARNING, not errors */
};

void errors_find(struct arena *a, const struct run *r, struct errors *out);

/* Whether it failed in the code of an installed package, and no line of the program is among those that were traced. */
bool error_is_in_library(const struct error *e);

/*
 * Whether the call that failed is an operator of Python on numbers and truths alone, "not_(*(False,), **{})", which
 * cannot fail in a program.
 */
bool error_cannot_fail(const struct failure *f);

/* Compiled code checks what it received: "assert_size_stride(arg3_1, (2, 4), (4, 1), 'input')". */
bool error_is_of_input(const struct failure *f);

/* The compiler raised it, or calls of compiled code: an innermost call in torch/_inductor or AOTAutograd. */
bool error_is_of_compiler(const struct failure *f);

/* "TILL" of `int(os.environ["TILL"])` where a line of PyTorch or Triton does not take its value; else empty. */
struct str error_variable(const struct failure *f);

/*
 * A name is missing in the first line of a function that is compiled, which does not have it: code that Dynamo wrote in
 * the place of the function uses it.
 */
bool error_is_of_rewritten(const struct failure *f);

/* Code that compiled is saved to a file, or loaded from one (torch/_inductor/standalone_compile.py). */
bool error_is_of_stored_code(const struct failure *f);

/*
 * Whether Dynamo wraps what Python says of a value, of which the last line of code asks just what it cannot do: eager
 * mode may fail there, too.
 */
bool error_is_of_value(const struct failure *f, struct value_error *out);

const char *error_category_name(enum error_category c);  /* as in report.json */
const char *error_category_title(enum error_category c); /* for people */
const char *error_stage_name(enum error_stage s);        /* as in report.json */
const char *error_stage_title(enum error_stage s);       /* for people: "in Dynamo", "at run time" */
