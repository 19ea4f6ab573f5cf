/* The records of traces as they were written, one JSON object per line: for scripts. */
#include "output/export/export.h"

#include "trace/raw_walk.h"
#include "util/mem.h"

#include <stdlib.h>
#include <time.h>

/* Longer payloads are given as a file and an offset. */

struct raw_writing {
    struct sink *out;
    const struct input *in;
    struct buf text;
    int year; /* of the first record: the prefix has no year */
    int month;
};

/* In PyTorch's form: local time, without a zone. */
static void put_time(struct raw_writing *w, json_t *o, const struct glog *g)
{
    int year = g->year ? g->year : w->year + (g->month < w->month);
    long long s = g->time_us / 1000000;
    char text[64];

    if (g->month == 0)
        return;
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02lld:%02lld:%02lld.%06lld", year, g->month, g->day, s / 3600,
             s / 60 % 60, s % 60, (long long)(g->time_us % 1000000));
    json_put_str(o, "timestamp", str_of(text));
}

static json_t *payload_place(const struct payload *p)
{
    json_t *o = json_new_object();

    json_put_i64(o, "offset", (int64_t)p->offset);
    json_put_i64(o, "stored_bytes", (int64_t)p->stored);
    json_put_i64(o, "bytes", (int64_t)p->text_bytes);
    return o;
}

static void put_payload(struct raw_writing *w, json_t *o, const struct raw_walked *r)
{
    const struct payload *p = &r->record->payload;

    if (!(p->flags & PAYLOAD_PRESENT))
        return;
    w->text.n = 0;
    if (payload_fits(p, READ_SMALL) && !payload_is_scattered(p) &&
        payload_read(&r->payloads, p, READ_SMALL, &w->text) == 0)
        json_put(o, "payload", json_of_str(buf_view(&w->text)));
    else
        json_put(o, "payload_at", payload_place(p));
    if (r->record->hashed && (p->flags & PAYLOAD_DIGEST) && !digest_eq(&r->record->actual, &p->digest))
        json_put_bool(o, "payload_damaged", true);
}

/* The trace's own members come last, so that they win. */
static void put_envelope(json_t *o, const struct raw_walked *r)
{
    struct json_doc doc;

    if (json_doc_load_whole(&doc, r->json) && json_is_object(doc.root))
        json_object_update(o, doc.root);
    else
        json_put(o, "unreadable", json_of_str(r->json));
    json_doc_free(&doc);
}

static void write_record(void *object, const struct raw_walked *r)
{
    struct raw_writing *w = object;
    json_t *o = json_new_object();
    char *text;

    json_put_str(o, "input", w->in->path);
    json_put_i64(o, "line", (int64_t)r->record->line);
    put_time(w, o, &r->record->glog);
    json_put_i64(o, "thread", (int64_t)r->record->glog.number);
    if (r->place.n) {
        json_put(o, "pathname", json_of_str(r->place));
        json_put_i64(o, "lineno", (int64_t)r->record->glog.line);
    }
    put_envelope(o, r);
    put_payload(w, o, r);
    text = json_text(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text)
        out_of_memory();
    sink_str(w->out, str_of(text));
    sink_str(w->out, STR("\n"));
    free(text);
    json_decref(o);
}

static void find_year(struct raw_writing *w)
{
    const struct process *p = w->in->processes.n ? w->in->processes.v[0] : NULL;
    time_t seconds = p ? (time_t)(p->first_us / 1000000) : 0;
    struct tm day;

    if (gmtime_r(&seconds, &day)) {
        w->year = day.tm_year + 1900;
        w->month = day.tm_mon + 1;
    }
}

int export_raw(struct sink *out, struct view *v, const struct about *about)
{
    int rc = 0;

    (void)about;
    for (size_t i = 0; i < v->run->inputs.n && rc == 0; i++) {
        struct raw_writing w = {.out = out, .in = v->run->inputs.v[i]};

        if (!w.in->used || w.in->kind != INPUT_TORCH_TRACE)
            continue;
        find_year(&w);
        rc = raw_walk(w.in, write_record, &w);
        buf_free(&w.text);
    }
    return rc;
}
