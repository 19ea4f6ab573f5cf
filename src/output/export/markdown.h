/*
 * markdown: text for GitHub, in which nothing that a trace says is markup. Names and code stand in code spans and
 * fences that they cannot end; in sentences everything that could be a link, an image, a mention, a reference to an
 * issue, a table or HTML is made harmless. What is written is bounded: an item that does not fit is left out as a whole
 * and counted. One thread.
 */
#pragma once

#include "util/arena.h"
#include "util/buf.h"

struct markdown {
    struct arena *arena; /* for texts that have to be repaired */
    struct buf out;
    struct buf item; /* the one being written */
    size_t limit;    /* of out, in bytes */
    size_t left_out; /* items since the last markdown_limit */
    bool dropping;   /* an item did not fit, so those behind it are left out, too: the rest stays in order */
};

void markdown_free(struct markdown *m);

/* What follows may use so many bytes more, but no more than `most` in all. */
void markdown_limit(struct markdown *m, size_t bytes, size_t most);

/* --- into the item ------------------------------------------------------------------------------------------------ */

/* As it is: markup of ours. */
void markdown_raw(struct markdown *m, const char *text);
/* A sentence with code in `backticks`. */
void markdown_words(struct markdown *m, struct str s);
/* A code span on one line; nothing for an empty text. At most `max` bytes of it. */
void markdown_code(struct markdown *m, struct str s, size_t max);
/* A block of lines, at most `max` bytes of them; says so when it was cut. */
void markdown_fence(struct markdown *m, const char *language, struct str s, size_t max);

/* Puts the item behind the others, if it fits. */
void markdown_end_item(struct markdown *m);
/* What the words are for that markdown_left_out says: "3 more graph breaks were left out." Nothing when none was. */
void markdown_left_out(struct markdown *m, const char *one, const char *many);
