#include "output/html/html.h"

#include "analysis/find/finding_table.h"
#include "output/html/assets.h"
#include "output/html/compile_entries.h"
#include "output/html/selection.h"
#include "util/formats/json_room.h"
#include "view/evidence.h"
#include "view/format.h"
#include "view/page_objects.h"

#include <assert.h>
#include <stdlib.h>

struct page {
    struct sink *out;
    struct view *v;
    const struct run *run;
    const struct mustache *templates;
    const struct html_options *options;
    struct json_room *room, *outside;
    uint64_t began; /* size of the page at the beginning of the section */
    int error;
};

/* Takes json over. */
static void render(struct page *p, const char *name, json_t *json)
{
    mustache_render(p->templates, name, json, p->out);
    json_decref(json);
    json_room_clear(p->room);
    arena_reset(p->v->scratch);
}

/* Templates and objects have the same names: view/page_objects.h. */
#define FILL(p, name, ...) render(p, #name, page_##name((p)->v, __VA_ARGS__))

/* A template without names. */
static void section(struct page *p, const char *name)
{
    render(p, name, json_new_object());
}

static void begin_section(struct page *p)
{
    p->began = p->out->bytes;
}

/* --- keeping the size --------------------------------------------------------------------------------------------- */

enum { BREAK_SIZE = 4000, STEP_SIZE = 1500, CACHE_SIZE = 900, FIXED_SIZE = 300 * 1024 };

uint64_t html_detail_budget(const struct answers *answers, const struct html_options *options)
{
    uint64_t size = FIXED_SIZE, same = 0;
    const struct compile *c;

    for (struct compile_walk w = {.run = answers->run}; (c = compile_next(&w));) {
        if (!selection_wants(c))
            continue;
        size += SELECTION_ROW_BYTES + c->breaks.n * BREAK_SIZE + c->reasons.n * STEP_SIZE +
                c->cache_events.n * CACHE_SIZE + (c->symbols.n + c->shape_guards.n) * CACHE_SIZE;
        *(rank_same_as(&answers->ranks, c) ? &same : &size) += page_compile_size(c);
    }
    size += same < options->same_bytes ? same : options->same_bytes;
    return size < options->max_bytes / 2 ? size : options->max_bytes / 2;
}

/* The share of the page for a section that lists any number of things from the trace, as a fraction 1/n. */
enum { SECTION_SHARE = 16, SECTION_LEAST = 256 * 1024 };

static bool is_full(const struct page *p)
{
    uint64_t most = p->options->max_bytes / SECTION_SHARE;

    return p->out->bytes - p->began > (most > SECTION_LEAST ? most : SECTION_LEAST);
}

/* Ends a section in which `hidden` things were left out. */
static void end_section(struct page *p, size_t hidden)
{
    FILL(p, section_end, &(struct page_count){hidden});
}

/* --- sections ----------------------------------------------------------------------------------------------------- */

static void write_head(struct page *p)
{
    const struct page_head head = {&p->options->about, asset_csp, asset_css, p->options->reload_s,
                                   p->options->custom_header};

    FILL(p, head, &head);
}

/* --- findings --- */

enum {
    FINDINGS_LISTED = 8,  /* causes in the order of their cost; the rest is grouped by kind */
    FINDINGS_GROUPED = 3, /* fewer need no groups */
};

/* A cause, and its consequences. */
struct cause {
    const struct finding *const *list;
    size_t n;
};

struct cause_filter {
    VEC(struct cause) list;
    size_t hidden; /* findings that did not fit */
};

static const struct finding *root_of(const struct finding *x, size_t most)
{
    for (size_t steps = 0; x->follows_from && steps < most; steps++)
        x = x->follows_from;
    return x;
}

/* The consequences of a finding come directly after it. */
static void find_causes(struct arena *a, const struct findings *f, struct cause_filter *out)
{
    const struct finding *root = NULL;

    for (size_t i = 0; i < f->list.n; i++) {
        const struct finding *of = root_of(f->list.v[i], f->list.n);

        if (!root || of != root)
            vec_push(a, &out->list, ((struct cause){.list = (const struct finding *const *)&f->list.v[i]}));
        out->list.v[out->list.n - 1].n++;
        root = of;
    }
}

static void write_finding(struct page *p, const struct finding *x, enum page_finding_role role)
{
    FILL(p, finding, &(struct page_finding){x, role});
}

static void end_finding(struct page *p, bool verdict)
{
    FILL(p, finding_end, &(struct page_flag){verdict});
}

