#include "view/page.h"

#include "analysis/find/command.h"
#include "util/utf8.h"
#include "view/format.h"
#include "view/page_objects.h"

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

struct str page_alike(const struct view *v, const struct compile *c)
{
    const struct rank_alike *alike = rank_alike_of(&v->answers->ranks, c);
    int *ranks;

    if (!alike)
        return (struct str){0};
    ranks = ARENA_ARRAY(v->scratch, int, alike->compiles.n);
    for (size_t i = 0; i < alike->compiles.n; i++)
        ranks[i] = (int)alike->compiles.v[i]->process->rank;
    return rank_list_words(v->scratch, ranks, alike->compiles.n);
}

json_t *page_repeated(const struct view *v, size_t n, const char *one, const char *many)
{
    return n ? page_same(v, &(struct same_things){n, one, many}) : json_null();
}

struct str page_process_name(const struct view *v, const struct process *p)
{
    return p->rank == RANK_UNKNOWN
               ? arena_printf(v->scratch, "process %llu", (unsigned long long)p->pid)
               : arena_printf(v->scratch, "rank %d, process %llu", p->rank, (unsigned long long)p->pid);
}

/* Refused at the limit, and nothing raised: the function runs eagerly. */
static bool is_only_refused(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (!c->failures.v[i]->fallback)
            return false;
    return c->limit_hit;
}

struct str page_status_word(const struct compile *c)
{
    static const struct str words[STATUS_COUNT] = {STR_INIT("ok"), STR_INIT("graph break"), STR_INIT("error"),
                                                   STR_INIT("no graph"), STR_INIT("incomplete")};

    if (c->frame && c->status == STATUS_ERROR && is_only_refused(c))
        return STR("limit");
    return c->frame ? words[c->status] : STR("-");
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

/* The address of the line in the generated code; empty if the page does not show it. */
static struct str generated_at(const struct view *v, struct str file, int64_t line)
{
    const void *found = v->generated ? map_get(v->generated, file) : NULL;
    const struct artifact *a = found == v->generated ? NULL : found;

    if (!a || line < 1 || view_shown(v, a->compile) != SHOWN_DETAILED)
        return (struct str){0};
    return arena_printf(v->scratch, "%.*s:L%lld", STR_ARG(page_artifact_anchor(v->scratch, a)), (long long)line);
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
    return file.n ? page_file_line(v, &(struct call){.file = file, .line = line}) : json_null();
}

struct str page_url(struct str url)
{
    return str_starts(url, STR("https://")) || str_starts(url, STR("http://")) ? url : (struct str){0};
}

struct str page_hidden(const struct view *v, size_t n, size_t shown)
{
    return n > shown ? format_count(v->scratch, n - shown) : (struct str){0};
}

static struct str cut_text(const struct view *v, struct str s)
{
    struct str cut = utf8_cut(s, PAGE_TEXT_MAX);

    return cut.n < s.n ? arena_printf(v->scratch, "%.*s \xe2\x80\xa6", STR_ARG(cut)) : s;
}

json_t *page_text(const struct view *v, struct str s)
{
    return view_text(cut_text(v, s));
}

struct word {
    struct str text;
    bool is_code;
};

json_t *page_words(struct str s)
{
    json_t *list = json_new_array();
    struct word word = {0};

    s = utf8_cut(s, PAGE_TEXT_MAX);
    for (; s.n; word.is_code = !word.is_code) {
        word.text = str_split(&s, '`');
        if (word.text.n)
            json_push(list, page_word(NULL, &word));
    }
    return list;
}

json_t *page_words_of(const struct str *list, size_t n, size_t most)
{
    json_t *out = json_new_array();

    for (size_t i = 0; i < n && i < most; i++)
        json_push(out, page_words(list[i]));
    return out;
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

static const struct call nowhere;

static struct str folded_text(const struct view *v, const struct stack_row *x)
{
    struct buf text = {0};
    struct str out;

    for (size_t i = 0; i < x->n && text.n < PAGE_TEXT_MAX; i++)
        buf_printf(&text, "%s%.*s  %.*s:%lld", i ? "\n" : "", STR_ARG(x->calls[i]->function),
                   STR_ARG(x->calls[i]->file), (long long)x->calls[i]->line);
    out = cut_text(v, arena_str(v->scratch, buf_view(&text)));
    buf_free(&text);
    return out;
}

/* Outermost first; consecutive calls of PyTorch and Python are folded, but the innermost call is always shown. */
static json_t *calls_of(const struct view *v, const struct call *innermost)
{
    const struct call **calls = stack_list(v->scratch, innermost);
    json_t *list = json_new_array();
    uint32_t folded = 0, n = innermost->depth;

    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && is_framework_file(calls[i]->file)) {
            folded++;
            continue;
        }
        if (folded > 0)
            json_push(list, page_stack_row(v, &(struct stack_row){calls + i - folded, folded}));
        folded = 0;
        json_push(list, page_stack_row(v, &(struct stack_row){calls + i, 0}));
    }
    return list;
}

/* --- links -------------------------------------------------------------------------------------------------------- */

struct listed_link {
    const struct compile *compile;
    bool last;
};

struct link_list {
    struct listed_link v[PAGE_EVIDENCE_MAX];
    size_t n;
    uint64_t more;
};

static bool is_among(const struct compile *c, const struct link_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->v[i].compile == c)
            return true;
    return false;
}

json_t *page_link_list(const struct view *v, const struct compile *const *list, size_t n, uint64_t more)
{
    struct link_list shown = {.n = 0};

    for (size_t i = 0; i < n && shown.n < PAGE_EVIDENCE_MAX; i++) {
        const struct compile *same = rank_same_as(&v->answers->ranks, list[i]);

        if (!same || !is_among(same, &shown))
            shown.v[shown.n++].compile = list[i];
    }
    if (shown.n)
        shown.v[shown.n - 1].last = true;
    shown.more = more + n - shown.n;
    return page_links(v, &shown);
}

/* --- payloads ----------------------------------------------------------------------------------------------------- */

static struct str digest_text(const struct view *v, const struct payload *p)
{
    char hex[DIGEST_HEX + 1];

    if (!(p->flags & PAYLOAD_DIGEST))
        return (struct str){0};
    digest_hex(&p->digest, hex);
    return arena_str(v->scratch, str_of(hex));
}

/* Of a path, the page shows only the end, and the rest on demand. */
static bool is_file_path(struct str detail)
{
    return str_starts(detail, STR("/")) && str_file_name(detail).n;
}

struct str page_artifact_anchor(struct arena *arena, const struct artifact *a)
{
    return arena_printf(arena, "a-%u-%u", a->input->index, a->number);
}

#include "view/page_rows.h"

#include "view/sections/page.def"
