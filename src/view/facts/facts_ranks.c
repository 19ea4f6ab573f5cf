/* Facts about ranks: which there are, and where they diverge. */
#include "view/view.h"

/* --- where they diverge ------------------------------------------------------------------------------------------- */

/* "ranks 0-2: compiled `f`; rank 3: did not compile it" */
static struct str detail_of(const struct view *v, const struct divergence *d)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < d->groups.n; i++) {
        const struct rank_group *g = &d->groups.v[i];

        if (g->did.n)
            out = arena_printf(v->scratch, "%.*s%s%.*s %.*s", STR_ARG(out), out.n ? "; " : "",
                               STR_ARG(rank_list_words(v->scratch, g->ranks.v, g->ranks.n)), STR_ARG(g->did));
    }
    return out;
}

static json_t *sides_fact(const struct view *v, const struct divergence *d)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < d->groups.n; i++) {
        const struct rank_group *g = &d->groups.v[i];
        json_t *o = json_new_object();

        json_put(o, "ranks", view_ranks(g->ranks.v, g->ranks.n));
        json_put(o, "compile", g->cell ? view_id(v, g->cell->compile) : json_null());
        json_put(o, "did", view_text(g->did));
        json_put(o, "file", view_text(g->file));
        json_put(o, "line", view_line(g->line));
        json_push(list, o);
    }
    return list;
}

static json_t *also_fact(const struct divergence *d)
{
    json_t *list = json_new_array();

    for (int k = 0; k < DIVERGENCE_KINDS; k++)
        if (d->also >> k & 1)
            json_push(list, json_of_str(str_of(divergence_kind_name((enum divergence_kind)k))));
    return list;
}

/* Where it stands in the list of all runs. */
static json_t *number_of(const struct view *v, const struct divergence *d)
{
    int64_t number = 0;

    for (size_t i = 0; d && i < v->answers->ranks.runs.n; i++) {
        const struct rank_run *run = v->answers->ranks.runs.v[i];

        for (size_t k = 0; k < run->divergences.n; k++, number++)
            if (run->divergences.v[k] == d)
                return json_of_i64(number);
    }
    return json_null();
}

static json_t *divergence_fact(const struct view *v, const struct divergence *d)
{
    json_t *o = json_new_object(), *groups = json_new_array();

    for (size_t i = 0; i < d->groups.n; i++)
        json_push(groups, view_ranks(d->groups.v[i].ranks.v, d->groups.v[i].ranks.n));
    json_put_str(o, "kind", str_of(divergence_kind_name(d->kind)));
    json_put_i64(o, "run", d->run);
    json_put(o, "compile", view_id(v, d->compile));
    json_put(o, "groups", groups);
    json_put(o, "detail", view_text(detail_of(v, d)));
    json_put(o, "cause", view_text(d->cause));
    json_put(o, "file", view_text(d->file));
    json_put(o, "line", view_line(d->line));
    json_put(o, "sides", sides_fact(v, d));
    json_put(o, "also", also_fact(d));
    json_put(o, "follows", number_of(v, d->follows));
    json_put_bool(o, "weak", d->benign);
    return o;
}

/* Of the program, or benign ones. */
static json_t *divergences_fact(const struct view *v, bool benign)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->answers->ranks.runs.n; i++) {
        const struct rank_run *run = v->answers->ranks.runs.v[i];
        size_t n = benign ? run->differences.n : run->divergences.n;

        for (size_t k = 0; k < n; k++)
            json_push(list, divergence_fact(v, benign ? run->differences.v[k] : run->divergences.v[k]));
    }
    return list;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static void put_call(json_t *o, const struct collective_call *c)
{
    json_put(o, "op", view_text(c->op));
    json_put(o, "reduction", view_text(c->reduction));
    json_put(o, "group", view_text(c->group));
    json_put(o, "dtype", view_text(c->dtype));
    json_put(o, "shape", view_text(c->shape));
    json_put(o, "file", view_text(c->file));
    json_put(o, "line", view_line(c->line));
    json_put(o, "from_line", view_line(c->from_line));
}

static json_t *hang_side_fact(const struct view *v, const struct hang_side *side)
{
    json_t *o = json_new_object();

    json_put(o, "ranks", view_ranks(side->ranks.v, side->ranks.n));
    json_put(o, "compile", side->compile ? view_id(v, side->compile) : json_null());
    put_call(o, &side->call);
    return o;
}

