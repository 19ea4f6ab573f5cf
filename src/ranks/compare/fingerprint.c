#include "ranks/compare/fingerprint.h"

#include "text/guards/guard_reason.h"
#include "text/messages/rank_neutral.h"

void fingerprinter_init(struct fingerprinter *f, struct arena *a, struct contents *c)
{
    *f = (struct fingerprinter){.scratch = arena_new(), .contents = c};
    map_init(&f->classes, a);
}

void fingerprinter_free(struct fingerprinter *f)
{
    arena_free(f->scratch);
    buf_free(&f->line);
}

static uint32_t class_of(struct fingerprinter *f, struct digest digest)
{
    uint64_t *number = map_number_at(&f->classes, MAP_KEY(digest));

    if (*number == 0)
        *number = f->classes.n;
    return (uint32_t)*number;
}

/* --- payloads ----------------------------------------------------------------------------------------------------- */

static void add_digest(struct digest_state *state, struct digest digest)
{
    digest_add(state, MAP_KEY(digest));
}

/* Hashes the artifacts of one facet, one after another. */
static void take_payloads(struct fingerprinter *f, const struct compile *c, struct fingerprint *out)
{
    struct digest_state states[FACETS];

    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *a = c->artifacts.v[i];
        enum rank_facet facet = contents_has(a) ? facet_of_artifact(a) : FACETS;

        if (facet == FACETS || out->counts[facet] == UINT16_MAX)
            continue;
        if (out->counts[facet]++ == 0)
            digest_begin(&states[facet]);
        add_digest(&states[facet], contents_of(f->contents, a).digest);
    }
    for (int facet = 0; facet < FACETS; facet++)
        if (out->counts[facet])
            out->facets[facet] = class_of(f, digest_end(&states[facet]));
}

static bool has_sizes(enum rank_facet facet)
{
    return facet == FACET_GRAPH || facet == FACET_JOINT || facet == FACET_PARTITION || facet == FACET_POST_GRAD ||
           facet == FACET_TENSORS;
}

void fingerprint_set_sizes_apart(struct fingerprinter *f, const struct compile *c, struct fingerprint *print)
{
    struct digest_state states[FACETS], all;

    digest_begin(&all);
    for (int facet = 0; facet < FACETS; facet++)
        digest_begin(&states[facet]);
    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *a = c->artifacts.v[i];
        enum rank_facet facet = contents_has(a) ? facet_of_artifact(a) : FACETS;

        if (facet != FACETS && has_sizes(facet))
            add_digest(&states[facet], contents_without_sizes(f->contents, a));
    }
    for (int facet = 0; facet < FACETS; facet++) {
        if (!has_sizes((enum rank_facet)facet) || print->counts[facet] == 0)
            continue;
        digest_add(&all, MAP_KEY(print->facets[facet]));
        print->facets[facet] = class_of(f, digest_end(&states[facet]));
        print->counts[FACET_SIZES] = (uint16_t)(print->counts[FACET_SIZES] + print->counts[facet]);
    }
    if (print->counts[FACET_SIZES])
        print->facets[FACET_SIZES] = class_of(f, digest_end(&all));
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

static void add_calls(struct fingerprinter *f, struct digest_state *state, struct rank_neutral *names,
                      const struct collectives *calls)
{
    f->line.n = 0;
    for (size_t i = 0; calls && i < calls->list.n; i++) {
        const struct collective_call *c = &calls->list.v[i];

        buf_printf(&f->line, "%.*s %.*s %zu %.*s %.*s\n", STR_ARG(c->op), STR_ARG(c->reduction),
                   rank_neutral_group(names, c->group), STR_ARG(c->dtype), STR_ARG(c->shape));
    }
    digest_add(state, buf_view(&f->line));
}

/* Returns whether there are any calls. */
static bool add_calls_of(struct fingerprinter *f, struct digest_state *state, struct rank_neutral *names,
                         const struct compile *c, enum rank_facet facet)
{
    bool any = false;

    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct collectives *calls;

        if (facet_of_artifact(c->artifacts.v[i]) != facet)
            continue;
        calls = contents_of(f->contents, c->artifacts.v[i]).calls;
        add_calls(f, state, names, calls);
        any |= calls && calls->list.n;
    }
    return any;
}

/* The last graphs of the pipeline: those given to Inductor, else AOTAutograd's, else Dynamo's. */
static enum rank_facet last_graphs(const struct fingerprint *print)
{
    return print->counts[FACET_POST_GRAD]   ? FACET_POST_GRAD
           : print->counts[FACET_PARTITION] ? FACET_PARTITION
                                            : FACET_GRAPH;
}

/* Includes the order in which the generated code calls them. */
static void take_collectives(struct fingerprinter *f, const struct compile *c, struct fingerprint *out)
{
    enum rank_facet graphs = last_graphs(out);
    struct rank_neutral names = {0};
    struct digest_state state;

    if (out->counts[graphs] == 0)
        return;
    digest_begin(&state);
    out->calls = add_calls_of(f, &state, &names, c, graphs);
    out->calls |= add_calls_of(f, &state, &names, c, FACET_CODE);
    out->facets[FACET_COLLECTIVES] = class_of(f, digest_end(&state));
    out->counts[FACET_COLLECTIVES] = (uint16_t)(out->counts[graphs] + out->counts[FACET_CODE]);
}

