#include "model/payload.h"

#include "input/bare_line.h"
#include "input/lines.h"
#include "input/log_line.h"

#include <errno.h>

/* The location of one payload. */
struct window {
    const struct source *source;
    uint64_t at, end;
    int error;
};

static size_t read_window(void *object, void *p, size_t n)
{
    struct window *w = object;
    size_t want = w->end - w->at < n ? (size_t)(w->end - w->at) : n;
    ssize_t k = want ? source_read_at(w->source, p, want, w->at) : 0;

    if (k <= 0) {
        w->error = k < 0 ? (int)k : want ? -EIO : 0;
        return 0;
    }
    w->at += (uint64_t)k;
    return (size_t)k;
}

/* The state of writing a payload. */
struct payload_writing {
    const struct payload_source *from;
    const struct payload *payload;
    struct sink *out;
    struct buf colorless;
    uint64_t left; /* bytes still wanted */
    uint32_t lines;
    uint32_t end;    /* the line count at which the current part is complete */
    uint32_t blanks; /* blank lines, which belong to the payload if another of its lines follows */
};

/* Cuts at the limit, even in the middle of a line. */
static void put(struct payload_writing *w, struct str s)
{
    s = str_take(s, w->left < s.n ? (size_t)w->left : s.n);
    w->left -= s.n;
    if (s.n)
        sink_str(w->out, s);
}

/* False once enough was written. */
static bool put_line(struct payload_writing *w, struct str text)
{
    if (w->lines++)
        put(w, STR("\n"));
    put(w, text);
    return w->left && w->lines < w->end;
}

/* A clean line in a file without prefixes needs no second look. */
static enum line_sort sort_of(struct payload_writing *w, struct str line, struct str *text)
{
    struct bare_line bare;

    *text = line;
    if (!(w->payload->flags & PAYLOAD_PREFIXED))
        return line.n == 0 || str_eq(line, STR("\r")) ? LINE_BLANK : line.p[0] == '\t' ? LINE_PAYLOAD : LINE_OTHER;
    bare_line(line, w->from->known_prefix, &w->colorless, &bare);
    *text = bare.text;
    if (bare.sort != LINE_PAYLOAD)
        return bare.sort;
    if (w->payload->stream >= w->from->key_count || !str_eq(bare.launcher.key, w->from->keys[w->payload->stream]))
        return LINE_OTHER;
    return LINE_PAYLOAD;
}

static bool add_line(struct payload_writing *w, struct str line)
{
    struct str text;
    bool more = true;

    switch (sort_of(w, line, &text)) {
    case LINE_BLANK:
        w->blanks += w->payload->stream == 0; /* a writer with a prefix puts it before empty lines, too */
        return true;
    case LINE_PAYLOAD:
        for (; more && w->blanks; w->blanks--)
            more = put_line(w, STR(""));
        return more && put_line(w, bare_payload(text, w->payload->flags & PAYLOAD_CRLF));
    default: /* from another writer: the blank lines before it do not belong to this payload */
        w->blanks = 0;
        return true;
    }
}

/* --- messages of TORCH_LOGS --------------------------------------------------------------------------------------- */

struct payload_piece {
    uint64_t offset, stored;
    uint32_t lines;
    bool bare; /* PAYLOAD_BARE of this message */
};

/* Seven bits per byte, with the top bit clear in the last byte. */
static void put_number(struct arena *a, struct payload_parts *p, uint64_t n)
{
    for (; n > 0x7f; n >>= 7)
        vec_push(a, &p->bytes, (unsigned char)(n | 0x80));
    vec_push(a, &p->bytes, (unsigned char)n);
}

static uint64_t take_number(const unsigned char **at)
{
    uint64_t n = 0;
    unsigned shift = 0;

    for (; **at & 0x80; shift += 7)
        n |= (uint64_t)(*(*at)++ & 0x7f) << shift;
    return n | (uint64_t)*(*at)++ << shift;
}

static bool is_bare(const struct payload *p)
{
    return p->flags & PAYLOAD_BARE;
}

