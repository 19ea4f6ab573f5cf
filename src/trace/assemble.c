#include "trace/assemble.h"

#include "input/bare_line.h"
#include "input/limits.h"
#include "util/utf8.h"

/* Larger payloads are hashed line by line, instead of being kept for another thread to hash. */
/* limits writers: forged prefixes could name a new one on every line */
enum { CAPTURE_MAX = 1 << 20, STREAMS_MAX = 4096 };

/* One writer, and its record under construction. */
struct writer_stream {
    uint32_t index;
    bool begun;             /* a record has begun: the next one, or the end, completes it */
    struct raw_record raw;
    struct buf json, text;
    bool want_text;         /* an analysis wants the payload */
    int rank;               /* from the prefix, or RANK_UNKNOWN */
    bool hashing;           /* the payload is hashed line by line */
    struct digest_state hash;
    unsigned stray;         /* payload lines without a record, so far */
    uint64_t stray_line;
};

static struct writer_stream *add_stream(struct assembler *as, struct str key)
{
    struct writer_stream *s = ARENA_NEW(as->arena, struct writer_stream);

    s->index = (uint32_t)as->streams.n;
    s->rank = RANK_UNKNOWN;
    vec_push(as->arena, &as->streams, s);
    *map_at(&as->by_key, key) = s;
    return s;
}

/* The stream of a key; NULL beyond STREAMS_MAX writers. */
static struct writer_stream *stream_of(struct assembler *as, struct str key)
{
    struct writer_stream *s = map_get(&as->by_key, key);

    if (s || as->streams.n >= STREAMS_MAX)
        return s;
    key = arena_str(as->in->arena, key);
    vec_push(as->in->arena, &as->in->stream_keys, key);
    return add_stream(as, key);
}

void assembler_init(struct assembler *as, struct input *in, const struct trace_options *options, struct batch *batch)
{
    *as = (struct assembler){
        .in = in, .options = options, .batch = batch, .arena = arena_new(), .messages = &in->messages};
    map_init(&as->by_key, as->arena);
    if (in->stream_keys.n == 0)
        vec_push(in->arena, &in->stream_keys, STR(""));
    add_stream(as, in->stream_keys.v[0]);
}

/* --- payload lines ------------------------------------------------------------------------------------------------ */

static void hash_line(struct writer_stream *s, struct str text)
{
    if (s->raw.payload.lines)
        digest_add(&s->hash, STR("\n"));
    digest_add(&s->hash, text);
}

/*
 * Keeps or hashes one line. Text is kept for an analysis, or until another thread can hash it, but only up to a limit.
 * At the line that exceeds the limit, the text kept so far is hashed here, and so are all lines after it.
 */
static void capture_line(struct assembler *as, struct writer_stream *s, struct str text)
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

/* `offset` is where the line begins, and `end` where the next line begins. */
static void add_payload_line(struct assembler *as, struct writer_stream *s, uint64_t offset, uint64_t end,
                             struct str text)
{
    struct payload *p = &s->raw.payload;

    capture_line(as, s, text);
    if (p->lines == 0) {
        p->offset = offset;
        p->flags |= PAYLOAD_PRESENT;
    }
    p->text_bytes += text.n + (p->lines ? 1 : 0);
    p->stored = end - p->offset;
    p->lines++;
}

static void stray_payload_line(struct writer_stream *s, uint64_t number)
{
    if (s->stray++ == 0)
        s->stray_line = number;
}

static void long_line(struct assembler *as, const struct line *line)
{
    if (line->cut)
        message_add(as->messages, MSG_LONG_LINE, line->number, "%llu bytes", (unsigned long long)line->stored);
}

