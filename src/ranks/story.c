#include "ranks/story.h"

#include "ranks/collectives.h"
#include "text/fx_graph.h"
#include "text/guard_reason.h"
#include "text/rank_neutral.h"
#include "util/utf8.h"

enum { GROUPS_TOLD = 12, TEXT_READ_MAX = 16 * 1024 * 1024, WORDS_MAX = 240 };

struct teller {
    struct arena *arena;
    struct fingerprinter *prints;
    struct divergence *d;
};

static struct str cut(struct arena *a, struct str s)
{
    struct str line, kept;

    s = str_trim(s);
    line = str_split(&s, '\n');
    kept = utf8_cut(line, WORDS_MAX);
    return kept.n < line.n ? arena_printf(a, "%.*s \xe2\x80\xa6", STR_ARG(kept)) : arena_str(a, kept);
}

static struct str id_of(struct teller *t, const struct compile *c)
{
    return arena_printf(t->arena, "[%.*s]", STR_ARG(compile_id_print(t->arena, c->id)));
}

/* "`f`", "the rest of `f` behind line 7". */
static struct str name_of(struct teller *t, const struct frame *f)
{
    if (f->is_resume && f->resumes.n)
        return arena_printf(t->arena, "the rest of `%.*s` behind line %lld", STR_ARG(f->resumes),
                            (long long)f->resumes_line);
    return f->name.n ? arena_printf(t->arena, "`%.*s`", STR_ARG(f->name)) : STR("a graph of compiled autograd");
}

static void place_at_frame(struct rank_group *g)
{
    const struct frame *f = g->cell ? g->cell->compile->frame : NULL;
    const struct call *user = g->cell ? stack_user_call(g->cell->compile->stack) : NULL;

    if (!f || (g->file.n && !is_framework_file(g->file)))
        return;
    if (is_framework_file(f->file) && user) {
        g->file = user->file;
        g->line = user->line;
    } else {
        g->file = f->file;
        g->line = f->is_resume && f->resumes_line ? f->resumes_line : f->line;
    }
}

/* The member that stands for a group, which need not have the row. */
static const struct rank_member *member_of(const struct rank_matrix *matrix, const struct rank_group *g)
{
    for (size_t i = 0; i < matrix->members.n; i++)
        if (matrix->members.v[i]->process->rank == g->ranks.v[0])
            return matrix->members.v[i];
    return NULL;
}

/* --- compiled or not ---------------------------------------------------------------------------------------------- */

/* The guard that failed, and what those that did not compile again have: the value it was compiled for. */
static struct str guard_words(struct teller *t, const struct guard_reason *r, const struct rank_group *g)
{
    bool alone = t->d->kind == DIVERGENCE_RECOMPILE && t->d->groups.n == 2 && r->expected.n && r->actual.n;
    struct str values = {"", 0};

    if (r->guard.n == 0)
        return values;
    if (alone)
        values = arena_printf(t->arena, ": the value is %.*s there, and %.*s elsewhere",
                              STR_ARG(cut(t->arena, r->actual)), STR_ARG(cut(t->arena, r->expected)));
    return arena_printf(t->arena, "The guard `%.*s` failed on %s %d%.*s", STR_ARG(cut(t->arena, r->guard)),
                        g->ranks.n > 1 ? "ranks like" : "rank", g->ranks.v[0], STR_ARG(values));
}

static void tell_recompile(struct teller *t, struct rank_group *g)
{
    const struct compile *c = t->d->compile;
    struct compile_id before = {c->id.autograd, c->id.frame, c->id.compile - 1};
    struct guard_reason reason;

    if (!g->cell) {
        g->did = arena_printf(t->arena, "went on with [%.*s]", STR_ARG(compile_id_print(t->arena, before)));
        return;
    }
    if (g->cell->compile->reasons.n == 0) {
        g->did = arena_printf(t->arena, "compiled %.*s again", STR_ARG(name_of(t, c->frame)));
        return;
    }
    guard_reason_parse(t->arena, g->cell->compile->reasons.v[0].text, &reason);
    g->did = arena_printf(t->arena, "compiled %.*s again: %.*s", STR_ARG(name_of(t, c->frame)), STR_ARG(reason.words));
    g->file = reason.user_file;
    g->line = reason.user_line;
    if (t->d->cause.n == 0)
        t->d->cause = guard_words(t, &reason, g);
}

