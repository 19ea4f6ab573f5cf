/*
 * note: what a text says of compiled code where nothing failed: a table of torch.profiler, the warning of a library,
 * the names of a compiled module's parameters, what a program measured, what its writer complains of, a program itself.
 * Any thread.
 */
#pragma once

#include "text/stated/prose.h"
#include "util/arena.h"

struct text_note {
    struct str message; /* in the arena */
    uint64_t number; /* of its line in the text, from 1 */
    uint64_t lines;  /* how many lines belong to it: of a table those around it, up to blank ones */
    bool warns;      /* it is a warning */
    enum complaint of; /* what it says is wrong */
    bool outranks;     /* a warning beside it says less */
    bool lost_check;   /* ... that a check of the program is not made */
    bool complained;   /* it is said in the words of its writer */
};

/* False when the text has none. `prose` is what its writer says; NULL: it was not read yet. */
bool note_find(struct arena *a, struct str text, const struct prose *prose, struct text_note *out);