/* --- the other facets --------------------------------------------------------------------------------------------- */

/* The class of the words in the line; the first word is the name of the facet. */
static uint32_t class_of_line(struct fingerprinter *f)
{
    return class_of(f, digest_of(buf_view(&f->line)));
}

static void begin_line(struct fingerprinter *f, const char *name)
{
    f->line.n = 0;
    buf_str(&f->line, str_of(name));
}

static void add_place(struct buf *out, struct str file, int64_t line)
{
    struct str name = code_file_name(file);

    buf_printf(out, " %.*s:%lld", STR_ARG(name), (long long)line);
}

/* Which guard failed; its values differ between ranks, for example with batches of different sizes. */
static void add_reason(struct fingerprinter *f, struct str text)
{
    struct rank_neutral neutral = {.guards = true};
    struct guard_reason reason;

    guard_reason_parse(f->scratch, text, &reason);
    if (reason.class == GUARD_OTHER || reason.source.n == 0)
        rank_neutral_line(&neutral, text, &f->line);
    else
        buf_printf(&f->line, " %d %.*s %lld", (int)reason.class, STR_ARG(reason.source), (long long)reason.index);
}

/*
 * "1/3" and "1/0" alone: a list names every earlier compile, so that lines of it are most likely cut. So are the first
 * lines of one that begins with "1/0" for [1/4], where a text that was copied begins.
 */
static bool skips_reasons(const struct compile *c)
{
    const struct process *p = c->process;
    bool begins = c == p->compiles.v[0] && p->input && stated_has(&p->input->stated, STATED_READ);
    int32_t least = INT32_MAX, most = -1;
    size_t n = 0;

    for (size_t i = 0; i < c->reasons.n; i++) {
        struct str against = c->reasons.v[i].against;
        struct compile_id id;
        int attempt;

        if (!compile_id_take(&against, &id, &attempt) || id.compile < 0)
            return false;
        least = id.compile < least ? id.compile : least;
        most = id.compile > most ? id.compile : most;
        n++;
    }
    if (begins && n && most + 1 < c->id.compile)
        return true;
    return n > 1 && (size_t)(most - least) >= n;
}

static void take_reasons(struct fingerprinter *f, const struct compile *c, struct fingerprint *out)
{
    if (c->reasons.n == 0 || skips_reasons(c))
        return;
    begin_line(f, "reasons");
    for (size_t i = 0; i < (process_is_cut(c->process) ? 1 : c->reasons.n); i++)
        add_reason(f, c->reasons.v[i].text);
    out->facets[FACET_REASONS] = class_of_line(f);
}

static void take_breaks(struct fingerprinter *f, const struct compile *c, struct fingerprint *out)
{
    if (c->breaks.n == 0 && process_is_cut(c->process))
        return;
    begin_line(f, "breaks");
    for (size_t i = 0; i < c->breaks.n; i++) {
        buf_printf(&f->line, "\n%.*s", STR_ARG(c->breaks.v[i]->type));
        add_place(&f->line, c->breaks.v[i]->file, c->breaks.v[i]->line);
    }
    out->facets[FACET_BREAKS] = class_of_line(f);
}

static void take_status(struct fingerprinter *f, const struct compile *c, struct fingerprint *out)
{
    if (c->failures.n == 0 && !c->limit_hit && process_is_cut(c->process))
        return;
    begin_line(f, "status");
    buf_printf(&f->line, " %d %d", (int)c->status, c->limit_hit);
    for (size_t i = 0; i < c->failures.n; i++) {
        buf_printf(&f->line, "\n%.*s", STR_ARG(c->failures.v[i]->type));
        add_place(&f->line, c->failures.v[i]->file, c->failures.v[i]->line);
    }
    out->facets[FACET_STATUS] = class_of_line(f);
}

static void take_caches(struct fingerprinter *f, const struct compile *c, struct fingerprint *out)
{
    if (c->cache_events.n == 0)
        return;
    begin_line(f, "caches");
    vec_each(const struct cache_event, e, &c->cache_events)
    {
        buf_printf(&f->line, " %d:%d", (int)e->layer, (int)e->outcome);
        out->cached |= e->outcome == CACHE_HIT;
    }
    out->facets[FACET_CACHE] = class_of_line(f);
}

void fingerprint_take(struct fingerprinter *f, const struct compile *c, struct fingerprint *out)
{
    *out = (struct fingerprint){0};
    take_payloads(f, c, out);
    take_collectives(f, c, out);
    take_reasons(f, c, out);
    take_breaks(f, c, out);
    take_status(f, c, out);
    take_caches(f, c, out);
    arena_reset(f->scratch);
}