static void tell_missing(struct teller *t, struct rank_group *g)
{
    const struct call *user = stack_user_call(t->d->compile->stack);

    g->did = g->cell ? arena_printf(t->arena, "compiled %.*s", STR_ARG(name_of(t, t->d->compile->frame)))
                     : STR("did not compile it");
    if (t->d->cause.n == 0 && user && user->parent && user->parent->line && !is_framework_file(user->parent->file))
        t->d->cause = arena_printf(t->arena, "It is called at %.*s:%lld%s%.*s", STR_ARG(user->parent->file),
                                   (long long)user->parent->line, user->parent->source.n ? ": " : "",
                                   STR_ARG(cut(t->arena, user->parent->source)));
}

static void tell_stop(struct teller *t, const struct rank_matrix *matrix, struct rank_group *g)
{
    const struct rank_member *m = member_of(matrix, g);
    const struct compile *last;

    if (!m || (g->cell && g->cell->compile->status != STATUS_INCOMPLETE)) {
        g->did = arena_printf(t->arena, "went on and compiled %.*s", STR_ARG(name_of(t, t->d->compile->frame)));
        return;
    }
    if (m->cells.n == 0) {
        g->did = STR("compiled nothing");
        return;
    }
    last = m->cells.v[m->cells.n - 1]->compile;
    g->did = arena_printf(t->arena, "%s %.*s, %.*s",
                          last->status == STATUS_INCOMPLETE ? "stopped in" : "compiled nothing after",
                          STR_ARG(id_of(t, last)), STR_ARG(name_of(t, last->frame)));
    g->file = last->frame->file;
    g->line = last->frame->line;
    t->d->cause =
        last->status == STATUS_INCOMPLETE
            ? STR("The process was killed, crashed or hung while it compiled.")
            : STR("The process was killed, crashed or hung there, or it took another way through the program.");
}

static void tell_order(struct teller *t, struct rank_group *g)
{
    const struct rank_member *m = g->cell->member;
    const struct compile *before = NULL;

    for (size_t i = 1; i < m->cells.n; i++)
        if (m->cells.v[i] == g->cell)
            before = m->cells.v[i - 1]->compile;
    g->did = before ? arena_printf(t->arena, "compiled %.*s after %.*s", STR_ARG(name_of(t, t->d->compile->frame)),
                                   STR_ARG(name_of(t, before->frame)))
                    : arena_printf(t->arena, "compiled %.*s first", STR_ARG(name_of(t, t->d->compile->frame)));
}

/* --- what happened in the compile --------------------------------------------------------------------------------- */

static void tell_break(struct teller *t, struct rank_group *g)
{
    const struct compile *c = g->cell->compile;
    const struct graph_break *b;
    const struct call *user;

    if (c->breaks.n == 0) {
        g->did = STR("had no graph break");
        return;
    }
    b = c->breaks.v[0];
    user = stack_user_call(b->stack);
    g->did = arena_printf(t->arena, "broke the graph%s: %.*s",
                          c->breaks.n > 1 ? arena_printf(t->arena, " at %zu places", c->breaks.n).p : "",
                          STR_ARG(cut(t->arena, b->type)));
    g->file = user ? user->file : b->file;
    g->line = user ? user->line : b->line;
    if (t->d->cause.n == 0 && user && user->source.n)
        t->d->cause = arena_printf(t->arena, "The line is `%.*s`", STR_ARG(cut(t->arena, user->source)));
}

static void tell_status(struct teller *t, struct rank_group *g)
{
    const struct compile *c = g->cell->compile;

    if (c->failures.n) {
        const struct failure *x = c->failures.v[0];

        g->did = arena_printf(t->arena, "failed: %.*s: %.*s", STR_ARG(x->type), STR_ARG(cut(t->arena, x->message)));
        g->file = x->file;
        g->line = x->line;
    } else if (c->limit_hit) {
        g->did = STR("hit the recompile limit");
    } else if (c->status == STATUS_INCOMPLETE) {
        g->did = STR("did not end");
    } else {
        g->did = c->status == STATUS_EMPTY ? STR("got no graph") : STR("ended without an error");
    }
}

