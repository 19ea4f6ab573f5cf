/*
 * buf: a growable byte buffer on the heap. Zero-initialize it, buf_free it. One thread at a time.
 */
#pragma once

#include "util/str.h"

#include <stdarg.h>

struct buf {
    char *p;
    size_t n, cap;
};

void buf_free(struct buf *b);

/*
 * Makes room for `more` bytes after the contents and returns a pointer to them (NULL for 0 bytes of an empty buffer).
 * Call buf_added with the number of bytes used.
 */
char *buf_room(struct buf *b, size_t more);
static inline void buf_added(struct buf *b, size_t n)
{
    b->n += n;
}

void buf_add(struct buf *b, const void *p, size_t n);
static inline void buf_str(struct buf *b, struct str s)
{
    buf_add(b, s.p, s.n);
}
void buf_char(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);
/* Appends a path as part of a URL: characters that a URL does not allow become %XX (RFC 3986). */
void buf_url_path(struct buf *b, struct str path);

static inline struct str buf_view(const struct buf *b)
{
    return (struct str){b->p, b->n};
}

/* Drops the first n bytes. */
void buf_consume(struct buf *b, size_t n);
