/* Trace health. */
#include "view/page.h"

#include "view/format.h"

enum { MESSAGES_MAX = 1000 };

static json_t *messages_of(const struct view *v, uint64_t *hidden)
{
    json_t *list = json_new_array();

    vec_each(const struct message, m, &v->run->messages)
    {
        json_t *o;

        if (json_array_size(list) >= MESSAGES_MAX) {
            *hidden += m->count;
            continue;
        }
        o = json_new_object();
        json_put_str(o, "severity", str_of(severity_name(message_infos[m->code].severity)));
        json_put_str(o, "code", str_of(message_infos[m->code].key));
        json_put_str(o, "meaning", str_of(message_infos[m->code].meaning));
        json_put(o, "place", page_place(v, m->file, (int64_t)m->line));
        json_put(o, "text", view_text(m->text));
        json_put(o, "count", m->count > 1 ? json_of_str(format_count(v->scratch, m->count)) : json_null());
        json_push(list, o);
    }
    return list;
}

static json_t *inputs_of(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->run->inputs.n && i < PAGE_ROWS_MAX; i++) {
        const struct input *in = v->run->inputs.v[i];
        json_t *o = json_new_object();

        json_put_str(o, "path", in->path);
        json_put_bool(o, "used", in->used);
        json_put(o, "why_not", in->used ? json_null() : view_text(in->why_not));
        json_put_str(o, "bytes", format_bytes(v->scratch, in->source.bytes));
        json_put_str(o, "records", format_count(v->scratch, in->totals.records));
        json_put_str(o, "payloads", format_count(v->scratch, in->totals.payloads));
        json_put_bool(o, "gzip", in->source.gzip);
        json_push(list, o);
    }
    return list;
}

/* Kinds of records over all inputs, in order of appearance. */
static json_t *kinds_of(const struct view *v, json_t **hidden)
{
    json_t *list = json_new_array();
    struct map sums;

    map_init(&sums, v->scratch);
    for (size_t i = 0; i < v->run->inputs.n; i++)
        for (size_t k = 0; k < v->run->inputs.v[i]->kinds.n; k++) {
            const struct map_entry *e = &v->run->inputs.v[i]->kinds.entries[k];
            const struct kind_count *from = e->value;
            void **slot = map_at(&sums, e->key);

            if (!*slot)
                *slot = ARENA_NEW(v->scratch, struct kind_count);
            ((struct kind_count *)*slot)->count += from->count;
            ((struct kind_count *)*slot)->unknown = from->unknown;
        }
    *hidden = view_text(page_hidden(v, sums.n, PAGE_ROWS_MAX));
    for (size_t i = 0; i < sums.n && i < PAGE_ROWS_MAX; i++) {
        const struct kind_count *count = sums.entries[i].value;
        json_t *o = json_new_object();

        json_put_str(o, "name", sums.entries[i].key);
        json_put_str(o, "count", format_count(v->scratch, count->count));
        json_put_bool(o, "unknown", count->unknown);
        json_push(list, o);
    }
    return list;
}

static bool any_repeats(const struct run *r)
{
    vec_each(const struct message, m, &r->messages) if (m->count > 1) return true;
    return false;
}

static struct str bad_payloads(const struct view *v)
{
    uint64_t n = v->run->totals.bad_payloads;

    if (n == 0)
        return STR("all checksums OK");
    return arena_printf(v->scratch, "%.*s from %s digest",
                        STR_ARG(format_counted(v->scratch, n, "payload differs", "payloads differ")),
                        n == 1 ? "its" : "their");
}

json_t *page_health(const struct view *v)
{
    const struct totals *t = &v->run->totals;
    struct health h = run_health(v->run);
    uint64_t hidden = 0;
    json_t *o = json_new_object(), *messages = messages_of(v, &hidden), *hidden_kinds;
    bool checked = true;

    for (size_t i = 0; i < v->run->inputs.n; i++)
        checked &= !v->run->inputs.v[i]->used || v->run->inputs.v[i]->digests_checked;
    json_put_str(o, "words", format_health(v->scratch, h));
    json_put_bool(o, "any_messages", json_array_size(messages) > 0);
    json_put_bool(o, "any_times", any_repeats(v->run));
    json_put(o, "messages", messages);
    json_put(o, "hidden", hidden ? json_of_str(format_count(v->scratch, hidden)) : json_null());
    json_put(o, "inputs", inputs_of(v));
    json_put_str(o, "hidden_inputs", page_hidden(v, v->run->inputs.n, PAGE_ROWS_MAX));
    json_put(o, "kinds", kinds_of(v, &hidden_kinds));
    json_put(o, "hidden_kinds", hidden_kinds);
    json_put_str(o, "records", format_counted(v->scratch, t->records, "record", "records"));
    json_put_str(o, "payloads", format_counted(v->scratch, t->payloads, "payload", "payloads"));
    json_put_str(o, "payload_bytes", format_bytes(v->scratch, t->payload_bytes));
    json_put_str(o, "bad", bad_payloads(v));
    json_put_bool(o, "checked", checked);
    return o;
}
