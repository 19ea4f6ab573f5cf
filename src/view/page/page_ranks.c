/* Processes and ranks: which there are, where ranks diverge, and the matrix of what each group of them did. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"

enum {
    PAGE_DIVERGENCES_MAX = 40, /* of one run, as stories */
    PAGE_COLUMNS_MAX = 24,     /* columns of the matrix: 1,024 ranks are either a few groups, or all different */
    PAGE_MATRIX_ROWS_MAX = 300,
    PAGE_RUNS_MAX = 20
};

/* --- processes ---------------------------------------------------------------------------------------------------- */

static json_t *process_row(const struct view *v, const struct process *p)
{
    json_t *o = json_new_object();
    uint64_t breaks = 0, recompiles = 0, errors = 0;

    for (size_t i = 0; i < p->compiles.n; i++) {
        breaks += p->compiles.v[i]->breaks.n;
        recompiles += compile_is_recompile(p->compiles.v[i]);
        errors += p->compiles.v[i]->failures.n;
    }
    json_put(o, "rank", view_rank(p->rank));
    json_put(o, "pid", p->pid ? json_of_i64((int64_t)p->pid) : json_null());
    json_put_i64(o, "run", p->group + 1);
    json_put_str(o, "file", str_file_name(p->input->path));
    json_put_str(o, "path", p->input->path);
    json_put_str(o, "start",
                 p->first_us ? format_moment_plain(v->scratch, p, p->first_us - (p->zone_known ? p->zone_us : 0))
                             : STR("-"));
    json_put_str(o, "compiles", format_count(v->scratch, p->compiles.n));
    json_put_str(o, "breaks", format_count(v->scratch, breaks));
    json_put_str(o, "recompiles", format_count(v->scratch, recompiles));
    json_put_str(o, "errors", format_count(v->scratch, errors));
    json_put_str(o, "wall", format_duration_us(v->scratch, v->answers->timing.process_wall_us[p->index]));
    return o;
}

/* "rank 1 is", for the first run that lacks a rank. */
static json_t *absent_ranks(const struct view *v)
{
    const struct ranks *r = &v->answers->ranks;

    for (size_t i = 0; i < r->rosters.n; i++) {
        const struct rank_roster *roster = r->rosters.v[i];

        if (roster->absent.n)
            return json_of_str(arena_printf(v->scratch, "%.*s %s",
                                            STR_ARG(rank_list_words(v->scratch, roster->absent.v, roster->absent.n)),
                                            roster->absent.n == 1 ? "is" : "are"));
    }
    return json_null();
}

/* --- the story ---------------------------------------------------------------------------------------------------- */

static json_t *side_of(const struct view *v, const struct rank_group *g)
{
    const struct compile *c = rank_group_compile(g);
    json_t *o = json_new_object();

    json_put_str(o, "ranks", rank_list_words(v->scratch, g->ranks.v, g->ranks.n));
    json_put(o, "link", c ? page_link(v, c) : json_null());
    json_put(o, "did", g->did.n ? page_words(g->did) : json_null());
    json_put(o, "place", page_place(v, g->file, g->line));
    return o;
}

