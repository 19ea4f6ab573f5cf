#include "trace/assemble.h"

#include "input/launcher.h"
#include "input/limits.h"
#include "util/mem.h"
#include "util/utf8.h"

#include <stdlib.h>

/* Payloads larger than this are hashed as they come instead of being kept for another thread to hash. */
enum { CAPTURE_MAX = 1 << 20, STREAMS_MAX = 4096 };

/* One writer, and its record under construction. */
struct stream {
    uint32_t index;
    bool open;              /* a record is under construction */
    struct raw_record raw;
    struct buf json, text;
    bool want_text;         /* an analysis wants the payload */
    int rank;               /* that the prefix tells, or RANK_UNKNOWN */
    bool hashing;           /* the payload is hashed line by line */
    struct digest_state hash;
    unsigned stray;         /* payload lines without a record, so far */
    uint64_t stray_line;
};

static struct stream *add_stream(struct assembler *as, struct str key)
{
    struct stream *s = ARENA_NEW(as->in->arena, struct stream);

    s->index = (uint32_t)as->streams.n;
    s->rank = RANK_UNKNOWN;
    vec_push(as->in->arena, &as->streams, s);
    *map_at(&as->by_key, key) = s;
    return s;
}

/* The stream of a key; beyond STREAMS_MAX writers all others share the first. */
static struct stream *stream_of(struct assembler *as, struct str key)
{
    struct stream *s = map_get(&as->by_key, key);

    if (s || as->streams.n >= STREAMS_MAX)
        return s ? s : as->streams.v[0];
    key = arena_str(as->in->arena, key);
    vec_push(as->in->arena, &as->in->stream_keys, key);
    return add_stream(as, key);
}

void assembler_init(struct assembler *as, struct input *in, const struct trace_options *options, struct batch *batch)
{
    *as = (struct assembler){.in = in, .options = options, .batch = batch};
    map_init(&as->by_key, in->arena);
    if (in->stream_keys.n == 0)
        vec_push(in->arena, &in->stream_keys, STR(""));
    vec_each(struct str, key, &in->stream_keys) add_stream(as, *key);
}

/* --- payload lines ------------------------------------------------------------------------------------------------ */

static void hash_line(struct stream *s, struct str text)
{
    if (s->raw.payload.lines)
        digest_add(&s->hash, STR("\n"));
    digest_add(&s->hash, text);
}

static void capture_line(struct assembler *as, struct stream *s, struct str text)
{
    bool check = as->options->check_digests && (s->raw.payload.flags & PAYLOAD_DIGEST);

    if (s->hashing)
        hash_line(s, text);
    if (s->text.n + text.n > (check && !s->want_text ? CAPTURE_MAX : LIMIT_PAYLOAD_TEXT) && s->raw.captured_whole) {
        s->raw.captured_whole = false;
        if (check) {
            digest_begin(&s->hash);
            if (s->raw.payload.lines)
                digest_add(&s->hash, buf_view(&s->text));
            hash_line(s, text);
            s->hashing = true;
            if (!s->want_text)
                s->text.n = 0;
        }
    }
    if (!s->raw.captured_whole || (!check && !s->want_text))
        return;
    if (s->raw.payload.lines)
        buf_char(&s->text, '\n');
    buf_str(&s->text, text);
}

static void add_payload_line(struct assembler *as, struct stream *s, const struct line *line, struct str text)
{
    struct payload *p = &s->raw.payload;

    capture_line(as, s, text);
    if (p->lines == 0) {
        p->offset = line->offset;
        p->flags |= PAYLOAD_PRESENT;
    }
    p->text_bytes += text.n + (p->lines ? 1 : 0);
    p->stored = line->offset + line->stored - p->offset;
    p->lines++;
}

static void stray_payload_line(struct stream *s, uint64_t number)
{
    if (s->stray++ == 0)
        s->stray_line = number;
}

