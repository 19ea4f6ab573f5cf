/*
 * lines: cuts bytes at '
 * ' and nowhere else, because payloads may contain '\r', form feeds and U+2028. Memory is one block, or the longest
 * line up to LIMIT_LINE. One thread.
 */
#pragma once

#include "input/source.h"
#include "util/buf.h"

struct line {
    struct str text; /* without the '\n'; line lifetime */
    uint64_t offset; /* of its first byte, counted from where reading began */
    uint64_t number; /* from 1 */
    uint64_t stored; /* bytes in the source, including the ' ' */
    bool newline;    /* ended with ' ' (the last line of a file may not) */
    bool cut;        /* longer than LIMIT_LINE: text is only its beginning */
};

struct line_reader {
    size_t (*read)(void *object, void *p, size_t n); /* up to n bytes; 0 at the end */
    void *object;
    struct buf buf;
    size_t at;       /* next unread byte in buf */
    uint64_t offset; /* of buf.p[at], in the source */
    uint64_t number;
    bool ended;
    bool escapes; /* an ESC byte was read: lines may have colors */
    size_t limit; /* LIMIT_LINE; tests lower it */
    bool gave_up; /* a line exceeded LIMIT_BARREN: nothing after it is read */
    bool growing; /* the source is still being written: at its end, the beginning of a line waits for the rest */
    /* ... and that beginning is over the limit already: lines_next cannot continue while the source grows */
    bool stuck;
};

/* Lines of a whole source, or of the bytes that a function returns. */
void lines_begin(struct line_reader *r, struct source *s);
void lines_begin_with(struct line_reader *r, size_t (*read)(void *object, void *p, size_t n), void *object);
/* False at the end; while the source grows, call it again when there is more. */
bool lines_next(struct line_reader *r, struct line *out);
/*
 * Bytes that were read but not delivered yet, for a look before they are cut: whole lines, none of them over the
 * limit, and the beginning of another one.
 */
struct str lines_ahead(const struct line_reader *r);
/*
 * Skips the first n bytes of these, which must be whole lines; returns how many lines that is, and how many of them
 * end in "\r
 * ".
 */
struct lines_skipped {
    uint64_t lines, crlf;
};
struct lines_skipped lines_skip(struct line_reader *r, size_t n);
/* The same without counting: line numbers are wrong afterwards. */
void lines_skip_uncounted(struct line_reader *r, size_t n);
/* Frees the buffer, and the last line with it. */
void lines_end(struct line_reader *r);