static json_t *also_of(const struct view *v, const struct divergence *d)
{
    struct str out = {"", 0};

    for (int k = 0; k < DIVERGENCE_KINDS; k++)
        if (d->also >> k & 1)
            out = arena_printf(v->scratch, "%.*s%s%s", STR_ARG(out), out.n ? ", " : "",
                               divergence_kind_title((enum divergence_kind)k));
    return view_text(out);
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

/* {from, to, name, of} for the first two artifacts with the same name that differ; null if there are none. */
static json_t *two_of(const struct view *v, const struct rank_group *a, const struct rank_group *b, struct str name)
{
    const struct artifact *from = NULL, *to = NULL;
    json_t *o;

    if (!page_find_pair(v, rank_group_compile(a), rank_group_compile(b), name, &from, &to))
        return json_null();
    o = json_new_object();
    json_put_str(o, "from", page_artifact_anchor(v->scratch, from));
    json_put_str(o, "to", page_artifact_anchor(v->scratch, to));
    json_put_str(o, "name", name);
    json_put_str(o, "of", arena_printf(v->scratch, "ranks %d and %d", a->ranks.v[0], b->ranks.v[0]));
    return o;
}

/* Compares what most ranks have with what the outlier has. */
static json_t *compare_of(const struct view *v, const struct divergence *d)
{
    const struct rank_group *usual = &d->groups.v[d->outlier == 0 && d->groups.n > 1 ? 1 : 0];
    json_t *found = json_null();

    for (size_t i = 0; i < sizeof shown_by / sizeof *shown_by && json_is_null(found); i++)
        if (shown_by[i].kind == d->kind)
            found = two_of(v, usual, &d->groups.v[d->outlier], artifact_name(shown_by[i].artifact));
    return found;
}

static json_t *story_of(const struct view *v, const struct divergence *d)
{
    json_t *o = json_new_object(), *sides = json_new_array();

    for (size_t i = 0; i < d->groups.n && i < PAGE_COLUMNS_MAX; i++)
        json_push(sides, side_of(v, &d->groups.v[i]));
    json_put(o, "title",
             page_words(arena_printf(v->scratch, "%.*s: %s", STR_ARG(function_of(v, d->compile)),
                                     divergence_kind_title(d->kind))));
    json_put(o, "link", page_link(v, d->compile));
    json_put_str(o, "groups", format_counted(v->scratch, d->groups.n, "group", "groups"));
    json_put_bool(o, "first", d == v->answers->ranks.first);
    json_put(o, "sides", sides);
    json_put_str(o, "hidden_sides", page_hidden(v, d->groups.n, PAGE_COLUMNS_MAX));
    json_put(o, "compare", compare_of(v, d));
    json_put(o, "cause", d->cause.n ? page_words(d->cause) : json_null());
    json_put(o, "also", also_of(v, d));
    json_put(o, "follows", d->follows ? page_link(v, d->follows->compile) : json_null());
    return o;
}

/* For divergences in the program, or for benign ones. */
static json_t *stories_of(const struct view *v, const struct rank_run *run, bool benign)
{
    struct divergence *const *stories = benign ? run->differences.v : run->divergences.v;
    size_t n = benign ? run->differences.n : run->divergences.n;
    json_t *list = json_new_array();

    for (size_t i = 0; i < n && i < PAGE_DIVERGENCES_MAX; i++)
        json_push(list, story_of(v, stories[i]));
    return list;
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

static json_t *matrix_cell(const struct view *v, const struct rank_run *run, const struct rank_row *row,
                           const struct rank_cell *cell)
{
    json_t *o = json_new_object();
    char letter = '-';

    if (cell)
        letter = (char)(cell->class > 26 ? '+' : 'A' + (int)cell->class - 1);
    json_put_str(o, "letter", arena_printf(v->scratch, "%c", letter));
    json_put_i64(o, "color", color_of(run, row, cell));
    json_put(o, "href",
             cell && view_shown(v, cell->compile) ? json_of_str(page_anchor(v->scratch, cell->compile)) : json_null());
    json_put_str(o, "what", cell ? page_status_word(cell->compile) : STR("not compiled"));
    return o;
}

static json_t *matrix_row(const struct view *v, const struct rank_run *run, const struct rank_row *row)
{
    const struct compile *c = row->cells.v[0]->compile;
    json_t *o = json_new_object(), *cells = json_new_array();

    for (size_t i = 0; i < run->columns.n && i < PAGE_COLUMNS_MAX; i++)
        json_push(cells, matrix_cell(v, run, row, rank_cell_of(row, run->columns.v[i].member)));
    json_put(o, "name", page_words(function_of(v, c)));
    json_put_str(o, "id", arena_printf(v->scratch, "[%.*s]", STR_ARG(compile_id_print(v->scratch, c->id))));
    json_put(o, "place", page_place(v, c->frame->file, c->frame->line));
    json_put(o, "cells", cells);
    return o;
}

static bool is_alike(const struct rank_run *run, const struct rank_row *row)
{
    return row->classes <= 1 && row->cells.n == run->matrix.members.n && !row->divergence;
}

/* Rows in which ranks differ; the others are only counted. */
static json_t *matrix_of(const struct view *v, const struct rank_run *run)
{
    json_t *o = json_new_object(), *columns = json_new_array(), *rows = json_new_array();
    size_t shown = 0, alike = 0;

    for (size_t i = 0; i < run->columns.n && i < PAGE_COLUMNS_MAX; i++)
        json_push(columns,
                  json_of_str(rank_list_words(v->scratch, run->columns.v[i].ranks.v, run->columns.v[i].ranks.n)));
    for (const struct rank_row *row = run->matrix.first; row; row = row->next) {
        alike += is_alike(run, row);
        if (!is_alike(run, row) && shown++ < PAGE_MATRIX_ROWS_MAX)
            json_push(rows, matrix_row(v, run, row));
    }
    json_put(o, "columns", columns);
    json_put_str(o, "hidden_columns", page_hidden(v, run->columns.n, PAGE_COLUMNS_MAX));
    json_put(o, "rows", rows);
    json_put_str(o, "hidden_rows", page_hidden(v, shown, PAGE_MATRIX_ROWS_MAX));
    json_put(o, "alike",
             alike ? json_of_str(format_counted(v->scratch, alike, shown ? "other compile" : "compile",
                                                shown ? "other compiles" : "compiles"))
                   : json_null());
    json_put_bool(o, "one_alike", alike == 1);
    json_put_bool(o, "any", shown > 0);
    return o;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static json_t *hang_side(const struct view *v, const struct hang_side *side)
{
    json_t *o = json_new_object();

    json_put_str(o, "ranks", rank_list_words(v->scratch, side->ranks.v, side->ranks.n));
    json_put(o, "call", side->compile ? page_words(collective_words(v->scratch, &side->call)) : json_null());
    json_put(o, "link", side->compile ? page_link(v, side->compile) : json_null());
    json_put(o, "place", page_place(v, side->call.file, side->call.line));
    return o;
}

static json_t *hang_of(const struct view *v, const struct hang *h)
{
    json_t *o, *sides;

    if (!h)
        return json_null();
    o = json_new_object();
    sides = json_new_array();
    json_push(sides, hang_side(v, &h->majority));
    json_push(sides, hang_side(v, &h->minority));
    json_put(o, "sides", sides);
    json_put_bool(o, "certain", h->certain);
    json_put_str(o, "before", format_counted(v->scratch, h->before, "collective", "collectives"));
    return o;
}

#define SKEW_SHOWN_US 1000000ll

static json_t *times_of(const struct view *v, const struct rank_times *t)
{
    struct str median, longest;
    json_t *o;

    if (t->median_us < 0 || t->slowest_us < 0)
        return json_null();
    median = format_duration_us(v->scratch, t->median_us);
    longest = format_duration_us(v->scratch, t->slowest_us);
    o = json_new_object();
    json_put_str(o, "median", median);
    json_put_i64(o, "slowest", t->slowest);
    json_put(o, "longest", str_eq(median, longest) ? json_null() : json_of_str(longest));
    json_put(o, "skew",
             t->skew_us >= SKEW_SHOWN_US ? json_of_str(format_duration_us(v->scratch, t->skew_us)) : json_null());
    json_put_i64(o, "last", t->last);
    return o;
}

/* "[0/1]", "nothing more" */
static struct str ran(const struct view *v, const struct execution_side *side)
{
    if (side->ended)
        return arena_printf(v->scratch, "nothing more: %.*s in all",
                            STR_ARG(format_counted(v->scratch, side->length, "graph", "graphs")));
    return side->compile ? STR("") : STR("a graph without a compile id");
}

static json_t *execution_of(const struct view *v, const struct execution *e)
{
    json_t *o, *sides;

    if (!e)
        return json_null();
    o = json_new_object();
    sides = json_new_array();
    for (size_t i = 0; i < e->sides.n && i < PAGE_COLUMNS_MAX; i++) {
        json_t *side = json_new_object();

        json_put_str(side, "ranks", rank_list_words(v->scratch, e->sides.v[i].ranks.v, e->sides.v[i].ranks.n));
        json_put(side, "link", e->sides.v[i].compile ? page_link(v, e->sides.v[i].compile) : json_null());
        json_put_str(side, "ran", ran(v, &e->sides.v[i]));
        json_push(sides, side);
    }
    json_put_str(o, "before", format_counted(v->scratch, e->at, "graph", "graphs"));
    json_put(o, "sides", sides);
    return o;
}

enum { PAGE_ESTIMATES_MAX = 20 };

static json_t *estimate_of(const struct view *v, const struct estimate *e)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, e->compile));
    json_put_i64(o, "graph", e->graph + 1);
    json_put_i64(o, "fastest", e->fastest);
    json_put_str(o, "fastest_time", format_duration_ns(v->scratch, e->fastest_ns));
    json_put_i64(o, "slowest", e->slowest);
    json_put_str(o, "slowest_time", format_duration_ns(v->scratch, e->slowest_ns));
    json_put_str(o, "median", format_duration_ns(v->scratch, e->median_ns));
    json_put_str(o, "spread", format_duration_ns(v->scratch, e->spread_ns));
    return o;
}