static void payload_line(struct assembler *as, struct stream *s, const struct line *line, struct str rest)
{
    struct str text;

    if (!s->open || !payload_strip_line(rest, s->raw.payload.flags & PAYLOAD_CRLF, &text)) {
        stray_payload_line(s, line->number);
        return;
    }
    /* Blank lines within a payload were its empty lines: an editor stripped their tabs. */
    for (; as->blanks; as->blanks--) {
        struct line blank = {.offset = line->offset, .stored = 0, .number = as->blank_at};

        add_payload_line(as, s, &blank, (struct str){"", 0});
    }
    add_payload_line(as, s, line, text);
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void report_stray(struct assembler *as, struct stream *s)
{
    if (s->stray)
        message_add(&as->in->messages, MSG_STRAY_PAYLOAD, s->stray_line, "%u lines", s->stray);
    s->stray = 0;
}

/* Hands the open record of a stream over to the batch. */
static void finish_record(struct assembler *as, struct stream *s)
{
    struct raw_record *raw;

    if (!s->open)
        return;
    if (s->hashing) {
        s->raw.actual = digest_end(&s->hash);
        s->raw.hashed = true;
    }
    raw = batch_add(as->batch);
    *raw = s->raw;
    raw->json_at = as->batch->bytes.n;
    raw->json_n = s->json.n;
    buf_str(&as->batch->bytes, buf_view(&s->json));
    raw->text_at = as->batch->bytes.n;
    raw->text_n = s->text.n;
    raw->captured = s->want_text || (raw->captured_whole && s->text.n);
    buf_str(&as->batch->bytes, buf_view(&s->text));
    s->open = false;
    s->text.n = 0;
    if (s->text.cap > 2 * CAPTURE_MAX)
        buf_free(&s->text);
}

/*
 * The digest that has_payload announces stands at the end of the JSON. It is read from the text so that hashing can
 * start before the JSON is parsed; a record with its keys in another order is settled when it is applied.
 */
static void peek_digest(struct raw_record *raw, struct str json)
{
    const struct str key = STR("\"has_payload\": \"");
    size_t behind = key.n + DIGEST_HEX + 2; /* the digest, its quote and the closing brace */
    struct str hex;

    if (json.n < behind || !str_starts(str_skip(json, json.n - behind), key))
        return;
    hex = str_take(str_skip(json, json.n - behind + key.n), DIGEST_HEX);
    raw->payload.flags |= PAYLOAD_ANNOUNCED;
    if (digest_parse(hex, &raw->payload.digest))
        raw->payload.flags |= PAYLOAD_DIGEST;
}

static void begin_record(struct assembler *as, struct stream *s, const struct line *line, bool decorated, const struct glog *g)
{
    unsigned flags = record_peek(g->text);
    struct str json = g->text;
    bool crlf = json.n && json.p[json.n - 1] == '\r';

    finish_record(as, s);
    report_stray(as, s);
    s->raw = (struct raw_record){.glog = *g,
                                 .line = line->number,
                                 .span = {line->offset, line->stored},
                                 .stream = s->index,
                                 .launcher_rank = s->rank,
                                 .captured_whole = true,
                                 .skip = as->options->depth == TRACE_SUMMARY && (flags & KIND_BULK)};
    s->raw.payload.stream = s->index;
    s->raw.payload.flags = (uint8_t)((crlf ? PAYLOAD_CRLF : 0) | (decorated ? PAYLOAD_PREFIXED : 0));
    s->want_text = (flags & (KIND_TEXT | KIND_JSON)) && !s->raw.skip;
    s->hashing = false;
    s->json.n = 0;
    buf_str(&s->json, str_drop(json, crlf));
    peek_digest(&s->raw, buf_view(&s->json));
    s->open = true;
    if (line->cut)
        message_add(&as->in->messages, MSG_LONG_LINE, line->number, "%llu bytes", (unsigned long long)line->stored);
}

static void bad_line(struct assembler *as, const struct line *line, struct str text)
{
    struct str cut = utf8_cut(text, 80);

    message_add(&as->in->messages, MSG_BAD_LINE, line->number, "%.*s", STR_ARG(cut));
}

/* A line that is neither payload nor blank. */
static void header_line(struct assembler *as, struct stream *s, const struct line *line, struct str rest)
{
    struct glog g;

    if (!glog_parse(rest, &g) || g.text.n == 0 || g.text.p[0] != '{') {
        bad_line(as, line, rest);
        return;
    }
    begin_record(as, s, line, rest.p != line->text.p, &g);
}

/* Colour codes are stripped from lines that begin with one; a payload may hold some that are meant. */
static struct str without_colour(struct assembler *as, struct str text)
{
    if (text.n == 0 || text.p[0] == '\t' || text.p[0] == 'V' || !ansi_present(text))
        return text;
    as->plain.n = 0;
    ansi_strip(&as->plain, text);
    return buf_view(&as->plain);
}

static bool is_blank_line(struct str text)
{
    return text.n == 0 || (text.n == 1 && text.p[0] == '\r');
}

/* A page of NUL bytes, as a full disk or a crash leaves it, before what was written next. */
static struct str without_nuls(struct assembler *as, const struct line *line, struct str text)
{
    size_t n = 0;

    while (n < text.n && text.p[n] == '\0')
        n++;
    if (n)
        message_add(&as->in->messages, MSG_NUL_BYTES, line->number, "%zu bytes", n);
    return str_skip(text, n);
}

/*
 * Nine lines in ten are the payload of the record before them in a file without prefixes. What they need is little, and
 * done here without a look at anything else.
 */
static bool plain_payload_line(struct assembler *as, const struct line *line)
{
    struct stream *s = as->streams.v[0];

    if (line->text.n == 0 || line->text.p[0] != '\t' || !s->open || as->blanks || (s->raw.payload.flags & PAYLOAD_CRLF))
        return false;
    add_payload_line(as, s, line, str_skip(line->text, 1));
    as->newline_at_end = line->newline;
    as->last = s;
    return true;
}

void assembler_line(struct assembler *as, const struct line *line)
{
    struct str text, rest;
    struct launcher l;
    struct stream *s;

    if (plain_payload_line(as, line))
        return;
    text = without_colour(as, without_nuls(as, line, line->text));
    as->newline_at_end = line->newline;
    if (is_blank_line(text)) {
        if (as->blanks++ == 0)
            as->blank_at = line->number;
        return;
    }
    if (!launcher_split(text, as->in->known_prefix, &l, &rest)) {
        as->blanks = 0;
        bad_line(as, line, text);
        return;
    }
    if (l.prefix.n && l.key.n == 0 && as->in->known_prefix.n == 0)
        as->in->known_prefix = arena_str(as->in->arena, l.prefix);
    s = l.key.n ? stream_of(as, l.key) : as->streams.v[0];
    if (l.rank >= 0)
        s->rank = l.rank;
    as->last = s;
    if (rest.n && rest.p[0] == '\t')
        payload_line(as, s, line, rest);
    else
        header_line(as, s, line, rest);
    as->blanks = 0;
}

void assembler_finish(struct assembler *as)
{
    for (size_t i = 0; i < as->streams.n; i++) {
        struct stream *s = as->streams.v[i];

        s->raw.at_end = s->open;
        s->raw.unterminated = s == as->last && !as->newline_at_end;
        finish_record(as, s);
        report_stray(as, s);
        buf_free(&s->json);
        buf_free(&s->text);
    }
    buf_free(&as->plain);
}
