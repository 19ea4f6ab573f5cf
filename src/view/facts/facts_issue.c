/* Facts about what went wrong, and about caches and symbols. */
#include "analysis/errors/error_steps.h"
#include "text/messages/break_text.h"
#include "view/cache_keys.h"
#include "view/view.h"

/* The ids alone, and beside them what distinguishes equal ids. */
struct compile_lists {
    json_t *ids, *refs;
};

static void list_compile(const struct view *v, struct compile_lists *to, const struct compile *c)
{
    json_push(to->ids, view_id(v, c));
    json_push(to->refs, view_compile_ref(v, c));
}

static json_t *paste_place(const struct paste *p)
{
    json_t *o = json_new_object();

    json_put(o, "file", view_text(p->file));
    json_put(o, "line", view_line(p->line));
    json_put(o, "words", view_text(p->where));
    return o;
}

static json_t *spots_of(const struct finding *x)
{
    json_t *list = json_new_array();

    vec_each(const struct finding_spot, spot, &x->spots)
    {
        json_t *o = json_new_object();

        json_put(o, "file", view_text(spot->file));
        json_put(o, "line", view_line(spot->line));
        json_put(o, "source", view_text(spot->source));
        json_put_i64(o, "count", (int64_t)spot->count);
        json_push(list, o);
    }
    return list;
}

static json_t *tried_of(const struct finding *x)
{
    json_t *o;

    if (!x->tried)
        return json_null();
    o = json_new_object();
    json_put_str(o, "outcome", str_of(fix_outcome_name(x->tried->outcome)));
    json_put_bool(o, "verified", fix_is_verified(x->tried));
    json_put(o, "measured", view_text(x->tried->measured));
    json_put(o, "trial", view_text(x->tried->trial));
    return o;
}

json_t *fact_finding(const struct view *v, const struct finding *x)
{
    json_t *o = json_new_object(), *cost = json_new_object(), *ranks = json_new_array();
    struct compile_lists compiles = {json_new_array(), json_new_array()};

    vec_each(const int, rank, &x->ranks) json_push(ranks, json_of_i64(*rank));
    json_put(cost, "seconds", x->cost_us > 0 ? view_seconds_us(x->cost_us) : json_null());
    json_put(cost, "compiles", x->cost_compiles ? json_of_i64((int64_t)x->cost_compiles) : json_null());
    json_put(cost, "graph_breaks", x->cost_breaks ? json_of_i64((int64_t)x->cost_breaks) : json_null());
    json_put(cost, "ranks", x->cost_ranks ? json_of_i64((int64_t)x->cost_ranks) : json_null());
    /* What has no compile id cannot be referred to. */
    for (size_t i = 0; i < x->compiles.n; i++)
        if (!compile_id_is_none(x->compiles.v[i]->id))
            list_compile(v, &compiles, x->compiles.v[i]);
    json_put_str(o, "id", x->id);
    json_put_str(o, "severity", str_of(finding_severity_name(x->severity)));
    json_put_str(o, "title", x->title);
    json_put(o, "detail", view_text(x->detail));
    json_put(o, "cost", cost);
    json_put(o, "rank", view_rank(x->rank));
    json_put(o, "ranks", ranks);
    json_put(o, "compiles", compiles.ids);
    json_put(o, "compile_refs", compiles.refs);
    json_put(o, "file", view_text(x->file));
    json_put(o, "line", view_line(x->line));
    json_put(o, "source", view_text(x->source));
    json_put(o, "fix", view_text(x->fix));
    json_put(o, "paste", view_text(x->paste.text));
    json_put(o, "paste_kind", view_text(str_of(paste_kind_name(x->paste.kind))));
    json_put(o, "paste_at", paste_place(&x->paste));
    json_put(o, "tried", tried_of(x));
    json_put(o, "follows_from", view_text(x->follows_from ? x->follows_from->id : (struct str){0}));
    json_put(o, "spots", spots_of(x));
    json_put(o, "doc", view_text(x->doc));
    return o;
}

static const char *origin_name(enum break_origin origin)
{
    static const char *const names[] = {"record", "restart_reason", "failure", "explain", "resume_function"};

    return names[origin];
}