static json_t *estimates_of(const struct view *v, const struct rank_run *run)
{
    json_t *o = json_new_object(), *rows = json_new_array();

    for (size_t i = 0; i < run->estimates.list.n && i < PAGE_ESTIMATES_MAX; i++)
        json_push(rows, estimate_of(v, &run->estimates.list.v[i]));
    json_put_bool(o, "any", run->estimates.list.n > 0);
    json_put(o, "rows", rows);
    json_put_str(o, "hidden", page_hidden(v, run->estimates.list.n, PAGE_ESTIMATES_MAX));
    return o;
}

static size_t causes_of(const struct rank_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->divergences.n; i++)
        n += !run->divergences.v[i]->follows;
    return n;
}

static json_t *run_of(const struct view *v, const struct rank_run *run)
{
    json_t *o = json_new_object();
    size_t n = run->matrix.members.n;

    json_put(o, "number", v->run->groups > 1 ? json_of_i64((int64_t)run->group + 1) : json_null());
    json_put_str(o, "ranks", format_counted(v->scratch, n, "rank", "ranks"));
    json_put_str(o, "compiles", format_counted(v->scratch, run->matrix.rows, "compile", "compiles"));
    json_put_bool(o, "same", run->divergences.n == 0);
    json_put(o, "verdict", page_words(rank_run_verdict(v->scratch, run)));
    json_put_str(o, "diverging", format_count(v->scratch, run->diverging));
    json_put_str(o, "causes", format_counted(v->scratch, causes_of(run), "divergence", "divergences"));
    json_put(o, "left_out",
             run->matrix.left_out
                 ? json_of_str(format_counted(v->scratch, run->matrix.left_out, "process", "processes"))
                 : json_null());
    json_put(o, "hang", hang_of(v, run->hang));
    json_put(o, "schedules", page_schedules(v, run));
    json_put_str(o, "hidden_schedules", page_hidden(v, run->schedules.count, run->schedules.list.n));
    json_put(o, "times", times_of(v, &run->times));
    json_put(o, "execution", execution_of(v, run->execution));
    json_put(o, "estimates", estimates_of(v, run));
    json_put(o, "stories", stories_of(v, run, false));
    json_put_str(o, "hidden_stories", page_hidden(v, run->diverging, PAGE_DIVERGENCES_MAX));
    json_put(o, "differences", stories_of(v, run, true));
    json_put_bool(o, "differ", run->differences.n > 0);
    json_put_str(o, "differing", format_counted(v->scratch, run->differing, "compile", "compiles"));
    json_put_str(o, "hidden_differences", page_hidden(v, run->differing, PAGE_DIVERGENCES_MAX));
    json_put(o, "matrix", matrix_of(v, run));
    return o;
}

