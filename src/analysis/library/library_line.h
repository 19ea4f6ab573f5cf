/*
 * library_line: what to do about a line of a library, which whoever runs the program does not change. To add an option
 * of a library that avoids a line, add a row of `switches`. Any thread.
 */
#pragma once

#include "model/stack.h"
#include "util/arena.h"

/* What may be done around the line. */
enum library_means {
    LIBRARY_BREAKS,    /* the graph may break at the call of the library */
    LIBRARY_FULLGRAPH, /* it must not, as the program says */
    LIBRARY_FAILS,     /* the call has to be outside of the compiled function */
    LIBRARY_EXPORT,    /* it cannot be: the exported program has no other code */
    LIBRARY_WARNS,     /* nothing failed */
};

/* Of the call, whose line is a library's. In the arena. */
struct str library_line_step(struct arena *a, const struct call *c, enum library_means means);

/* Whether advice says what to do about a library already, so that no step of this kind is missing. */
bool library_line_is_said(struct str advice);

/* Before advice on how to change the line. */
#define LIBRARY_LINE_REST "What follows is for whoever can change that line."

/* Behind advice to make a setting, where the line is a library's. */
#define LIBRARY_LINE_SETTING                                                                                           \
    "The setting is made in your own program, before the first call: no line of the library changes."
