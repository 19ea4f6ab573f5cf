#include "analysis/ranks.h"

#include "analysis/rank_story.h"

#include <stdlib.h>

static const struct {
    const char *name, *title;
} kinds[DIVERGENCE_KINDS] = {
    [DIVERGENCE_STOPPED] = {"stopped", "the trace ends"},
    [DIVERGENCE_MISSING] = {"compile", "compiled on some ranks only"},
    [DIVERGENCE_RECOMPILE] = {"recompile", "recompiled on some ranks only"},
    [DIVERGENCE_ORDER] = {"order", "compiled in another order"},
    [DIVERGENCE_FACET + FACET_REASONS] = {"recompile_reason", "recompiled for other reasons"},
    [DIVERGENCE_FACET + FACET_BREAKS] = {"graph_break", "other graph breaks"},
    [DIVERGENCE_FACET + FACET_STATUS] = {"status", "another outcome"},
    [DIVERGENCE_FACET + FACET_GRAPH] = {"graph", "another graph"},
    [DIVERGENCE_FACET + FACET_JOINT] = {"joint_graph", "another joint graph"},
    [DIVERGENCE_FACET + FACET_PARTITION] = {"partition", "other forward and backward graphs"},
    [DIVERGENCE_FACET + FACET_COLLECTIVES] = {"collectives", "other collectives"},
    [DIVERGENCE_FACET + FACET_POST_GRAD] = {"post_grad_graph", "another graph for Inductor"},
    [DIVERGENCE_FACET + FACET_TENSORS] = {"tensors", "other sizes, strides or dtypes"},
    [DIVERGENCE_FACET + FACET_CACHE] = {"cache", "other cache outcomes"},
    [DIVERGENCE_FACET + FACET_CODE] = {"output_code", "other generated code"},
    [DIVERGENCE_FACET + FACET_GUARDS] = {"guards", "other guards"},
};

const char *divergence_kind_name(enum divergence_kind k)
{
    return kinds[k].name;
}

const char *divergence_kind_title(enum divergence_kind k)
{
    return kinds[k].title;
}

const struct rank_cell *rank_cell_of(const struct rank_row *row, const struct rank_member *m)
{
    size_t at = 0, end = row->cells.n;

    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (row->cells.v[middle]->member->index < m->index)
            at = middle + 1;
        else
            end = middle;
    }
    return at < row->cells.n && row->cells.v[at]->member == m ? row->cells.v[at] : NULL;
}

/* What is at work on one run. */
struct comparer {
    struct arena *arena, *scratch; /* scratch: reset for each row */
    struct signer *signer;
    struct rank_run *run;
};

/* --- one row: which ranks did the same ---------------------------------------------------------------------------- */

/* A value of a facet among the cells of a row. */
struct value {
    uint32_t facet;
    uint16_t count; /* artifacts */
    size_t cells;
    bool bare; /* of cells that no cache served */
};

/* The most frequent value that is known; NULL when none is. */
static const struct value *usual_value(struct comparer *k, const struct rank_row *row, enum rank_facet f)
{
    const struct value *best = NULL;
    struct map values;

    map_init(&values, k->scratch);
    for (size_t i = 0; i < row->cells.n; i++) {
        const struct rank_sign *sign = &row->cells.v[i]->sign;
        void **slot;
        struct value *v;

        if (sign->facets[f] == 0)
            continue;
        slot = map_at_copy(&values, MAP_KEY(sign->facets[f]));
        if (!*slot)
            *slot = ARENA_NEW(k->scratch, struct value);
        v = *slot;
        v->facet = sign->facets[f];
        v->count = sign->counts[f];
        v->bare |= !sign->cached;
        v->cells++;
        if (!best || (v->bare && !best->bare) || (v->bare == best->bare && v->cells > best->cells))
            best = v;
    }
    return best;
}

/* What a cache served is not compiled, so that its artifacts are missing: that is no other graph. */
static bool is_cut_short(const struct rank_sign *sign, enum rank_facet f, const struct value *usual)
{
    return sign->cached && f >= FACET_JOINT && f != FACET_CACHE && f != FACET_GUARDS && sign->counts[f] < usual->count;
}

/* Makes values equal that are not known to differ; whether any two still differ. */
static bool settle_facet(struct comparer *k, const struct rank_row *row, enum rank_facet f)
{
    const struct value *usual = usual_value(k, row, f);
    bool differ = false;

    for (size_t i = 0; usual && i < row->cells.n; i++) {
        struct rank_sign *sign = &row->cells.v[i]->sign;

        if (sign->facets[f] == 0 || is_cut_short(sign, f, usual))
            sign->facets[f] = usual->facet;
        differ |= sign->facets[f] != usual->facet;
    }
    return differ;
}

