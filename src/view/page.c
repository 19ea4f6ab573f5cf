#include "view/page.h"

#include "analysis/find/command.h"
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

static bool all_repeated(const struct view *v, const struct process *p)
{
    for (size_t i = 0; i < p->compiles.n; i++)
        if (!rank_same_as(&v->answers->ranks, p->compiles.v[i]))
            return false;
    return p->compiles.n > 0;
}

bool page_is_repeated(const struct view *v, const struct compile *c)
{
    return compile_id_is_none(c->id) ? all_repeated(v, c->process) : rank_same_as(&v->answers->ranks, c) != NULL;
}

json_t *page_alike(const struct view *v, const struct compile *c)
{
    const struct rank_alike *alike = rank_alike_of(&v->answers->ranks, c);
    int *ranks;

    if (!alike)
        return json_null();
    ranks = ARENA_ARRAY(v->scratch, int, alike->compiles.n);
    for (size_t i = 0; i < alike->compiles.n; i++)
        ranks[i] = (int)alike->compiles.v[i]->process->rank;
    return json_of_str(rank_list_words(v->scratch, ranks, alike->compiles.n));
}

json_t *page_repeated(const struct view *v, size_t n, const char *one, const char *many)
{
    json_t *o = json_new_object();

    json_put_str(o, "count", format_counted(v->scratch, n, one, many));
    json_put_str(o, "are", n == 1 ? STR("is") : STR("are"));
    return o;
}

struct str page_process_name(const struct view *v, const struct process *p)
{
    return p->rank == RANK_UNKNOWN
               ? arena_printf(v->scratch, "process %llu", (unsigned long long)p->pid)
               : arena_printf(v->scratch, "rank %d, process %llu", p->rank, (unsigned long long)p->pid);
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
    json_put(o, "word", c->frame ? json_of_str(page_status_word(c)) : json_null());
    return o;
}

static void note_generated(struct map *files, const struct artifact *a)
{
    void **slot;
    const struct artifact *known;

    if (!artifact_is(a, ARTIFACT_DUMP_FILE) || a->detail.n == 0 || !(a->payload.flags & PAYLOAD_PRESENT))
        return;
    slot = map_at_copy(files, a->detail);
    known = *slot;
    if (!known)
        map_put_const(slot, a);
    else if (!digest_eq(&known->payload.digest, &a->payload.digest))
        *slot = files; /* not an artifact: two texts have the name */
}

struct map *page_generated_files(struct arena *a, const struct run *r)
{
    struct map *files = ARENA_NEW(a, struct map);

    map_init(files, a);
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->artifacts.n; k++)
            note_generated(files, r->inputs.v[i]->artifacts.v[k]);
    return files;
}

/* The address of the line in the generated code; null if the page does not show it. */
static json_t *generated_at(const struct view *v, struct str file, int64_t line)
{
    const void *found = v->generated ? map_get(v->generated, file) : NULL;
    const struct artifact *a = found == v->generated ? NULL : found;

    if (!a || line < 1 || view_shown(v, a->compile) != SHOWN_DETAILED)
        return json_null();
    return json_of_str(
        arena_printf(v->scratch, "%.*s:L%lld", STR_ARG(page_artifact_anchor(v->scratch, a)), (long long)line));
}

struct map *page_twins(struct arena *a, const struct run *r)
{
    struct map *twins = ARENA_NEW(a, struct map);

    map_init(twins, a);
    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct stack_tree *t = &r->inputs.v[i]->stacks;

        for (size_t k = 0; k < t->all.n; k++) {
            const struct str *file = &t->all.v[k]->file, *known;
            struct str name = code_file_name(*file);
            void **slot = map_at_copy(twins, name);

            known = *slot;
            if (!known)
                map_put_const(slot, file);
            else if (*slot != twins && !str_eq(*known, *file))
                *slot = twins; /* not a file: several have the name */
        }
    }
    return twins;
}

static struct str place_text(const struct view *v, struct str file, int64_t line)
{
    if (v->twins && map_get(v->twins, code_file_name(file)) == v->twins)
        return format_place_named(v->scratch, code_file_tail(file, 2), line);
    return format_place(v->scratch, file, line);
}

json_t *page_place(const struct view *v, struct str file, int64_t line)
{
    json_t *o;

    if (file.n == 0)
        return json_null();
    o = json_new_object();
    json_put_str(o, "text", place_text(v, file, line));
    json_put_str(o, "path", file);
    json_put(o, "line", view_line(line));
    json_put(o, "generated", generated_at(v, file, line));
    return o;
}

