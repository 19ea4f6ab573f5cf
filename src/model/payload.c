#include "model/payload.h"

#include "input/launcher.h"

#include <errno.h>

enum { BLOCK = 256 * 1024 };

bool payload_strip_line(struct str line, bool crlf, struct str *out)
{
    if (crlf && line.n && line.p[line.n - 1] == '\r')
        line.n--;
    /* An editor that strips trailing blanks leaves an empty line where a lone tab was. */
    if (line.n && line.p[0] != '\t')
        return false;
    *out = str_skip(line, 1);
    return true;
}

struct stripping {
    const struct payload_source *from;
    const struct payload *payload;
    struct buf *out;
    struct buf plain; /* a line without colour codes */
    uint64_t max;     /* size of out to stop at */
    uint32_t lines;
};

static bool strip_prefixed(struct stripping *s, struct str line, struct str *out)
{
    struct launcher l;
    struct str rest;

    if (ansi_present(line) && line.p[0] != '\t') {
        s->plain.n = 0;
        ansi_strip(&s->plain, line);
        line = buf_view(&s->plain);
    }
    if (!launcher_split(line, s->from->known_prefix, &l, &rest) || rest.n == 0)
        return false;
    if (s->payload->stream >= s->from->key_count || !str_eq(l.key, s->from->keys[s->payload->stream]))
        return false;
    return payload_strip_line(rest, s->payload->flags & PAYLOAD_CRLF, out);
}

/* False when enough was read. */
static bool add_line(struct stripping *s, struct str line)
{
    struct str text;
    bool ok = s->payload->flags & PAYLOAD_PREFIXED ? strip_prefixed(s, line, &text)
                                                   : payload_strip_line(line, s->payload->flags & PAYLOAD_CRLF, &text);

    if (!ok)
        return true;
    if (s->lines++)
        buf_char(s->out, '\n');
    buf_str(s->out, text);
    return s->out->n < s->max && s->lines < s->payload->lines;
}

/* Adds the complete lines of raw; what is left of it is the beginning of a line. False when enough was read. */
static bool add_lines(struct stripping *s, struct buf *raw, bool last)
{
    struct str rest = buf_view(raw), line;
    bool more = true;

    while (more && rest.n) {
        ptrdiff_t nl = str_chr(rest, '\n');

        if (nl < 0 && !last)
            break;
        line = nl < 0 ? rest : str_take(rest, (size_t)nl);
        rest = str_skip(rest, line.n + 1);
        more = add_line(s, line);
    }
    buf_consume(raw, raw->n - rest.n);
    return more;
}

int payload_read(const struct payload_source *from, const struct payload *p, uint64_t max, struct buf *out)
{
    struct stripping s = {.from = from, .payload = p, .out = out, .max = out->n + max};
    struct buf raw = {0};
    uint64_t done = 0;
    int rc = 0;
    bool more = p->flags & PAYLOAD_PRESENT;

    if (max > UINT64_MAX - out->n)
        s.max = UINT64_MAX;
    while (more && done < p->stored) {
        size_t want = p->stored - done < BLOCK ? (size_t)(p->stored - done) : BLOCK;
        ssize_t k = source_read_at(from->source, buf_room(&raw, want), want, p->offset + done);

        if (k <= 0) {
            rc = k < 0 ? (int)k : -EIO;
            break;
        }
        buf_added(&raw, (size_t)k);
        done += (uint64_t)k;
        more = add_lines(&s, &raw, done >= p->stored);
    }
    if (out->n > s.max)
        out->n = (size_t)s.max;
    buf_free(&raw);
    buf_free(&s.plain);
    return rc;
}
