/*
 * break_fix: what a graph break is about and what helps, by the words of its message. Adding one: a row in break_fix.c.
 * What is handed out is static or in the arena. Any thread.
 */
#pragma once

#include "util/arena.h"
#include "util/str.h"

struct break_fix {
    const char *id; /* of the finding: "break-print" */
    struct str fix; /* in plain words; empty: PyTorch's own hint is the best there is */
    struct str paste; /* text to paste; may be empty */
};

/* What is told of a break; any may be empty. */
struct break_words {
    struct str type;    /* first line of the message */
    struct str message; /* all of it */
    struct str context; /* its "Developer debug context" */
    struct str source;  /* the line of code */
    struct str file;    /* where it is */
};

void break_fix_find(struct arena *a, const struct break_words *w, struct break_fix *out);
