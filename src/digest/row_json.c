#include "digest/row_json.h"

#include "input/limits.h"

/* --- writing ------------------------------------------------------------------------------------------------------ */

static bool is_flag(const struct field *f)
{
    return f->kind == FIELD_NUMBER && f->most == 1;
}

/* Whether the number stands for one of several words. */
static bool is_word(const struct field *f)
{
    return f->kind == FIELD_NUMBER && f->most < UINT32_MAX && !is_flag(f);
}

static const char *word_of(const struct shape *s, uint64_t number)
{
    if (s == &fix_shape)
        return fix_outcome_name((enum fix_outcome)number);
    return check_outcome_name((enum check_outcome)number);
}

static int64_t unknown_of(const struct field *f)
{
    return f->least < 0 ? -1 : 0;
}

static json_t *text_json(const struct field *f, struct str s)
{
    return s.n || (f->flags & FIELD_ALWAYS) ? json_of_str(s) : json_null();
}

static json_t *number_json(const struct shape *s, const struct field *f, uint64_t n)
{
    if (is_flag(f))
        return json_boolean(n);
    if (is_word(f))
        return json_of_str(str_of(word_of(s, n)));
    if (f->kind == FIELD_SIGNED && (int64_t)n <= unknown_of(f) && !(f->flags & FIELD_ALWAYS))
        return json_null();
    return json_of_i64((int64_t)n);
}

/* {name: value}; null for a variable that was unset. */
static json_t *settings_json(const struct env_setting *v, size_t n)
{
    json_t *o = json_new_object();

    for (size_t i = 0; i < n; i++)
        json_put(o, v[i].name.p, v[i].unset ? json_null() : json_of_str(v[i].value));
    return o;
}

static json_t *structs_json(const struct shape *s, const void *v, size_t n);

static json_t *list_json(const struct field *f, const struct any_list *list)
{
    if (f->shape == &env_setting_shape)
        return settings_json(list->v, list->n);
    return f->shape ? structs_json(f->shape, list->v, list->n) : json_of_texts(list->v, list->n);
}

void row_json_put(json_t *o, const struct shape *s, const struct field *f, const void *object)
{
    const void *p = (const char *)object + f->offset;

    if (f->many == FIELD_LIST)
        json_put(o, f->name, list_json(f, p));
    else if (f->kind == FIELD_TEXT)
        json_put(o, f->name, text_json(f, *(const struct str *)p));
    else if (f->kind == FIELD_NUMBER || f->kind == FIELD_SIGNED)
        json_put(o, f->name, number_json(s, f, field_number(f, p)));
}

static json_t *structs_json(const struct shape *s, const void *v, size_t n)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < n; i++) {
        json_t *o = json_new_object();

        for (size_t k = 0; k < s->field_count; k++)
            row_json_put(o, s, &s->fields[k], (const char *)v + i * s->size);
        json_push(list, o);
    }
    return list;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static struct str read_text(struct arena *a, struct json_doc *doc, json_t *o, const char *key)
{
    struct str s = {"", 0};

    json_get_str(doc, o, key, &s);
    return arena_str(a, s);
}

static uint64_t read_number(struct json_doc *doc, json_t *o, const struct shape *s, const struct field *f)
{
    int64_t n = unknown_of(f), found;
    struct str word = {0};
    bool flag = false;

    if (is_flag(f)) {
        json_get_bool(doc, o, f->name, &flag);
        return flag;
    }
    if (is_word(f)) { /* the last word means unknown */
        json_get_str(doc, o, f->name, &word);
        for (uint64_t i = 0; i < f->most; i++)
            if (str_eq(word, str_of(word_of(s, i))))
                return i;
        return f->most;
    }
    if (json_get_i64(doc, o, f->name, &found) == JSON_FOUND && found >= 0)
        n = found;
    return (uint64_t)n;
}

static void read_settings(struct arena *a, struct json_doc *doc, json_t *o, const char *key, setting_list *out)
{
    json_t *settings = NULL, *value;
    const char *name;

    if (json_get_object(doc, o, key, &settings) != JSON_FOUND)
        return;
    json_object_foreach(settings, name, value)
        vec_push(a, out,
                 ((struct env_setting){arena_str(a, str_of(name)), arena_str(a, json_str(value)),
                                       json_is_null(value)}));
}

/* Stops at the limit. */
static void read_list(struct arena *a, struct json_doc *doc, json_t *o, const struct field *f, struct any_list *out)
{
    json_t *list = NULL;
    size_t n;

    json_get_array(doc, o, f->name, &list);
    n = json_array_size(list) < LIMIT_LIST ? json_array_size(list) : LIMIT_LIST;
    *out = (struct any_list){n ? arena_alloc(a, n * f->size) : NULL, n, n};
    for (size_t i = 0; i < n; i++) {
        void *entry = (char *)out->v + i * f->size;

        if (f->shape)
            row_json_read(a, doc, json_array_get(list, i), f->shape, entry);
        else
            *(struct str *)entry = arena_str(a, json_str(json_array_get(list, i)));
    }
}

static void read_field(struct arena *a, struct json_doc *doc, json_t *o, const struct shape *s, const struct field *f,
                       void *p)
{
    if (f->many == FIELD_LIST && f->shape == &env_setting_shape)
        read_settings(a, doc, o, f->name, p);
    else if (f->many == FIELD_LIST)
        read_list(a, doc, o, f, p);
    else if (f->kind == FIELD_TEXT)
        *(struct str *)p = read_text(a, doc, o, f->name);
    else if (f->kind == FIELD_NUMBER || f->kind == FIELD_SIGNED)
        field_set_number(f, p, read_number(doc, o, s, f));
}

void row_json_read(struct arena *a, struct json_doc *doc, json_t *o, const struct shape *s, void *object)
{
    memset(object, 0, s->size);
    for (size_t i = 0; i < s->field_count; i++)
        read_field(a, doc, o, s, &s->fields[i], (char *)object + s->fields[i].offset);
}
