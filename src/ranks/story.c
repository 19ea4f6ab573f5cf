#include "ranks/story.h"

#include "ranks/text_difference.h"
#include "text/graphs/collective_place.h"
#include "text/guards/guard_reason.h"
#include "util/formats/json_scan.h"
#include "util/utf8.h"

enum { GROUPS_DESCRIBED = 12, WORDS_MAX = 240 };

struct story_writer {
    struct arena *arena;
    struct contents *contents;
    const struct rank_run *run;
    struct divergence *d;
};

const struct compile *rank_group_compile(const struct rank_group *g)
{
    return g->cell ? g->cell->compile : g->last;
}

/* The first line of a text, limited in length. */
static struct str cut(struct arena *a, struct str s)
{
    struct str line;

    s = str_trim(s);
    line = str_split(&s, '\n');
    return arena_str(a, utf8_shorten(a, line, WORDS_MAX));
}

static struct str id_of(struct story_writer *w, struct compile_id id)
{
    return arena_printf(w->arena, "[%.*s]", STR_ARG(compile_id_print(w->arena, id)));
}

static struct str name_of(struct story_writer *w, const struct frame *f)
{
    return rank_frame_words(w->arena, f);
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

/* The member that represents a group, which may not have the row. */
static const struct rank_member *member_of(struct story_writer *w, const struct rank_group *g)
{
    for (size_t i = 0; i < w->run->matrix.members.n; i++)
        if (w->run->matrix.members.v[i]->process->rank == g->ranks.v[0])
            return w->run->matrix.members.v[i];
    return NULL;
}

/* --- compiled or not ---------------------------------------------------------------------------------------------- */

/* The failed guard and its values: ranks that did not recompile still have the value that was compiled for. */
static struct str guard_words(struct story_writer *w, const struct guard_reason *r, const struct rank_group *g)
{
    bool alone = w->d->kind == DIVERGENCE_RECOMPILE && w->d->groups.n == 2 && r->expected.n && r->actual.n;
    struct str values = {"", 0};

    if (r->guard.n == 0)
        return values;
    if (alone)
        values = arena_printf(w->arena, ": the value is %.*s there and %.*s elsewhere",
                              STR_ARG(cut(w->arena, r->actual)), STR_ARG(cut(w->arena, r->expected)));
    return arena_printf(w->arena, "The guard `%.*s` failed on %.*s%.*s", STR_ARG(cut(w->arena, r->guard)),
                        STR_ARG(rank_list_words(w->arena, g->ranks.v, g->ranks.n)), STR_ARG(values));
}

/* The reason of the recompile, from the record or, in a truncated trace, from the metrics. */
static struct str reason_of(struct story_writer *w, const struct compile *c)
{
    struct guard_reason_texts texts = {0};
    struct str text = metrics_str(compile_metrics(c, METRICS_FORWARD), "recompile_reason");

