#include "trace/trace.h"

#include "input/launcher.h"
#include "trace/assemble.h"
#include "util/mem.h"
#include "util/utf8.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* The number of bytes or records at which a batch is sent to be decoded, and the most batches in flight per thread. */
enum { BATCH_BYTES = 512 * 1024, BATCH_RECORDS = 512, BATCHES_PER_THREAD = 2 };

/* Records of tens of megabytes make batches of that size. At most this many bytes are in flight, or one batch. */
enum { IN_FLIGHT_BYTES = 64 << 20 };

/* One pass over one file. */
struct trace_reader {
    struct reading reading;
    struct line_reader lines;
    struct assembler assembler;
    struct batch *first, **last; /* batches being decoded, in order */
    struct batch *spare;
    unsigned in_flight, in_flight_max;
    size_t in_flight_bytes;
    unsigned nesting;         /* the depth of glued records, see split_glued */
    struct messages of_lines; /* kept separately, because how far lines are read ahead of records depends on threads */
    struct buf kind_key;      /* see count_kind */
};

bool trace_sniff(struct str beginning)
{
    struct str line;

    while (str_next_line(&beginning, &line)) {
        struct launcher l;
        struct glog g;
        struct str rest;

        if (launcher_split(line, (struct str){0}, &l, &rest) && glog_parse(rest, &g) && str_starts(g.text, STR("{\"")))
            return true;
        if (ansi_present(line)) {
            struct buf plain = {0};
            bool found;

            ansi_strip(&plain, line);
            found = launcher_split(buf_view(&plain), (struct str){0}, &l, &rest) && glog_parse(rest, &g) &&
                    str_starts(g.text, STR("{\""));
            buf_free(&plain);
            if (found)
                return true;
        }
    }
    return false;
}

/* --- applying one record ------------------------------------------------------------------------------------------ */

static void count_kind(struct trace_reader *p, const struct record *rec)
{
    struct kind_count *count;
    void **slot;

    p->kind_key.n = 0;
    buf_str(&p->kind_key, rec->kind_name);
    if (rec->name.p != rec->kind_name.p)
        buf_printf(&p->kind_key, ":%.*s", STR_ARG(rec->name));
    slot = map_at_copy(&p->reading.in->kinds, buf_view(&p->kind_key));
    if (!*slot)
        *slot = ARENA_NEW(p->reading.in->arena, struct kind_count);
    count = *slot;
    count->count++;
    if (!rec->kind)
        count->unknown = true;
}

static bool small_number(struct record *rec, const char *key, int64_t limit, enum message_code code, int32_t *out)
{
    int64_t v;

    switch (json_get_i64(rec->doc, rec->doc->root, key, &v)) {
    case JSON_MISSING:
        return true;
    case JSON_FOUND:
        if (v >= 0 && v <= limit) {
            *out = (int32_t)v;
            return true;
        }
        break;
    case JSON_WRONG_TYPE:
        break;
    }
    record_message(rec, code, "%.*s: %s is not a number from 0 to %lld", (int)rec->kind_name.n, rec->kind_name.p, key,
                   (long long)limit);
    return false;
}

static void read_context(struct record *rec)
{
    int32_t attempt = -1, rank = RANK_UNKNOWN;
    struct compile_id id = COMPILE_ID_NONE;

    if (!small_number(rec, "compiled_autograd_id", LIMIT_COMPILE_NUMBER, MSG_BAD_COMPILE_ID, &id.autograd) ||
        !small_number(rec, "frame_id", LIMIT_COMPILE_NUMBER, MSG_BAD_COMPILE_ID, &id.frame) ||
        !small_number(rec, "frame_compile_id", LIMIT_COMPILE_NUMBER, MSG_BAD_COMPILE_ID, &id.compile))
        id = COMPILE_ID_NONE;
    if ((id.frame == ID_NONE) != (id.compile == ID_NONE)) {
        record_message(rec, MSG_BAD_COMPILE_ID, "%.*s: one of frame_id and frame_compile_id without the other",
                       (int)rec->kind_name.n, rec->kind_name.p);
        id = COMPILE_ID_NONE;
    }
    if (small_number(rec, "attempt", LIMIT_ATTEMPTS, MSG_BAD_FIELD, &attempt))
        rec->attempt = attempt;
    if (small_number(rec, "rank", LIMIT_RANK, MSG_BAD_FIELD, &rank))
        rec->rank = rank;
    rec->id = id;
    if (json_object_get(rec->doc->root, "subgraph_name"))
        rec->subgraph = record_name(rec, rec->doc->root, "subgraph_name");
}

