/*
 * trace_text: traces for tests. Records are added to a text as PyTorch writes them, the text is read, and the run is
 * there to look at:
 *
 *     struct trace_text t = {0};
 *     struct run *r;
 *
 *     trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
 *     trace_payload(&t, "{\"artifact\": {\"name\": \"x\", \"encoding\": \"string\"}, " IN(0, 0, 0) "}", "two\nlines");
 *     r = trace_run(&t);
 *     assert_str(trace_messages(r), "");
 *     assert_str(trace_compiles(r), "0/0 incomplete");
 *     run_free(r);
 *
 * Before a record is added, the fields of the text say what comes before its lines. Texts that are returned live as
 * long as the run.
 */
#pragma once

#include "temp.h"

#include "model/merge/run.h"
#include "trace/trace.h"
#include "util/system/pool.h"

struct trace_text {
    struct buf text;
    uint64_t pid;          /* of the records; 0 means 100 */
    const char *prefix;    /* before every line, NULL for none */
    const char *newline;   /* NULL for "\n" */
    unsigned ms;           /* of the next record; each takes one */
};

/* The ids of a record, to stand between others in its JSON. */
#define IN(frame, compile, attempt)                                                                                    \
    "\"frame_id\": " #frame ", \"frame_compile_id\": " #compile ", \"attempt\": " #attempt

/* When events begin to be counted: 10:00 UTC, as the prefixes of the records say. */
#define TRACE_EPOCH_US 1795255200000000ll

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Bytes as they are. */
static inline void trace_raw(struct trace_text *t, struct str bytes)
{
    buf_str(&t->text, bytes);
}

/* One line, with what comes before and behind it. */
static inline void trace_line(struct trace_text *t, struct str line)
{
    buf_str(&t->text, str_of(t->prefix));
    buf_str(&t->text, line);
    buf_str(&t->text, t->newline ? str_of(t->newline) : STR("\n"));
}

/* The prefix of a record. */
static inline const char *trace_glog(struct trace_text *t)
{
    static char glog[200];
    unsigned ms = t->ms++;

    snprintf(glog, sizeof glog, "V1121 10:%02u:%02u.%03u000 %llu torch/_dynamo/x.py:7] ", ms / 60000 % 60,
             ms / 1000 % 60, ms % 1000, t->pid ? (unsigned long long)t->pid : 100);
    return glog;
}

static inline void trace_record(struct trace_text *t, const char *json)
{
    struct buf line = {0};

    buf_printf(&line, "%s%s", trace_glog(t), json);
    trace_line(t, buf_view(&line));
    buf_free(&line);
}

/* The lines of a payload. */
static inline void trace_payload_lines(struct trace_text *t, struct str payload)
{
    struct buf line = {0};
    bool more;

    do {
        ptrdiff_t newline = str_chr(payload, '\n');

        more = newline >= 0;
        line.n = 0;
        buf_char(&line, '\t');
        buf_str(&line, more ? str_take(payload, (size_t)newline) : payload);
        trace_line(t, buf_view(&line));
        payload = str_skip(payload, (size_t)(newline + 1));
    } while (more);
    buf_free(&line);
}

/* A record that announces its payload, with the right digest; json ends in '}'. */
static inline void trace_payload(struct trace_text *t, const char *json, const char *payload)
{
    struct digest digest = digest_of(str_of(payload));
    struct str open = str_drop(str_of(json), 1);
    char hex[DIGEST_HEX + 1];
    struct buf record = {0};

    digest_hex(&digest, hex);
    buf_printf(&record, "%.*s%s\"has_payload\": \"%s\"}", STR_ARG(open), str_ends(open, STR("{")) ? "" : ", ", hex);
    buf_char(&record, '\0');
    trace_record(t, record.p);
    trace_payload_lines(t, str_of(payload));
    buf_free(&record);
}

/* A record in the manner of printf. */
__attribute__((format(printf, 2, 3))) static inline void trace_recordf(struct trace_text *t, const char *fmt, ...)
{
    struct buf json = {0};
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(&json, fmt, ap);
    va_end(ap);
    buf_char(&json, '\0');
    trace_record(t, json.p);
    buf_free(&json);
}

/* An artifact of a compile; of none when there are no ids. */
static inline void trace_artifact(struct trace_text *t, const char *name, const char *ids, const char *payload)
{
    struct buf json = {0};

    buf_printf(&json, "{\"artifact\": {\"name\": \"%s\", \"encoding\": \"string\"}%s%s}", name, *ids ? ", " : "", ids);
    buf_char(&json, '\0');
    trace_payload(t, json.p, payload);
    buf_free(&json);
}