static void put_part(struct arena *a, struct payload_parts *p, const struct payload *part)
{
    put_number(a, p, part->offset - p->end);
    put_number(a, p, part->stored);
    put_number(a, p, (uint64_t)part->lines << 1 | is_bare(part));
    p->end = part->offset + part->stored;
}

/*
 * False after the last one. `part` is the previous part; before the first one, no bytes at the beginning of the
 * source.
 */
static bool next_part(const struct payload_parts *p, const unsigned char **at, struct payload_piece *part)
{
    uint64_t lines_and_bare;

    if (*at == p->bytes.v + p->bytes.n)
        return false;
    part->offset += part->stored + take_number(at);
    part->stored = take_number(at);
    lines_and_bare = take_number(at);
    part->lines = (uint32_t)(lines_and_bare >> 1);
    part->bare = lines_and_bare & 1;
    return true;
}

void payload_join(struct arena *a, struct payload *p, const struct payload *next)
{
    if (!p->parts) {
        p->parts = ARENA_NEW(a, struct payload_parts);
        put_part(a, p->parts, p);
    }
    put_part(a, p->parts, next);
    p->stored += next->stored;
    p->text_bytes += next->text_bytes + 1;
    p->lines += next->lines;
}

static void write_lines(struct payload_writing *w, struct line_reader *lines, const struct log_line *first, bool bare)
{
    struct log_prefixes known = {w->from->keys, w->from->key_count, w->from->timed};
    size_t indent = first->form == LOG_BARE ? log_line_indent(first->text) : 0;
    struct log_line l;
    struct line line;

    if (!put_line(w, log_line_outdented(first->text, indent)))
        return;
    while (lines_next(lines, &line)) {
        log_line_parse(line.text, &known, &w->colorless, &l);
        if (!log_line_continues(first, &l) && !(bare && l.form == LOG_BARE))
            continue;
        if (!put_line(w, log_line_outdented(l.text, indent)))
            return;
    }
}

static void write_message(struct payload_writing *w, struct line_reader *lines, bool bare)
{
    struct log_prefixes known = {w->from->keys, w->from->key_count, w->from->timed};
    struct buf first_line = {0}, colorless = {0};
    struct log_line first;
    struct line line;

    if (!lines_next(lines, &line))
        return;
    buf_str(&first_line, line.text);
    log_line_parse(buf_view(&first_line), &known, &colorless, &first);
    write_lines(w, lines, &first, bare);
    buf_free(&first_line);
    buf_free(&colorless);
}

static void write_part(struct payload_writing *w, struct window *window, const struct payload_piece *part)
{
    struct line_reader lines;

    window->at = part->offset;
    window->end = part->offset + part->stored;
    w->end = w->lines + part->lines;
    lines_begin_with(&lines, read_window, window);
    write_message(w, &lines, part->bare);
    lines_end(&lines);
}

/* The messages of a text are apart from each other: what is between them is not read. */
static void write_messages(struct payload_writing *w, struct window *window)
{
    const struct payload *p = w->payload;
    const unsigned char *at = p->parts ? p->parts->bytes.v : NULL;
    struct payload_piece part = {0};

    if (!p->parts)
        write_part(w, window, &(struct payload_piece){p->offset, p->stored, p->lines, is_bare(p)});
    while (p->parts && w->left && !window->error && next_part(p->parts, &at, &part))
        write_part(w, window, &part);
}

static void write_lines_below(struct payload_writing *w, struct window *window)
{
    struct line_reader lines;
    struct line line;

    w->end = w->payload->lines;
    lines_begin_with(&lines, read_window, window);
    while (lines_next(&lines, &line) && add_line(w, line.text))
        ;
    lines_end(&lines);
}

static void write_bytes(struct payload_writing *w, struct window *window)
{
    char block[64 * 1024];
    size_t n;

    while (w->left && (n = read_window(window, block, sizeof block)) > 0)
        put(w, (struct str){block, n});
}