    if (c->reasons.n)
        return c->reasons.v[0].text;
    if (text.n && !str_starts(text, STR("Unable to find recompilation reasons")))
        guard_reason_split(w->arena, text, &texts);
    return texts.list.n ? texts.list.v[0] : (struct str){0};
}

static void describe_recompile(struct story_writer *w, struct rank_group *g)
{
    const struct compile *c = w->d->compile;
    struct str name = name_of(w, c->frame), text = g->cell ? reason_of(w, g->cell->compile) : (struct str){0};
    struct compile_id before = {c->id.autograd, c->id.frame, c->id.compile - 1};
    struct guard_reason reason;

    if (!g->cell) {
        g->did = arena_printf(w->arena, "reused %.*s", STR_ARG(id_of(w, before)));
        return;
    }
    g->did = arena_printf(w->arena, "compiled %.*s again", STR_ARG(name));
    if (text.n == 0)
        return;
    guard_reason_parse(w->arena, text, &reason);
    g->did = arena_printf(w->arena, "%.*s: %.*s", STR_ARG(g->did), STR_ARG(reason.words));
    g->file = reason.user_file;
    g->line = reason.user_line;
    if (w->d->cause.n == 0)
        w->d->cause = guard_words(w, &reason, g);
}

static void describe_missing(struct story_writer *w, struct rank_group *g)
{
    const struct call *user = stack_user_call(w->d->compile->stack), *caller = user ? user->parent : NULL;

    g->did = g->cell ? arena_printf(w->arena, "compiled %.*s", STR_ARG(name_of(w, w->d->compile->frame)))
                     : STR("did not compile it");
    if (w->d->cause.n == 0 && caller && caller->line && !is_framework_file(caller->file))
        w->d->cause =
            arena_printf(w->arena, "It is called at %.*s:%lld%s%.*s", STR_ARG(caller->file), (long long)caller->line,
                         caller->source.n ? ": " : "", STR_ARG(cut(w->arena, caller->source)));
}

static void describe_stop(struct story_writer *w, struct rank_group *g)
{
    const struct rank_member *m = member_of(w, g);
    const struct compile *last;
    bool incomplete;

    if (!m || (g->cell && g->cell->compile->status != STATUS_INCOMPLETE)) {
        g->did = arena_printf(w->arena, "went on and compiled %.*s", STR_ARG(name_of(w, w->d->compile->frame)));
        return;
    }
    if (m->cells.n == 0) {
        g->did = STR("compiled nothing");
        return;
    }
    last = m->cells.v[m->cells.n - 1]->compile;
    incomplete = last->status == STATUS_INCOMPLETE;
    g->last = last;
    g->did = arena_printf(w->arena, "%s %.*s, %.*s", incomplete ? "stopped in" : "compiled nothing after",
                          STR_ARG(id_of(w, last->id)), STR_ARG(name_of(w, last->frame)));
    g->file = last->frame->file;
    g->line = last->frame->line;
    w->d->cause =
        incomplete ? STR("The process was killed, crashed or hung while it compiled.")
                   : STR("The process was killed, crashed or hung there, or it took another path through the program.");
}

static void describe_order(struct story_writer *w, struct rank_group *g)
{
    struct str name = name_of(w, w->d->compile->frame);
    const struct compile *before = NULL;

    for (size_t i = 1; g->cell && i < g->cell->member->cells.n; i++)
        if (g->cell->member->cells.v[i] == g->cell)
            before = g->cell->member->cells.v[i - 1]->compile;
    if (before)
        g->did = arena_printf(w->arena, "compiled %.*s after %.*s", STR_ARG(name), STR_ARG(name_of(w, before->frame)));
    else if (g->cell)
        g->did = arena_printf(w->arena, "compiled %.*s first", STR_ARG(name));
}

static void describe_execution(struct story_writer *w, struct rank_group *g)
{
    const struct execution *e = w->run->execution;

    if (!g->cell) {
        g->did = STR("ran a graph without a compile id");
        return;
    }
    g->did = arena_printf(w->arena, "ran %.*s, %.*s, as graph %llu", STR_ARG(id_of(w, g->cell->compile->id)),
                          STR_ARG(name_of(w, g->cell->compile->frame)), (unsigned long long)e->at + 1);
}

/* --- what happened in the compile --------------------------------------------------------------------------------- */

static void describe_break(struct story_writer *w, struct rank_group *g)
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
    g->did = arena_printf(w->arena, "broke the graph%s: %.*s",
                          c->breaks.n > 1 ? arena_printf(w->arena, " at %zu places", c->breaks.n).p : "",
                          STR_ARG(cut(w->arena, b->type)));
    g->file = user ? user->file : b->file;
    g->line = user ? user->line : b->line;
    if (w->d->cause.n == 0 && user && user->source.n)
        w->d->cause = arena_printf(w->arena, "The line is `%.*s`", STR_ARG(cut(w->arena, user->source)));
}