static json_t *hang_fact(const struct view *v, const struct hang *h)
{
    json_t *o, *sides;

    if (!h)
        return json_null();
    o = json_new_object();
    sides = json_new_array();
    json_push(sides, hang_side_fact(v, &h->majority));
    json_push(sides, hang_side_fact(v, &h->minority));
    json_put_bool(o, "certain", h->certain);
    json_put_bool(o, "ran", h->ran);
    json_put_i64(o, "before", (int64_t)h->before);
    json_put(o, "sides", sides);
    return o;
}

static json_t *times_fact(const struct rank_times *t)
{
    json_t *o = json_new_object();

    json_put(o, "median_s", view_seconds_us(t->median_us));
    json_put(o, "slowest", view_rank(t->slowest));
    json_put(o, "slowest_s", view_seconds_us(t->slowest_us));
    json_put(o, "last", view_rank(t->last));
    json_put(o, "start_skew_s", view_seconds_us(t->skew_us));
    return o;
}

/* Of a run; NULL: of all processes. */
static json_t *parities_fact(const struct view *v, const struct rank_run *run)
{
    json_t *list = json_new_array();

    vec_each(const struct parity, p, &v->answers->ranks.parities)
    {
        json_t *o;

        if (run && p->compile->process->group != run->group)
            continue;
        o = view_compile_ref(v, p->compile);
        json_put_i64(o, "scheduled", (int64_t)p->scheduled);
        json_put_i64(o, "emitted", (int64_t)p->emitted);
        json_put_i64(o, "offset", (int64_t)p->offset);
        json_put_i64(o, "scheduled_waits", (int64_t)p->scheduled_waits);
        json_put_i64(o, "waits", (int64_t)p->waits);
        json_push(list, o);
    }
    return list;
}

static json_t *estimates_fact(const struct view *v, const struct rank_run *run)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < run->estimates.list.n; i++) {
        const struct estimate *e = &run->estimates.list.v[i];
        json_t *o = json_new_object();

        json_put(o, "compile", view_id(v, e->compile));
        json_put_i64(o, "graph", e->graph);
        json_put_i64(o, "ranks", e->ranks);
        json_put_i64(o, "fastest", e->fastest);
        json_put_i64(o, "fastest_ns", e->fastest_ns);
        json_put_i64(o, "slowest", e->slowest);
        json_put_i64(o, "slowest_ns", e->slowest_ns);
        json_put_i64(o, "median_ns", e->median_ns);
        json_put_i64(o, "spread_ns", e->spread_ns);
        json_push(list, o);
    }
    return list;
}

static json_t *execution_fact(const struct view *v, const struct execution *e)
{
    json_t *o, *sides;

    if (!e)
        return json_null();
    o = json_new_object();
    sides = json_new_array();
    for (size_t i = 0; i < e->sides.n; i++) {
        const struct execution_side *side = &e->sides.v[i];
        json_t *s = json_new_object();

        json_put(s, "ranks", view_ranks(side->ranks.v, side->ranks.n));
        json_put(s, "compile", side->compile ? view_id(v, side->compile) : json_null());
        json_put_bool(s, "ended", side->ended);
        json_put_i64(s, "length", (int64_t)side->length);
        json_push(sides, s);
    }
    json_put_i64(o, "before", (int64_t)e->at);
    json_put(o, "sides", sides);
    return o;
}

static json_t *step_fact(const struct view *v, const struct rank_step *s)
{
    json_t *o;

    if (!s)
        return json_null();
    o = json_new_object();
    json_put(o, "compile", view_id(v, s->compile));
    put_call(o, s->call);
    return o;
}

enum { DIFF_CALLS_MAX = 100, DIFF_HUNKS_MAX = 100 };

static json_t *steps_fact(const struct view *v, const struct rank_step *const *steps, size_t n)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < n && i < DIFF_CALLS_MAX; i++)
        json_push(list, step_fact(v, steps[i]));
    return list;
}

static json_t *hunk_fact(const struct view *v, const struct diff_hunk *h)
{
    json_t *o = json_new_object();

    json_put_i64(o, "equal", (int64_t)h->equal);
    json_put_i64(o, "most_calls", (int64_t)h->majority.n);
    json_put_i64(o, "other_calls", (int64_t)h->minority.n);
    json_put(o, "most", steps_fact(v, h->majority.v, h->majority.n));
    json_put(o, "other", steps_fact(v, h->minority.v, h->minority.n));
    json_put(o, "meets", step_fact(v, h->meets));
    return o;
}

