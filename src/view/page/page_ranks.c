/* Processes and ranks: which there are, where ranks diverge, and the matrix of what each group of them did. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"

enum {
    PAGE_DIVERGENCES_MAX = 40, /* of one run, as stories */
    PAGE_COLUMNS_MAX = 24,     /* columns of the matrix: 1,024 ranks are either a few groups, or all different */
    PAGE_MATRIX_ROWS_MAX = 300,
    PAGE_RUNS_MAX = 20,
    PAGE_FLIGHTS_MAX = 20,
    PAGE_ESTIMATES_MAX = 20,
    OPEN_ROWS = 64 /* more processes are in a list that the reader can open */
};

/* --- processes ---------------------------------------------------------------------------------------------------- */

struct process_counts {
    uint64_t breaks, recompiles, errors;
};

static struct process_counts process_counts_of(const struct view *v, const struct process *p)
{
    struct process_counts n = {.errors = v->answers->process_errors[p->index]};

    for (size_t i = 0; i < p->compiles.n; i++) {
        n.breaks += p->compiles.v[i]->breaks.n;
        n.recompiles += compile_is_recompile(p->compiles.v[i]);
    }
    return n;
}

/* Of what a log may not have, 0 says nothing. */
static struct str known_count(const struct view *v, uint64_t n)
{
    return count_is_known(&v->answers->counts, n) ? format_count(v->scratch, n) : STR("-");
}

static struct str started(const struct view *v, const struct process *p)
{
    return p->first_us ? format_moment_plain(v->scratch, p, p->first_us - (p->zone_known ? p->zone_us : 0)) : STR("-");
}

/* "rank 1 is", for the first run that lacks a rank. */
static struct str absent_ranks(const struct view *v)
{
    const struct ranks *r = &v->answers->ranks;

    for (size_t i = 0; i < r->rosters.n; i++) {
        const struct rank_roster *roster = r->rosters.v[i];

        if (roster->absent.n)
            return arena_printf(v->scratch, "%.*s %s",
                                STR_ARG(rank_list_words(v->scratch, roster->absent.v, roster->absent.n)),
                                roster->absent.n == 1 ? "is" : "are");
    }
    return STR("");
}

/* --- the story ---------------------------------------------------------------------------------------------------- */

static struct str also_of(const struct view *v, const struct divergence *d)
{
    struct str out = {"", 0};

    for (int k = 0; k < DIVERGENCE_KINDS; k++)
        if (d->also >> k & 1)
            out = arena_printf(v->scratch, "%.*s%s%s", STR_ARG(out), out.n ? ", " : "",
                               divergence_kind_title((enum divergence_kind)k));
    return out;
}

/* "`forward`", or the function that it continues. */
static struct str function_of(const struct view *v, const struct compile *c)
{
    struct str name = format_frame(v->scratch, c->frame);

    return arena_printf(v->scratch, "`%.*s`", STR_ARG(name));
}

/* The artifacts that show a kind of divergence, the clearest first. */
static const struct {
    enum divergence_kind kind;
    enum artifact_id artifact;
} shown_by[] = {
    {DIVERGENCE_REASONS, ARTIFACT_RECOMPILE_REASONS},
    {DIVERGENCE_BREAKS, ARTIFACT_DYNAMO_GRAPH_BREAK_REASON},
    {DIVERGENCE_GRAPH, ARTIFACT_DYNAMO_OUTPUT_GRAPH},
    {DIVERGENCE_JOINT, ARTIFACT_AOT_JOINT_GRAPH},
    {DIVERGENCE_PARTITION, ARTIFACT_AOT_FORWARD_GRAPH},
    {DIVERGENCE_PARTITION, ARTIFACT_AOT_INFERENCE_GRAPH},
    {DIVERGENCE_PARTITION, ARTIFACT_AOT_BACKWARD_GRAPH},
    {DIVERGENCE_COLLECTIVES, ARTIFACT_INDUCTOR_COLLECTIVE_SCHEDULE},
    {DIVERGENCE_COLLECTIVES, ARTIFACT_INDUCTOR_POST_GRAD_GRAPH},
    {DIVERGENCE_COLLECTIVES, ARTIFACT_AOT_INFERENCE_GRAPH},
    {DIVERGENCE_COLLECTIVES, ARTIFACT_DYNAMO_OUTPUT_GRAPH},
    {DIVERGENCE_POST_GRAD, ARTIFACT_INDUCTOR_POST_GRAD_GRAPH},
    {DIVERGENCE_TENSORS, ARTIFACT_INDUCTOR_RUNTIME_AND_TENSOR_META},
    {DIVERGENCE_SIZES, ARTIFACT_INDUCTOR_POST_GRAD_GRAPH},
    {DIVERGENCE_CODE, ARTIFACT_INDUCTOR_OUTPUT_CODE},
    {DIVERGENCE_GUARDS, ARTIFACT_DYNAMO_CPP_GUARDS_STR},
};

