#include "util/buf.h"

#include "util/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_free(struct buf *b)
{
    free(b->p);
    *b = (struct buf){0};
}

char *buf_room(struct buf *b, size_t more)
{
    if (b->cap - b->n < more) {
        size_t cap = b->cap ? b->cap : 256;

        /* By half, so that a buffer filled in small steps copies each byte a constant number of times. */
        while (cap - b->n < more)
            cap += cap / 2 + 256;
        b->p = xrealloc(b->p, cap);
        b->cap = cap;
    }
    return b->p ? b->p + b->n : NULL;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
    if (n == 0)
        return;
    memcpy(buf_room(b, n), p, n);
    b->n += n;
}

void buf_char(struct buf *b, char c)
{
    *buf_room(b, 1) = c;
    b->n++;
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    va_list again;
    int n;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    vsnprintf(buf_room(b, (size_t)n + 1), (size_t)n + 1, fmt, again);
    va_end(again);
    b->n += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void buf_consume(struct buf *b, size_t n)
{
    if (n == 0)
        return; /* a line that grows block by block would otherwise be moved onto itself each time */
    memmove(b->p, b->p + n, b->n - n);
    b->n -= n;
}

void buf_url_path(struct buf *b, struct str path)
{
    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.p[i];

        if (str_is_word_char(path.p[i]) || (c && strchr("/.-~", c)))
            buf_char(b, path.p[i]);
        else
            buf_printf(b, "%%%02X", c);
    }
}
