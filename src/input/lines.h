/*
 * lines: bytes cut at '\n', and at nothing else: payloads may hold '\r', form feeds and U+2028. Memory is one block, or
 * the longest line up to LIMIT_LINE. One thread.
 */
#pragma once

#include "input/source.h"
#include "util/buf.h"

struct line {
    struct str text; /* without the '\n'; line lifetime */
    uint64_t offset; /* of its first byte, counted from where reading began */
    uint64_t number; /* from 1 */
    uint64_t stored; /* bytes it takes in the source, '\n' included */
    bool newline;    /* it ended in '\n' (the last line of a file may not) */
    bool cut;        /* longer than LIMIT_LINE: text is its beginning */
};

struct line_reader {
    size_t (*read)(void *object, void *p, size_t n); /* up to n bytes; 0 at the end */
    void *object;
    struct buf buf;
    size_t at;       /* next unread byte in buf */
    uint64_t offset; /* of buf.p[at] in the source */
    uint64_t number;
    bool ended;
    bool escapes; /* an ESC was read: lines may have colours */
    size_t limit; /* LIMIT_LINE; tests lower it */
    bool gave_up; /* a line passed LIMIT_BARREN: what follows is not read */
    bool growing; /* the source is being written: at its end the beginning of a line waits for the rest of it */
    bool stuck;   /* ... and that is over the limit already: lines_next cannot go on while it grows */
};

/* Lines of a whole source, or of what a function hands out. */
void lines_begin(struct line_reader *r, struct source *s);
void lines_begin_with(struct line_reader *r, size_t (*read)(void *object, void *p, size_t n), void *object);
/* False at the end; while the source grows, it may be called again when there is more. */
bool lines_next(struct line_reader *r, struct line *out);
/*
 * What was read but is not delivered yet, to be looked at before it is cut: whole lines, and the beginning of one. None
 * of the whole lines is over the limit.
 */
struct str lines_ahead(const struct line_reader *r);
/* Skips the first n bytes of it, which are whole lines: how many there are, and how many of them end in "\r\n". */
struct lines_skipped {
    uint64_t lines, crlf;
};
struct lines_skipped lines_skip(struct line_reader *r, size_t n);
/* The same without counting them: from there on, the numbers of lines are wrong. */
void lines_skip_uncounted(struct line_reader *r, size_t n);
/* Frees the buffer; the last line is gone with it. */
void lines_end(struct line_reader *r);
