#include "view/page.h"

#include "util/utf8.h"
#include "view/format.h"

struct str page_anchor(struct arena *a, const struct compile *c)
{
    struct str id = compile_id_print(a, c->id), out;
    char *p = arena_alloc(a, id.n + 1);

    for (size_t i = 0; i < id.n; i++)
        p[i] = id.p[i] == '/' ? '_' : id.p[i] == '!' ? 'a' : id.p[i];
    out = arena_printf(a, "c-%s", compile_id_is_none(c->id) ? "none" : p);
    if (c->process->index || c->epoch)
        out = arena_printf(a, "%.*s-p%u-e%u", STR_ARG(out), c->process->index, c->epoch);
    return out;
}

struct str page_status_word(const struct compile *c)
{
    static const struct str words[STATUS_COUNT] = {STR_INIT("ok"), STR_INIT("graph break"), STR_INIT("error"),
                                                   STR_INIT("no graph"), STR_INIT("incomplete")};

    return c->frame ? words[c->status] : STR("-");
}

json_t *page_link(const struct view *v, const struct compile *c)
{
    json_t *o = json_new_object();

    json_put_str(o, "label", format_compile(v->scratch, c));
    json_put(o, "href", view_shown(v, c) ? json_of_str(page_anchor(v->scratch, c)) : json_null());
    json_put_str(o, "status", str_of(c->frame ? compile_status_name(c->status) : "none"));
    json_put_str(o, "word", page_status_word(c));
    return o;
}

json_t *page_place(const struct view *v, struct str file, int64_t line)
{
    json_t *o;

    if (file.n == 0)
        return json_null();
    o = json_new_object();
    json_put_str(o, "text", format_place(v->scratch, file, line));
    json_put_str(o, "path", file);
    json_put(o, "line", view_line(line));
    return o;
}

json_t *page_hidden(const struct view *v, size_t n, size_t shown)
{
    return n > shown ? json_of_str(format_count(v->scratch, n - shown)) : json_null();
}

json_t *page_text(const struct view *v, struct str s)
{
    struct str cut = utf8_cut(s, PAGE_TEXT_MAX);

    return view_text(cut.n < s.n ? arena_printf(v->scratch, "%.*s \xe2\x80\xa6", STR_ARG(cut)) : s);
}

json_t *page_words(struct str s)
{
    json_t *list = json_new_array();
    bool code = false;

    s = utf8_cut(s, PAGE_TEXT_MAX);
    while (s.n) {
        struct str piece = str_split(&s, '`');
        json_t *o;

        if (piece.n) {
            o = json_new_object();
            json_put_str(o, code ? "code" : "text", piece);
            json_push(list, o);
        }
        code = !code;
    }
    return list;
}

static json_t *page_call(const struct view *v, const struct call *c)
{
    json_t *o = json_new_object();

    json_put(o, "function", view_text(c->function));
    json_put(o, "place", page_place(v, c->file, c->line));
    json_put(o, "source", view_text(str_trim(c->source)));
    return o;
}

/* Calls of PyTorch and Python in a row are one entry {"folded": n}; the innermost call is always shown. */
json_t *page_stack(const struct view *v, const struct call *innermost)
{
    const struct call **calls = stack_list(v->scratch, innermost);
    json_t *list = json_new_array();
    uint32_t folded = 0, n = innermost ? innermost->depth : 0;

    if (!innermost) {
        json_decref(list);
        return json_null();
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && is_framework_file(calls[i]->file)) {
            folded++;
            continue;
        }
        if (folded) {
            json_t *o = json_new_object();

            json_put_i64(o, "folded", folded);
            json_push(list, o);
            folded = 0;
        }
        json_push(list, page_call(v, calls[i]));
    }
    return list;
}

/* What prints a payload that is not in the page: by digest where there is one, else by the line of the trace. */
static struct str show_command(const struct view *v, const struct artifact *a)
{
    struct str path = a->input->path;
    char hex[DIGEST_HEX + 1];

    if (!(a->payload.flags & PAYLOAD_DIGEST))
        return arena_printf(v->scratch, "pt2trace show %.*s :%llu", STR_ARG(path), (unsigned long long)a->line);
    digest_hex(&a->payload.digest, hex);
    return arena_printf(v->scratch, "pt2trace show %.*s %s", STR_ARG(path), hex);
}

static json_t *digest_or_null(const struct payload *p)
{
    char hex[DIGEST_HEX + 1];

    if (!(p->flags & PAYLOAD_DIGEST))
        return json_null();
    digest_hex(&p->digest, hex);
    return json_of_str(str_of(hex));
}

json_t *page_payload(const struct view *v, const struct artifact *a)
{
    const struct placement *p = view_placement(v, a);
    bool present = a->payload.flags & PAYLOAD_PRESENT;
    json_t *o = json_new_object();

    json_put_bool(o, "present", present);
    json_put_bool(o, "inline", p->stored == STORED_INLINE);
    json_put_i64(o, "block", p->block);
    json_put_i64(o, "offset", (int64_t)p->offset);
    json_put_i64(o, "length", (int64_t)p->length);
    json_put_str(o, "name", a->name);
    json_put_str(o, "title", a->info ? str_of(a->info->title) : a->name);
    json_put_str(o, "language", str_of(language_name(a->info ? a->info->language : LANG_TEXT)));
    json_put(o, "detail", view_text(a->detail));
    json_put_str(o, "size", format_bytes(v->scratch, a->payload.text_bytes));
    json_put_str(o, "lines", format_count(v->scratch, a->payload.lines));
    json_put(o, "md5", digest_or_null(&a->payload));
    json_put_str(o, "trace_file", format_file_name(a->input->path));
    json_put_i64(o, "trace_line", (int64_t)a->line);
    json_put(o, "file", view_text(p->file));
    json_put_str(o, "command", show_command(v, a));
    json_put_bool(o, "damaged", a->payload.flags & PAYLOAD_BAD);
    json_put(o, "attempt", a->attempt > 0 ? json_of_i64(a->attempt) : json_null());
    return o;
}
