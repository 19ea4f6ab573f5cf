/* Dynamic shapes: symbols, guards on them, specializations, and what makes an export unsound. */
#include "view/page.h"

#include "util/utf8.h"
#include "view/format.h"

enum { SYMBOL_ROWS_MAX = 2000, CALL_ROWS_MAX = 200, STEP_DEPTH_MAX = 24 };

/*
 * The user's own line; nothing if the stack only has calls of PyTorch and Python. A call with a lost file name may be
 * the user's.
 */
static void put_line(const struct view *v, json_t *o, const struct call *stack)
{
    const struct call *own = stack_user_call(stack);

    if (own && is_framework_file(own->file) && !str_starts(own->file, STR("<str ")))
        own = NULL;
    json_put(o, "place", own ? page_place(v, own->file, own->line) : json_null());
    json_put(o, "code", own ? view_text(str_trim(own->source)) : json_null());
}

static json_t *symbol_row(const struct view *v, const struct compile *c, const struct symbol *s)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "symbol", s->name);
    json_put(o, "source", page_text(v, s->source));
    json_put(o, "hint", page_text(v, s->hint));
    json_put(o, "range", page_text(v, s->range));
    json_put_bool(o, "unbacked", s->unbacked);
    json_put(o, "fixed", page_text(v, s->specialized_to));
    put_line(v, o, s->user_stack);
    return o;
}

/* Reasons that PyTorch identifies by the place in its code. */
static struct str reason_words(struct str reason)
{
    static const struct {
        struct str name, words;
    } reasons[] = {
        {STR_INIT("range_refined_to_singleton"), STR_INIT("a condition left only this value")},
        {STR_INIT("find"), STR_INIT("equal to another size that is fixed")},
    };

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (str_eq(reason, reasons[i].name))
            return reasons[i].words;
    return reason;
}

static json_t *specialization_row(const struct view *v, const struct compile *c, const struct specialization *s)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "symbol", s->symbol);
    json_put(o, "source", page_text(v, s->source));
    json_put(o, "value", page_text(v, s->value));
    json_put(o, "reason", page_text(v, reason_words(s->reason)));
    put_line(v, o, s->user_stack);
    return o;
}

static json_t *shape_guard_row(const struct view *v, const struct compile *c, const struct shape_guard *g)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "expr", utf8_cut(g->expr, 600));
    json_put(o, "prefix", view_text(g->prefix));
    put_line(v, o, g->user_stack);
    return o;
}

static const char *issue_title(enum export_issue_kind k)
{
    static const char *const titles[] = {"no fake kernel", "wrong fake kernel", "depends on data",
                                         "example value assumed", "only true for the example"};

    return titles[k];
}

static json_t *local_rows(const struct view *v, const struct export_issue *e)
{
    json_t *list = json_new_array();

    vec_each(const struct export_local, l, &e->locals)
    {
        json_t *o = json_new_object();

        json_put(o, "name", page_text(v, l->name));
        json_put(o, "value", page_text(v, l->value));
        json_push(list, o);
    }
    return list;
}

/* Rows of a table, indented by level. */
static json_t *step_rows(const struct view *v, const struct export_issue *e)
{
    json_t *list = json_new_array();

    vec_each(const struct expression_step, s, &e->steps)
    {
        json_t *o = json_new_object();

        json_put_i64(o, "depth", s->depth < STEP_DEPTH_MAX ? s->depth : STEP_DEPTH_MAX);
        json_put(o, "result", page_text(v, s->result));
        json_put(o, "method", page_text(v, s->method));
        json_put(o, "arguments", page_text(v, s->arguments));
        put_line(v, o, s->user_stack);
        json_push(list, o);
    }
    return list;
}

/* All calls, including PyTorch's own, to show where export asked. */
static json_t *call_rows(const struct view *v, const struct call *innermost)
{
    json_t *list = json_new_array();
    size_t n = 0;

    for (const struct call *c = innermost; c && n < CALL_ROWS_MAX; c = c->parent, n++) {
        json_t *o = json_new_object();

        json_put(o, "function", page_text(v, c->function));
        json_put(o, "place", page_place(v, c->file, c->line));
        json_push(list, o);
    }
    return list;
}