static int write_plain(const struct payload_source *from, const struct payload *p, uint64_t max, struct sink *out)
{
    struct window window = {.source = from->source, .at = p->offset, .end = p->offset + p->stored};
    struct payload_writing w = {.from = from, .payload = p, .out = out, .left = max};

    if (!(p->flags & PAYLOAD_PRESENT) || max == 0)
        return 0;
    if (p->flags & PAYLOAD_WHOLE)
        write_bytes(&w, &window);
    else if (p->flags & PAYLOAD_LOG)
        write_messages(&w, &window);
    else
        write_lines_below(&w, &window);
    buf_free(&w.colorless);
    return window.error;
}

/* --- through a filter --------------------------------------------------------------------------------------------- */

enum { PIECE = 64 * 1024, LINE_MAX_BYTES = 1024 * 1024 };

/* Text on its way through a filter: whole lines, unless they are absurdly long. */
struct filtering {
    const struct payload_filter *filter;
    bool prose;
    struct sink *out;
    struct buf waiting, filtered;
};

static void filter_first(struct filtering *f, size_t n)
{
    f->filtered.n = 0;
    f->filter->apply(f->filter->object, str_take(buf_view(&f->waiting), n), f->prose, &f->filtered);
    sink_str(f->out, buf_view(&f->filtered));
    buf_consume(&f->waiting, n);
}

static void wait_for_line(void *object, struct str s)
{
    struct filtering *f = object;
    ptrdiff_t newline;

    buf_str(&f->waiting, s);
    if (f->waiting.n < PIECE)
        return;
    newline = str_rchr(buf_view(&f->waiting), '\n');
    if (newline >= 0)
        filter_first(f, (size_t)newline + 1);
    else if (f->waiting.n > LINE_MAX_BYTES)
        filter_first(f, f->waiting.n);
}

/* A word that the limit cut in two would be redacted as another word. */
static void drop_last_word(struct buf *b)
{
    while (b->n && (b->p[b->n - 1] & 0x80 || strchr("_0123456789", b->p[b->n - 1]) ||
                    ((b->p[b->n - 1] | 0x20) >= 'a' && (b->p[b->n - 1] | 0x20) <= 'z')))
        b->n--;
}

static int write_at_most(const struct payload_source *from, const struct payload *p, uint64_t max, struct sink *out)
{
    struct filtering f = {.filter = &from->filter, .prose = p->flags & PAYLOAD_PROSE, .out = out};
    struct sink through = {.write = wait_for_line, .object = &f};
    int rc;

    if (p->flags & PAYLOAD_AWAY)
        return -ENOENT;
    if (!from->filter.apply)
        return write_plain(from, p, max, out);
    rc = write_plain(from, p, max, &through);
    if (p->text_bytes > max)
        drop_last_word(&f.waiting);
    filter_first(&f, f.waiting.n);
    buf_free(&f.waiting);
    buf_free(&f.filtered);
    return rc;
}

int payload_write(const struct payload_source *from, const struct payload *p, struct sink *out)
{
    return write_at_most(from, p, UINT64_MAX, out);
}

/* --- within a budget ---------------------------------------------------------------------------------------------- */

static const struct budget {
    uint64_t one, all;
} budgets[] = {
#define X(budget, one, all) [budget] = {one, all},
    PAYLOAD_BUDGETS(X)
#undef X
};

uint64_t payload_budget_all(enum payload_budget budget)
{
    return budgets[budget].all;
}

bool payload_fits(const struct payload *p, enum payload_budget budget)
{
    return p->text_bytes <= budgets[budget].one;
}

int payload_read_rest(const struct payload_source *from, const struct payload *p, enum payload_budget budget,
                      uint64_t left, struct buf *out)
{
    struct sink sink = sink_to_buf(out);
    uint64_t max = budgets[budget].one;

    return write_at_most(from, p, left < max ? left : max, &sink);
}

int payload_read(const struct payload_source *from, const struct payload *p, enum payload_budget budget,
                 struct buf *out)
{
    return payload_read_rest(from, p, budget, UINT64_MAX, out);
}

/* A small payload is read back in one block, wherever its lines are. */
bool payload_is_scattered(const struct payload *p)
{
    enum { SHARE = 100, SMALL = 16 * 1024 };

    return p->stored / SHARE > p->text_bytes && p->stored > SMALL;
}