json_t *fact_break(const struct view *v, const struct break_group *g)
{
    const struct graph_break *b = g->sample;
    json_t *o = json_new_object(), *hints = json_new_array(), *resumes = json_new_array();
    struct compile_lists compiles = {json_new_array(), json_new_array()};

    vec_each(const struct str, h, &b->hints) json_push(hints, json_of_str(*h));
    for (size_t i = 0; i < g->members.n; i++)
        list_compile(v, &compiles, g->members.v[i]->compile);
    for (size_t i = 0; i < g->resumes.n; i++)
        json_push(resumes, view_compile_ref(v, g->resumes.v[i]));
    json_put(o, "rank", view_rank(g->rank));
    json_put_i64(o, "run", b->compile->process->group);
    json_put(o, "type", view_text(b->type));
    json_put(o, "gb_id", view_text(b->gb_id));
    json_put(o, "reason", view_text(b->reason));
    json_put(o, "explanation", view_text(b->explanation));
    json_put(o, "hints", hints);
    json_put(o, "context", view_text(b->context));
    json_put(o, "url", view_text(b->url));
    json_put(o, "file", view_text(b->file));
    json_put(o, "line", view_line(b->line));
    json_put(o, "function", view_text(b->function));
    json_put(o, "source", view_text(g->source));
    json_put(o, "own_file", view_text(g->own ? g->own->file : b->file));
    json_put(o, "own_line", view_line(g->own ? g->own->line : b->line));
    json_put_i64(o, "count", (int64_t)g->members.n);
    json_put_bool(o, "restarted", b->restarted);
    json_put_str(o, "told_by", str_of(origin_name(b->origin)));
    json_put(o, "compiles", compiles.ids);
    json_put(o, "compile_refs", compiles.refs);
    json_put(o, "resumes", resumes);
    json_put(o, "stack", view_stack(v, b->stack));
    return o;
}

static json_t *reason_fact(const struct guard_reason *g)
{
    json_t *o = json_new_object();

    json_put(o, "against", view_text(g->against));
    json_put(o, "text", view_text(g->guard));
    json_put_str(o, "class", str_of(guard_class_name(g->class)));
    json_put(o, "source", view_text(g->source));
    json_put(o, "expected", view_text(g->expected));
    json_put(o, "actual", view_text(g->actual));
    json_put_str(o, "words", g->words);
    json_put_bool(o, "could_be_dynamic", g->could_be_dynamic);
    json_put(o, "file", view_text(g->user_file));
    json_put(o, "line", view_line(g->user_line));
    return o;
}

json_t *fact_recompile(const struct view *v, const struct recompile *rc)
{
    const struct compile *c = rc->compile;
    json_t *o = view_scope(c), *reasons = json_new_array(), *frame = json_new_object();

    vec_each(const struct guard_reason, g, &rc->reasons) json_push(reasons, reason_fact(g));
    json_put(frame, "name", view_text(c->frame->name));
    json_put(frame, "file", view_text(c->frame->file));
    json_put(frame, "line", view_line(c->frame->line));
    json_put(o, "compile", view_id(v, c));
    json_put(o, "frame", frame);
    json_put(o, "reasons", reasons);
    json_put_bool(o, "limit_hit", c->limit_hit);
    json_put(o, "duration_s", view_seconds_us(rc->duration_us));
    return o;
}

static const char *where_name(enum failure_where w)
{
    static const char *const names[FAILED_PLACES] = {"forward", "backward", "runtime", "program"};

    return names[w];
}

/* What the message of a graph break says in its parts; null when it is none. */
static json_t *break_of_message(const struct view *v, struct str message)
{
    struct break_text t = {0};
    json_t *o, *hints;

    break_message_parse(v->scratch, message, &t);
    if (t.gb_id.n == 0 && t.explanation.n == 0)
        return json_null();
    o = json_new_object();
    hints = json_new_array();
    vec_each(const struct str, h, &t.hints) json_push(hints, json_of_str(*h));
    json_put(o, "type", view_text(t.type));
    json_put(o, "gb_id", view_text(t.gb_id));
    json_put(o, "explanation", view_text(t.explanation));
    json_put(o, "hints", hints);
    json_put(o, "context", view_text(t.context));
    json_put(o, "url", view_text(t.url));
    return o;
}