/*
 * "dynamo" is the outermost event of a compile (torch/_dynamo/convert_frame.py, _compile), before dynamo_start;
 * "compiled_autograd" belongs to a capture (torch/_dynamo/compiled_autograd.py, begin_capture).
 */
static enum start start_of_event(struct json_doc *doc)
{
    struct str name, phase;

    if (!doc || json_get_str(doc, doc->root, "ph", &phase) != JSON_FOUND || !str_eq(phase, STR("B")) ||
        json_get_str(doc, doc->root, "name", &name) != JSON_FOUND)
        return START_NONE;
    if (str_eq(name, STR("dynamo")) || str_eq(name, STR("compiled_autograd")))
        return START_EVENT;
    return str_eq(name, STR("compile_attempt_0")) ? START_ATTEMPT : START_NONE;
}

static enum start start_of(const struct raw_record *raw, const struct record *rec)
{
    if (raw->kind && (raw->kind->flags & KIND_STARTS))
        return rec->attempt <= 0 ? START_RECORD : START_NONE;
    if (raw->artifact_kind && raw->artifact_kind->apply == apply_recompile_reasons)
        return START_REASONS;
    return raw->kind && raw->kind->apply == apply_chromium_event ? start_of_event(rec->json) : START_NONE;
}

static void touch_process(struct process *p, int64_t time_us)
{
    p->records++;
    if (p->first_us == 0)
        p->first_us = time_us;
    if (time_us > p->last_us)
        p->last_us = time_us;
}

static void touch_compile(struct compile *c, const struct record *rec)
{
    if (rec->attempt >= c->attempts)
        c->attempts = rec->attempt + 1;
    if (c->first_us == 0)
        c->first_us = rec->time_us;
    if (!c->ended && rec->time_us > c->last_us)
        c->last_us = rec->time_us; /* later records are about its backward graph, or from running it */
}

static void find_compile(struct record *rec, struct process_state *s, enum start start)
{
    rec->compile = s->process->unattributed;
    if (rec->kind && (rec->kind->flags & KIND_NO_COMPILE))
        return;
    if (!compile_id_is_none(rec->id))
        rec->compile = reading_compile(rec->reading, s, rec->id, start, rec->line);
    touch_compile(rec->compile, rec);
}

/* If an entry of the string table gets another value, another process wrote it. */
static bool restarts_strings(struct record *rec)
{
    const json_t *text = json_array_get(rec->value, 0), *index = json_array_get(rec->value, 1);
    struct str before;

    if (!rec->kind || rec->kind->apply != apply_str || !json_is_string(text) || !json_is_integer(index) ||
        json_integer_value(index) < 0)
        return false;
    return string_table_get(&rec->process->strings, (uint64_t)json_integer_value(index), &before) &&
           !str_eq(before, record_intern(rec, json_str(text)));
}

/*
 * Counts a payload and reports what is wrong with it: announced and missing, present and not announced, or not the one
 * announced.
 */