static void describe_status(struct story_writer *w, struct rank_group *g)
{
    const struct compile *c = g->cell->compile;

    if (c->failures.n) {
        const struct failure *x = c->failures.v[0];

        g->did = arena_printf(w->arena, "failed: %.*s%s%.*s", STR_ARG(x->type), x->type.n ? ": " : "",
                              STR_ARG(cut(w->arena, x->message)));
        g->file = x->file;
        g->line = x->line;
    } else if (c->limit_hit) {
        g->did = STR("hit the recompile limit");
    } else if (c->status == STATUS_INCOMPLETE) {
        g->did = STR("did not finish");
    } else {
        g->did = c->status == STATUS_EMPTY ? STR("got no graph") : STR("finished without an error");
    }
}

/* "AOTAutograd 1 miss, FX graph 2 hits" */
static struct str cache_words(struct arena *a, const struct compile *c)
{
    static const char *const layers[CACHE_LAYERS] = {"PGO", "precompile", "AOTAutograd", "FX graph", "Triton"};
    static const char *const one[CACHE_OUTCOMES] = {"hit", "miss", "bypass"};
    static const char *const many[CACHE_OUTCOMES] = {"hits", "misses", "bypasses"};
    unsigned counts[CACHE_LAYERS][CACHE_OUTCOMES] = {0};
    struct str out = {"", 0};

    vec_each(const struct cache_event, e, &c->cache_events) counts[e->layer][e->outcome]++;
    for (int l = 0; l < CACHE_LAYERS; l++)
        for (int o = 0; o < CACHE_OUTCOMES; o++)
            if (counts[l][o])
                out = arena_printf(a, "%.*s%s%s %u %s", STR_ARG(out), out.n ? ", " : "", layers[l], counts[l][o],
                                   counts[l][o] == 1 ? one[o] : many[o]);
    return out;
}

static void describe_caches(struct story_writer *w, struct rank_group *g)
{
    struct str words = cache_words(w->arena, g->cell->compile);

    g->did = words.n ? arena_printf(w->arena, "looked up %.*s", STR_ARG(words)) : STR("used no cache");
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

static void describe_counts(struct story_writer *w, struct rank_group *g, enum rank_facet f)
{
    unsigned n = g->cell->print->counts[f];

    if (g->did.n == 0)
        g->did = arena_printf(w->arena, "got %u of them", n);
}

/* Adds "between lines 6 and 8" to what a group did. */
static struct str with_place(struct story_writer *w, struct str did, const struct collective_call *place)
{
    struct str words = collective_place_words(w->arena, place);

    return words.n ? arena_printf(w->arena, "%.*s %.*s", STR_ARG(did), STR_ARG(words)) : did;
}

/*
 * Describes a group's version of a differing line. If the group lacks a collective that the other one calls, the
 * call's line is the one to show.
 */
static void describe_line(struct story_writer *w, struct rank_group *g, const struct text_side *side,
                          const struct text_side *other)
{
    const struct text_side *at = side->op.n == 0 && other->op.n && other->file.n ? other : side;
    struct collective_call place = {.file = at->file, .line = at->place, .from_line = at->from_place};

    if (g->did.n)
        return;
    g->did = side->line.n ? arena_printf(w->arena, "got `%.*s`", STR_ARG(cut(w->arena, side->line)))
                          : STR("got nothing there");
    if (side->op.n == 0 && other->op.n)
        g->did = arena_printf(w->arena, "%.*s, without `%.*s` before it", STR_ARG(g->did), STR_ARG(other->op));
    g->did = with_place(w, g->did, &place);
    if (at->file.n) {
        g->file = at->file;
        g->line = at->place;
    }
}

/* False if the texts of the facet do not differ in that way. */
static bool describe_texts(struct story_writer *w, struct rank_group *g, struct rank_group *other, enum rank_facet f,
                           bool sizes)
{
    struct text_difference difference;

    if (!text_difference_find(w->arena, w->contents, g->cell->compile, other->cell->compile, f, sizes, &difference))
        return false;
    if (difference.counts) {
        describe_counts(w, g, f);
        describe_counts(w, other, f);
    } else {
        describe_line(w, g, &difference.sides[0], &difference.sides[1]);
        describe_line(w, other, &difference.sides[1], &difference.sides[0]);
    }
    return true;
}

/* Whether a check compares with the rank's number: "G['rank'] == 2" on rank 2. */
static bool is_of_rank(struct arena *a, struct str check, int rank)
{
    return str_ends(check, arena_printf(a, " == %d", rank));
}

static void describe_guards(struct story_writer *w, struct rank_group *g, struct rank_group *other)
{
    struct text_difference d;
    struct rank_group *groups[2] = {g, other};
    bool of_rank = true;

    if (!guard_difference_find(w->arena, w->contents, g->cell->compile, other->cell->compile, &d))
        return;
    for (int i = 0; i < 2; i++) {
        struct str check = d.sides[i].line;

        of_rank &= check.n && groups[i]->ranks.n == 1 && is_of_rank(w->arena, check, groups[i]->ranks.v[0]);
        if (groups[i]->did.n == 0)
            groups[i]->did = check.n ? arena_printf(w->arena, "checks `%.*s`", STR_ARG(cut(w->arena, check)))
                                     : STR("has no such guard");
    }
    if (of_rank)
        w->d->cause = STR("The guard is on the rank number");
}

/* --- what Inductor's operations return ---------------------------------------------------------------------------- */

/* The list of operations in the first artifact of the facet; in the arena. */
static struct str operations_of(struct story_writer *w, const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == FACET_TENSORS &&
            contents_read(w->contents, c->artifacts.v[i], READ_TEXT))
            return arena_str(w->arena, json_member_text(buf_view(&w->contents->text), STR("ops")));
    return (struct str){0};
}

