/*
 * What torch.export records about symbolic shapes (torch/export/_draft_export.py): why the exported program is
 * unsound.
 */
#include "trace/kinds.h"

#include "util/utf8.h"

/* --- expressions -------------------------------------------------------------------------------------------------- */

/*
 * Each step of symbolic arithmetic is a record: {"method": "gt", "arguments": ["u2", "2"], "argument_ids": [1],
 * "result": "u2 > 2", "result_id": 2}. Only the steps that lead to a recorded problem are kept in the model.
 */
struct expression {
    struct str method, arguments, result;
    VEC(int64_t) from; /* ids of the arguments that are expressions themselves */
    const struct call *user_stack;
};

enum {
    EXPRESSIONS_MAX = 100000, /* per process */
    OPERANDS_MAX = 32,
    STEPS_MAX = 60, /* per expression */
    DEPTH_MAX = 16,
    LOCALS_MAX = 50,
    LOCAL_TEXT_MAX = 500
};

/* NULL at the limit. Python reuses the id of an object that is gone, so the newest expression of an id counts. */
static struct expression *new_expression(struct record *rec, const char *id_name)
{
    struct map *all = &rec->state->expressions;
    struct arena *a = rec->reading->arena;
    struct expression *e;
    void **slot;
    int64_t id;

    if (!record_i64(rec, rec->value, id_name, &id) || all->n >= EXPRESSIONS_MAX)
        return NULL;
    slot = map_at_copy(all, MAP_KEY(id));
    e = *slot ? *slot : ARENA_NEW(a, struct expression);
    *slot = e;
    *e = (struct expression){.user_stack = record_stack(rec, rec->value, "user_stack")};
    return e;
}

void add_unbacked_expression(struct record *rec)
{
    struct expression *e = new_expression(rec, "node_id");

    if (e)
        e->result = record_name(rec, rec->value, "symbol");
}

/* "u2, 2" */
static struct str join_arguments(struct record *rec)
{
    struct buf b = {0};
    struct str out;
    json_t *list;
    size_t i;
    const json_t *v;

    if (!record_list(rec, rec->value, "arguments", &list))
        return (struct str){0};
    json_array_foreach(list, i, v) if (json_is_string(v) && b.n <= LIMIT_NAME)
        buf_printf(&b, "%s%.*s", b.n ? ", " : "", STR_ARG(json_str(v)));
    out = record_intern(rec, buf_view(&b));
    buf_free(&b);
    return out;
}

void apply_expression_created(struct record *rec)
{
    struct expression *e = new_expression(rec, "result_id");
    json_t *ids, *id;
    size_t i;

    rec->compile->expressions++;
    if (!e)
        return;
    e->method = record_name(rec, rec->value, "method");
    e->arguments = join_arguments(rec);
    e->result = record_any(rec, rec->value, "result");
    if (!record_list(rec, rec->value, "argument_ids", &ids))
        return;
    json_array_foreach(ids, i, id) if (json_is_integer(id) && e->from.n < OPERANDS_MAX)
        vec_push(rec->reading->arena, &e->from, json_integer_value(id));
}

struct waiting {
    int64_t id;
    uint32_t depth;
};

/* The steps that lead to an expression: first the expression itself, then those it is made of, one level deeper. */
static void add_steps(struct record *rec, struct export_issue *issue)
{
    struct waiting stack[STEPS_MAX + OPERANDS_MAX];
    size_t n = 0;
    int64_t id;

    if (!record_i64(rec, rec->value, "expr_node_id", &id))
        return;
    stack[n++] = (struct waiting){id, 0};
    while (n && issue->steps.n < STEPS_MAX) {
        struct waiting at = stack[--n];
        const struct expression *e = map_get(&rec->state->expressions, MAP_KEY(at.id));
        struct expression_step *step;

        if (!e)
            continue;
        step = vec_add(record_arena(rec), &issue->steps);
        *step = (struct expression_step){at.depth, e->method, e->arguments, e->result, e->user_stack};
        for (size_t i = e->from.n; i-- > 0 && at.depth < DEPTH_MAX && n < STEPS_MAX;)
            stack[n++] = (struct waiting){e->from.v[i], at.depth + 1};
    }
}

/* --- what the code had at hand ------------------------------------------------------------------------------------ */

static json_t *frame_part(struct record *rec, const char *name)
{
    return json_get(rec->doc, json_get(rec->doc, rec->value, "frame_locals"), name);
}

