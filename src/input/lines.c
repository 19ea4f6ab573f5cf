#include "input/lines.h"

#include "input/limits.h"

enum { BLOCK = 256 * 1024 };

static size_t read_source(void *object, void *p, size_t n)
{
    return source_read(object, p, n);
}

void lines_begin(struct line_reader *r, struct source *s)
{
    lines_begin_with(r, read_source, s);
}

void lines_begin_with(struct line_reader *r, size_t (*read)(void *object, void *p, size_t n), void *object)
{
    *r = (struct line_reader){.read = read, .object = object, .limit = LIMIT_LINE};
}

void lines_end(struct line_reader *r)
{
    buf_free(&r->buf);
}

/* Moves the unread bytes to the front and reads another block after them. False if there is nothing more. */
static bool more(struct line_reader *r)
{
    size_t k;

    if (r->ended)
        return false;
    buf_consume(&r->buf, r->at);
    r->at = 0;
    k = r->read(r->object, buf_room(&r->buf, BLOCK), BLOCK);
    r->escapes = r->escapes || (k && memchr(r->buf.p + r->buf.n, '\x1b', k));
    buf_added(&r->buf, k);
    r->ended = k == 0 && !r->growing;
    return k > 0;
}

/* Skips the rest of a line that is over the limit; returns the number of bytes skipped. */
static uint64_t skip_rest(struct line_reader *r, bool *newline)
{
    uint64_t skipped = 0;

    for (;;) {
        size_t have = r->buf.n - r->at;
        char *nl = have ? memchr(r->buf.p + r->at, '\n', have) : NULL;
        size_t k = nl ? (size_t)(nl - r->buf.p) - r->at + 1 : have;

        r->at += k;
        skipped += k;
        /* A file that is one endless line, like /dev/zero. */
        r->gave_up = !nl && skipped > LIMIT_BARREN;
        r->ended |= r->gave_up;
        if (nl || !more(r)) {
            *newline = nl != NULL;
            return skipped;
        }
    }
}

static void deliver(struct line_reader *r, struct line *out, size_t length, bool newline)
{
    *out = (struct line){.text = {r->buf.p + r->at, length},
                         .offset = r->offset,
                         .number = ++r->number,
                         .stored = length + newline,
                         .newline = newline};
    r->at += (size_t)out->stored;
    r->offset += out->stored;
}

static void deliver_cut(struct line_reader *r, struct line *out)
{
    struct buf kept = {0};
    uint64_t rest;

    deliver(r, out, r->limit, false);
    /* skip_rest reuses the buffer, so the part to keep is copied out and back. */
    buf_str(&kept, out->text);
    rest = skip_rest(r, &out->newline);
    out->stored += rest;
    r->offset += rest;
    out->cut = true;
    buf_add(&kept, r->buf.p + r->at, r->buf.n - r->at);
    buf_free(&r->buf);
    r->buf = kept;
    r->at = out->text.n;
    out->text.p = r->buf.p;
}

struct str lines_ahead(const struct line_reader *r)
{
    size_t have = r->buf.n - r->at;

    return have ? (struct str){r->buf.p + r->at, have > r->limit ? r->limit : have} : STR("");
}

/* The number of places, out of n, with a at p and b at q. Sums that fit a byte let compilers vectorize this. */
static uint64_t count(const char *p, const char *q, size_t n, char a, char b)
{
    uint64_t sum = 0;

    for (size_t i = 0, end; i < n; i = end) {
        uint8_t some = 0;

        end = n - i > UINT8_MAX ? i + UINT8_MAX : n;
        for (size_t k = i; k < end; k++)
            some += (p[k] == a) & (q[k] == b);
        sum += some;
    }
    return sum;
}

void lines_skip_uncounted(struct line_reader *r, size_t n)
{
    r->at += n;
    r->offset += n;
}

struct lines_skipped lines_skip(struct line_reader *r, size_t n)
{
    const char *p = r->buf.p + r->at;
    struct lines_skipped s = {.lines = count(p, p, n, '\n', '\n')};

    if (n && memchr(p, '\r', n))
        s.crlf = count(p, p + 1, n - 1, '\r', '\n');
    r->number += s.lines;
    lines_skip_uncounted(r, n);
    return s;
}

/* `searched`: a line of many blocks is not searched again from its start with each block. */
bool lines_next(struct line_reader *r, struct line *out)
{
    size_t searched = 0;

    for (;;) {
        size_t have = r->buf.n - r->at, window = have > r->limit ? r->limit + 1 : have;
        char *nl = window > searched ? memchr(r->buf.p + r->at + searched, '\n', window - searched) : NULL;

        if (nl) {
            deliver(r, out, (size_t)(nl - r->buf.p) - r->at, true);
            return true;
        }
        if (have > r->limit && r->growing) {
            r->stuck = true;
            return false;
        }
        if (have > r->limit) {
            deliver_cut(r, out);
            return true;
        }
        searched = have;
        if (more(r))
            continue;
        if (have == 0 || r->growing)
            return false;
        deliver(r, out, have, false);
        return true;
    }
}
