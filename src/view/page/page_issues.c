/* Graph breaks, recompiles and errors: the evidence for findings. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/errors/error_words.h"
#include "analysis/steps/error_steps.h"
#include "view/evidence.h"
#include "view/format.h"

/* "3"; empty without several ranks. */
static struct str rank_of(const struct view *v, int rank)
{
    return view_has_ranks(v) && rank != RANK_UNKNOWN ? arena_printf(v->scratch, "%d", rank) : STR("");
}

static struct str anchor_of(const struct view *v, const void *thing)
{
    return page_evidence_anchor(v->scratch, evidence_entry(v->evidence, thing));
}

/* The compiles that hit a break and those of its resume functions, over all ranks. */
struct break_compiles {
    VEC(const struct compile *) met, resumes;
    VEC(int) ranks;
};

static struct break_compiles break_compiles_of(const struct view *v, const struct break_place *p)
{
    struct break_compiles all = {.ranks = {0}};

    for (size_t i = 0; i < p->groups.n; i++) {
        const struct break_group *g = p->groups.v[i];

        for (size_t k = 0; k < g->members.n; k++)
            vec_push(v->scratch, &all.met, g->members.v[k]->compile);
        for (size_t k = 0; k < g->resumes.n; k++)
            vec_push(v->scratch, &all.resumes, g->resumes.v[k]);
        if (g->rank != RANK_UNKNOWN)
            vec_push(v->scratch, &all.ranks, g->rank);
    }
    all.ranks.n = rank_list_sort(all.ranks.v, all.ranks.n);
    return all;
}

/* Some words already contain the guard; a backtick in it would end the code. */
static bool is_in_words(const struct guard_reason *g)
{
    return str_has(g->words, g->guard) && str_chr(g->guard, '`') < 0;
}

static json_t *other_reasons(const struct view *v, const struct recompile *rc)
{
    json_t *list = json_new_array();

    for (size_t i = 1; i < rc->reasons.n && i <= PAGE_REASONS_MAX; i++)
        json_push(list, page_reason(v, &rc->reasons.v[i]));
    return list;
}

/* Empty if the trace does not say. */
static struct str took(const struct view *v, const struct compile *c)
{
    int64_t start, duration;

    return compile_interval(c, &start, &duration) ? format_duration_us(v->scratch, duration) : STR("");
}

struct str page_chain_anchor(struct arena *a, const struct frame *f)
{
    return arena_printf(a, "again-%.*s", STR_ARG(page_anchor(a, f->compiles.v[0])));
}

static json_t *next_steps(const struct view *v, const struct error *e)
{
    json_t *list = json_new_array();
    struct error_steps steps;

    error_next_steps(v->scratch, v->run, e, &steps);
    vec_each(const struct error_step, step, &steps.list)
        json_push(list, page_words(error_step_text(v->scratch, step)));
    return list;
}

#include "view/page_rows.h"

#include "view/sections/issues.def"
