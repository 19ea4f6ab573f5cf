/* Findings, graph breaks, recompiles and errors. */
#include "view/page.h"

#include "view/format.h"

static json_t *links(const struct view *v, const struct compile *const *list, size_t n)
{
    json_t *o = json_new_object(), *shown = json_new_array();

    for (size_t i = 0; i < n && i < PAGE_EVIDENCE_MAX; i++)
        json_push(shown, page_link(v, list[i]));
    json_put(o, "list", shown);
    json_put(o, "more", n > PAGE_EVIDENCE_MAX ? json_of_i64((int64_t)(n - PAGE_EVIDENCE_MAX)) : json_null());
    return o;
}

static bool several_ranks(const struct view *v)
{
    return v->answers->counts.ranks > 1;
}

static json_t *rank_of(const struct view *v, int rank)
{
    return several_ranks(v) ? view_rank(rank) : json_null();
}

/* Only addresses that are safe to follow become links. */
static json_t *safe_url(struct str url)
{
    return str_starts(url, STR("https://")) || str_starts(url, STR("http://")) ? json_of_str(url) : json_null();
}

json_t *page_finding(const struct view *v, const struct finding *x)
{
    json_t *o = json_new_object(), *costs = json_new_array();

    if (x->cost_us > 0)
        json_push(costs, json_of_str(format_duration_us(v->scratch, x->cost_us)));
    if (x->cost_compiles)
        json_push(costs, json_of_str(format_counted(v->scratch, x->cost_compiles, "compile", "compiles")));
    if (x->cost_breaks)
        json_push(costs, json_of_str(format_counted(v->scratch, x->cost_breaks, "break", "breaks")));
    json_put_str(o, "id", x->id);
    json_put_str(o, "severity", str_of(finding_severity_name(x->severity)));
    json_put(o, "title", page_words(x->title));
    json_put(o, "detail", page_words(x->detail));
    json_put(o, "costs", costs);
    json_put(o, "ranks", several_ranks(v) ? view_text(format_ranks(v->scratch, x->ranks.v, x->ranks.n)) : json_null());
    json_put(o, "place", page_place(v, x->file, x->line));
    json_put(o, "source", view_text(str_trim(x->source)));
    json_put(o, "fix", page_words(x->fix));
    json_put(o, "paste", page_text(v, x->paste));
    json_put(o, "doc", safe_url(x->doc));
    json_put(o, "evidence", links(v, x->compiles.v, x->compiles.n));
    return o;
}

json_t *page_break(const struct view *v, const struct break_group *g)
{
    const struct graph_break *b = g->sample;
    json_t *o = json_new_object(), *hints = json_new_array();
    const struct compile **met = ARENA_ARRAY(v->scratch, const struct compile *, g->members.n);

    for (size_t i = 0; i < g->members.n; i++)
        met[i] = g->members.v[i]->compile;
    for (size_t i = 0; i < b->hints.n && i < PAGE_REASONS_MAX; i++)
        json_push(hints, page_words(b->hints.v[i]));
    json_put_str(o, "count", format_count(v->scratch, g->members.n));
    json_put(o, "type", page_words(b->type));
    json_put(o, "gb_id", view_text(b->gb_id));
    json_put(o, "url", safe_url(b->url));
    json_put(o, "rank", rank_of(v, g->rank));
    json_put(o, "place", page_place(v, b->file, b->line));
    json_put(o, "function", view_text(b->function));
    json_put(o, "own", g->own ? page_place(v, g->own->file, g->own->line) : json_null());
    json_put(o, "own_source", g->own ? view_text(str_trim(g->own->source)) : json_null());
    json_put(o, "source", view_text(str_trim(g->source)));
    json_put(o, "explanation", page_words(b->explanation));
    json_put(o, "context", page_text(v, b->context));
    json_put(o, "hints", hints);
    json_put(o, "reason", b->explanation.n ? json_null() : page_text(v, b->reason));
    json_put_bool(o, "restarted", b->restarted);
    json_put_bool(o, "inferred", b->origin != BREAK_FROM_RECORD && b->origin != BREAK_FROM_EXPLAIN);
    json_put(o, "met", links(v, met, g->members.n));
    json_put(o, "resumes", g->resumes.n ? links(v, g->resumes.v, g->resumes.n) : json_null());
    json_put(o, "stack", page_stack(v, b->stack));
    return o;
}

static json_t *page_reason(const struct view *v, const struct guard_reason *g)
{
    json_t *o = json_new_object();

    json_put(o, "against",
             g->against.n ? json_of_str(arena_printf(v->scratch, "[%.*s]", STR_ARG(g->against))) : json_null());
    json_put(o, "words", page_words(g->words));
    json_put(o, "guard", page_text(v, g->guard));
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
    json_put_i64(o, "others", rc->reasons.n > 1 ? (int64_t)rc->reasons.n - 1 : 0);
    json_put(o, "reasons", reasons);
    json_put_bool(o, "limit_hit", rc->compile->limit_hit);
    return o;
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
    json_put(o, "first", f->compiles.v[0]->id.compile == 0 ? page_link(v, f->compiles.v[0]) : json_null());
    json_put_str(o, "count", format_counted(v->scratch, chain->list.n, "recompile", "recompiles"));
    json_put_str(o, "duration", format_duration_us(v->scratch, chain->duration_us));
    json_put_bool(o, "limit", chain->limit != NULL);
    json_put(o, "class", chain->sample ? json_of_str(str_of(guard_class_title(chain->class))) : json_null());
    json_put(o, "steps", steps);
    json_put(o, "hidden", page_hidden(v, chain->list.n, PAGE_STEPS_MAX));
    return o;
}

json_t *page_error(const struct view *v, const struct error *e)
{
    const struct failure *f = e->failure;
    struct str message = f->message, first = str_trim(str_split(&message, '\n'));
    json_t *o = json_new_object(), *next = json_new_array();

    for (const char *const *step = error_next_steps(e->category); *step; step++)
        json_push(next, page_words(str_of(*step)));
    json_put(o, "type", page_text(v, f->type));
    json_put(o, "first_line", page_text(v, first));
    json_put(o, "rest", page_text(v, str_trim(message)));
    json_put_str(o, "category", str_of(error_category_title(e->category)));
    json_put_str(o, "stage", str_of(error_stage_title(e->stage)));
    json_put_bool(o, "backward", f->where == FAILED_BACKWARD);
    json_put_bool(o, "silent", e->silent);
    json_put(o, "rank", rank_of(v, f->compile->process->rank));
    json_put(o, "link", page_link(v, f->compile));
    json_put(o, "place", page_place(v, e->own_file, e->own_line));
    json_put(o, "stack", page_stack(v, e->stack));
    json_put(o, "traceback", f->traceback ? page_payload(v, f->traceback) : json_null());
    json_put(o, "next", next);
    return o;
}
