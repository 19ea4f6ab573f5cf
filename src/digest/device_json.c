#include "digest/device_json.h"

#include "digest/row_json.h"
#include "input/limits.h"

enum { LISTED_MAX = 1000 };

/* What the device is comes before the state it was in. */
json_t *gpu_device_to_json(const struct gpu_device *d)
{
    const struct shape *s = &gpu_device_shape;
    json_t *o = json_new_object();

    for (size_t i = 0; i < s->field_count; i++)
        if (i == 0 || (s->fields[i].kind == FIELD_TEXT && s->fields[i].many == FIELD_ONE))
            row_json_put(o, s, &s->fields[i], d);
    for (size_t i = 0; i < s->field_count; i++)
        row_json_put(o, s, &s->fields[i], d);
    return o;
}

/* --- back --------------------------------------------------------------------------------------------------------- */

static int64_t number_of(const json_t *n)
{
    return json_is_integer(n) && json_integer_value(n) >= 0 ? json_integer_value(n) : -1;
}

static struct str text_of(struct arena *a, const json_t *v)
{
    return arena_str(a, str_take(json_str(v), LIMIT_NAME));
}

static void read_users(struct arena *a, const json_t *list, struct gpu_device *out)
{
    const json_t *o;
    size_t i;

    json_array_foreach(list, i, o)
    {
        int64_t pid = number_of(json_object_get(o, "pid"));

        if (i < LISTED_MAX && pid >= 0)
            vec_push(a, &out->users, ((struct gpu_user){(uint64_t)pid, number_of(json_object_get(o, "memory")),
                                                        text_of(a, json_object_get(o, "name"))}));
    }
}

bool gpu_device_of_json(struct arena *a, const json_t *o, struct gpu_device *out)
{
    const json_t *why;
    size_t i;

    *out = gpu_device_unknown();
    if (!json_is_object(o))
        return false;
    for (i = 0; i < gpu_device_shape.field_count; i++) {
        const struct field *f = &gpu_device_shape.fields[i];
        void *p = (char *)out + f->offset;

        if (f->kind == FIELD_SIGNED)
            field_set_number(f, p, (uint64_t)number_of(json_object_get(o, f->name)));
        else if (f->kind == FIELD_TEXT && f->many == FIELD_ONE)
            *(struct str *)p = text_of(a, json_object_get(o, f->name));
    }
    json_array_foreach(json_object_get(o, "throttled"), i, why)
        if (i < LISTED_MAX && json_string_length(why))
            vec_push(a, &out->throttled, text_of(a, why));
    read_users(a, json_object_get(o, "users"), out);
    return true;
}
