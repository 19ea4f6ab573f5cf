/* Graph breaks, recompiles and errors: the evidence for findings. */
#include "view/page.h"

#include "analysis/errors/error_steps.h"
#include "analysis/errors/error_words.h"
#include "view/evidence.h"
#include "view/format.h"

static json_t *rank_of(const struct view *v, int rank)
{
    return view_has_ranks(v) ? view_rank(rank) : json_null();
}

static json_t *hints_of(const struct graph_break *b)
{
    json_t *o, *list;

    if (b->hints.n == 0)
        return json_null();
    o = json_new_object();
    list = json_new_array();
    for (size_t i = 0; i < b->hints.n && i < PAGE_REASONS_MAX; i++)
        json_push(list, page_words(b->hints.v[i]));
    json_put(o, "list", list);
    return o;
}

/* The user's line first; if the break is inside a function that it calls, that place, too. */
static void put_places(const struct view *v, json_t *o, const struct break_group *g)
{
    const struct graph_break *b = g->sample;

    json_put(o, "place", g->own ? page_place(v, g->own->file, g->own->line) : page_place(v, b->file, b->line));
    json_put(o, "source", view_text(str_trim(g->own ? g->own->source : g->source)));
    json_put(o, "function", view_text(g->own ? g->own->function : b->function));
    json_put(o, "inside", g->own ? page_place(v, b->file, b->line) : json_null());
    json_put(o, "inside_function", g->own ? view_text(b->function) : json_null());
}

/* The compiles that hit it and those of its resume functions, over all ranks. */
static void put_compiles(const struct view *v, json_t *o, const struct break_place *p)
{
    VEC(const struct compile *) met = {0}, resumes = {0};
    VEC(int) ranks = {0};

    for (size_t i = 0; i < p->groups.n; i++) {
        const struct break_group *g = p->groups.v[i];

        for (size_t k = 0; k < g->members.n; k++)
            vec_push(v->scratch, &met, g->members.v[k]->compile);
        for (size_t k = 0; k < g->resumes.n; k++)
            vec_push(v->scratch, &resumes, g->resumes.v[k]);
        if (g->rank != RANK_UNKNOWN)
            vec_push(v->scratch, &ranks, g->rank);
    }
    json_put_str(o, "count", format_count(v->scratch, met.n));
    json_put(o, "met", page_link_list(v, met.v, met.n, 0));
    json_put(o, "resumes", resumes.n ? page_link_list(v, resumes.v, resumes.n, 0) : json_null());
    ranks.n = rank_list_sort(ranks.v, ranks.n);
    json_put(o, "ranks", view_has_ranks(v) ? view_text(rank_list_words(v->scratch, ranks.v, ranks.n)) : json_null());
}

json_t *page_break(const struct view *v, const struct break_place *p)
{
    const struct break_group *g = p->first;
    const struct graph_break *b = g->sample;
    json_t *o = json_new_object();

    json_put(o, "type", page_words(b->type));
    json_put(o, "gb_id", view_text(b->gb_id));
    json_put_str(o, "url", page_url(b->url));
    json_put(o, "explanation", page_words(b->explanation));
    json_put(o, "context", page_text(v, b->context));
    json_put(o, "hints", hints_of(b));
    json_put(o, "reason", b->explanation.n || b->hints.n ? json_null() : page_text(v, b->reason));
    json_put_bool(o, "restarted", b->restarted);
    json_put_bool(o, "inferred", b->origin != BREAK_FROM_RECORD && b->origin != BREAK_FROM_EXPLAIN);
    json_put(o, "stack", page_stack(v, b->stack));
    json_put(o, "anchor", json_of_str(page_evidence_anchor(v->scratch, evidence_entry(v->evidence, p))));
    json_put(o, "findings", page_entry_findings(v, p));
    json_put_bool(o, "only", v->answers->breaks.places.n == 1);
    put_places(v, o, g);
    put_compiles(v, o, p);
    return o;
}

/* Some words already contain the guard; a backtick in it would end the code. */
static bool is_in_words(const struct guard_reason *g)
{
    return str_has(g->words, g->guard) && str_chr(g->guard, '`') < 0;
}

static json_t *page_reason(const struct view *v, const struct guard_reason *g)
{
    json_t *o = json_new_object();

    json_put(o, "against",
             g->against.n ? json_of_str(arena_printf(v->scratch, "[%.*s]", STR_ARG(g->against))) : json_null());
    json_put(o, "words", page_words(g->words));
    json_put(o, "guard", is_in_words(g) ? json_null() : page_text(v, g->guard));
    json_put_str(o, "class", str_of(guard_class_title(g->class)));
    json_put_bool(o, "could_be_dynamic", g->could_be_dynamic);
    json_put(o, "user_code", page_text(v, g->user_code));
    json_put(o, "place", page_place(v, g->user_file, g->user_line));
    return o;
}