static void check_payload(struct trace_reader *p, struct raw_record *raw)
{
    struct messages *m = &p->reading.in->messages;
    struct totals *t = &p->reading.in->totals;
    struct payload *payload = &raw->payload;

    if (!(payload->flags & PAYLOAD_PRESENT)) {
        if (payload->flags & PAYLOAD_ANNOUNCED)
            message_add(m, raw->at_end ? MSG_TRUNCATED : MSG_NO_PAYLOAD, raw->line, "has_payload, but no payload line");
        return;
    }
    t->payloads++;
    t->payload_bytes += payload->text_bytes;
    if (!(payload->flags & PAYLOAD_ANNOUNCED))
        message_add(m, MSG_STRAY_PAYLOAD, raw->line, "%u lines below a record without has_payload", payload->lines);
    else if (!(payload->flags & PAYLOAD_DIGEST))
        message_add(m, MSG_BAD_DIGEST_TEXT, raw->line, "the payload of this record");
    if (raw->text_not_utf8)
        message_add(m, MSG_NOT_UTF8, raw->line, "in the payload of this record");
    if (raw->cut)
        return;
    if (!raw->hashed || !(payload->flags & PAYLOAD_DIGEST)) {
        /* PyTorch ends every record with a newline: without a digest to check, the end may be missing. */
        if (raw->unterminated)
            message_add(m, MSG_TRUNCATED, raw->line, "its last line has no newline");
        return;
    }
    payload->flags |= PAYLOAD_CHECKED;
    if (digest_eq(&raw->actual, &payload->digest))
        return;
    payload->flags |= PAYLOAD_BAD;
    t->bad_payloads++;
    message_add(m, raw->at_end ? MSG_TRUNCATED : MSG_BAD_DIGEST, raw->line, "payload of %u lines, %llu bytes",
                payload->lines, (unsigned long long)payload->text_bytes);
}

static void hash_piece(void *state, struct str piece)
{
    digest_add(state, piece);
}

/* Hashes a payload that is only in the file, not in memory. */
static bool hash_stored(struct trace_reader *p, const struct payload *payload, struct digest *out)
{
    struct payload_source from = input_payloads(p->reading.in);
    struct digest_state state;
    struct sink sink = {.write = hash_piece, .object = &state};

    digest_begin(&state);
    if (payload_is_scattered(payload) || payload_write(&from, payload, &sink) != 0)
        return false;
    *out = digest_end(&state);
    return true;
}

/*
 * Reads has_payload if the quick look at the end of the text did not find it, because of another order of keys, or
 * blanks.
 */
static void late_digest(struct trace_reader *p, struct raw_record *raw)
{
    struct str hex = {0};

    if ((raw->payload.flags & PAYLOAD_ANNOUNCED) ||
        json_get_str(&raw->doc, raw->doc.root, "has_payload", &hex) == JSON_MISSING)
        return;
    raw->payload.flags |= PAYLOAD_ANNOUNCED;
    if (!digest_parse(hex, &raw->payload.digest))
        return;
    raw->payload.flags |= PAYLOAD_DIGEST;
    /* It was not hashed before, because the digest to compare it with was not known. */
    if (p->reading.options->check_digests && !raw->hashed && (raw->payload.flags & PAYLOAD_PRESENT))
        raw->hashed = hash_stored(p, &raw->payload, &raw->actual);
}

static void report_json(struct trace_reader *p, const struct raw_record *raw)
{
    struct messages *m = &p->reading.in->messages;

    if (raw->doc.lost)
        message_add(m, MSG_BAD_FIELD, raw->line, "a value cannot be read: %s", raw->doc.error);
    else if (raw->doc.not_utf8)
        message_add(m, MSG_NOT_UTF8, raw->line, "in the JSON of this record");
    else if (raw->doc.repaired)
        message_add(m, MSG_REPAIRED_JSON, raw->line, "%s", raw->doc.error);
    if (raw->captured && raw->json.text.p && !raw->has_json)
        message_add(m, MSG_BAD_PAYLOAD_JSON, raw->line, "%s", raw->json.error);
    if (raw->captured && !raw->captured_whole)
        message_add(m, MSG_LONG_PAYLOAD, raw->line, "%llu bytes", (unsigned long long)raw->payload.text_bytes);
}

/* The value of every kind is an object, except for `str`, which checks its list itself. */
static void check_value(struct record *rec)
{
    if (rec->kind && rec->kind->apply != apply_str && !json_is_object(rec->value))
        record_message(rec, MSG_BAD_FIELD, "%.*s is not an object", (int)rec->kind_name.n, rec->kind_name.p);
}

enum { LOOSE_STACKS_MAX = 200 };

/*
 * PyTorch gives records without a compile id the stack that they come from, for example a call of AOTInductor or
 * export.
 */