static void tell_caches(struct teller *t, struct rank_group *g)
{
    static const char *const layers[CACHE_LAYERS] = {"PGO", "precompile", "AOTAutograd", "FX graph", "Triton"};
    static const char *const outcomes[CACHE_OUTCOMES] = {"hit", "miss", "bypass"};
    unsigned counts[CACHE_LAYERS][CACHE_OUTCOMES] = {0};
    struct str out = {0};

    vec_each(const struct cache_event, e, &g->cell->compile->cache_events) counts[e->layer][e->outcome]++;
    for (int l = 0; l < CACHE_LAYERS; l++)
        for (int o = 0; o < CACHE_OUTCOMES; o++)
            if (counts[l][o])
                out = arena_printf(t->arena, "%.*s%s%s %s x %u", STR_ARG(out), out.n ? ", " : "", layers[l],
                                   outcomes[o], counts[l][o]);
    g->did = out.n ? arena_printf(t->arena, "asked the caches: %.*s", STR_ARG(out)) : STR("asked no cache");
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

/* A text that is read line by line, comments left out. */
struct reader {
    struct buf text, line;
    struct str rest, raw; /* raw: the line read last, as it stands */
    struct rank_neutral neutral;
    struct str file;
    int64_t place;
};

/* The artifact of a facet with that number in a compile; NULL beyond the last. */
static const struct artifact *artifact_at(const struct compile *c, enum rank_facet f, size_t number)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == f && number-- == 0)
            return c->artifacts.v[i];
    return NULL;
}

static bool reader_open(struct reader *r, const struct artifact *a)
{
    r->text.n = 0;
    if (!a || !payload_is_told(&a->payload) || !artifact_read(a, TEXT_READ_MAX, &r->text))
        return false;
    r->rest = buf_view(&r->text);
    r->neutral.guards = facet_of_artifact(a) == FACET_GUARDS;
    r->neutral.group_count = 0;
    return true;
}

static void reader_close(struct reader *r)
{
    buf_free(&r->text);
    buf_free(&r->line);
}

/* The next line that is no comment; false, and an empty line, at the end. */
static bool reader_next(struct reader *r)
{
    struct str line, file;
    int64_t number;

    r->line.n = 0;
    r->raw = (struct str){0};
    while (str_next_line(&r->rest, &line)) {
        r->raw = str_trim(line);
        if (r->raw.n && r->raw.p[0] != '#') {
            rank_neutral_line(&r->neutral, line, &r->line);
            return true;
        }
        if (fx_place_parse(r->raw, &file, &number) && !is_framework_file(file)) {
            r->file = file;
            r->place = number;
        }
    }
    r->raw = (struct str){0};
    return false;
}

/* Goes on in both to the first line that differs; false when there is none. */
static bool first_difference(struct reader *a, struct reader *b)
{
    bool more_a, more_b;

    do {
        more_a = reader_next(a);
        more_b = reader_next(b);
        if (!str_eq(buf_view(&a->line), buf_view(&b->line)))
            return true;
    } while (more_a || more_b);
    return false;
}

static void tell_line(struct teller *t, struct rank_group *g, const struct reader *r)
{
    if (g->did.n)
        return;
    g->did = r->raw.n ? arena_printf(t->arena, "got `%.*s`", STR_ARG(cut(t->arena, r->raw))) : STR("got nothing there");
    if (r->file.n) {
        g->file = arena_str(t->arena, r->file);
        g->line = r->place;
    }
}

