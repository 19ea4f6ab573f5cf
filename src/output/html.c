#include "output/html.h"

#include "output/assets.h"
#include "util/mem.h"
#include "view/config.h"

#include <assert.h>
#include <stdlib.h>

struct page {
    struct sink *out;
    struct view *v;
    const struct run *run;
    const struct mustache *templates;
    const struct html_options *options;
    uint64_t detail_budget;
    bool *detailed; /* by position in the walk over all compiles */
    int error;
};

/* Takes json over. */
static void render(struct page *p, const char *name, json_t *json)
{
    mustache_render(p->templates, name, json, p->out);
    json_decref(json);
    arena_reset(p->v->scratch);
}

static void section(struct page *p, const char *name)
{
    render(p, name, json_new_object());
}

/* --- what gets a detailed entry ------------------------------------------------------------------------------------------- */

struct candidate {
    size_t position;
    int64_t weight;
    uint64_t size;
};

static int by_weight(const void *pa, const void *pb)
{
    const struct candidate *a = pa, *b = pb;

    if (a->weight != b->weight)
        return a->weight < b->weight ? 1 : -1;
    return a->position < b->position ? -1 : 1;
}

static bool is_listed(const struct compile *c)
{
    return c->frame || c->artifacts.n || c->metrics.n;
}

static size_t count_compiles(const struct run *r)
{
    size_t n = 0;

    for (struct compile_walk w = {.run = r}; compile_next(&w);)
        n++;
    return n;
}

/* The most telling compiles, until the budget is used up. */
static void choose_detailed(struct page *p)
{
    size_t n = count_compiles(p->run), k = 0;
    struct candidate *list = xcalloc(n, sizeof *list);
    const struct compile *c;
    uint64_t used = 0;

    p->detailed = xcalloc(n, sizeof *p->detailed);
    for (struct compile_walk w = {.run = p->run}; (c = compile_next(&w)); k++)
        list[k] = (struct candidate){k, page_compile_weight(c), is_listed(c) ? page_compile_size(c) : UINT64_MAX};
    qsort(list, n, sizeof *list, by_weight);
    for (size_t i = 0; i < n; i++)
        if (list[i].size <= p->detail_budget - used) {
            used += list[i].size;
            p->detailed[list[i].position] = true;
        }
    free(list);
}

enum { ROW_SIZE = 900, BREAK_SIZE = 4000, STEP_SIZE = 1500, CACHE_SIZE = 900, FIXED_SIZE = 300 * 1024 };

uint64_t html_body_budget(const struct run *run, uint64_t max_bytes)
{
    uint64_t size = FIXED_SIZE;
    const struct compile *c;

    for (struct compile_walk w = {.run = run}; (c = compile_next(&w));)
        if (is_listed(c))
            size += ROW_SIZE + page_compile_size(c) + c->breaks.n * BREAK_SIZE + c->reasons.n * STEP_SIZE +
                    c->cache_events.n * CACHE_SIZE + (c->symbols.n + c->shape_guards.n) * CACHE_SIZE;
    return size < max_bytes / 2 ? size : max_bytes / 2;
}

/* --- sections ---------------------------------------------------------------------------------------------------------------- */

static void write_head(struct page *p)
{
    json_t *o = page_header(p->v, p->options->command, p->options->command_n);

    json_put_str(o, "csp", asset_csp);
    json_put_str(o, "css", asset_css);
    json_put(o, "custom_header", p->options->custom_header ? json_of_str(str_of(p->options->custom_header)) : json_null());
    render(p, "head", o);
}

static void write_findings(struct page *p)
{
    const struct findings *f = p->v->answers->findings;

    section(p, "findings_begin");
    for (size_t i = 0; i < f->list.n; i++)
        render(p, "finding", page_finding(p->v, f->list.v[i]));
    section(p, "section_end");
}

static json_t *any(bool yes)
{
    json_t *o = json_new_object();

    json_put_bool(o, "any", yes);
    return o;
}

static void write_breaks(struct page *p)
{
    const struct break_groups *b = &p->v->answers->breaks;

    render(p, "breaks_begin", any(b->list.n > 0));
    for (size_t i = 0; i < b->list.n; i++)
        render(p, "break", page_break(p->v, b->list.v[i]));
    section(p, "section_end");
}