/* A finding that others link to has an anchor even if it did not fit. */
static void leave_out(struct page *p, struct cause_filter *causes, const struct finding *x)
{
    json_t *left = page_finding_left_out(p->v, x);

    causes->hidden++;
    if (json_is_null(left))
        json_decref(left);
    else
        render(p, "left_out", left);
}

static void write_cause(struct page *p, struct cause_filter *causes, const struct cause *cause, bool verdict)
{
    size_t i = 1;

    if (is_full(p)) {
        for (i = 0; i < cause->n; i++)
            leave_out(p, causes, cause->list[i]);
        return;
    }
    write_finding(p, cause->list[0], verdict ? PAGE_VERDICT : PAGE_CAUSE);
    for (; i < cause->n && !is_full(p); i++) {
        write_finding(p, cause->list[i], PAGE_CONSEQUENCE);
        end_finding(p, false);
    }
    for (; i < cause->n; i++)
        leave_out(p, causes, cause->list[i]);
    end_finding(p, verdict);
}

static void write_kind(struct page *p, struct cause_filter *causes, size_t kind)
{
    VEC(const struct finding *) roots = {0};
    struct arena *scratch = arena_new();

    for (size_t i = FINDINGS_LISTED; i < causes->list.n; i++)
        if (page_finding_kind(causes->list.v[i].list[0]) == kind)
            vec_push(scratch, &roots, causes->list.v[i].list[0]);
    if (roots.n)
        FILL(p, finding_group, &(struct page_finding_group){kind, roots.v, roots.n});
    for (size_t i = FINDINGS_LISTED; i < causes->list.n; i++)
        if (page_finding_kind(causes->list.v[i].list[0]) == kind)
            write_cause(p, causes, &causes->list.v[i], false);
    if (roots.n)
        section(p, "finding_group_end");
    arena_free(scratch);
}

/* The first finding of a row that has an example; NULL if none has. */
static const struct finding *exemplary(const struct findings *f, const struct finding_info *info)
{
    for (size_t i = 0; i < f->list.n; i++)
        if (f->list.v[i]->info == info)
            return page_finding_has_example(f->list.v[i]) ? f->list.v[i] : NULL;
    return NULL;
}

/* One example program for each kind of finding, however many findings of it there are. */
static void write_examples(struct page *p)
{
    const struct findings *f = p->v->answers->findings;
    const struct finding *x;
    size_t n = 0;

    for (size_t i = 0; finding_info_at(i); i++)
        n += exemplary(f, finding_info_at(i)) != NULL;
    if (n == 0)
        return;
    FILL(p, examples_begin, &(struct page_count){n});
    for (size_t i = 0; finding_info_at(i); i++)
        if ((x = exemplary(f, finding_info_at(i))) != NULL)
            FILL(p, example, x);
    section(p, "finding_group_end");
}

static void write_findings(struct page *p)
{
    struct arena *scratch = arena_new();
    struct cause_filter causes = {0};
    bool grouped;

    find_causes(scratch, p->v->answers->findings, &causes);
    grouped = causes.list.n > FINDINGS_LISTED + FINDINGS_GROUPED;
    begin_section(p);
    section(p, "findings_begin");
    for (size_t i = 0; i < causes.list.n && (!grouped || i < FINDINGS_LISTED); i++) {
        write_cause(p, &causes, &causes.list.v[i], i == 0);
        if (i == 0)
            FILL(p, ranks_line, p->v);
    }
    for (size_t kind = 0; grouped && kind < PAGE_FINDING_KINDS; kind++)
        write_kind(p, &causes, kind);
    write_examples(p);
    section(p, "words_used");
    end_section(p, causes.hidden);
    arena_free(scratch);
}

/* Of the entries that did not fit, those that findings link to get an anchor. */
static void leave_entry_out(struct page *p, const void *thing)
{
    json_t *left = page_entry_left_out(p->v, thing);

    if (json_is_null(left))
        json_decref(left);
    else
        render(p, "left_out", left);
}

static void write_breaks(struct page *p)
{
    const struct break_groups *b = &p->v->answers->breaks;
    size_t i = 0;

    begin_section(p);
    FILL(p, breaks_begin, &(struct page_flag){b->places.n > 0});
    for (; i < b->places.n && !is_full(p); i++)
        FILL(p, break, b->places.v[i]);
    for (size_t k = i; k < b->places.n; k++)
        leave_entry_out(p, b->places.v[k]);
    end_section(p, b->places.n - i);
}