/* null if the record has no more than its row. */
static json_t *export_details(const struct view *v, const struct export_issue *e)
{
    json_t *o;

    if (e->locals.n == 0 && e->steps.n == 0 && !e->stack)
        return json_null();
    o = json_new_object();
    json_put_bool(o, "any_locals", e->locals.n > 0);
    json_put(o, "locals", local_rows(v, e));
    json_put_bool(o, "any_steps", e->steps.n > 0);
    json_put(o, "steps", step_rows(v, e));
    json_put(o, "symbols", page_text(v, e->symbols));
    json_put_bool(o, "any_calls", e->stack != NULL);
    json_put(o, "calls", call_rows(v, e->stack));
    return o;
}

static json_t *export_row(const struct view *v, const struct compile *c, const struct export_issue *e)
{
    json_t *o = json_new_object();

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "kind", str_of(issue_title(e->kind)));
    json_put(o, "op", page_text(v, e->op));
    json_put(o, "text", page_text(v, e->text));
    json_put(o, "result", page_text(v, e->result));
    json_put(o, "symbols", page_text(v, e->symbols));
    json_put(o, "details", export_details(v, e));
    put_line(v, o, e->user_stack);
    return o;
}

/* Whether another row fits; counts those that do not. */
static bool has_room(const json_t *list, uint64_t *hidden)
{
    bool room = json_array_size(list) < SYMBOL_ROWS_MAX;

    *hidden += !room;
    return room;
}

json_t *page_shapes(const struct view *v)
{
    json_t *o = json_new_object(), *symbols = json_new_array(), *fixed = json_new_array(), *guards = json_new_array(),
           *issues = json_new_array();
    const struct compile *c;
    uint64_t hidden = 0, expressions = 0, repeated = 0;

    for (struct compile_walk w = {.run = v->run}; (c = compile_next(&w));) {
        if (page_is_repeated(v, c)) {
            repeated += c->symbols.n || c->specializations.n || c->shape_guards.n || c->export_issues.n;
            continue;
        }
        vec_each(const struct symbol, s, &c->symbols) if (has_room(symbols, &hidden))
            json_push(symbols, symbol_row(v, c, s));
        vec_each(const struct specialization, s, &c->specializations) if (has_room(fixed, &hidden))
            json_push(fixed, specialization_row(v, c, s));
        vec_each(const struct shape_guard, g, &c->shape_guards) if (has_room(guards, &hidden))
            json_push(guards, shape_guard_row(v, c, g));
        vec_each(const struct export_issue, e, &c->export_issues) if (has_room(issues, &hidden))
            json_push(issues, export_row(v, c, e));
        expressions += c->expressions;
    }
    json_put_bool(
        o, "any",
        json_array_size(symbols) + json_array_size(fixed) + json_array_size(guards) + json_array_size(issues) > 0);
    json_put_bool(o, "traced", v->answers->counts.traced);
    json_put_bool(o, "any_symbols", json_array_size(symbols) > 0);
    json_put_bool(o, "any_fixed", json_array_size(fixed) > 0);
    json_put_bool(o, "any_guards", json_array_size(guards) > 0);
    json_put_bool(o, "any_issues", json_array_size(issues) > 0);
    json_put(o, "symbols", symbols);
    json_put(o, "fixed", fixed);
    json_put(o, "guards", guards);
    json_put(o, "issues", issues);
    json_put(o, "expressions",
             expressions ? json_of_str(format_counted(v->scratch, expressions, "symbolic expression was",
                                                      "symbolic expressions were"))
                         : json_null());
    json_put(o, "same", repeated ? page_repeated(v, repeated, "compile", "compiles") : json_null());
    json_put(o, "hidden", hidden ? json_of_i64((int64_t)hidden) : json_null());
    return o;
}

json_t *page_symbols(const struct view *v, const struct compile *c)
{
    json_t *o, *rows;

    if (c->symbols.n == 0)
        return json_null();
    o = json_new_object();
    rows = json_new_array();
    for (size_t i = 0; i < c->symbols.n && i < PAGE_ITEMS_MAX; i++)
        json_push(rows, symbol_row(v, c, &c->symbols.v[i]));
    json_put_str(o, "count", format_counted(v->scratch, c->symbols.n, "symbol", "symbols"));
    json_put(o, "rows", rows);
    json_put(o, "more", page_hidden(v, c->symbols.n, PAGE_ITEMS_MAX));
    return o;
}