json_t *page_url(struct str url)
{
    return str_starts(url, STR("https://")) || str_starts(url, STR("http://")) ? json_of_str(url) : json_null();
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

json_t *page_folded(const struct view *v, const struct call *const *calls, size_t n)
{
    json_t *o = json_new_object(), *inside = json_new_object();
    struct buf text = {0};

    for (size_t i = 0; i < n && text.n < PAGE_TEXT_MAX; i++)
        buf_printf(&text, "%s%.*s  %.*s:%lld", i ? "\n" : "", STR_ARG(calls[i]->function), STR_ARG(calls[i]->file),
                   (long long)calls[i]->line);
    json_put_str(inside, "count", format_counted(v->scratch, n, "frame", "frames"));
    json_put(inside, "frames", page_text(v, buf_view(&text)));
    json_put(o, "folded", inside);
    buf_free(&text);
    return o;
}

json_t *page_stack(const struct view *v, const struct call *innermost)
{
    const struct call **calls = stack_list(v->scratch, innermost);
    json_t *o, *list;
    uint32_t folded = 0, n = innermost ? innermost->depth : 0;

    if (!innermost)
        return json_null();
    o = json_new_object();
    list = json_new_array();
    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && is_framework_file(calls[i]->file)) {
            folded++;
            continue;
        }
        if (folded > 0)
            json_push(list, page_folded(v, calls + i - folded, folded));
        folded = 0;
        json_push(list, page_call(v, calls[i]));
    }
    json_put(o, "calls", list);
    return o;
}

static bool is_among(const struct compile *c, const struct compile *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == c)
            return true;
    return false;
}

json_t *page_links(const struct view *v, const struct compile *const *list, size_t n, uint64_t more)
{
    json_t *o = json_new_object(), *links = json_new_array();
    const struct compile *shown[PAGE_EVIDENCE_MAX];
    size_t count = 0;

    for (size_t i = 0; i < n && count < PAGE_EVIDENCE_MAX; i++) {
        const struct compile *same = rank_same_as(&v->answers->ranks, list[i]);

        if (!same || !is_among(same, shown, count))
            shown[count++] = list[i];
    }
    for (size_t i = 0; i < count; i++) {
        json_t *link = page_link(v, shown[i]);

        json_put_bool(link, "last", i + 1 == count);
        json_push(links, link);
    }
    more += n - count;
    json_put(o, "list", links);
    json_put(o, "more", more ? json_of_str(format_count(v->scratch, more)) : json_null());
    return o;
}

static json_t *digest_or_null(const struct payload *p)
{
    char hex[DIGEST_HEX + 1];

    if (!(p->flags & PAYLOAD_DIGEST))
        return json_null();
    digest_hex(&p->digest, hex);
    return json_of_str(str_of(hex));
}

/* The detail that a record adds to the name; for a path, only its end, the rest on demand. */
static void put_detail(const struct view *v, json_t *o, struct str detail)
{
    struct str name = str_file_name(detail);
    bool is_path = str_starts(detail, STR("/")) && name.n;

    json_put(o, "detail", page_text(v, is_path ? name : detail));
    json_put(o, "path", is_path ? page_text(v, detail) : json_null());
}

static void put_text(const struct view *v, json_t *o, const struct artifact *a)
{
    json_put_str(o, "size", format_bytes(v->scratch, a->payload.text_bytes));
    json_put_str(o, "lines", format_counted(v->scratch, a->payload.lines, "line", "lines"));
    json_put(o, "md5", digest_or_null(&a->payload));
    json_put_str(o, "trace_file", str_file_name(a->input->path));
    json_put_i64(o, "trace_line", (int64_t)a->line);
    json_put_str(o, "command", command_show(v->scratch, a));
    json_put_bool(o, "damaged", a->payload.flags & PAYLOAD_BAD);
}

struct str page_artifact_anchor(struct arena *arena, const struct artifact *a)
{
    return arena_printf(arena, "a-%u-%u", a->input->index, a->number);
}

json_t *page_payload(const struct view *v, const struct artifact *a, bool anchored)
{
    const struct placement *p = view_placement(v, a);
    json_t *o = json_new_object();

    json_put_str(o, "address", page_artifact_anchor(v->scratch, a));
    json_put(o, "anchor", anchored ? json_of_str(page_artifact_anchor(v->scratch, a)) : json_null());
    json_put(o, "earlier", json_null());
    json_put_bool(o, "present", a->payload.flags & PAYLOAD_PRESENT);
    json_put_bool(o, "inline", p->stored == STORED_INLINE);
    json_put_bool(o, "withheld", a->payload.flags & PAYLOAD_WITHHELD);
    json_put_bool(o, "away", a->payload.flags & PAYLOAD_AWAY);
    json_put_i64(o, "block", p->block);
    json_put_i64(o, "offset", (int64_t)p->offset);
    json_put_i64(o, "length", (int64_t)p->length);
    json_put_str(o, "name", a->name);
    json_put_str(o, "title", a->info && a->info->title ? str_of(a->info->title) : a->name);
    json_put_str(o, "language", str_of(language_name(a->info ? a->info->language : LANG_TEXT)));
    json_put(o, "file", view_text(p->file));
    json_put(o, "attempt", a->attempt > 0 ? json_of_i64(a->attempt) : json_null());
    json_put(o, "subgraph", page_text(v, a->subgraph));
    json_put_bool(o, "backward", a->backward);
    put_detail(v, o, a->detail);
    put_text(v, o, a);
    return o;
}
