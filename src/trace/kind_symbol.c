/* Symbolic shapes (torch/fx/experimental/symbolic_shapes.py) and what draft export records about them. */
#include "trace/kinds.h"

/* One per record: each attempt of a compile creates its symbols anew, mostly under the same names. */
static struct symbol *add_symbol(struct record *rec, bool unbacked)
{
    struct symbol *s = vec_add(record_arena(rec), &rec->compile->symbols);

    s->name = record_name(rec, rec->value, "symbol");
    s->range = record_name(rec, rec->value, "vr");
    s->unbacked = unbacked;
    s->user_stack = record_stack(rec, rec->value, "user_stack");
    s->stack = record_stack(rec, rec->value, "stack");
    return s;
}

void apply_create_symbol(struct record *rec)
{
    struct symbol *s = add_symbol(rec, false);

    s->hint = record_any(rec, rec->value, "val");
    s->source = record_name(rec, rec->value, "source");
}

void apply_create_unbacked_symbol(struct record *rec)
{
    add_symbol(rec, true);
}

/* One symbol may stand for the sizes of several inputs. */
static struct str join_sources(struct record *rec)
{
    struct buf b = {0};
    struct str out;
    json_t *list;
    size_t i;
    const json_t *v;

    if (json_get_array(rec->doc, rec->value, "sources", &list) != JSON_FOUND)
        return record_name(rec, rec->value, "sources");
    json_array_foreach(list, i, v) if (json_is_string(v))
    {
        buf_str(&b, b.n ? STR(", ") : (struct str){0});
        buf_str(&b, json_str(v));
    }
    out = record_intern(rec, buf_view(&b));
    buf_free(&b);
    return out;
}

void apply_specialization(struct record *rec)
{
    struct specialization *s = vec_add(record_arena(rec), &rec->compile->specializations);

    s->symbol = record_name(rec, rec->value, "symbol");
    s->source = join_sources(rec);
    s->value = record_any(rec, rec->value, "value");
    s->reason = record_name(rec, rec->value, "reason");
    s->symbols_before = rec->compile->symbols.n;
    s->user_stack = record_stack(rec, rec->value, "user_stack");
    s->stack = record_stack(rec, rec->value, "stack");
}

/* Every step of symbolic arithmetic, by the ten thousand: how many there were is all that anybody asks. */
void apply_expression_created(struct record *rec)
{
    rec->compile->expressions++;
}

static void join_symbol(struct buf *b, const char *symbol, const char *means)
{
    if (b->n <= LIMIT_NAME)
        buf_printf(b, "%s%s = %s", b->n ? ", " : "", symbol, means);
}

/* Variables of the frame that hold one value each: {"length": ["u0"], "x": ["Tensor(shape: ...)"]}. */
static void join_variables(struct record *rec, struct buf *b)
{
    json_t *locals = json_get(rec->doc, json_get(rec->doc, rec->value, "frame_locals"), "locals"), *values;
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

    json_object_foreach(map, symbol, source) if (json_is_string(source))
        join_symbol(&b, symbol, json_string_value(source));
    join_variables(rec, &b);
    out = record_intern(rec, buf_view(&b));
    buf_free(&b);
    return out;
}

static struct export_issue *add_issue(struct record *rec, enum export_issue_kind kind)
{
    struct export_issue *e = vec_add(record_arena(rec), &rec->compile->export_issues);

    e->kind = kind;
    e->op = record_name(rec, rec->value, "op");
    e->text = record_any(rec, rec->value, "expr");
    e->result = record_any(rec, rec->value, "result");
    e->symbols = join_symbols(rec);
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
    /* Draft export writes the long form, and no compile id. */
    if (!rec->compile->frame && str_eq(rec->kind_name, STR("guard_added")) && str_eq(g->prefix, STR("eval")))
        add_issue(rec, EXPORT_GUARD);
}

void apply_missing_fake_kernel(struct record *rec)
{
    add_issue(rec, EXPORT_MISSING_FAKE_KERNEL);
}

void apply_mismatched_fake_kernel(struct record *rec)
{
    add_issue(rec, EXPORT_MISMATCHED_FAKE_KERNEL)->text = record_text(rec, rec->value, "reason");
}

void apply_data_dependent(struct record *rec)
{
    add_issue(rec, EXPORT_DATA_DEPENDENT);
}

void apply_propagated(struct record *rec)
{
    add_issue(rec, EXPORT_PROPAGATED);
}