static void keep_stack(struct record *rec)
{
    struct compile *c = rec->process->unattributed;
    const struct call *stack;

    if (rec->compile != c || str_eq(rec->kind_name, STR("stack")) || c->stacks.n >= LOOSE_STACKS_MAX ||
        !json_is_array(json_object_get(rec->doc->root, "stack")))
        return;
    stack = record_stack(rec, rec->doc->root, "stack");
    for (size_t i = 0; i < c->stacks.n; i++)
        if (c->stacks.v[i] == stack)
            return;
    if (stack)
        vec_push(record_arena(rec), &c->stacks, stack);
}

static void dispatch(struct record *rec)
{
    struct str name = utf8_cut(rec->kind_name, 60);

    check_value(rec);
    keep_stack(rec);
    if (rec->kind && rec->kind->apply)
        rec->kind->apply(rec);
    else
        record_add_artifact(rec, (struct str){0});
    if (!rec->kind) {
        rec->reading->in->totals.unknown_records++;
        record_message(rec, MSG_UNKNOWN_KIND, "%.*s", STR_ARG(name));
    }
}

/* Puts one record into the model: finds its process and its compile, and calls its kind's function. */
static void apply_decoded(struct trace_reader *p, struct raw_record *raw, struct str text)
{
    struct reading *r = &p->reading;
    struct process_state *s = reading_process(r, raw->stream, &raw->glog, raw->line);
    struct record rec = {.reading = r,
                         .kind = raw->kind,
                         .artifact_kind = raw->artifact_kind,
                         .line = raw->line,
                         .span = raw->span,
                         .doc = &raw->doc,
                         .value = raw->value,
                         .text = text,
                         .json = raw->has_json ? &raw->json : NULL,
                         .payload = raw->payload,
                         .attempt = -1,
                         .rank = RANK_UNKNOWN,
                         .process = s->process,
                         .state = s};

    rec.kind_name = rec.name = record_intern(&rec, raw->kind_name.n ? raw->kind_name : STR("(no kind)"));
    rec.time_us = reading_local_time(r, &raw->glog);
    read_context(&rec);
    reading_set_rank(r, s, raw->launcher_rank, RANK_FROM_LAUNCHER, raw->line);
    reading_set_rank(r, s, rec.rank, RANK_FROM_RECORD, raw->line);
    if (restarts_strings(&rec)) {
        s = reading_new_instance(r, raw->stream, &raw->glog, raw->line);
        reading_set_rank(r, s, rec.rank, RANK_FROM_RECORD, raw->line);
        rec.process = s->process;
        rec.state = s;
    }
    touch_process(rec.process, rec.time_us);
    version_places_add(&rec.state->places, raw->file, raw->glog.line);
    find_compile(&rec, s, start_of(raw, &rec));
    dispatch(&rec);
    report_json(p, raw);
    count_kind(p, &rec);
    arena_reset(r->scratch);
}

/* --- records glued to others -------------------------------------------------------------------------------------- */

/*
 * If a file was cut off and another one appended to it, a record begins inside a line: after the JSON of the previous
 * record, or after a piece of its payload. The previous record is then faulty (its JSON does not parse, or its digest
 * differs), and only then is it searched: what follows the second prefix is read as if it had a line of its own.
 */

enum { GLUED_MAX = 64 << 20, GLUED_NESTING = 4 };

static void apply_raw(struct trace_reader *p, struct raw_record *raw, struct str text);

static bool begins_record(struct str text)
{
    struct glog g;

    return glog_parse(text, &g) && str_starts(g.text, STR("{\""));
}

/* The place after the first `from` bytes of a line where another record begins; -1 if there is none. */
static ptrdiff_t find_glued(struct str line, size_t from)
{
    ptrdiff_t at;

    for (; (at = glog_find(line, from)) >= 0; from = (size_t)at + 1)
        if (begins_record(str_skip(line, (size_t)at)))
            return at;
    return -1;
}

/* State for reading the lines of a damaged record with a second assembler. */
struct second_look {
    struct trace_reader *pass;
    const struct raw_record *damaged;
    struct assembler assembler;
    struct line line; /* the line being searched */
    struct str rest;  /* the bytes after it */
    unsigned cuts;    /* number of missing newlines found */
    unsigned cuts_max;
    uint64_t empty_line; /* number of the empty payload line with a record after its tab; 0 if there is none */
};

