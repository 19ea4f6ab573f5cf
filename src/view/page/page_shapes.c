/* Dynamic shapes: symbols, guards on them, specializations, and what makes an export unsound. */
#include "view/page.h"
#include "view/page_objects.h"

#include "util/utf8.h"
#include "view/facts/facts.h"
#include "view/format.h"

enum { SYMBOL_ROWS_MAX = 2000, CALL_ROWS_MAX = 200, STEP_DEPTH_MAX = 24 };

struct fixed_size {
    const struct compile *compile;
    const struct specialization *specialization;
};

struct size_guard {
    const struct compile *compile;
    const struct shape_guard *guard;
};

/*
 * The user's own line; one without a place if the stack only has calls of PyTorch and Python. A call with a lost file
 * name may be the user's.
 */
static const struct call *own_line(const struct call *stack)
{
    static const struct call nowhere;
    const struct call *own = stack_user_call(stack);

    return own && (!is_framework_file(own->file) || str_starts(own->file, STR("<str "))) ? own : &nowhere;
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

static const char *issue_title(enum export_issue_kind k)
{
    static const char *const titles[] = {"no fake kernel", "wrong fake kernel", "depends on data",
                                         "example value assumed", "only true for the example"};

    return titles[k];
}

/* All calls, including PyTorch's own, to show where export asked. */
static json_t *export_calls(const struct view *v, const struct call *innermost)
{
    json_t *list = json_new_array();

    for (const struct call *c = innermost; c && json_array_size(list) < CALL_ROWS_MAX; c = c->parent)
        json_push(list, page_call(v, c));
    return list;
}

/* Whether the record has more than its row. */
static bool has_details(const struct export_issue *e)
{
    return e->locals.n || e->steps.n || e->stack;
}

static json_t *symbol_rows(const struct view *v, const struct compile *c)
{
    json_t *rows = json_new_array();

    for (size_t i = 0; i < c->symbols.n && i < PAGE_ITEMS_MAX; i++)
        json_push(rows, page_symbol(v, &(struct symbol_of_compile){c, &c->symbols.v[i]}));
    return rows;
}

/* What all compiles have. */
struct shape_lists {
    VEC(struct symbol_of_compile) symbols;
    VEC(struct fixed_size) fixed;
    VEC(struct size_guard) guards;
    VEC(struct export_issue_of_compile) issues;
    uint64_t hidden, expressions, repeated;
};

/* Whether another row fits after n; counts those that do not. */
static bool has_room(size_t n, uint64_t *hidden)
{
    *hidden += n >= SYMBOL_ROWS_MAX;
    return n < SYMBOL_ROWS_MAX;
}

static void add_compile(struct arena *a, struct shape_lists *l, const struct compile *c)
{
    vec_each(const struct symbol, s, &c->symbols) if (has_room(l->symbols.n, &l->hidden))
        vec_push(a, &l->symbols, ((struct symbol_of_compile){c, s}));
    vec_each(const struct specialization, s, &c->specializations) if (has_room(l->fixed.n, &l->hidden))
        vec_push(a, &l->fixed, ((struct fixed_size){c, s}));
    vec_each(const struct shape_guard, g, &c->shape_guards) if (has_room(l->guards.n, &l->hidden))
        vec_push(a, &l->guards, ((struct size_guard){c, g}));
    vec_each(const struct export_issue, e, &c->export_issues) if (has_room(l->issues.n, &l->hidden))
        vec_push(a, &l->issues, ((struct export_issue_of_compile){c, e}));
    l->expressions += c->expressions;
}

static struct shape_lists shape_lists_of(const struct view *v)
{
    struct shape_lists l = {.hidden = 0};
    const struct compile *c;

    for (struct compile_walk w = {.run = v->run}; (c = compile_next(&w));)
        if (page_is_repeated(v, c))
            l.repeated += c->symbols.n || c->specializations.n || c->shape_guards.n || c->export_issues.n;
        else
            add_compile(v->scratch, &l, c);
    return l;
}

#include "view/page_rows.h"

#include "view/sections/shapes.def"
