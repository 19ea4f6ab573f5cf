/*
 * shown_code: the Python code that stands in a pasted text: its lines, and which of its functions are compiled. Views
 * into the text. Any thread.
 */
#pragma once

#include "util/str.h"

/* The number of blanks and tabs before a line. */
size_t shown_indent(struct str line);

/* The lines behind a head that are indented more than the head's `indent`; `*behind` begins below them. */
struct str shown_body(struct str rest, size_t indent, struct str *behind);

/* "till" of "def till(x):"; empty for any other line. */
struct str shown_defined(struct str bare);

/* The number of passes of "for _ in range(10):"; 0 for any other line. */
uint64_t shown_passes(struct str bare);

/* Whether the line calls `name`, which is no end of a longer name, and no attribute. */
bool shown_calls(struct str line, struct str name);

enum { SHOWN_FUNCTIONS = 8 };

/* A function that is compiled. */
struct shown_function {
    struct str called;     /* "sell" of "sell = torch.compile(till)"; the function's own name below a decorator */
    struct str parameters; /* of its head, behind the bracket */
    struct str body;
};

struct shown_code {
    struct shown_function compiled[SHOWN_FUNCTIONS];
    size_t n;
    struct str wrappers[SHOWN_FUNCTIONS]; /* "m" of "m = torch.compile(m)", where that is no function of the text */
    size_t wrappers_n;
    bool modules; /* something of the kind is compiled, under a name or without one */
};

/* The first of each; `forward` is compiled where a module is. */
void shown_code_read(struct str text, struct shown_code *out);
