#include "ranks/divergence.h"

#include "ranks/calls/execution.h"

#include <stdlib.h>

static const struct {
    const char *name, *title;
} kinds[DIVERGENCE_KINDS] = {
    [DIVERGENCE_STOPPED] = {"stopped", "the trace ends"},
    [DIVERGENCE_MISSING] = {"compile", "compiled on some ranks only"},
    [DIVERGENCE_RECOMPILE] = {"recompile", "recompiled on some ranks only"},
    [DIVERGENCE_ORDER] = {"order", "compiled in a different order"},
    [DIVERGENCE_EXECUTION] = {"execution", "run in a different order"},
    [DIVERGENCE_REASONS] = {"recompile_reason", "recompiled for other reasons"},
    [DIVERGENCE_BREAKS] = {"graph_break", "other graph breaks"},
    [DIVERGENCE_STATUS] = {"status", "another outcome"},
    [DIVERGENCE_GRAPH] = {"graph", "another graph"},
    [DIVERGENCE_JOINT] = {"joint_graph", "different joint graphs"},
    [DIVERGENCE_PARTITION] = {"partition", "other forward and backward graphs"},
    [DIVERGENCE_COLLECTIVES] = {"collectives", "other collectives"},
    [DIVERGENCE_POST_GRAD] = {"post_grad_graph", "different graphs for Inductor"},
    [DIVERGENCE_TENSORS] = {"tensors", "other tensors in Inductor's code"},
    [DIVERGENCE_SIZES] = {"sizes", "other sizes of tensors"},
    [DIVERGENCE_CACHE] = {"cache", "other cache outcomes"},
    [DIVERGENCE_CODE] = {"output_code", "other generated code"},
    [DIVERGENCE_GUARDS] = {"guards", "other guards"},
};

const char *divergence_kind_name(enum divergence_kind k)
{
    return kinds[k].name;
}

const char *divergence_kind_title(enum divergence_kind k)
{
    return kinds[k].title;
}

/* The state while one run is compared. */
struct comparer {
    struct arena *arena, *scratch; /* scratch: reset for each row */
    struct rank_run *run;
};

/* --- one row: which ranks did the same ---------------------------------------------------------------------------- */

/* One value of a facet among the cells of a row. */
struct facet_value {
    uint32_t facet;
    uint16_t count; /* number of artifacts */
    size_t cells;
    bool bare; /* seen in cells without a cache hit */
};

/* The most frequent known value; NULL if there is none. */
static const struct facet_value *usual_value(struct comparer *k, const struct rank_row *row, enum rank_facet f)
{
    const struct facet_value *best = NULL;
    struct map values;

    map_init(&values, k->scratch);
    for (size_t i = 0; i < row->cells.n; i++) {
        const struct fingerprint *print = row->cells.v[i]->print;
        void **slot;
        struct facet_value *v;

        if (print->facets[f] == 0)
            continue;
        slot = map_at_copy(&values, MAP_KEY(print->facets[f]));
        if (!*slot)
            *slot = ARENA_NEW(k->scratch, struct facet_value);
        v = *slot;
        v->facet = print->facets[f];
        v->count = print->counts[f];
        v->bare |= !print->cached;
        v->cells++;
        if (!best || (v->bare && !best->bare) || (v->bare == best->bare && v->cells > best->cells))
            best = v;
    }
    return best;
}

/* After a cache hit nothing is compiled, so artifacts are missing; that is not a different graph. */
static bool is_cut_short(const struct fingerprint *print, enum rank_facet f, const struct facet_value *usual)
{
    return print->cached && f >= FACET_JOINT && f != FACET_CACHE && f != FACET_GUARDS &&
           print->counts[f] < usual->count;
}