/* Of two groups, the lines in which the first texts that differ do so. */
static void tell_texts(struct teller *t, struct rank_group *g, struct rank_group *other, enum rank_facet f)
{
    struct reader a = {0}, b = {0};
    bool differ = false;

    for (size_t i = 0; !differ; i++) {
        const struct artifact *x = artifact_at(g->cell->compile, f, i), *y = artifact_at(other->cell->compile, f, i);

        if (!x && !y)
            break;
        if (x && y && (x->payload.flags & y->payload.flags & PAYLOAD_DIGEST) &&
            digest_eq(&x->payload.digest, &y->payload.digest))
            continue;
        if (!x || !y) {
            g->did = arena_printf(t->arena, "got %u of them", (unsigned)g->cell->print->counts[f]);
            other->did = arena_printf(t->arena, "got %u", (unsigned)other->cell->print->counts[f]);
            break;
        }
        differ = reader_open(&a, x) && reader_open(&b, y) && first_difference(&a, &b);
    }
    if (differ) {
        tell_line(t, g, &a);
        tell_line(t, other, &b);
    }
    reader_close(&a);
    reader_close(&b);
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

static void tell_call(struct teller *t, struct rank_group *g, const struct schedule *calls, size_t at)
{
    if (g->did.n)
        return;
    if (at < calls->list.n) {
        g->did = arena_printf(t->arena, "called %.*s as collective %zu of %zu",
                              STR_ARG(collective_words(t->arena, &calls->list.v[at])), at + 1, calls->list.n);
        g->file = calls->list.v[at].file;
        g->line = calls->list.v[at].line;
    } else {
        g->did = arena_printf(t->arena, "called %zu collective%s", calls->list.n, calls->list.n == 1 ? "" : "s");
    }
}

static void tell_collectives(struct teller *t, struct rank_group *g, struct rank_group *other)
{
    struct schedule a, b;
    size_t i = 0;

    schedule_of(t->arena, t->prints, g->cell->compile, &a);
    schedule_of(t->arena, t->prints, other->cell->compile, &b);
    while (i < a.list.n && i < b.list.n && same_collective(&a.list.v[i], &b.list.v[i]))
        i++;
    tell_call(t, g, &a, i);
    tell_call(t, other, &b, i);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void tell_facet(struct teller *t, struct rank_group *g, struct rank_group *other, enum rank_facet f)
{
    switch (f) {
    case FACET_REASONS:
        tell_recompile(t, g);
        break;
    case FACET_BREAKS:
        tell_break(t, g);
        break;
    case FACET_STATUS:
        tell_status(t, g);
        break;
    case FACET_CACHE:
        tell_caches(t, g);
        break;
    case FACET_COLLECTIVES:
        tell_collectives(t, g, other);
        break;
    default:
        tell_texts(t, g, other, f);
        break;
    }
}

/* That of the divergence, or, where a group differs in another one, that. */
static enum rank_facet facet_of(const struct divergence *d, const struct rank_group *g, const struct rank_group *other)
{
    enum rank_facet f = (enum rank_facet)(d->kind - DIVERGENCE_REASONS);

    if (rank_cells_differ(g->cell, other->cell, f))
        return f;
    for (int i = 0; i < FACETS; i++)
        if (rank_cells_differ(g->cell, other->cell, (enum rank_facet)i))
            return (enum rank_facet)i;
    return f;
}

static void tell_group(struct teller *t, const struct rank_matrix *matrix, struct rank_group *g,
                       struct rank_group *other)
{
    switch (t->d->kind) {
    case DIVERGENCE_STOPPED:
        tell_stop(t, matrix, g);
        break;
    case DIVERGENCE_MISSING:
        tell_missing(t, g);
        break;
    case DIVERGENCE_RECOMPILE:
        tell_recompile(t, g);
        break;
    case DIVERGENCE_ORDER:
        if (g->cell)
            tell_order(t, g);
        break;
    default:
        tell_facet(t, g, other, facet_of(t->d, g, other));
    }
}

void story_tell(struct arena *a, struct fingerprinter *f, const struct rank_matrix *matrix, struct divergence *d)
{
    struct teller t = {a, f, d};

    for (size_t i = d->groups.n < GROUPS_TOLD ? d->groups.n : GROUPS_TOLD; i-- > 0;) {
        tell_group(&t, matrix, &d->groups.v[i], &d->groups.v[i ? 0 : d->outlier]);
        place_at_frame(&d->groups.v[i]);
    }
    for (size_t i = 0; i < d->groups.n; i++)
        if (d->groups.v[i].file.n) {
            d->file = d->groups.v[i].file;
            d->line = d->groups.v[i].line;
        }
}