/* Applies the complete parts now, because one line may contain a million of them. */
static void apply_complete(struct second_look *l)
{
    struct batch *b = l->assembler.batch;

    batch_decode(b);
    for (size_t i = 0; i < b->n; i++) {
        b->records[i].at_end &= l->damaged->at_end;
        apply_raw(l->pass, &b->records[i], (struct str){b->bytes.p + b->records[i].text_at, b->records[i].text_n});
    }
    batch_clear(b);
}

static void feed(struct second_look *l, size_t n, bool newline)
{
    struct line piece = l->line;

    piece.text.n = n;
    piece.stored = n + newline;
    piece.newline = newline;
    assembler_line(&l->assembler, &piece);
    if (l->assembler.batch->n >= BATCH_RECORDS)
        apply_complete(l);
    l->line.text = str_skip(l->line.text, n);
    l->line.offset += piece.stored;
}

/* "\tV1121 …" is a payload line that looks like a record. It stays a payload line, unless it is that empty line. */
static void feed_line(struct second_look *l, bool may_cut, bool payload)
{
    ptrdiff_t newline = str_chr(l->rest, '\n'), at;
    size_t from = payload && l->line.number != l->empty_line ? 2 : 1;

    l->line.text = newline < 0 ? l->rest : str_take(l->rest, (size_t)newline);
    l->rest = str_skip(l->rest, l->line.text.n + 1);
    for (; may_cut && l->cuts < l->cuts_max && (at = find_glued(l->line.text, from)) >= 0; from = 1) {
        message_add(&l->assembler.in->messages, MSG_LOST_NEWLINE, l->line.number,
                    "a second record begins in this line");
        l->cuts++;
        feed(l, (size_t)at, false);
    }
    feed(l, l->line.text.n, newline >= 0);
    l->line.number++;
}

/*
 * Finds the payload line in stored bytes that must be empty and the last one, by the payload's digest, although a
 * record follows its tab. Returns its index, or 0 if there is none. Line 0 is the record's own.
 */
static unsigned find_empty_line(struct str stored, const struct digest *announced)
{
    struct digest_state hash;
    struct str line;

    digest_begin(&hash);
    for (unsigned i = 0; str_next_line(&stored, &line); i++) {
        struct digest_state so_far;
        struct digest d;

        if (i == 0)
            continue;
        if (i > 1)
            digest_add(&hash, STR("\n"));
        so_far = hash;
        line = str_skip(line, 1);
        digest_add(&hash, line);
        if (!begins_record(line))
            continue;
        d = digest_end(&so_far);
        if (digest_eq(&d, announced))
            return i;
    }
    return 0;
}

static bool has_glued(struct str bytes, bool in_payload)
{
    struct str line;

    for (unsigned i = 0; str_next_line(&bytes, &line); i++)
        if ((i > 0) == in_payload && find_glued(line, i ? 2 : 1) >= 0)
            return true;
    return false;
}

static bool read_stored(struct trace_reader *p, const struct raw_record *raw, struct buf *out)
{
    uint64_t end = raw->payload.flags & PAYLOAD_PRESENT ? raw->payload.offset + raw->payload.stored
                                                        : raw->span.offset + raw->span.length;
    size_t n = (size_t)(end - raw->span.offset);
    ssize_t k;

    if (raw->payload.flags & PAYLOAD_PREFIXED || n > GLUED_MAX)
        return false;
    k = source_read_at(&p->reading.in->source, buf_room(out, n), n, raw->span.offset);
    buf_added(out, k > 0 ? (size_t)k : 0);
    return k == (ssize_t)n;
}

/*
 * Applies the parts of a damaged record one after another. A JSON line is cut wherever a record begins. In a payload
 * only the first cut is certain, because the lines after it are the payload of the second record.
 */