/* JSON on one line. */
static struct str on_one_line(struct arena *a, struct str json)
{
    struct str line, out = {"", 0};

    while (str_next_line(&json, &line))
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), str_ends(out, STR(",")) ? " " : "", STR_ARG(str_trim(line)));
    return out;
}

static void describe_operation(struct story_writer *w, struct rank_group *g, struct str op, size_t number)
{
    struct str name = json_member_text(op, STR("name"));
    struct str outputs = on_one_line(w->arena, str_take(json_member_text(op, STR("outputs")), 4 * WORDS_MAX));

    if (g->did.n)
        return;
    g->did = op.n ? arena_printf(w->arena, "has %.*s as operation %zu, which returns `%.*s`", STR_ARG(name), number,
                                 STR_ARG(cut(w->arena, outputs)))
                  : arena_printf(w->arena, "has %zu operation%s", number - 1, number == 2 ? "" : "s");
}

static void describe_tensors(struct story_writer *w, struct rank_group *g, struct rank_group *other)
{
    struct str a = operations_of(w, g->cell->compile), b = operations_of(w, other->cell->compile);
    struct str of_a = {0}, of_b = {0};
    bool more_a, more_b;
    size_t n = 0;

    do {
        more_a = json_next_item(&a, &of_a);
        more_b = json_next_item(&b, &of_b);
        n++;
    } while (more_a && more_b &&
             str_eq(json_member_text(of_a, STR("outputs")), json_member_text(of_b, STR("outputs"))));
    if (!more_a && !more_b)
        return;
    describe_operation(w, g, more_a ? of_a : (struct str){0}, n);
    describe_operation(w, other, more_b ? of_b : (struct str){0}, n);
}

static void describe_sizes(struct story_writer *w, struct rank_group *g, struct rank_group *other)
{
    static const enum rank_facet graphs[] = {FACET_GRAPH, FACET_JOINT, FACET_PARTITION, FACET_POST_GRAD};

    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++)
        if (describe_texts(w, g, other, graphs[i], true))
            return;
    describe_tensors(w, g, other);
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

