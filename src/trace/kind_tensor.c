/* Tensors that the compiler described (torch/_subclasses/meta_utils.py, MetaTensorDescriber). */
#include "trace/kinds.h"

/* "device(type='cuda', index=0)" -> "cuda:0". */
static struct str device_name(struct record *rec, struct str text)
{
    struct str type, index, rest;
    ptrdiff_t at;

    if (!str_between(text, STR("type='"), STR("'"), &type))
        return text;
    at = str_find(text, STR("index="));
    if (at < 0)
        return record_intern(rec, type);
    rest = str_skip(text, (size_t)at + 6);
    index = str_split(&rest, ')');
    return record_intern(rec, arena_printf(record_arena(rec), "%.*s:%.*s", STR_ARG(type), STR_ARG(index)));
}

/* [8, "s77"] -> "[8, s77]": symbolic sizes are strings in the record. */
static struct str dims_text(struct record *rec, json_t *obj, const char *key)
{
    json_t *list;
    struct buf b = {0};
    struct str out;
    size_t i;
    const json_t *v;

    if (!record_list(rec, obj, key, &list))
        return (struct str){0};
    json_array_foreach(list, i, v)
    {
        buf_str(&b, i ? STR(", ") : STR("["));
        if (json_is_integer(v))
            buf_printf(&b, "%lld", (long long)json_integer_value(v));
        else
            buf_str(&b, json_is_string(v) ? json_str(v) : STR("?"));
    }
    buf_str(&b, i ? STR("]") : STR("[]"));
    out = record_intern(rec, buf_view(&b));
    buf_free(&b);
    return out;
}

/* Each describer counts its ids from 0. */
struct tensor_key {
    const struct compile *compile;
    int64_t describer, id;
};

void apply_describe_tensor(struct record *rec)
{
    struct tensor t = {.storage = -1, .describer = -1};
    struct tensor_key key;

    if (!record_i64(rec, rec->value, "id", &t.id))
        return;
    record_i64(rec, rec->value, "describer_id", &t.describer);
    record_i64(rec, rec->value, "storage", &t.storage);
    t.dtype = record_name(rec, rec->value, "dtype");
    t.device = device_name(rec, record_name(rec, rec->value, "device"));
    t.shape = dims_text(rec, rec->value, "size");
    t.stride = dims_text(rec, rec->value, "stride");
    t.requires_grad = record_bool(rec, rec->value, "requires_grad");
    t.is_parameter = record_bool(rec, rec->value, "is_parameter");
    t.is_view = record_bool(rec, rec->value, "is_view");
    t.is_leaf = record_bool(rec, rec->value, "is_leaf");
    vec_push(record_arena(rec), &rec->compile->tensors, t);
    key = (struct tensor_key){rec->compile, t.describer, t.id};
    *map_number_at(&rec->state->tensors, MAP_KEY(key)) = rec->compile->tensors.n;
}

void apply_describe_storage(struct record *rec)
{
    struct storage s = {.describer = -1};

    if (!record_i64(rec, rec->value, "id", &s.id))
        return;
    record_i64(rec, rec->value, "describer_id", &s.describer);
    s.size = record_any(rec, rec->value, "size");
    vec_push(record_arena(rec), &rec->compile->storages, s);
}

/* This record follows the describe_tensor of the same (describer, id), so the newest match is the right one. */
void apply_describe_source(struct record *rec)
{
    struct tensor_key key = {.compile = rec->compile, .describer = -1};
    uint64_t number;

    if (!record_i64(rec, rec->value, "id", &key.id))
        return;
    record_i64(rec, rec->value, "describer_id", &key.describer);
    number = map_number(&rec->state->tensors, MAP_KEY(key));
    if (number)
        rec->compile->tensors.v[number - 1].source = record_name(rec, rec->value, "source");
}