/* Makes values equal unless they are known to differ; returns whether any two still differ. */
static bool settle_facet(struct comparer *k, const struct rank_row *row, enum rank_facet f)
{
    const struct facet_value *usual = usual_value(k, row, f);
    bool differ = false;

    for (size_t i = 0; usual && i < row->cells.n; i++) {
        struct fingerprint *print = row->cells.v[i]->print;

        if (print->facets[f] == 0 || is_cut_short(print, f, usual))
            print->facets[f] = usual->facet;
        differ |= print->facets[f] != usual->facet;
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

/* Sorts cells into classes with equal facets out of `facets` (bits). */
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
            key[f] = facets >> f & 1 ? row->cells.v[i]->print->facets[f] : 0;
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

/* Whether a member has the row or any later one; otherwise it has not got there yet. */
static bool got_to(const struct rank_member *m, const struct rank_row *row)
{
    return m->cells.n && m->cells.v[m->cells.n - 1]->row->position >= row->position;
}

/* The classes of all members in a row; members without the row form a class of their own. */
static void number_members(struct comparer *k, struct divergence *d)
{
    const struct rank_matrix *matrix = &k->run->matrix;

    d->classes = ARENA_ARRAY(k->arena, uint32_t, matrix->members.n);
    d->lacking = d->row->classes + 1;
    for (size_t i = 0; i < matrix->members.n; i++)
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

static bool is_outlier(const struct divergence *d, const struct rank_group *g)
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
        return rank_cells_differ(c, most, (enum rank_facet)(d->kind - DIVERGENCE_REASONS));
    }
}

/* Ranks may differ in several ways in one compile: picks the group by which the divergence is described. */
static size_t outlier_of(const struct divergence *d)
{
    for (size_t i = d->groups.n; i-- > 1;)
        if (is_outlier(d, &d->groups.v[i]))
            return i;
    if (d->kind == DIVERGENCE_STOPPED && is_outlier(d, &d->groups.v[0]))
        return 0; /* most ranks stopped, so those that continued are not the problem */
    return d->groups.n - 1;
}

static const struct compile *compile_of(const struct divergence *d)
{
    const struct rank_cell *cell = d->groups.v[d->outlier].cell;

    for (size_t i = 0; i < d->groups.n && !cell; i++)
        cell = d->groups.v[i].cell;
    return cell->compile;
}

static void make_groups(struct comparer *k, struct divergence *d)
{
    const struct rank_matrix *matrix = &k->run->matrix;
    size_t n = d->lacking, kept = 0;

    for (size_t i = 0; i < n; i++)
        vec_add(k->arena, &d->groups);
    for (size_t i = 0; i < matrix->members.n; i++) {
        struct rank_group *g = &d->groups.v[d->classes[i] - 1];

        if (g->ranks.n == 0)
            g->cell = rank_cell_of(d->row, matrix->members.v[i]);
        vec_push(k->arena, &g->ranks, matrix->members.v[i]->process->rank);
    }
    for (size_t i = 0; i < n; i++)
        if (d->groups.v[i].ranks.n)
            d->groups.v[kept++] = d->groups.v[i];
    d->groups.n = kept;
    qsort(d->groups.v, d->groups.n, sizeof *d->groups.v, by_size);
    d->outlier = outlier_of(d);
    d->compile = compile_of(d);
}

/*
 * No rank can wait for another in it. A compile without a graph, because its first line breaks, has no collective
 * either.
 */
static bool calls_nothing(const struct rank_cell *cell)
{
    const struct fingerprint *print = cell->print;
    enum compile_status status = cell->compile->status;
    bool graphs = print->counts[FACET_GRAPH] || print->counts[FACET_PARTITION] || print->counts[FACET_POST_GRAD];

    return !print->calls && (graphs ? status == STATUS_OK || status == STATUS_GRAPH_BREAK
                                    : status == STATUS_EMPTY || status == STATUS_GRAPH_BREAK);
}

/* What one rank does in addition, for validation or logging, or for a last batch of another size. */
static bool is_extra(const struct divergence *d)
{
    const struct rank_group *g = &d->groups.v[d->outlier];

    return (d->kind == DIVERGENCE_MISSING || d->kind == DIVERGENCE_RECOMPILE) && d->groups.n == 2 && g->cell &&
           calls_nothing(g->cell);
}

static enum divergence_kind first_facet(uint32_t facets)
{
    int f = 0;

    while (!(facets >> f & 1))
        f++;
    return facet_kind((enum rank_facet)f);
}

/* Whether all members without the row stopped before it, and most ranks did not. */
static bool is_end(const struct rank_matrix *matrix, const struct rank_row *row)
{
    size_t ended = 0;

    for (size_t i = 0; i < matrix->members.n; i++) {
        if (got_to(matrix->members.v[i], row))
            continue;
        ended++;
        if (row->before && rank_cell_of(row->before, matrix->members.v[i]))
            return false; /* an earlier compile serves it, so it need not compile again */
    }
    return row->cells.n + ended == matrix->members.n && 2 * ended < matrix->members.n;
}

/* Whether the trace of some rank ends in this row, in the middle of the compile, while others finish it. */
static bool ends_within(const struct rank_row *row)
{
    size_t n = 0;

    for (size_t i = 0; i < row->cells.n; i++)
        n += row->cells.v[i]->compile->status == STATUS_INCOMPLETE && !process_is_cut(row->cells.v[i]->member->process);
    return n > 0 && n < row->cells.n;
}

static bool is_later(const struct rank_row *row, const struct rank_row *than)
{
    const struct rank_row *before = row->before;

    while (before && before != than)
        before = before->before;
    return before != NULL;
}

/* A process counts the compiles of a frame: where it has [1/4], it had [1/3], which the text has lost. */
static bool has_lost(const struct rank_member *m, const struct rank_row *row)
{
    int32_t number = row->cells.v[0]->compile->id.compile;

    for (size_t i = 0; i < m->cells.n; i++)
        if (m->cells.v[i]->compile->id.compile > number && is_later(m->cells.v[i]->row, row))
            return true;
    return false;
}

/* The lines that a person copied end before it: what the rank compiled later may have been left out. */
static bool may_be_left_out(const struct rank_member *m, const struct rank_row *row)
{
    const struct input *in = m->process->input;

    return in && stated_has(&in->stated, STATED_EXCERPT) && !got_to(m, row);
}

/* Whether all ranks have the compile, as far as nobody took lines out of the log. */
static bool is_of_all(const struct rank_matrix *matrix, const struct rank_row *row)
{
    for (size_t i = 0; i < matrix->members.n; i++) {
        const struct rank_member *m = matrix->members.v[i];

        if (!rank_cell_of(row, m) && !rank_member_is_cut(m) && !has_lost(m, row) && !may_be_left_out(m, row))
            return false;
    }
    return true;
}

static enum divergence_kind kind_of(const struct rank_matrix *matrix, const struct rank_row *row, uint32_t differ)
{
    if (ends_within(row))
        return DIVERGENCE_STOPPED;
    if (row->cells.n == matrix->members.n || (differ && is_of_all(matrix, row)))
        return first_facet(differ);
    if (is_end(matrix, row))
        return DIVERGENCE_STOPPED;
    return row->before ? DIVERGENCE_RECOMPILE : DIVERGENCE_MISSING;
}

/* Whether each group of d is a union of groups of the other divergence. */
static bool is_coarser(struct comparer *k, const struct divergence *d, const struct divergence *than)
{
    uint32_t *of = ARENA_ARRAY(k->scratch, uint32_t, than->lacking + 1);

    for (size_t i = 0; i < k->run->matrix.members.n; i++) {
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

/*
 * Whether a frame was running where the graph of the other one broke: functions called there are then compiled
 * separately.
 */
static bool was_inside(const struct frame *f, const struct compile *broken)
{
    for (size_t i = 0; i < broken->breaks.n; i++)
        for (const struct call *c = broken->breaks.v[i]->stack; c; c = c->parent)
            if (is_code_of(f, c->file, c->function) && c->line >= f->line)
                return true;
    return false;
}

/* Whether it was compiled because of the other one: a recompile, the rest of the frame, or a function it calls. */
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

/* Whether the trace of a rank ends inside a row. */
static bool ended_in(const struct rank_member *m, const struct rank_row *row)
{
    const struct rank_cell *last = m->cells.n ? m->cells.v[m->cells.n - 1] : NULL;

    return last && last->row == row && last->compile->status == STATUS_INCOMPLETE;
}

/* Members without the row stopped earlier, which was already reported. */
static bool goes_on_missing(const struct rank_matrix *matrix, const struct divergence *d,
                            const struct divergence *before)
{
    if (before->kind != DIVERGENCE_STOPPED && before->kind != DIVERGENCE_MISSING)
        return false;
    for (size_t i = 0; i < matrix->members.n; i++) {
        const struct rank_member *m = matrix->members.v[i];

        if (d->classes[i] == d->lacking &&
            (got_to(m, d->row) || (before->classes[i] != before->lacking && !ended_in(m, before->row))))
            return false;
    }
    return d->lacking == 2 && d->row->cells.n < matrix->members.n;
}

static void find_cause(struct comparer *k, struct divergence *d)
{
    const struct rank_matrix *matrix = &k->run->matrix;

    for (size_t i = 0; i < k->run->divergences.n && !d->follows; i++) {
        struct divergence *before = k->run->divergences.v[i];

        if (goes_on_missing(matrix, d, before) || (comes_of(d, before) && is_coarser(k, d, before)))
            d->follows = before->follows ? before->follows : before;
    }
}

static struct divergence *new_divergence(struct comparer *k, const struct rank_row *row, enum divergence_kind kind,
                                         uint32_t differ)
{
    struct divergence *d = ARENA_NEW(k->arena, struct divergence);

    d->kind = kind;
    d->run = k->run->group;
    d->row = row;
    d->also = differ << DIVERGENCE_REASONS & ~(1u << kind);
    d->benign = kind >= DIVERGENCE_REASONS && facet_is_benign((enum rank_facet)(kind - DIVERGENCE_REASONS));
    return d;
}

static struct divergence *add_divergence(struct comparer *k, struct rank_row *row, enum divergence_kind kind,
                                         uint32_t differ)
{
    struct divergence *d = new_divergence(k, row, kind, differ);

    number_members(k, d);
    make_groups(k, d);
    d->extra = is_extra(d);
    if (d->benign) {
        vec_push(k->arena, &k->run->differences, d);
        return d;
    }
    find_cause(k, d);
    vec_push(k->arena, &k->run->divergences, d);
    return d;
}

/* The facets of the compiled program, without those that depend on the machine, the data, and other ranks' caches. */
static uint32_t program_facets(void)
{
    uint32_t facets = 0;

    for (int f = 0; f < FACETS; f++)
        facets |= facet_is_benign((enum rank_facet)f) ? 0 : 1u << f;
    return facets;
}

static void compare_row(struct comparer *k, struct rank_row *row)
{
    uint32_t differ = settle_row(k, row), program = program_facets();
    bool lacking = row->cells.n < k->run->matrix.members.n && !is_of_all(&k->run->matrix, row);

    if (differ & program)
        differ &= ~(1u << FACET_SIZES); /* sizes do not matter if the graphs differ anyway */
    if (differ & program || lacking) {
        classify(k, row, program);
        k->run->diverging++;
        if (k->run->divergences.n < DIVERGENCES_MAX)
            row->divergence = add_divergence(k, row, kind_of(&k->run->matrix, row, differ & program), differ);
        return;
    }
    if (differ) {
        classify(k, row, differ & -differ);
        k->run->differing++;
        if (k->run->differences.n < DIVERGENCES_MAX)
            add_divergence(k, row, first_facet(differ), differ);
    }
    classify(k, row, program);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* The first cell that a member compiled before a compile that all others did first; NULL if there is none. */
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

/* One divergence for each row that some ranks compiled later than others: class 1 is in order, class 2 is not. */
static void compare_orders(struct comparer *k)
{
    const struct rank_matrix *matrix = &k->run->matrix;

    for (size_t i = 0; i < matrix->members.n; i++) {
        const struct rank_cell *cell = first_inversion(matrix->members.v[i]);
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

/* --- order of running --------------------------------------------------------------------------------------------- */

/* The row that a side of the execution ran, and the cell of its first rank. */
static const struct rank_cell *cell_that_ran(const struct rank_matrix *matrix, const struct execution *e,
                                             const struct execution_side *side)
{
    for (size_t i = 0; i < matrix->members.n; i++) {
        const struct rank_member *m = matrix->members.v[i];

        if (m->process->rank == side->ranks.v[0])
            return m->ran->rows.v[e->at] ? rank_cell_of(m->ran->rows.v[e->at], m) : NULL;
    }
    return NULL;
}

/* The same graphs ran in another order. Ranks that only ran fewer graphs had less data. */
static void compare_executions(struct comparer *k)
{
    const struct execution *e = k->run->execution;
    const struct rank_cell *first = e && !e->shorter ? cell_that_ran(&k->run->matrix, e, &e->sides.v[0]) : NULL;
    struct divergence *d;

    if (!first)
        return;
    d = new_divergence(k, first->row, DIVERGENCE_EXECUTION, 0);
    for (size_t i = 0; i < e->sides.n; i++) {
        struct rank_group *g = vec_add(k->arena, &d->groups);

        g->cell = cell_that_ran(&k->run->matrix, e, &e->sides.v[i]);
        for (size_t r = 0; r < e->sides.v[i].ranks.n; r++)
            vec_push(k->arena, &g->ranks, e->sides.v[i].ranks.v[r]);
    }
    d->outlier = d->groups.n - 1;
    d->compile = compile_of(d);
    vec_push(k->arena, &k->run->divergences, d);
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

/* `recorded`: every member has the order in which graphs ran. */
static struct digest digest_of_member(const struct rank_member *m, bool recorded)
{
    struct digest_state state;

    digest_begin(&state);
    for (size_t i = 0; i < m->cells.n; i++) {
        uint32_t both[2] = {m->cells.v[i]->row->position, m->cells.v[i]->class};

        digest_add(&state, MAP_KEY(both));
    }
    if (recorded)
        digest_add(&state, MAP_KEY(m->ran));
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
    struct map columns; /* digest of a column -> its number, from 1 */
    bool recorded = true;

    map_init(&columns, k->scratch);
    for (size_t i = 0; i < k->run->matrix.members.n; i++)
        recorded &= k->run->matrix.members.v[i]->ran != NULL;
    for (size_t i = 0; i < k->run->matrix.members.n; i++) {
        struct rank_member *m = k->run->matrix.members.v[i];
        struct digest digest = digest_of_member(m, recorded);
        uint64_t *slot = map_number_at(&columns, MAP_KEY(digest));

        if (!*slot) {
            vec_add(k->arena, &k->run->columns)->member = m;
            *slot = k->run->columns.n;
        }
        vec_push(k->arena, &k->run->columns.v[*slot - 1].ranks, m->process->rank);
    }
    qsort(k->run->columns.v, k->run->columns.n, sizeof *k->run->columns.v, by_ranks);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int by_position(const void *pa, const void *pb)
{
    const struct divergence *a = *(struct divergence *const *)pa, *b = *(struct divergence *const *)pb;

    return (a->row->position > b->row->position) - (a->row->position < b->row->position);
}

void divergences_find(struct arena *a, struct rank_run *run)
{
    struct comparer k = {.arena = a, .scratch = arena_new(), .run = run};

    for (struct rank_row *row = run->matrix.first; row; row = row->next) {
        compare_row(&k, row);
        arena_reset(k.scratch);
    }
    make_columns(&k);
    compare_orders(&k);
    if (run->divergences.n)
        qsort(run->divergences.v, run->divergences.n, sizeof *run->divergences.v, by_position);
    compare_executions(&k);
    arena_free(k.scratch);
}
