#include "digest/encode.h"

#include <assert.h>

struct encoder {
    struct buf *out;
    struct arena *scratch;
    struct map texts;                   /* text -> its number, plus 1 */
    struct map objects[OBJECT_CLASSES]; /* address -> its number, plus 1 */
};

void encode_number(struct buf *out, uint64_t n)
{
    for (; n > 0x7f; n >>= 7)
        buf_char(out, (char)(n | 0x80));
    buf_char(out, (char)n);
}

/* Small numbers of either sign become short. */
static uint64_t zigzag(int64_t n)
{
    return (uint64_t)n << 1 ^ (uint64_t)(n >> 63);
}

static void put_any_number(struct encoder *e, const struct field *f, const void *p, const void *before)
{
    uint64_t n = field_number(f, p);

    if (f->flags & FIELD_RISING)
        encode_number(e->out, zigzag((int64_t)(n - (before ? field_number(f, before) : 0))));
    else
        encode_number(e->out, f->kind == FIELD_SIGNED ? zigzag((int64_t)n) : n);
}

/* 0: none; 1: a new text follows; else the number of an earlier text, plus 2. */
static void put_text(struct encoder *e, struct str s)
{
    uint64_t *number = s.p ? map_number_at_kept(&e->texts, s) : NULL;

    if (number && *number == 0) {
        *number = e->texts.n;
        encode_number(e->out, 1);
        encode_number(e->out, s.n);
        buf_str(e->out, s);
    } else {
        encode_number(e->out, number ? *number + 1 : 0);
    }
}

static void put_pointer(struct encoder *e, enum object_class class, const void *object)
{
    uint64_t number = object ? map_number(&e->objects[class], MAP_KEY(object)) : 0;

    assert(!object == !number); /* Whatever is pointed to was numbered when its owner's list was walked. */
    encode_number(e->out, number);
}

/* Eight bytes, lowest first on any machine. */
static void put_double(struct buf *out, double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    for (int i = 0; i < 8; i++, bits >>= 8)
        buf_char(out, (char)bits);
}

static void put_value(struct encoder *e, const struct metric *m)
{
    switch (m->type) {
    case METRIC_INT:
        encode_number(e->out, zigzag(m->i));
        break;
    case METRIC_DOUBLE:
        put_double(e->out, m->d);
        break;
    case METRIC_BOOL:
        encode_number(e->out, m->b);
        break;
    case METRIC_STR:
        put_text(e, m->s);
        break;
    case METRIC_LIST:
        encode_number(e->out, m->list.n);
        for (size_t i = 0; i < m->list.n; i++)
            put_text(e, m->list.v[i]);
    }
}

static void put_kinds(struct encoder *e, const struct map *kinds)
{
    encode_number(e->out, kinds->n);
    for (size_t i = 0; i < kinds->n; i++) {
        const struct kind_count *k = kinds->entries[i].value;

        put_text(e, kinds->entries[i].key);
        encode_number(e->out, k->count);
        encode_number(e->out, k->unknown);
    }
}

static void put_strings(struct encoder *e, const struct string_table *t)
{
    encode_number(e->out, t->by_number.n);
    for (size_t i = 0; i < t->by_number.n; i++) {
        uint64_t number;

        memcpy(&number, t->by_number.entries[i].key.p, sizeof number);
        encode_number(e->out, number);
        put_text(e, *(const struct str *)t->by_number.entries[i].value);
    }
}

static void put_struct(struct encoder *e, const struct shape *s, const void *p, const void *before);

static void put_owned(struct encoder *e, const struct field *f, const void *object)
{
    if (!(f->flags & FIELD_NEEDED))
        encode_number(e->out, object != NULL);
    if (object)
        put_struct(e, f->shape, object, NULL);
}

/* `before`: the previous entry of its list, or NULL. */
static void put_one(struct encoder *e, const struct field *f, const void *p, const void *before)
{
    switch (f->kind) {
    case FIELD_NUMBER:
    case FIELD_SIGNED:
        put_any_number(e, f, p, before);
        break;
    case FIELD_TEXT:
        put_text(e, *(const struct str *)p);
        break;
    case FIELD_BYTES:
        buf_add(e->out, p, f->size);
        break;
    case FIELD_STRUCT:
        put_struct(e, f->shape, p, before);
        break;
    case FIELD_OWNED:
        put_owned(e, f, *(void *const *)p);
        break;
    case FIELD_POINTER:
        put_pointer(e, f->points_to, *(void *const *)p);
        break;
    case FIELD_VALUE:
        put_value(e, (const struct metric *)((const char *)p - f->offset));
        break;
    case FIELD_KINDS:
        put_kinds(e, p);
        break;
    case FIELD_STRINGS:
        put_strings(e, p);
        break;
    case FIELD_OWNER:
    case FIELD_LEFT_OUT:
        break;
    }
}

static void put_many(struct encoder *e, const struct field *f, const char *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_one(e, f, v + i * f->size, i ? v + (i - 1) * f->size : NULL);
}

static void put_struct(struct encoder *e, const struct shape *s, const void *p, const void *before)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];
        const char *at = (const char *)p + f->offset;
        const struct any_list *list = (const void *)at;

        if (f->many == FIELD_LIST)
            encode_number(e->out, list->n);
        if (f->many == FIELD_ONE)
            put_one(e, f, at, before ? (const char *)before + f->offset : NULL);
        else
            put_many(e, f, f->many == FIELD_LIST ? list->v : at, f->many == FIELD_LIST ? list->n : f->count);
    }
}

/* --- numbers of what is pointed to -------------------------------------------------------------------------------- */

static void number_struct(struct encoder *e, const struct shape *s, const void *p);

static void number_one(struct encoder *e, const struct field *f, const void *p)
{
    const void *object = f->kind == FIELD_OWNED ? *(void *const *)p : NULL;

    if (f->kind == FIELD_STRUCT)
        number_struct(e, f->shape, p);
    else if (object)
        number_struct(e, f->shape, object);
}

/* Numbers objects in the order in which they are written. */
static void number_struct(struct encoder *e, const struct shape *s, const void *p)
{
    if (s->is != OBJECT_NONE) {
        uint64_t *number = map_number_at(&e->objects[s->is], MAP_KEY(p));

        assert(!*number); /* an object has only one owner */
        *number = e->objects[s->is].n;
    }
    for (size_t i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];
        const char *at = (const char *)p + f->offset;
        const struct any_list *list = (const void *)at;

        if (f->kind != FIELD_STRUCT && f->kind != FIELD_OWNED)
            continue;
        if (f->many == FIELD_ONE)
            number_one(e, f, at);
        for (size_t k = 0; f->many == FIELD_LIST && k < list->n; k++)
            number_one(e, f, (const char *)list->v + k * f->size);
    }
}

void encode_input(struct buf *out, const struct input *in)
{
    struct encoder e = {.out = out, .scratch = arena_new()};

    map_init(&e.texts, e.scratch);
    for (int i = 0; i < OBJECT_CLASSES; i++)
        map_init(&e.objects[i], e.scratch);
    number_struct(&e, &input_shape, in);
    for (int i = 0; i < OBJECT_CLASSES; i++)
        encode_number(out, e.objects[i].n);
    put_struct(&e, &input_shape, in, NULL);
    arena_free(e.scratch);
}