/* A timed event: phase 'B', 'E' or 'i', at so many microseconds behind a fixed time. */
static inline void trace_event(struct trace_text *t, const char *ids, const char *name, char phase, unsigned us)
{
    char json[200], payload[300];

    snprintf(json, sizeof json, "{\"chromium_event\": {}%s%s}", *ids ? ", " : "", ids);
    snprintf(payload, sizeof payload,
             "{\n\"name\": \"%s\",\n\"ts\": %llu.5,\n\"args\": {},\n\"ph\": \"%c\",\n\"cat\": \"dynamo_timed\",\n"
             "\"tid\": 0,\n\"pid\": 0\n}",
             name, (unsigned long long)TRACE_EPOCH_US + us, phase);
    trace_payload(t, json, payload);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Reads a file into the run as one of its inputs. */
static inline struct input *trace_read_file(struct run *r, const char *path, const struct trace_options *options,
                                            unsigned threads)
{
    struct pool *pool = pool_new(threads);
    struct input *in = run_add_input(r, str_of(path));

    assert_int_equal(input_open(in), 0);
    trace_read(in, options, pool);
    in->used = true;
    in->kind = INPUT_TORCH_TRACE;
    pool_free(pool);
    return in;
}

/* The run of one file that holds the text; the text is used up. */
static inline struct run *trace_run_with(struct trace_text *t, const struct trace_options *options, unsigned threads)
{
    struct run *r = run_new();

    trace_read_file(r, temp_write("trace.log", buf_view(&t->text)), options, threads);
    run_finish(r);
    buf_free(&t->text);
    return r;
}

static const struct trace_options trace_all = {.check_digests = true};

static inline struct run *trace_run(struct trace_text *t)
{
    return trace_run_with(t, &trace_all, 2);
}

/* One more file for a run of several, which the caller finishes; the text is used up. */
static inline struct input *trace_add(struct run *r, const char *name, struct trace_text *t)
{
    struct input *in = trace_read_file(r, temp_write(name, buf_view(&t->text)), &trace_all, 1);

    buf_free(&t->text);
    return in;
}

/* --- looking ------------------------------------------------------------------------------------------------------ */

/* "payload-missing:3 file-truncated:9": the messages of the run with their lines, in order. */
static inline struct str trace_messages(const struct run *r)
{
    struct str out = STR("");

    vec_each(const struct message, m, &r->messages)
        out = arena_printf(r->arena, "%.*s%s%s:%llu", STR_ARG(out), out.n ? " " : "", message_infos[m->code].key,
                           (unsigned long long)m->line);
    return out;
}

/* "0/0 ok, 0/1_2 error | 0/0 ok": the compiles of each process, with the last attempt and the status. */
static inline struct str trace_compiles(const struct run *r)
{
    struct str out = STR("");

    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];

        out = arena_printf(r->arena, "%.*s%s", STR_ARG(out), i ? " | " : "");
        for (size_t k = 0; k < p->compiles.n; k++) {
            const struct compile *c = p->compiles.v[k];

            out = arena_printf(r->arena, "%.*s%s%.*s", STR_ARG(out), k ? ", " : "",
                               STR_ARG(compile_id_print(r->arena, c->id)));
            if (c->attempts > 1)
                out = arena_printf(r->arena, "%.*s_%d", STR_ARG(out), c->attempts - 1);
            out = arena_printf(r->arena, "%.*s %s", STR_ARG(out), compile_status_name(c->status));
        }
    }
    return out;
}

/* The first artifact of that name, in any input. */
static inline const struct artifact *trace_find(const struct run *r, const char *name)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->artifacts.n; k++)
            if (str_eq(r->inputs.v[i]->artifacts.v[k]->name, str_of(name)))
                return r->inputs.v[i]->artifacts.v[k];
    fail_msg("no artifact %s", name);
    return NULL;
}

/* Its payload, read back from the file. */
static inline struct str trace_text_of(const struct run *r, const struct artifact *a)
{
    struct payload_source from = input_payloads(a->compile->process->input);
    struct buf b = {0};
    struct str out;

    assert_int_equal(payload_read(&from, &a->payload, READ_ALL, &b), 0);
    out = arena_str(r->arena, buf_view(&b));
    buf_free(&b);
    return out;
}

/* What every payload that is said to be right must be when it is read back: what was hashed. */
static inline void trace_check_payloads(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->artifacts.n; k++) {
            const struct artifact *a = r->inputs.v[i]->artifacts.v[k];
            struct digest digest;
            struct str text;

            if (!(a->payload.flags & PAYLOAD_PRESENT))
                continue;
            text = trace_text_of(r, a);
            digest = digest_of(text);
            assert_int_equal(text.n, a->payload.text_bytes);
            if ((a->payload.flags & (PAYLOAD_CHECKED | PAYLOAD_BAD)) == PAYLOAD_CHECKED)
                assert_true(digest_eq(&digest, &a->payload.digest));
        }
}
