/*
 * break_site: what a line of the user's program calls when it breaks the graph. A break is often many calls below that
 * line, in Python's library, in PyTorch or in an installed package; what is to be done goes by what the line calls, not
 * by where Dynamo gave up: `uuid.uuid4()`, not `posix.urandom`. Texts are static, of the trace, or in the arena. Any
 * thread.
 */
#pragma once

#include "analysis/breaks/break_kind.h"
#include "model/stack.h"
#include "util/arena.h"

/* What a trace or a log says of a break; any may be empty. */
struct break_words {
    struct str type;    /* first line of the message */
    struct str message; /* all of it */
    struct str context; /* its "Developer debug context" */
    struct str explanation;
    struct str hint;          /* PyTorch's first one */
    struct str gb_id;         /* "GB0025"; empty in 2.6 and earlier */
    const struct call *stack; /* user code, innermost; may be NULL */
    struct str file;          /* where the graph breaks, for breaks without a stack; may be empty */
    struct str version;       /* of PyTorch, as it prints it */
    bool inference;           /* the process compiled for inference: nothing needs gradients */
};

/* A function: "logging" and "info"; a method has its class, whose module may be unknown: "" and "lock.acquire". */
struct break_name {
    struct str module, function;
};

struct break_site {
    struct str gb_id;         /* of the break, by its words where the message has no number */
    const struct call *own;   /* the innermost line of the program itself; NULL unknown */
    bool inside;              /* the break is below that line, in code of somebody else */
    struct break_name callee; /* the function there that the line calls; empty when the break is in the line */
    struct break_name called; /* what stops the graph; may be empty */
    enum break_kind kind;     /* what the table of names says about that; BREAK_UNNAMED when it has no row */
};

void break_site_find(struct arena *a, const struct break_words *w, struct break_site *out);

/* As code_file_module, in the arena. */
struct str break_module_of(struct arena *a, struct str file);

/* As a program writes it: "os.getpid", "print", "TextIOWrapper.write". */
struct str break_name_text(struct arena *a, struct break_name name);

/* What is called, as the line has it where it can be found there: "asyncio.run", not "asyncio.runners.run". */
struct str break_site_name(struct arena *a, const struct break_site *site);
