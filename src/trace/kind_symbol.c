/* Symbolic shapes (torch/fx/experimental/symbolic_shapes.py). */
#include "trace/kinds.h"

/* One symbol per record: each attempt of a compile creates its symbols again, mostly under the same names. */
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
    add_unbacked_expression(rec);
}

/* One symbol may be the size of several inputs. */
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