static json_t *runs_of(const struct view *v)
{
    const struct ranks *r = &v->answers->ranks;
    json_t *list = json_new_array();

    for (size_t i = 0; i < r->runs.n && i < PAGE_RUNS_MAX; i++)
        json_push(list, run_of(v, r->runs.v[i]));
    return list;
}

enum { OPEN_ROWS = 64 }; /* more processes are in a list that the reader can open */

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

json_t *page_ranks(const struct view *v)
{
    json_t *o = json_new_object(), *rows = json_new_array();

    for (size_t i = 0; i < v->run->processes.n && i < PAGE_ROWS_MAX; i++)
        json_push(rows, process_row(v, v->run->processes.v[i]));
    json_put_str(o, "hidden", page_hidden(v, v->run->processes.n, PAGE_ROWS_MAX));
    json_put_bool(o, "ranked", format_ranks_of(v->scratch, v->run).n > 0);
    json_put(o, "absent", absent_ranks(v));
    json_put_bool(o, "several_runs", v->run->groups > 1);
    json_put(o, "jobs", jobs_of(v));
    json_put(o, "runs", runs_of(v));
    json_put(o, "flights", page_flights(v));
    json_put_str(o, "hidden_runs", page_hidden(v, v->answers->ranks.runs.n, PAGE_RUNS_MAX));
    if (v->run->processes.n > OPEN_ROWS)
        json_put_str(o, "many", format_counted(v->scratch, v->run->processes.n, "process", "processes"));
    json_put(o, "rows", rows);
    return o;
}