static void apply_parts(struct trace_reader *p, const struct raw_record *raw, struct str bytes, bool in_payload,
                        unsigned empty_line)
{
    struct batch *b = batch_new(p->reading.options->check_digests);
    struct second_look l = {.pass = p,
                            .damaged = raw,
                            .line = {.offset = raw->span.offset, .number = raw->line},
                            .rest = bytes,
                            .cuts_max = in_payload ? 1 : UINT_MAX,
                            .empty_line = empty_line ? raw->line + empty_line : 0};

    assembler_init(&l.assembler, p->reading.in, p->reading.options, b);
    l.assembler.again = true;
    for (bool payload = false; l.rest.n; payload = true)
        feed_line(&l, payload == in_payload, payload);
    assembler_finish(&l.assembler);
    apply_complete(&l);
    batch_free(b);
}

/* False, with nothing done, if nothing is glued to the record. */
static bool split_glued(struct trace_reader *p, const struct raw_record *raw, bool in_payload)
{
    struct buf stored = {0};
    bool found = p->nesting < GLUED_NESTING && read_stored(p, raw, &stored);
    unsigned empty_line = found && in_payload ? find_empty_line(buf_view(&stored), &raw->payload.digest) : 0;

    found = found && (empty_line || has_glued(buf_view(&stored), in_payload));
    if (found) {
        p->nesting++;
        apply_parts(p, raw, buf_view(&stored), in_payload, empty_line);
        p->nesting--;
    }
    buf_free(&stored);
    return found;
}

static bool digest_differs(const struct raw_record *raw)
{
    return raw->hashed && !raw->cut && (raw->payload.flags & PAYLOAD_DIGEST) &&
           !digest_eq(&raw->actual, &raw->payload.digest);
}

static void apply_raw(struct trace_reader *p, struct raw_record *raw, struct str text)
{
    struct input *in = p->reading.in;
    bool broken = !raw->decoded;

    if (raw->decoded)
        late_digest(p, raw);
    if ((broken || digest_differs(raw)) && split_glued(p, raw, !broken))
        return;
    in->totals.records++;
    check_payload(p, raw);
    if (broken)
        message_add(&in->messages, raw->unterminated ? MSG_TRUNCATED : MSG_BAD_JSON, raw->line, "%s", raw->doc.error);
    else
        apply_decoded(p, raw, text);
}

/* --- the pass ----------------------------------------------------------------------------------------------------- */

static void apply_batch(struct trace_reader *p, struct batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        apply_raw(p, &b->records[i], (struct str){b->bytes.p + b->records[i].text_at, b->records[i].text_n});
}

/* Waits for the oldest batch, applies it and keeps its memory for the next one. */
static void apply_oldest(struct trace_reader *p)
{
    struct batch *b = p->first;

    pool_wait(p->reading.pool, &b->task);
    p->first = b->next;
    if (!p->first)
        p->last = &p->first;
    p->in_flight--;
    p->in_flight_bytes -= b->bytes.n;
    apply_batch(p, b);
    batch_clear(b);
    b->next = p->spare;
    p->spare = b;
}

static struct batch *new_batch(struct trace_reader *p)
{
    struct batch *b = p->spare;

    if (!b)
        return batch_new(p->reading.options->check_digests);
    p->spare = b->next;
    b->next = NULL;
    return b;
}

/* Sends the current batch to be decoded, or decodes it here if all threads are busy with files of their own. */
static void send_batch(struct trace_reader *p)
{
    struct batch *b = p->assembler.batch;

    if (pool_is_busy(p->reading.pool)) {
        while (p->first)
            apply_oldest(p);
        batch_decode(b);
        apply_batch(p, b);
        batch_clear(b);
        return;
    }
    while (p->in_flight && (p->in_flight >= p->in_flight_max || p->in_flight_bytes + b->bytes.n > IN_FLIGHT_BYTES))
        apply_oldest(p);
    b->task = (struct task){.run = batch_decode, .arg = b};
    *p->last = b;
    p->last = &b->next;
    p->in_flight++;
    p->in_flight_bytes += b->bytes.n;
    pool_submit_leaf(p->reading.pool, &b->task);
    p->assembler.batch = new_batch(p);
}