static json_t *diffs_fact(const struct view *v, const struct rank_run *run)
{
    json_t *list = json_new_array();

    vec_each(const struct schedule_diff, d, &run->schedules.list)
    {
        json_t *o = json_new_object(), *hunks = json_new_array();

        for (size_t i = 0; i < d->hunks.n && i < DIFF_HUNKS_MAX; i++)
            json_push(hunks, hunk_fact(v, &d->hunks.v[i]));
        json_put(o, "most", view_ranks(d->majority.v, d->majority.n));
        json_put(o, "other", view_ranks(d->minority.v, d->minority.n));
        json_put_i64(o, "most_calls", (int64_t)d->majority_calls);
        json_put_i64(o, "other_calls", (int64_t)d->minority_calls);
        json_put_i64(o, "equal", (int64_t)d->equal);
        json_put_i64(o, "equal_after", (int64_t)d->equal_after);
        json_put_bool(o, "coarse", d->coarse);
        json_put_i64(o, "hunk_count", (int64_t)d->hunks.n);
        json_put(o, "hunks", hunks);
        json_push(list, o);
    }
    return list;
}

static json_t *size_or_null(uint64_t size)
{
    return size ? json_of_i64((int64_t)size) : json_null();
}

/* How each run was compared. */
static json_t *runs_fact(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->answers->ranks.runs.n; i++) {
        const struct rank_run *run = v->answers->ranks.runs.v[i];
        json_t *o = json_new_object(), *columns = json_new_array();

        for (size_t k = 0; k < run->columns.n; k++)
            json_push(columns, view_ranks(run->columns.v[k].ranks.v, run->columns.v[k].ranks.n));
        json_put_i64(o, "run", run->group);
        json_put_i64(o, "compiles", run->matrix.rows);
        json_put_i64(o, "diverging", run->diverging);
        json_put_i64(o, "differing", run->differing);
        json_put_str(o, "verdict", rank_run_verdict(v->scratch, run));
        json_put(o, "alike", columns);
        json_put_i64(o, "left_out", run->matrix.left_out);
        json_put(o, "world_size", size_or_null(run->roster->world_size));
        json_put(o, "hang", hang_fact(v, run->hang));
        json_put(o, "schedules", diffs_fact(v, run));
        json_put_i64(o, "schedule_count", (int64_t)run->schedules.count);
        json_put(o, "times", times_fact(&run->times));
        json_put(o, "schedule_mismatches", parities_fact(v, run));
        json_put(o, "execution", execution_fact(v, run->execution));
        json_put(o, "estimates", estimates_fact(v, run));
        json_push(list, o);
    }
    return list;
}

/* The ranks of all runs together, ascending; absent ones are those that some run lacks. */
static json_t *all_ranks(const struct view *v, bool absent)
{
    const struct ranks *r = &v->answers->ranks;
    VEC(int) all = {0};

    for (size_t i = 0; i < r->rosters.n; i++) {
        const struct rank_roster *roster = r->rosters.v[i];
        size_t n = absent ? roster->absent.n : roster->present.n;

        for (size_t k = 0; k < n; k++)
            vec_push(v->scratch, &all, absent ? roster->absent.v[k] : roster->present.v[k]);
    }
    return view_ranks(all.v, rank_list_sort(all.v, all.n));
}

json_t *fact_ranks(const struct view *v)
{
    json_t *o = json_new_object();
    const struct ranks *r = &v->answers->ranks;
    size_t n = r->rosters.n;

    json_put(o, "world_size", size_or_null(n ? r->rosters.v[n - 1]->world_size : 0));
    json_put(o, "present", all_ranks(v, false));
    json_put(o, "absent", n ? all_ranks(v, true) : json_null());
    json_put_bool(o, "compared", r->compared);
    json_put(o, "first_divergence", r->first ? divergence_fact(v, r->first) : json_null());
    json_put(o, "divergences", r->compared ? divergences_fact(v, false) : json_null());
    json_put(o, "differences", r->compared ? divergences_fact(v, true) : json_null());
    json_put(o, "schedule_mismatches", parities_fact(v, NULL));
    json_put(o, "runs", runs_fact(v));
    json_put(o, "flight_recorders", fact_flights(v));
    return o;
}