/* Variables of the frame: {"length": ["u0"], "x": ["Tensor(shape: ...)"]}. */
static void add_locals(struct record *rec, struct export_issue *issue)
{
    json_t *locals = frame_part(rec, "locals"), *value;
    const char *name;

    json_object_foreach(locals, name, value)
    {
        json_t *values = json_get(rec->doc, locals, name);
        struct export_local *local;
        struct buf b = {0};
        size_t i;
        const json_t *v;

        if (issue->locals.n >= LOCALS_MAX)
            break;
        (void)value;
        json_array_foreach(values, i, v) if (json_is_string(v) && b.n < LOCAL_TEXT_MAX)
            buf_printf(&b, "%s%.*s", b.n ? ", " : "", STR_ARG(utf8_cut(json_str(v), LOCAL_TEXT_MAX)));
        local = vec_add(record_arena(rec), &issue->locals);
        local->name = record_intern(rec, str_of(name));
        local->value = record_intern(rec, buf_view(&b));
        buf_free(&b);
    }
}

static void join_symbol(struct buf *b, const char *symbol, const char *means)
{
    if (b->n <= LIMIT_NAME)
        buf_printf(b, "%s%s = %s", b->n ? ", " : "", symbol, means);
}

/* Variables of the frame that hold one value each: {"length": ["u0"], "x": ["Tensor(shape: ...)"]}. */
static void join_variables(struct record *rec, struct buf *b)
{
    json_t *locals = frame_part(rec, "locals"), *values;
    const char *variable;

    json_object_foreach(locals, variable, values)
    {
        const char *value = json_string_value(json_array_get(values, 0));

        if (value && json_array_size(values) == 1 && strchr("suz", value[0]) &&
            strlen(value) == strspn(value, "suzf0123456789"))
            join_symbol(b, value, variable);
    }
}

/* {"s97": "L['a'].size()[0]"} -> "s97 = L['a'].size()[0]". */
static struct str join_symbols(struct record *rec)
{
    json_t *map = json_get(rec->doc, rec->value, "symbol_to_sources");
    struct buf b = {0};
    struct str out;
    const char *symbol;
    json_t *source;

    if (json_object_size(map) == 0)
        map = frame_part(rec, "symbols");
    json_object_foreach(map, symbol, source) if (json_is_string(source))
        join_symbol(&b, symbol, json_string_value(source));
    join_variables(rec, &b);
    out = record_intern(rec, buf_view(&b));
    buf_free(&b);
    return out;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static struct export_issue *add_issue(struct record *rec, enum export_issue_kind kind)
{
    struct export_issue *e = vec_add(record_arena(rec), &rec->compile->export_issues);

    e->kind = kind;
    e->op = record_name(rec, rec->value, "op");
    e->text = record_any(rec, rec->value, "expr");
    e->result = record_any(rec, rec->value, "result");
    e->symbols = join_symbols(rec);
    add_locals(rec, e);
    add_steps(rec, e);
    e->user_stack = record_stack(rec, rec->value, "user_stack");
    e->stack = record_stack(rec, rec->value, "stack");
    return e;
}

void apply_guard_added(struct record *rec)
{
    struct shape_guard *g = vec_add(record_arena(rec), &rec->compile->shape_guards);

    g->expr = record_text(rec, rec->value, "expr");
    g->prefix = record_name(rec, rec->value, "prefix");
    g->user_stack = record_stack(rec, rec->value, "user_stack");
    g->stack = record_stack(rec, rec->value, "stack");
    /* Draft export writes the long form without a compile id. */
    if (!rec->compile->frame && str_eq(rec->kind_name, STR("guard_added")) && str_eq(g->prefix, STR("eval")))
        add_issue(rec, EXPORT_GUARD);
}

void apply_missing_fake_kernel(struct record *rec)
{
    add_issue(rec, EXPORT_MISSING_FAKE_KERNEL);
}

void apply_mismatched_fake_kernel(struct record *rec)
{
    add_issue(rec, EXPORT_MISMATCHED_FAKE_KERNEL)->text = str_trim(record_text(rec, rec->value, "reason"));
}

void apply_data_dependent(struct record *rec)
{
    add_issue(rec, EXPORT_DATA_DEPENDENT);
}

void apply_propagated(struct record *rec)
{
    add_issue(rec, EXPORT_PROPAGATED);
}
