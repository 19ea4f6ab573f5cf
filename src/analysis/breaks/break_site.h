/*
 * break_site: what a line of the user's program calls when it breaks the graph. A break is often many calls below that
 * line, in Python's library, in PyTorch or in an installed package; the advice depends on what the line calls, not on
 * where Dynamo stopped: `uuid.uuid4()`, not `posix.urandom`. Texts are static, of the trace, or in the arena. Any
 * thread.
 */
#pragma once

#include "analysis/breaks/break_kind.h"
#include "model/stack.h"
#include "util/arena.h"

/* The data that a trace or a log has about a break; any may be empty. */
struct break_words {
    struct str type;    /* first line of the message */
    struct str message; /* the whole message */
    struct str context; /* its "Developer debug context" */
    struct str explanation;
    struct str hint;          /* PyTorch's first hint */
    struct str gb_id;         /* "GB0025"; empty in 2.6 and earlier */
    const struct call *stack; /* user code, innermost; may be NULL */
    struct str file;          /* where the graph breaks, if there is no stack; may be empty */
    struct str version;       /* PyTorch's version, as it prints it */
    struct str logged;        /* the method of a logger that the text names elsewhere; may be empty */
    bool cut_off;             /* the record is there, and its reason is not */
    bool inference;           /* the process compiled for inference: nothing needs gradients */
};

/* A function: "logging" and "info"; a method has its class, whose module may be unknown: "" and "lock.acquire". */
struct break_name {
    struct str module, function;
};

struct break_site {
    struct str gb_id;         /* of the break; determined by its words if the message has no number */
    const struct call *own;   /* the innermost line of the program itself; NULL if unknown */
    bool inside;              /* the break is below that line, in library code */
    struct break_name callee; /* the library function that the line calls; empty if the break is in the line itself */
    struct break_name called; /* what stops the graph; may be empty */
    enum break_kind kind;     /* kind of that function in the table of names; BREAK_UNNAMED if it has no row */
};

void break_site_find(struct arena *a, const struct break_words *w, struct break_site *out);

/* The result of code_file_module, in the arena. */
struct str break_module_of(struct arena *a, struct str file);

/* As a program writes it: "os.getpid", "print", "TextIOWrapper.write". */
struct str break_name_text(struct arena *a, struct break_name name);

/*
 * "functools.partial(mask, n=3)" of a context "functools.partial(<function till.<locals>.mask at 0x7f…>, n=3)"; of
 * another, its first line.
 */
struct str break_object(struct arena *a, struct str context);

/* The called function, with its name in the line if the line contains it: "asyncio.run", not "asyncio.runners.run". */
struct str break_site_name(struct arena *a, const struct break_site *site);