/* Of two groups of ranks. */
struct rank_artifacts {
    const struct rank_group *a, *b;
    const struct artifact *from, *to;
};

/* Of what most ranks have and what the outlier has, the first that differ; NULL if there are none. */
static const struct rank_artifacts *artifacts_of(const struct view *v, const struct divergence *d)
{
    struct rank_artifacts *x = ARENA_NEW(v->scratch, struct rank_artifacts);
    const struct compile *a, *b;

    x->a = &d->groups.v[d->outlier == 0 && d->groups.n > 1 ? 1 : 0];
    x->b = &d->groups.v[d->outlier];
    a = rank_group_compile(x->a);
    b = rank_group_compile(x->b);
    for (size_t i = 0; i < sizeof shown_by / sizeof *shown_by; i++)
        if (shown_by[i].kind == d->kind &&
            page_find_pair(v, a, b, artifact_name(shown_by[i].artifact), &x->from, &x->to))
            return x;
    return NULL;
}

/* --- the matrix --------------------------------------------------------------------------------------------------- */

enum { COLORS = 6 };

/* What most ranks did has no color, even if that is not compiling it. */
static int64_t color_of(const struct rank_run *run, const struct rank_row *row, const struct rank_cell *cell)
{
    uint32_t color = cell ? cell->class : 0;

    if (cell && 2 * row->cells.n < run->matrix.members.n)
        color++;
    return color > COLORS ? COLORS : color;
}

struct matrix_row {
    const struct rank_run *run;
    const struct rank_row *row;
};

struct matrix_cell {
    const struct rank_run *run;
    const struct rank_row *row;
    const struct rank_cell *cell; /* NULL: not compiled */
};

static struct str letter_of(const struct view *v, const struct rank_cell *cell)
{
    if (!cell)
        return STR("-");
    return cell->class > 26 ? STR("+") : arena_printf(v->scratch, "%c", (char)('A' + (int)cell->class - 1));
}

static json_t *cells_of(const struct view *v, const struct matrix_row *x)
{
    json_t *cells = json_new_array();

    for (size_t i = 0; i < x->run->columns.n && i < PAGE_COLUMNS_MAX; i++)
        json_push(cells, page_matrix_cell(v, &(struct matrix_cell){x->run, x->row,
                                                                   rank_cell_of(x->row, x->run->columns.v[i].member)}));
    return cells;
}

static bool is_alike(const struct rank_run *run, const struct rank_row *row)
{
    return row->classes <= 1 && row->cells.n == run->matrix.members.n && !row->divergence;
}

struct matrix_rows {
    VEC(struct matrix_row) list; /* in which ranks differ */
    size_t alike;                /* the others */
};

static struct matrix_rows matrix_rows_of(const struct view *v, const struct rank_run *run)
{
    struct matrix_rows rows = {.alike = 0};

    for (const struct rank_row *row = run->matrix.first; row; row = row->next)
        if (is_alike(run, row))
            rows.alike++;
        else
            vec_push(v->scratch, &rows.list, ((struct matrix_row){run, row}));
    return rows;
}

static json_t *columns_of(const struct view *v, const struct rank_run *run)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < run->columns.n && i < PAGE_COLUMNS_MAX; i++)
        json_push(list,
                  json_of_str(rank_list_words(v->scratch, run->columns.v[i].ranks.v, run->columns.v[i].ranks.n)));
    return list;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static json_t *both_sides(const struct view *v, const struct hang *h)
{
    json_t *sides = json_new_array();

    json_push(sides, page_hang_side(v, &h->majority));
    json_push(sides, page_hang_side(v, &h->minority));
    return sides;
}

#define SKEW_SHOWN_US 1000000ll

/* "[0/1]", "nothing more" */
static struct str ran(const struct view *v, const struct execution_side *side)
{
    if (side->ended)
        return arena_printf(v->scratch, "nothing more: %.*s in all",
                            STR_ARG(format_counted(v->scratch, side->length, "graph", "graphs")));
    return side->compile ? STR("") : STR("a graph without a compile id");
}

static size_t causes_of(const struct rank_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->divergences.n; i++)
        n += !run->divergences.v[i]->follows;
    return n;
}

static bool is_about_jobs(enum message_code code)
{
    return code == MSG_JOBS_SEPARATED || code == MSG_JOBS_MIXED || code == MSG_DUMP_AMBIGUOUS ||
           code == MSG_RANK_CONFLICT || code == MSG_FILE_REPEATED;
}

/* How simultaneous jobs were separated, or that they could not be, which readers must not miss. */
static json_t *jobs_of(const struct view *v)
{
    json_t *list = json_new_array();

    vec_each(const struct message, m, &v->run->messages) if (is_about_jobs(m->code))
        json_push(list, json_of_str(arena_printf(v->scratch, "%s %.*s%s", message_infos[m->code].meaning,
                                                 STR_ARG(m->text), m->text.n ? "." : "")));
    return list;
}

#include "view/page_rows.h"

#include "view/sections/ranks.def"