static void write_recompiles(struct page *p)
{
    const struct recompiles *r = &p->v->answers->recompiles;
    size_t hidden = 0, same = 0;

    begin_section(p);
    FILL(p, recompiles_begin, &(struct page_flag){r->chains.n > 0});
    for (size_t i = 0; i < r->chains.n; i++) {
        if (evidence_is_same_chain(p->v->evidence, r->chains.v[i])) {
            same++;
        } else if (is_full(p)) {
            leave_entry_out(p, r->chains.v[i]);
            hidden++;
        } else {
            FILL(p, chain, r->chains.v[i]);
        }
    }
    if (same)
        FILL(p, same, &(struct same_things){same, "chain", "chains"});
    end_section(p, hidden);
}

static void write_errors(struct page *p)
{
    const struct errors *e = &p->v->answers->errors;
    size_t i = 0;

    begin_section(p);
    FILL(p, errors_begin, &(struct page_flag){e->list.n > 0});
    for (; i < e->list.n && !is_full(p); i++)
        FILL(p, error, &e->list.v[i]);
    for (size_t k = i; k < e->list.n; k++)
        leave_entry_out(p, &e->list.v[k]);
    end_section(p, e->list.n - i);
}

/* Of more processes, those that compiled longest. */
enum { CHARTS_MAX = 16 };

struct charted {
    const struct process *process;
    int64_t wall_us;
};

static int by_wall(const void *pa, const void *pb)
{
    const struct charted *a = pa, *b = pb;

    if (a->wall_us != b->wall_us)
        return a->wall_us < b->wall_us ? 1 : -1;
    return a->process->index < b->process->index ? -1 : 1;
}

/* All processes, the one that compiled longest first. */
static struct charted *charted_processes(struct page *p, struct arena *a)
{
    size_t n = p->run->processes.n;
    struct charted *list = ARENA_ARRAY(a, struct charted, n + 1);

    for (size_t i = 0; i < n; i++)
        list[i] = (struct charted){p->run->processes.v[i], p->v->answers->timing.process_wall_us[i]};
    qsort(list, n, sizeof *list, by_wall);
    return list;
}

/* One chart is visible; a script lets the reader choose another. */
static void write_charts(struct page *p, const struct charted *list)
{
    size_t drawn = 0;

    for (size_t i = 0; i < p->run->processes.n && drawn < CHARTS_MAX && !is_full(p); i++) {
        json_t *flame = page_flame_of(p->v, list[i].process);

        if (json_is_null(flame))
            continue;
        if (drawn++ == 1)
            section(p, "charts_begin");
        render(p, "flame", flame);
    }
    if (drawn > 1)
        section(p, "charts_end");
}

static void write_time(struct page *p)
{
    struct arena *scratch = arena_new();

    begin_section(p);
    FILL(p, time_begin, p->v);
    write_charts(p, charted_processes(p, scratch));
    end_section(p, 0);
    arena_free(scratch);
}

static void write_stacks(struct page *p)
{
    bool some = false;

    for (size_t i = 0; i < p->run->processes.n; i++)
        some |= page_has_trie(p->v, p->run->processes.v[i]);
    begin_section(p);
    FILL(p, stacks_begin, &(struct page_flag){some});
    for (size_t i = 0, drawn = 0; i < p->run->processes.n && drawn < CHARTS_MAX && !is_full(p); i++)
        if (page_has_trie(p->v, p->run->processes.v[i])) {
            render(p, "trie", page_trie_of(p->v, p->run->processes.v[i]));
            drawn++;
        }
    end_section(p, 0);
}

/* The entries of compiles that another rank's entry stands for, or of all others. */
static size_t write_entries(struct page *p, bool repeated)
{
    const struct compile_entries entries = {.templates = p->templates, .view = p->v, .out = p->out,
                                            .pool = p->options->pool, .began = p->began,
                                            .max_bytes = p->options->max_bytes};
    VEC(const struct compile *) list = {0};
    struct arena *scratch = arena_new();
    const struct compile *c;

    for (struct compile_walk w = {.run = p->run}; (c = compile_next(&w));)
        if (view_shown(p->v, c) && page_is_repeated(p->v, c) == repeated)
            vec_push(scratch, &list, c);
    if (repeated && list.n)
        section(p, "repeated_begin");
    compile_entries_write(&entries, list.v, list.n);
    arena_free(scratch);
    return list.n;
}

static void write_compiles(struct page *p)
{
    const struct compile *c;

    begin_section(p);
    section(p, "compiles_begin");
    for (struct compile_walk w = {.run = p->run}; (c = compile_next(&w));)
        if (view_shown(p->v, c) && !page_is_repeated(p->v, c))
            FILL(p, compile_row, c);
    section(p, "compiles_end");
    p->began = p->out->bytes;
    write_entries(p, false);
    if (write_entries(p, true))
        section(p, "repeated_end");
    end_section(p, p->v->shown->hidden);
}

