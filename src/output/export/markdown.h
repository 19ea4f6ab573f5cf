/*
 * markdown: text for GitHub in which nothing from the trace acts as markup. Names and code are in code spans and
 * fences, which they cannot end; in sentences, everything that could become a link, an image, a mention, a reference
 * to an issue, a table or HTML is neutralized. The output is limited: an item that does not fit is left out as a whole
 * and counted. One thread.
 */
#pragma once

#include "util/arena.h"
#include "util/buf.h"

struct markdown {
    struct arena *arena; /* for texts that must be repaired */
    struct buf out;
    struct buf item; /* the current item */
    size_t limit;    /* maximum bytes of out */
    size_t left_out; /* items left out since the last markdown_limit */
    bool dropping;   /* an item did not fit, so later ones are left out, too, to keep the order */
};

void markdown_free(struct markdown *m);

/* Limits the following items to so many more bytes, and to `most` in all. */
void markdown_limit(struct markdown *m, size_t bytes, size_t most);

/* --- into the item ------------------------------------------------------------------------------------------------ */

/* Markup, written as it is. */
void markdown_raw(struct markdown *m, const char *text);
/* A sentence with code in `backticks`. */
void markdown_words(struct markdown *m, struct str s);
/* A code span on one line, at most `max` bytes; nothing for an empty text. */
void markdown_code(struct markdown *m, struct str s, size_t max);
/* A fenced block, at most `max` bytes; a note says if it was cut. */
void markdown_fence(struct markdown *m, const char *language, struct str s, size_t max);

/* Appends the item, if it fits. markdown_item calls it. */
void markdown_end_item(struct markdown *m);
/* The block after it writes an item. */
#define markdown_item(m) for (bool writes_ = true; writes_; writes_ = false, markdown_end_item(m))
/* Writes "3 more graph breaks were left out." with the words given; nothing if none was left out. */
void markdown_left_out(struct markdown *m, const char *one, const char *many);