static uint32_t settle_row(struct comparer *k, const struct rank_row *row)
{
    uint32_t differ = 0;

    for (int f = 0; f < FACETS; f++)
        differ |= (uint32_t)settle_facet(k, row, (enum rank_facet)f) << f;
    return differ;
}

/* A class of cells while they are counted. */
struct cell_class {
    size_t cells, first;
    uint32_t *number;
};

static int by_cells(const void *pa, const void *pb)
{
    const struct cell_class *a = *(struct cell_class *const *)pa, *b = *(struct cell_class *const *)pb;

    if (a->cells != b->cells)
        return a->cells > b->cells ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Classes are cells with equal facets out of `facets` (bits). */
static void classify(struct comparer *k, struct rank_row *row, uint32_t facets)
{
    VEC(struct cell_class *) list = {0};
    struct map classes;
    struct cell_class **of = ARENA_ARRAY(k->scratch, struct cell_class *, row->cells.n + 1);

    map_init(&classes, k->scratch);
    for (size_t i = 0; i < row->cells.n; i++) {
        uint32_t key[FACETS] = {0};
        void **slot;

        for (int f = 0; f < FACETS; f++)
            key[f] = facets >> f & 1 ? row->cells.v[i]->sign.facets[f] : 0;
        slot = map_at_copy(&classes, MAP_KEY(key));
        if (!*slot) {
            *slot = ARENA_NEW(k->scratch, struct cell_class);
            ((struct cell_class *)*slot)->first = i;
            ((struct cell_class *)*slot)->number = ARENA_NEW(k->scratch, uint32_t);
            vec_push(k->scratch, &list, *slot);
        }
        of[i] = *slot;
        of[i]->cells++;
    }
    qsort(list.v, list.n, sizeof *list.v, by_cells);
    for (size_t i = 0; i < list.n; i++)
        *list.v[i]->number = (uint32_t)i + 1;
    for (size_t i = 0; i < row->cells.n; i++)
        row->cells.v[i]->class = *of[i]->number;
    row->classes = (uint32_t)list.n;
}

/* --- divergences -------------------------------------------------------------------------------------------------- */

/* Whether a member has the row, or anything behind it: else it has not got there. */
static bool got_to(const struct rank_member *m, const struct rank_row *row)
{
    return m->cells.n && m->cells.v[m->cells.n - 1]->row->position >= row->position;
}

/* The classes of all members in a row: those that lack it are a class of their own. */
static void number_members(struct comparer *k, struct divergence *d)
{
    const struct rank_set *set = &k->run->set;

    d->classes = ARENA_ARRAY(k->arena, uint32_t, set->members.n);
    d->lacking = d->row->classes + 1;
    for (size_t i = 0; i < set->members.n; i++)
        d->classes[i] = d->lacking;
    for (size_t i = 0; i < d->row->cells.n; i++)
        d->classes[d->row->cells.v[i]->member->index] = d->row->cells.v[i]->class;
}

static int by_size(const void *pa, const void *pb)
{
    const struct rank_group *a = pa, *b = pb;

    if (a->ranks.n != b->ranks.n)
        return a->ranks.n > b->ranks.n ? -1 : 1;
    return (a->ranks.v[0] > b->ranks.v[0]) - (a->ranks.v[0] < b->ranks.v[0]);
}

static bool is_odd(const struct divergence *d, const struct rank_group *g)
{
    const struct rank_cell *c = g->cell, *most = d->groups.v[0].cell;

    switch (d->kind) {
    case DIVERGENCE_STOPPED:
        return !c || c->compile->status == STATUS_INCOMPLETE;
    case DIVERGENCE_MISSING:
    case DIVERGENCE_RECOMPILE:
        return !c != !most;
    case DIVERGENCE_ORDER:
        return true;
    default:
        return rank_cells_differ(c, most, (enum rank_facet)(d->kind - DIVERGENCE_FACET));
    }
}

/* In one compile ranks may differ in several ways: which group is it that the divergence is called by? */
static size_t odd_group(const struct divergence *d)
{
    for (size_t i = d->groups.n; i-- > 1;)
        if (is_odd(d, &d->groups.v[i]))
            return i;
    return d->groups.n - 1;
}

static const struct compile *compile_of(const struct divergence *d)
{
    const struct rank_cell *cell = d->groups.v[d->odd].cell;

    for (size_t i = 0; i < d->groups.n && !cell; i++)
        cell = d->groups.v[i].cell;
    return cell->compile;
}

static void make_groups(struct comparer *k, struct divergence *d)
{
    const struct rank_set *set = &k->run->set;
    size_t n = d->lacking, kept = 0;

    for (size_t i = 0; i < n; i++)
        vec_add(k->arena, &d->groups);
    for (size_t i = 0; i < set->members.n; i++) {
        struct rank_group *g = &d->groups.v[d->classes[i] - 1];

        if (g->ranks.n == 0)
            g->cell = rank_cell_of(d->row, set->members.v[i]);
        vec_push(k->arena, &g->ranks, set->members.v[i]->process->rank);
    }
    for (size_t i = 0; i < n; i++)
        if (d->groups.v[i].ranks.n)
            d->groups.v[kept++] = d->groups.v[i];
    d->groups.n = kept;
    qsort(d->groups.v, d->groups.n, sizeof *d->groups.v, by_size);
    d->odd = odd_group(d);
    d->compile = compile_of(d);
}

static enum divergence_kind first_facet(uint32_t facets)
{
    int f = 0;

    while (!(facets >> f & 1))
        f++;
    return (enum divergence_kind)(DIVERGENCE_FACET + f);
}

/* Whether all that lack a row stopped before it, and most ranks did not. */
static bool is_end(const struct rank_set *set, const struct rank_row *row)
{
    size_t ended = 0;

    for (size_t i = 0; i < set->members.n; i++) {
        if (got_to(set->members.v[i], row))
            continue;
        ended++;
        if (row->before && rank_cell_of(row->before, set->members.v[i]))
            return false; /* what it compiled before serves it: it need not compile again */
    }
    return row->cells.n + ended == set->members.n && 2 * ended < set->members.n;
}

/* Whether the trace of some rank ends in this row, in the middle of the compile, while others end it. */
static bool ends_within(const struct rank_row *row)
{
    size_t n = 0;

    for (size_t i = 0; i < row->cells.n; i++)
        n += row->cells.v[i]->compile->status == STATUS_INCOMPLETE;
    return n > 0 && n < row->cells.n;
}

static enum divergence_kind kind_of(const struct rank_set *set, const struct rank_row *row, uint32_t differ)
{
    if (ends_within(row))
        return DIVERGENCE_STOPPED;
    if (row->cells.n == set->members.n)
        return first_facet(differ);
    if (is_end(set, row))
        return DIVERGENCE_STOPPED;
    return row->before ? DIVERGENCE_RECOMPILE : DIVERGENCE_MISSING;
}

/* A partition of the ranks that tells none apart which the other one does not. */
static bool is_coarser(struct comparer *k, const struct divergence *d, const struct divergence *than)
{
    uint32_t *of = ARENA_ARRAY(k->scratch, uint32_t, than->lacking + 1);

    for (size_t i = 0; i < k->run->set.members.n; i++) {
        uint32_t *seen = &of[than->classes[i]];

        if (*seen != 0 && *seen != d->classes[i])
            return false;
        *seen = d->classes[i];
    }
    return true;
}

static bool is_code_of(const struct frame *f, struct str file, struct str function)
{
    return f && f->name.n && str_eq(f->name, function) && str_eq(code_file_name(f->file), code_file_name(file));
}

/* Whether a frame was at work where the graph of the other broke: what is called there is then compiled on its own. */
static bool was_inside(const struct frame *f, const struct compile *broken)
{
    for (size_t i = 0; i < broken->breaks.n; i++)
        for (const struct call *c = broken->breaks.v[i]->stack; c; c = c->parent)
            if (is_code_of(f, c->file, c->function) && c->line >= f->line)
                return true;
    return false;
}

/* Compiled because of what happened in the frame of the other: again, the rest of it, or called by it. */
static bool comes_of(const struct divergence *d, const struct divergence *of)
{
    const struct frame *f = d->compile->frame, *cause = of->compile->frame;

    if (!f || !cause || of->kind == DIVERGENCE_ORDER)
        return false;
    if (is_code_of(cause, f->file, f->name) && f->line == cause->line)
        return true;
    if (f->is_resume && (str_eq(f->resumes, cause->name) || str_eq(f->resumes, cause->resumes)) &&
        str_eq(code_file_name(f->file), code_file_name(cause->file)))
        return true;
    for (const struct call *c = d->compile->stack; c; c = c->parent)
        if (is_code_of(cause, c->file, c->function))
            return true;
    return was_inside(f, of->compile);
}

/* Whether the trace of a rank ends within a row. */
static bool ended_in(const struct rank_member *m, const struct rank_row *row)
{
    const struct rank_cell *last = m->cells.n ? m->cells.v[m->cells.n - 1] : NULL;

    return last && last->row == row && last->compile->status == STATUS_INCOMPLETE;
}

/* Those that lack a row stopped earlier, and that was told. */
static bool goes_on_missing(const struct rank_set *set, const struct divergence *d, const struct divergence *before)
{
    if (before->kind != DIVERGENCE_STOPPED && before->kind != DIVERGENCE_MISSING)
        return false;
    for (size_t i = 0; i < set->members.n; i++) {
        const struct rank_member *m = set->members.v[i];

        if (d->classes[i] == d->lacking &&
            (got_to(m, d->row) || (before->classes[i] != before->lacking && !ended_in(m, before->row))))
            return false;
    }
    return d->lacking == 2 && d->row->cells.n < set->members.n;
}

static void find_cause(struct comparer *k, struct divergence *d)
{
    const struct rank_set *set = &k->run->set;

    for (size_t i = 0; i < k->run->divergences.n && !d->follows; i++) {
        struct divergence *before = k->run->divergences.v[i];

        if (!before->weak && !d->weak &&
            (goes_on_missing(set, d, before) || (comes_of(d, before) && is_coarser(k, d, before))))
            d->follows = before->follows ? before->follows : before;
    }
}

static struct divergence *add_divergence(struct comparer *k, struct rank_row *row, enum divergence_kind kind,
                                         uint32_t differ)
{
    struct divergence *d = ARENA_NEW(k->arena, struct divergence);

    d->kind = kind;
    d->run = k->run->group;
    d->row = row;
    d->also = kind >= DIVERGENCE_FACET ? differ & ~(1u << (kind - DIVERGENCE_FACET)) : differ;
    d->weak = kind >= DIVERGENCE_FACET && facet_is_weak((enum rank_facet)(kind - DIVERGENCE_FACET));
    number_members(k, d);
    make_groups(k, d);
    find_cause(k, d);
    vec_push(k->arena, &k->run->divergences, d);
    rank_story_tell(k->arena, k->signer, &k->run->set, d);
    return d;
}

/* Guards name what is each rank's own: they make no columns, and only tell when nothing else does. */
#define COLUMN_FACETS (((1u << FACETS) - 1) & ~(1u << FACET_GUARDS))

static void compare_row(struct comparer *k, struct rank_row *row)
{
    uint32_t differ = settle_row(k, row), strong = 0;

    for (int f = 0; f < FACETS; f++)
        strong |= facet_is_weak((enum rank_facet)f) ? 0 : differ & 1u << f;
    classify(k, row, strong ? strong : differ & -differ);
    if (differ || row->cells.n < k->run->set.members.n) {
        k->run->diverging++;
        if (k->run->divergences.n < DIVERGENCES_MAX)
            row->divergence = add_divergence(k, row, kind_of(&k->run->set, row, differ), differ);
    }
    classify(k, row, COLUMN_FACETS);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* The first cell that a member compiled before what all others compiled first; NULL when there is none. */
static const struct rank_cell *first_inversion(const struct rank_member *m)
{
    uint32_t most = 0;

    for (size_t i = 0; i < m->cells.n; i++) {
        if (m->cells.v[i]->row->position < most)
            return m->cells.v[i];
        most = m->cells.v[i]->row->position;
    }
    return NULL;
}

/* One divergence per row that some ranks compiled later than others: classes 1 (in order) and 2. */
static void compare_orders(struct comparer *k)
{
    const struct rank_set *set = &k->run->set;

    for (size_t i = 0; i < set->members.n; i++) {
        const struct rank_cell *cell = first_inversion(set->members.v[i]);
        struct rank_row *row = cell ? cell->row : NULL;
        struct divergence *d;

        if (!cell || row->divergence || k->run->divergences.n >= DIVERGENCES_MAX)
            continue;
        for (size_t j = 0; j < row->cells.n; j++) {
            const struct rank_cell *other = first_inversion(row->cells.v[j]->member);

            row->cells.v[j]->class = other && other->row == row ? 2 : 1;
        }
        row->classes = 2;
        d = row->divergence = add_divergence(k, row, DIVERGENCE_ORDER, 0);
        d->follows = NULL;
    }
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

static struct digest digest_of_member(const struct rank_member *m)
{
    struct digest_state state;

    digest_begin(&state);
    for (size_t i = 0; i < m->cells.n; i++) {
        uint32_t both[2] = {m->cells.v[i]->row->position, m->cells.v[i]->class};

        digest_add(&state, MAP_KEY(both));
    }
    return digest_end(&state);
}

static int by_ranks(const void *pa, const void *pb)
{
    const struct rank_column *a = pa, *b = pb;

    if (a->ranks.n != b->ranks.n)
        return a->ranks.n > b->ranks.n ? -1 : 1;
    return (a->ranks.v[0] > b->ranks.v[0]) - (a->ranks.v[0] < b->ranks.v[0]);
}

static void make_columns(struct comparer *k)
{
    struct map columns; /* -> its number plus 1 */

    map_init(&columns, k->scratch);
    for (size_t i = 0; i < k->run->set.members.n; i++) {
        struct rank_member *m = k->run->set.members.v[i];
        struct digest digest = digest_of_member(m);
        uintptr_t *slot = (uintptr_t *)map_at_copy(&columns, MAP_KEY(digest));

        if (!*slot) {
            vec_add(k->arena, &k->run->columns)->member = m;
            *slot = k->run->columns.n;
        }
        vec_push(k->arena, &k->run->columns.v[*slot - 1].ranks, m->process->rank);
    }
    qsort(k->run->columns.v, k->run->columns.n, sizeof *k->run->columns.v, by_ranks);
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

enum { PARITIES_MAX = 100 };

/* Of each row one compile of each class: the others have the same code. */
static void check_parity(struct comparer *k, const struct rank_row *row)
{
    uint32_t seen = 0;

    for (size_t i = 0; i < row->cells.n && k->run->parities.n < PARITIES_MAX; i++) {
        struct parity p;

        if (row->cells.v[i]->class <= seen)
            continue;
        seen = row->cells.v[i]->class;
        if (parity_of(k->signer, row->cells.v[i]->compile, &p) && (p.scheduled != p.emitted || p.waits < p.emitted))
            vec_push(k->arena, &k->run->parities, p);
    }
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static int by_position(const void *pa, const void *pb)
{
    const struct divergence *a = *(struct divergence *const *)pa, *b = *(struct divergence *const *)pb;

    return (a->row->position > b->row->position) - (a->row->position < b->row->position);
}

static void compare_run(struct comparer *k)
{
    for (struct rank_row *row = k->run->set.first; row; row = row->next) {
        compare_row(k, row);
        arena_reset(k->scratch);
    }
    make_columns(k);
    k->run->hang = hang_find(k->arena, k->signer, k->run);
    schedule_diffs_find(k->arena, k->signer, k->run, &k->run->schedules);
    k->run->world_size = world_size_of(k->arena, k->signer, k->run);
    for (const struct rank_row *row = k->run->set.first; row; row = row->next)
        check_parity(k, row);
    estimates_find(k->arena, k->signer, &k->run->set, &k->run->estimates);
    k->run->execution = execution_find(k->arena, k->signer, &k->run->set);
    compare_orders(k);
    if (k->run->divergences.n)
        qsort(k->run->divergences.v, k->run->divergences.n, sizeof *k->run->divergences.v, by_position);
}

const struct compile *rank_same_as(const struct ranks *r, const struct compile *c)
{
    return map_get(&r->same, MAP_KEY(c));
}

static void note_first(struct ranks *out, const struct rank_run *run)
{
    for (size_t i = 0; i < run->divergences.n; i++) {
        const struct divergence *d = run->divergences.v[i];

        if (!out->first || (out->first->weak && !d->weak))
            out->first = d;
    }
}

void ranks_find(struct arena *a, const struct run *r, const struct timing *timing, struct pool *pool,
                struct ranks *out)
{
    struct comparer k = {.arena = a};
    struct signer signer;

    *out = (struct ranks){0};
    map_init(&out->same, a);
    for (uint32_t group = 0; group < r->groups; group++) {
        struct rank_run *run = ARENA_NEW(a, struct rank_run);
        struct flight_run *flight;

        run->group = group;
        signer_init(&signer, a, pool);
        flight = flight_find(a, &signer, r, group);
        if (flight)
            vec_push(a, &out->flights, flight);
        rank_align(a, r, group, &signer, &run->set);
        if (run->set.members.n >= 2) {
            k.run = run;
            k.signer = &signer;
            k.scratch = arena_new();
            compare_run(&k);
            rank_times_find(a, &run->set, timing, &run->times);
            rank_same_find(&run->set, &out->same);
            arena_free(k.scratch);
            vec_push(a, &out->runs, run);
            out->compared = true;
            note_first(out, run);
        }
        signer_free(&signer);
    }
}