static void payload_line(struct assembler *as, struct writer_stream *s, const struct line *line,
                         const struct bare_line *bare)
{
    struct payload *p = &s->raw.payload;

    if (!s->begun) {
        stray_payload_line(s, line->number);
        return;
    }
    long_line(as, line);
    s->raw.cut |= line->cut;
    if (s->index > 0)
        /* a writer with a prefix puts it before every line, so bare blank lines are not part of its payload */
        as->blanks.n = 0;
    if (!bare->plain || (as->blanks.n && !as->blanks.plain))
        p->flags |= PAYLOAD_PREFIXED;
    /* Blank lines inside a payload were its empty lines; an editor stripped their tabs. */
    for (; as->blanks.n; as->blanks.n--)
        add_payload_line(as, s, as->blanks.offset, line->offset, STR(""));
    add_payload_line(as, s, line->offset, line->offset + line->stored,
                     bare_payload(bare->text, p->flags & PAYLOAD_CRLF));
    as->understood = line->offset + line->stored;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void report_stray(struct assembler *as, struct writer_stream *s)
{
    if (s->stray)
        message_add(as->messages, MSG_STRAY_PAYLOAD, s->stray_line, "%u lines", s->stray);
    s->stray = 0;
}

/*
 * Hands the record of a stream to the batch. A record is complete when the next one of its writer begins, so the
 * batch orders the records of several writers by their ends.
 */
static void finish_record(struct assembler *as, struct writer_stream *s)
{
    struct raw_record *raw;

    if (!s->begun)
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
    s->text.n = 0;
    /* After a huge record, the next ones need little memory again. */
    if (s->text.cap > 2 * CAPTURE_MAX)
        buf_free(&s->text);
    if (s->json.cap > 2 * CAPTURE_MAX)
        buf_free(&s->json);
}

/*
 * The digest in has_payload is at the end of the JSON. It is read from the text so that hashing can start before the
 * JSON is parsed; a record with its keys in another order is handled when it is applied.
 */
static void peek_digest(struct raw_record *raw, struct str json)
{
    const struct str key = STR("\"has_payload\": \"");
    size_t behind = key.n + DIGEST_TAIL;
    struct str hex;

    if (json.n < behind || !str_starts(str_skip(json, json.n - behind), key))
        return;
    hex = str_take(str_skip(json, json.n - behind + key.n), DIGEST_HEX);
    raw->payload.flags |= PAYLOAD_ANNOUNCED;
    if (digest_parse(hex, &raw->payload.digest))
        raw->payload.flags |= PAYLOAD_DIGEST;
}

static void begin_record(struct assembler *as, struct writer_stream *s, const struct line *line, bool plain,
                         const struct glog *g)
{
    unsigned flags = record_peek(g->text);
    struct str json = g->text;
    bool crlf = json.n && json.p[json.n - 1] == '\r';

    finish_record(as, s);
    report_stray(as, s);
    s->raw = (struct raw_record){.glog = *g,
                                 .file = str_hash(g->file),
                                 .line = line->number,
                                 .span = {line->offset, line->stored},
                                 .stream = s->index,
                                 .launcher_rank = s->rank,
                                 .captured_whole = true};
    s->raw.payload.stream = s->index;
    s->raw.payload.flags = (uint8_t)((crlf ? PAYLOAD_CRLF : 0) | (plain ? 0 : PAYLOAD_PREFIXED));
    s->want_text = (flags & (KIND_TEXT | KIND_JSON)) != 0;
    s->hashing = false;
    s->json.n = 0;
    buf_str(&s->json, str_drop(json, crlf));
    peek_digest(&s->raw, buf_view(&s->json));
    s->begun = true;
    as->understood = line->offset + line->stored;
    long_line(as, line);
}

static void bad_line(struct assembler *as, const struct line *line, struct str text)
{
    struct str cut = utf8_cut(text, 80);

    /* Only the last line of a file lacks a newline, and only if the file was cut off. */
    if (!as->again)
        message_add(as->messages, line->newline ? MSG_BAD_LINE : MSG_TRUNCATED, line->number, "%.*s", STR_ARG(cut));
}

/*
 * A prefix that the grammar does not cover is remembered, because the payload lines after it can only be recognized by
 * it.
 */
static void learn_prefix(struct assembler *as, const struct launcher *l)
{
    if (l->prefix.n && l->key.n == 0 && as->in->known_prefix.n == 0)
        as->in->known_prefix = arena_str(as->in->arena, l->prefix);
}

static void record_line(struct assembler *as, struct writer_stream *s, const struct line *line,
                        const struct bare_line *bare)
{
    struct glog g;

    if (!glog_parse(bare->text, &g) || g.text.n == 0 || g.text.p[0] != '{') {
        bad_line(as, line, bare->text);
        return;
    }
    learn_prefix(as, &bare->launcher);
    begin_record(as, s, line, bare->plain, &g);
}

/* The writer of a line; NULL if unknown. */
static struct writer_stream *writer_of(struct assembler *as, const struct bare_line *bare)
{
    struct writer_stream *s = bare->launcher.key.n ? stream_of(as, bare->launcher.key) : as->streams.v[0];

    if (s && bare->launcher.rank >= 0)
        s->rank = bare->launcher.rank;
    return s;
}

static void blank_line(struct assembler *as, const struct line *line, bool plain)
{
    if (as->blanks.n++ == 0) {
        as->blanks.offset = line->offset;
        as->blanks.plain = true;
    }
    as->blanks.plain &= plain;
}

/*
 * In a file without prefixes, nine of ten lines are the payload of the record before them. They need little work,
 * which is done here.
 */
static bool plain_payload_line(struct assembler *as, const struct line *line)
{
    struct writer_stream *s = as->streams.v[0];

    if (line->text.n == 0 || line->text.p[0] != '\t' || !s->begun || as->blanks.n ||
        (s->raw.payload.flags & PAYLOAD_CRLF) || line->cut)
        return false;
    add_payload_line(as, s, line->offset, line->offset + line->stored, str_skip(line->text, 1));
    as->understood = line->offset + line->stored;
    as->newline_at_end = line->newline;
    as->last = s;
    return true;
}

void assembler_line(struct assembler *as, const struct line *line)
{
    struct bare_line bare;
    struct writer_stream *s = NULL;

    if (plain_payload_line(as, line))
        return;
    bare_line(line->text, as->in->known_prefix, &as->colorless, &bare);
    as->newline_at_end = line->newline;
    if (bare.nuls && !as->again)
        message_add(as->messages, MSG_NUL_BYTES, line->number, "%zu bytes", bare.nuls);
    if (bare.sort == LINE_BLANK) {
        blank_line(as, line, bare.plain);
        return;
    }
    if (bare.sort != LINE_OTHER && (bare.plain || !as->again))
        s = writer_of(as, &bare);
    if (!s)
        bad_line(as, line, bare.text);
    else if (bare.sort == LINE_PAYLOAD)
        payload_line(as, s, line, &bare);
    else
        record_line(as, s, line, &bare);
    as->last = s;
    as->blanks.n = 0;
}

void assembler_finish(struct assembler *as)
{
    for (size_t i = 0; i < as->streams.n; i++) {
        struct writer_stream *s = as->streams.v[i];

        s->raw.at_end = s->begun;
        s->raw.unterminated = s == as->last && !as->newline_at_end;
        finish_record(as, s);
        report_stray(as, s);
        buf_free(&s->json);
        buf_free(&s->text);
    }
    buf_free(&as->colorless);
    arena_free(as->arena);
}
