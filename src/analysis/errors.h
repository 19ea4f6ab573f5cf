/*
 * errors: what failed, in which stage, and what to do next: the triage table. An exception with which Dynamo only gives
 * a frame up to eager is no error (failure.fallback). Results live in the arena given; read-only on the model.
 *
 * Adding a kind of error: a row in `rules` in errors.c.
 */
#pragma once

#include "model/model.h"

enum error_category {
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
    ERROR_USER,
    ERROR_OTHER,
    ERROR_CATEGORIES
};

enum error_stage { AT_DYNAMO, AT_AOTAUTOGRAD, AT_INDUCTOR, AT_CODE_COMPILER, AT_RUNTIME, AT_BACKEND, AT_STAGES };

struct error {
    const struct failure *failure;
    enum error_category category;
    enum error_stage stage;
    struct str own_file;   /* the user's line: of the failure, else of the compile's stack */
    int64_t own_line;
    struct str own_source;    /* that line; may be empty */
    const struct call *stack; /* of the failure, else of the compile: then only in the first error of the compile */
    bool silent; /* nobody was told: the backward graph could not be compiled ahead, and is tried again later */
};

struct errors {
    VEC(struct error) list; /* in the order of the compiles */
};

void errors_find(struct arena *a, const struct run *r, struct errors *out);

const char *error_category_name(enum error_category c);  /* as in report.json */
const char *error_category_title(enum error_category c); /* for people */
const char *error_stage_name(enum error_stage s);        /* as in report.json */
const char *error_stage_title(enum error_stage s);       /* for people: "in Dynamo", "at run time" */

/* What to do next, most useful first: sentences, with what is to be typed in `backticks`. */
struct error_steps {
    VEC(struct str) list;
    struct str alone; /* the command that runs the failing graph alone, which the list has too; empty where none can */
};
void error_next_steps(struct arena *a, const struct error *e, struct error_steps *out);

/* What failed, in one line: the second line of the message where the first only introduces it. In the arena. */
struct str error_headline(struct arena *a, const struct failure *f);