json_t *fact_error(const struct view *v, const struct error *e)
{
    const struct failure *f = e->failure;
    json_t *o = view_scope(f->compile), *next = json_new_array();
    struct error_steps steps;

    error_next_steps(v->scratch, v->run->experiment, e, &steps);
    vec_each(const struct str, step, &steps.list) json_push(next, json_of_str(*step));
    json_put(o, "compile", view_id(v, f->compile));
    json_put_str(o, "category", str_of(error_category_name(e->category)));
    json_put_str(o, "stage", str_of(error_stage_name(e->stage)));
    json_put_str(o, "where", str_of(where_name(f->where)));
    json_put(o, "type", view_text(f->type));
    json_put(o, "message", view_text(f->message));
    json_put(o, "graph_break", break_of_message(v, f->message));
    json_put(o, "file", view_text(e->own_file));
    json_put(o, "line", view_line(e->own_line));
    json_put(o, "source", view_text(e->own_source));
    json_put_bool(o, "silent", e->silent);
    json_put(o, "stack", view_stack(v, e->stack));
    json_put(o, "next", next);
    return o;
}

/* {"against": "0/0", "components": ["gm", …]}; null when there is nothing to compare the key with. */
static json_t *key_changes(const struct view *v, const struct cache_event *e)
{
    const struct key_changes *changes = view_key_changes(v, e);
    json_t *o, *names;

    if (!changes->against)
        return json_null();
    o = json_new_object();
    names = json_new_array();
    vec_each(const struct key_change, change, &changes->list) json_push(names, view_text(change->name));
    json_put(o, "against", view_id(v, changes->against->compile));
    json_put(o, "components", names);
    return o;
}

json_t *fact_cache(const struct view *v, const struct cache_event *e)
{
    json_t *o = view_scope(e->compile);

    json_put(o, "compile", view_id(v, e->compile));
    json_put_str(o, "layer", str_of(cache_layer_name(e->layer)));
    json_put_str(o, "outcome", str_of(cache_outcome_name(e->outcome)));
    json_put(o, "key", view_text(e->key));
    json_put(o, "reason", view_text(e->reason));
    json_put(o, "saved_s", view_seconds_us(e->saved_us));
    json_put(o, "key_changes", key_changes(v, e));
    return o;
}

json_t *fact_symbol(const struct view *v, const struct compile *c, const struct symbol *s)
{
    const struct call *own = stack_user_call(s->user_stack);
    json_t *o = view_scope(c);

    json_put(o, "compile", view_id(v, c));
    json_put(o, "symbol", view_text(s->name));
    json_put(o, "source", view_text(s->source));
    json_put(o, "hint", view_text(s->hint));
    json_put(o, "range", view_text(s->range));
    json_put_bool(o, "unbacked", s->unbacked);
    json_put(o, "specialized_to", view_text(s->specialized_to));
    json_put(o, "file", view_text(own ? own->file : (struct str){0}));
    json_put(o, "line", view_line(own ? own->line : 0));
    json_put(o, "stack", view_stack(v, s->user_stack));
    return o;
}

static json_t *locals_of(const struct export_issue *e)
{
    json_t *list = json_new_array();

    vec_each(const struct export_local, l, &e->locals)
    {
        json_t *o = json_new_object();

        json_put_str(o, "name", l->name);
        json_put_str(o, "value", l->value);
        json_push(list, o);
    }
    return list;
}

static json_t *steps_of(const struct export_issue *e)
{
    json_t *list = json_new_array();

    vec_each(const struct expression_step, s, &e->steps)
    {
        const struct call *own = stack_user_call(s->user_stack);
        json_t *o = json_new_object();

        json_put_i64(o, "depth", s->depth);
        json_put(o, "method", view_text(s->method));
        json_put(o, "arguments", view_text(s->arguments));
        json_put(o, "result", view_text(s->result));
        json_put(o, "file", view_text(own ? own->file : (struct str){0}));
        json_put(o, "line", view_line(own ? own->line : 0));
        json_push(list, o);
    }
    return list;
}

json_t *fact_export_issue(const struct view *v, const struct compile *c, const struct export_issue *e)
{
    const struct call *own = stack_user_call(e->user_stack);
    json_t *o = view_scope(c);

    json_put(o, "compile", view_id(v, c));
    json_put_str(o, "kind", str_of(export_issue_name(e->kind)));
    json_put(o, "op", view_text(e->op));
    json_put(o, "text", view_text(e->text));
    json_put(o, "result", view_text(e->result));
    json_put(o, "symbols", view_text(e->symbols));
    json_put(o, "file", view_text(own ? own->file : (struct str){0}));
    json_put(o, "line", view_line(own ? own->line : 0));
    json_put(o, "locals", locals_of(e));
    json_put(o, "expression", steps_of(e));
    json_put(o, "stack", view_stack(v, e->user_stack));
    json_put(o, "framework_stack", view_stack(v, e->stack));
    return o;
}