/* One recompile of a chain: the first reason decides, the others are shown below it. */
static json_t *page_step(const struct view *v, const struct recompile *rc)
{
    json_t *o = json_new_object(), *reasons = json_new_array();

    for (size_t i = 1; i < rc->reasons.n && i <= PAGE_REASONS_MAX; i++)
        json_push(reasons, page_reason(v, &rc->reasons.v[i]));
    json_put(o, "link", page_link(v, rc->compile));
    json_put_str(o, "duration", format_duration_us(v->scratch, rc->duration_us));
    json_put(o, "first", rc->reasons.n ? page_reason(v, &rc->reasons.v[0]) : json_null());
    json_put_bool(o, "several", rc->reasons.n > 1);
    json_put_str(o, "others",
                 format_counted(v->scratch, rc->reasons.n - (rc->reasons.n > 0), "more reason", "more reasons"));
    json_put(o, "reasons", reasons);
    json_put_bool(o, "limit_hit", rc->compile->limit_hit);
    json_put(o, "guards", view_text(page_guards_anchor(v, rc->compile)));
    return o;
}

/* The compile that the others were added to. */
static json_t *first_step(const struct view *v, const struct compile *c)
{
    int64_t start, duration;
    json_t *o = page_link(v, c);

    json_put(o, "duration",
             compile_interval(c, &start, &duration) ? json_of_str(format_duration_us(v->scratch, duration))
                                                    : json_null());
    return o;
}

struct str page_chain_anchor(struct arena *a, const struct frame *f)
{
    return arena_printf(a, "again-%.*s", STR_ARG(page_anchor(a, f->compiles.v[0])));
}

json_t *page_chain(const struct view *v, const struct recompile_chain *chain)
{
    const struct frame *f = chain->frame;
    json_t *o = json_new_object(), *steps = json_new_array();

    for (size_t i = 0; i < chain->list.n && i < PAGE_STEPS_MAX; i++)
        json_push(steps, page_step(v, chain->list.v[i]));
    json_put_str(o, "frame", format_frame(v->scratch, f));
    json_put(o, "place", page_place(v, f->file, f->line));
    json_put(o, "rank", rank_of(v, f->process->rank));
    json_put(o, "anchor", json_of_str(page_chain_anchor(v->scratch, f)));
    json_put(o, "first", f->compiles.v[0]->id.compile == 0 ? first_step(v, f->compiles.v[0]) : json_null());
    json_put_str(o, "count", format_counted(v->scratch, chain->list.n, "recompile", "recompiles"));
    json_put_str(o, "duration", format_duration_us(v->scratch, chain->duration_us));
    json_put_bool(o, "limit", chain->limit != NULL);
    json_put_bool(o, "open", chain->limit || v->answers->recompiles.chains.n == 1);
    json_put(o, "findings", page_entry_findings(v, chain));
    json_put(o, "class", chain->sample ? json_of_str(str_of(guard_class_title(chain->class))) : json_null());
    json_put(o, "steps", steps);
    json_put_str(o, "hidden", page_hidden(v, chain->list.n, PAGE_STEPS_MAX));
    return o;
}

json_t *page_error(const struct view *v, const struct error *e)
{
    const struct failure *f = e->failure;
    struct str headline = error_headline(v->scratch, f), message = str_trim(f->message);
    json_t *o = json_new_object(), *next = json_new_array();
    struct error_steps steps;

    error_next_steps(v->scratch, v->run, e, &steps);
    vec_each(const struct error_step, step, &steps.list)
        json_push(next, page_words(error_step_text(v->scratch, step)));
    json_put(o, "type", page_text(v, f->type));
    json_put(o, "headline", page_text(v, headline));
    json_put(o, "message", str_eq(message, headline) ? json_null() : page_text(v, message));
    json_put_str(o, "category", str_of(error_category_title(e->category)));
    json_put_str(o, "stage", str_of(error_stage_title(e->stage)));
    json_put_bool(o, "backward", f->where == FAILED_BACKWARD);
    json_put_bool(o, "silent", e->silent);
    json_put(o, "rank", rank_of(v, f->compile->process->rank));
    json_put(o, "link", page_link(v, f->compile));
    json_put(o, "place", page_place(v, e->own_file, e->own_line));
    json_put(o, "source", view_text(e->own_source));
    json_put(o, "stack", page_stack(v, e->stack));
    json_put(o, "traceback", f->traceback ? page_payload(v, f->traceback) : json_null());
    json_put(o, "next", next);
    json_put(o, "anchor", json_of_str(page_evidence_anchor(v->scratch, evidence_entry(v->evidence, e))));
    json_put(o, "findings", page_entry_findings(v, e));
    json_put_bool(o, "only", v->answers->errors.list.n == 1);
    return o;
}