static void write_recompiles(struct page *p)
{
    const struct recompiles *r = &p->v->answers->recompiles;

    render(p, "recompiles_begin", any(r->chains.n > 0));
    for (size_t i = 0; i < r->chains.n; i++)
        render(p, "chain", page_chain(p->v, r->chains.v[i]));
    section(p, "section_end");
}

static void write_errors(struct page *p)
{
    const struct errors *e = &p->v->answers->errors;

    render(p, "errors_begin", any(e->list.n > 0));
    for (size_t i = 0; i < e->list.n; i++)
        render(p, "error", page_error(p->v, &e->list.v[i]));
    section(p, "section_end");
}

/* A chart per process is for a handful of them; comparing many ranks is another question. */
enum { CHARTS_MAX = 16 };

static void write_time(struct page *p)
{
    render(p, "time_begin", page_time(p->v));
    for (size_t i = 0; i < p->run->processes.n && i < CHARTS_MAX; i++) {
        json_t *flame = page_flame(p->v, p->run->processes.v[i]);

        if (!json_is_null(flame))
            render(p, "flame", flame);
    }
    section(p, "section_end");
}

static void write_stacks(struct page *p)
{
    section(p, "stacks_begin");
    for (size_t i = 0; i < p->run->processes.n && i < CHARTS_MAX; i++)
        if (p->run->processes.v[i]->compiles.n)
            render(p, "trie", page_trie(p->v, p->run->processes.v[i]));
    section(p, "section_end");
}

static void write_compiles(struct page *p)
{
    const struct compile *c;
    size_t k = 0;

    section(p, "compiles_begin");
    for (struct compile_walk w = {.run = p->run}; (c = compile_next(&w)); k++)
        if (is_listed(c))
            render(p, "compile_row", page_compile_row(p->v, c, p->detailed[k]));
    section(p, "compiles_end");
    k = 0;
    for (struct compile_walk w = {.run = p->run}; (c = compile_next(&w)); k++)
        if (is_listed(c))
            render(p, "compile", p->detailed[k] ? page_compile(p->v, c) : page_compile_row(p->v, c, false));
    section(p, "section_end");
}

static void write_code(struct page *p)
{
    const struct compile *c;
    bool some = false;

    section(p, "code_begin");
    for (struct compile_walk w = {.run = p->run}; (c = compile_next(&w));) {
        json_t *code = page_code(p->v, c);

        if (json_is_null(code))
            continue;
        render(p, "code", code);
        some = true;
    }
    if (!some)
        section(p, "code_none");
    section(p, "section_end");
}

static void write_payloads(struct page *p, const struct blocks *blocks)
{
    struct buf data = {0};

    for (size_t i = 0; i < blocks->count && p->error == 0; i++) {
        json_t *o = json_new_object();

        json_put_i64(o, "number", (int64_t)i);
        render(p, "block_begin", o);
        data.n = 0;
        p->error = blocks_read(blocks, i, &data);
        sink_str(p->out, buf_view(&data));
        section(p, "block_end");
    }
    buf_free(&data);
}

static void write_foot(struct page *p)
{
    json_t *o = json_new_object();

    json_put_str(o, "js", asset_js);
    json_put_str(o, "version", STR("" PT2TRACE_VERSION));
    render(p, "foot", o);
}

int html_write(struct sink *out, struct view *v, const struct html_options *options, const struct blocks *blocks)
{
    struct arena *arena = arena_new();
    struct str error;
    struct page p = {.out = out, .v = v, .run = v->run, .options = options};

    p.templates = mustache_new(arena, asset_templates, asset_template_count, MUSTACHE_MISSING_IS_ERROR, &error);
    assert(p.templates); /* the test suite parses them all */
    p.detail_budget = html_body_budget(v->run, options->max_bytes);
    choose_detailed(&p);
    write_head(&p);
    write_findings(&p);
    write_breaks(&p);
    write_recompiles(&p);
    write_errors(&p);
    write_time(&p);
    write_stacks(&p);
    write_compiles(&p);
    write_code(&p);
    render(&p, "caches", page_caches(v));
    render(&p, "shapes", page_shapes(v));
    render(&p, "ranks", page_ranks(v));
    render(&p, "config", page_config(v));
    render(&p, "health", page_health(v));
    render(&p, "more", page_more(v));
    write_payloads(&p, blocks);
    write_foot(&p);
    free(p.detailed);
    arena_free(arena);
    return p.error;
}