static void describe_call(struct story_writer *w, struct rank_group *g, const struct schedule *calls, size_t at)
{
    const struct collective_call *c = at < calls->list.n ? &calls->list.v[at] : NULL;

    if (g->did.n)
        return;
    if (!c) {
        g->did = arena_printf(w->arena, "called %zu collective%s", calls->list.n, calls->list.n == 1 ? "" : "s");
        return;
    }
    g->did = arena_printf(w->arena, "called %.*s as collective %zu of %zu", STR_ARG(collective_words(w->arena, c)),
                          at + 1, calls->list.n);
    g->did = with_place(w, g->did, c);
    g->file = c->file;
    g->line = c->line;
}

static void read_schedule(struct story_writer *w, const struct rank_group *g, struct schedule *out)
{
    schedule_of(w->arena, w->contents, g->cell->compile, GRAPHS_ALL, out);
    schedule_place(w->arena, w->contents, out);
}

static void describe_collectives(struct story_writer *w, struct rank_group *g, struct rank_group *other)
{
    struct schedule a, b;
    size_t i = 0;

    read_schedule(w, g, &a);
    read_schedule(w, other, &b);
    while (i < a.list.n && i < b.list.n && same_collective(&a.list.v[i], &b.list.v[i]))
        i++;
    describe_call(w, g, &a, i);
    describe_call(w, other, &b, i);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void describe_facet(struct story_writer *w, struct rank_group *g, struct rank_group *other, enum rank_facet f)
{
    switch (f) {
    case FACET_REASONS:
        describe_recompile(w, g);
        break;
    case FACET_BREAKS:
        describe_break(w, g);
        break;
    case FACET_STATUS:
        describe_status(w, g);
        break;
    case FACET_CACHE:
        describe_caches(w, g);
        break;
    case FACET_COLLECTIVES:
        describe_collectives(w, g, other);
        break;
    case FACET_TENSORS:
        describe_tensors(w, g, other);
        break;
    case FACET_SIZES:
        describe_sizes(w, g, other);
        break;
    case FACET_GUARDS:
        describe_guards(w, g, other);
        break;
    default:
        if (!describe_texts(w, g, other, f, false))
            describe_texts(w, g, other, f, true);
    }
}

/* The facet of the divergence or, if these two groups are equal in it, the first one in which they differ. */
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

static void describe_group(struct story_writer *w, struct rank_group *g, struct rank_group *other)
{
    switch (w->d->kind) {
    case DIVERGENCE_STOPPED:
        describe_stop(w, g);
        break;
    case DIVERGENCE_MISSING:
        describe_missing(w, g);
        break;
    case DIVERGENCE_RECOMPILE:
        describe_recompile(w, g);
        break;
    case DIVERGENCE_ORDER:
        describe_order(w, g);
        break;
    case DIVERGENCE_EXECUTION:
        describe_execution(w, g);
        break;
    default:
        if (!g->cell)
            describe_missing(w, g);
        else if (other->cell)
            describe_facet(w, g, other, facet_of(w->d, g, other));
    }
}

/* What a group is compared with: the largest, or for that the outlier; one without the compile shows no difference. */
static struct rank_group *compared_with(struct divergence *d, size_t i)
{
    struct rank_group *other = &d->groups.v[i ? 0 : d->outlier];

    for (size_t k = 0; k < d->groups.n && d->kind >= DIVERGENCE_REASONS && !other->cell; k++)
        if (k != i)
            other = &d->groups.v[k];
    return other;
}

void story_write(struct arena *a, struct contents *contents, const struct rank_run *run, struct divergence *d)
{
    struct story_writer w = {a, contents, run, d};

    for (size_t i = d->groups.n < GROUPS_DESCRIBED ? d->groups.n : GROUPS_DESCRIBED; i-- > 0;) {
        describe_group(&w, &d->groups.v[i], compared_with(d, i));
        place_at_frame(&d->groups.v[i]);
    }
    for (size_t i = 0; i < d->groups.n; i++)
        if (d->groups.v[i].file.n) {
            d->file = d->groups.v[i].file;
            d->line = d->groups.v[i].line;
        }
}