static void write_code(struct page *p)
{
    const struct compile *c;
    bool some = false;
    size_t hidden = 0, same = 0;

    begin_section(p);
    section(p, "code_begin");
    for (struct compile_walk w = {.run = p->run}; (c = compile_next(&w));) {
        if (!page_has_code(c))
            continue;
        some = true;
        if (page_is_repeated(p->v, c))
            same++;
        else if (is_full(p))
            hidden++;
        else
            FILL(p, code, c);
    }
    if (!some)
        section(p, "code_none");
    if (same)
        FILL(p, same, &(struct same_things){same, "compile", "compiles"});
    end_section(p, hidden);
}

enum { CACHE_ROWS_MAX = 2000 };

static void write_caches(struct page *p)
{
    const struct compile *c;
    struct cache_rows rows = {0};

    FILL(p, caches_begin, p->v);
    for (struct compile_walk w = {.run = p->run}; (c = compile_next(&w));) {
        if (page_is_repeated(p->v, c)) {
            rows.same += c->cache_events.n;
            continue;
        }
        vec_each(const struct cache_event, e, &c->cache_events) if (rows.n++ < CACHE_ROWS_MAX)
            FILL(p, cache, e);
    }
    rows.hidden = rows.n > CACHE_ROWS_MAX ? rows.n - CACHE_ROWS_MAX : 0;
    FILL(p, caches_end, &rows);
}

static void write_payloads(struct page *p, const struct blocks *blocks)
{
    struct buf data = {0};

    for (size_t i = 0; i < blocks->count && p->error == 0; i++) {
        FILL(p, block_begin, &(struct page_count){i});
        data.n = 0;
        p->error = blocks_read(blocks, i, &data);
        sink_str(p->out, buf_view(&data));
        section(p, "block_end");
    }
    buf_free(&data);
}

static void write_foot(struct page *p)
{
    FILL(p, foot, &asset_js);
}

static struct page page_begin(struct arena *arena, struct sink *out, struct view *v, const struct html_options *options)
{
    struct page p = {.out = out, .v = v, .run = v->run, .options = options};
    struct str error;

    p.templates = mustache_new(arena, asset_templates, asset_template_count, &error);
    assert(p.templates); /* the test suite parses them all */
    p.room = json_room_take();
    p.outside = json_room_enter(p.room);
    return p;
}

static void page_end(struct page *p)
{
    json_room_enter(p->outside);
    json_room_give_back(p->room);
}

void html_write_text(struct sink *out, struct view *v, const struct html_options *options)
{
    struct arena *arena = arena_new();
    struct page p = page_begin(arena, out, v, options);

    v->evidence = evidence_make(arena, v->answers);
    v->shown = selection_make(arena, v->run, &v->answers->ranks, options->detail_bytes, options->same_bytes);
    write_head(&p);
    if (v->run->experiment)
        FILL(&p, experiment, v->run->experiment);
    write_findings(&p);
    if (view_has_ranks(v)) /* what ranks did comes before what a single rank did */
        FILL(&p, ranks, v);
    write_breaks(&p);
    write_recompiles(&p);
    write_errors(&p);
    write_time(&p);
    write_stacks(&p);
    write_compiles(&p);
    write_code(&p);
    if (gpu_is_known(v->run, &v->answers->gpu))
        FILL(&p, gpu, v);
    write_caches(&p);
    FILL(&p, shapes, v);
    if (!view_has_ranks(v))
        FILL(&p, ranks, v);
    FILL(&p, config, v);
    FILL(&p, health, v);
    render(&p, "more", page_next_trace(v));
    v->shown = NULL;
    v->evidence = NULL;
    page_end(&p);
    arena_free(arena);
}

int html_write_end(struct sink *out, struct view *v, const struct html_options *options, const struct blocks *blocks)
{
    struct arena *arena = arena_new();
    struct page p = page_begin(arena, out, v, options);

    write_payloads(&p, blocks);
    write_foot(&p);
    page_end(&p);
    arena_free(arena);
    return p.error;
}

static void write_nothing(void *object, struct str s)
{
    (void)object;
    (void)s;
}

uint64_t html_end_bytes(struct view *v, const struct html_options *options)
{
    struct sink nowhere = {.write = write_nothing};

    html_write_end(&nowhere, v, options, &(struct blocks){0});
    return nowhere.bytes;
}