static void read_lines(struct trace_reader *p)
{
    struct line_reader *lines = &p->lines;
    struct line line;

    while (!lines->gave_up && lines_next(lines, &line)) {
        assembler_line(&p->assembler, &line);
        lines->gave_up |= lines->offset - p->assembler.understood > LIMIT_BARREN;
        if (p->assembler.batch->bytes.n >= BATCH_BYTES || p->assembler.batch->n >= BATCH_RECORDS)
            send_batch(p);
    }
}

static void apply_all(struct trace_reader *p)
{
    send_batch(p);
    while (p->first)
        apply_oldest(p);
}

/* Not the fault of the trace or of its writer. */
static void report_failure(struct input *in)
{
    const struct source *s = &in->source;
    struct str what = s->spill_failed ? arena_printf(in->arena, "cannot be copied into %s (TMPDIR)", temp_file_dir())
                                      : STR("cannot be read to its end");
    const char *why = s->spill_failed && s->error == -EDQUOT
                          ? "decompressed copies would take more than nine tenths of the free space there"
                          : strerror(-s->error);

    in->failure =
        arena_printf(in->arena, "%.*s: %s, after %llu bytes", STR_ARG(what), why, (unsigned long long)s->read_bytes);
    message_add(&in->messages, MSG_READ_ERROR, 0, "%.*s", STR_ARG(in->failure));
}

void trace_report_source(struct input *in)
{
    if (source_changed(&in->source))
        message_add(&in->messages, MSG_INPUT_CHANGED, 0, "the program that writes it may still be running");
    if (in->source.gzip_damaged)
        message_add(&in->messages, MSG_GZIP_DAMAGED, 0, "after %llu decompressed bytes",
                    (unsigned long long)in->source.read_bytes);
    if (in->source.bomb)
        message_add(&in->messages, MSG_GAVE_UP, 0,
                    "it decompresses to more than %d times its size: stopped after %llu bytes", LIMIT_UNPACK_RATIO,
                    (unsigned long long)in->source.read_bytes);
    if (in->source.error)
        report_failure(in);
}

struct trace_reader *trace_begin(struct input *in, const struct trace_options *options, struct pool *pool)
{
    struct trace_reader *p = xcalloc(1, sizeof *p);

    p->in_flight_max = pool_threads(pool) * BATCHES_PER_THREAD;
    p->last = &p->first;
    in->digests_checked = options->check_digests;
    reading_init(&p->reading, in, options, pool);
    messages_init(&p->of_lines, in->arena, in->path);
    assembler_init(&p->assembler, in, options, new_batch(p));
    p->assembler.messages = &p->of_lines;
    lines_begin(&p->lines, &in->source);
    return p;
}

static void free_reader(struct trace_reader *p)
{
    lines_end(&p->lines);
    batch_free(p->assembler.batch);
    buf_free(&p->kind_key);
    while (p->spare) {
        struct batch *b = p->spare;

        p->spare = b->next;
        batch_free(b);
    }
    free(p);
}

bool trace_more(struct trace_reader *p)
{
    struct source *s = &p->reading.in->source;
    bool same = s->fd >= 0 || source_resume(s);

    if (same) {
        p->lines.growing = true;
        read_lines(p);
        apply_all(p);
        source_pause(s);
    }
    return same && !p->lines.stuck && s->error == 0;
}

bool trace_is_stuck(const struct trace_reader *p)
{
    return p->lines.stuck;
}

void trace_end(struct trace_reader *p)
{
    struct input *in = p->reading.in;

    if (in->source.fd < 0)
        source_resume(&in->source);
    p->lines.growing = false;
    read_lines(p);
    if (p->lines.gave_up)
        message_add(&in->messages, MSG_GAVE_UP, p->lines.number, "after %llu bytes",
                    (unsigned long long)p->lines.offset);
    source_end_reading(&in->source);
    assembler_finish(&p->assembler);
    apply_all(p);
    reading_finish(&p->reading);
    trace_report_source(in);
    messages_take(&in->messages, &p->of_lines);
    free_reader(p);
}

void trace_drop(struct trace_reader *p)
{
    assembler_finish(&p->assembler);
    reading_free(&p->reading);
    free_reader(p);
}

void trace_read(struct input *in, const struct trace_options *options, struct pool *pool)
{
    trace_end(trace_begin(in, options, pool));
}
