/* model_filled: a model in which every field of every struct has a value of its own, for tests of walkers of rows. */
#pragma once

#include "unit.h"

#include "model/merge/run.h"
#include "model/rows/fields.h"

/* Values differ as far as the range of a field goes. */
struct filling {
    const char *word; /* that all texts begin with */
    struct arena *a;
    uint64_t next;
    void *objects[OBJECT_CLASSES]; /* the first of each class */
};

static void fill_struct(struct filling *f, const struct shape *s, void *p);

static uint64_t value_for(struct filling *f, const struct field *field)
{
    uint64_t most = field->most, top = field->size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * field->size) - 1;

    if (field->kind == FIELD_SIGNED)
        top >>= 1;
    most = most < top ? most : top;
    return most ? 1 + f->next++ % most : (uint64_t)field->least;
}

static struct str text_for(struct filling *f)
{
    return arena_printf(f->a, "%s %llu \xc3\xa9", f->word, (unsigned long long)f->next++);
}

static void fill_value(struct filling *f, struct metric *m)
{
    static unsigned type;

    m->type = (enum metric_type)(type++ % (METRIC_LIST + 1));
    if (m->type == METRIC_STR)
        m->s = text_for(f);
    else if (m->type == METRIC_DOUBLE)
        m->d = 0.5 + (double)f->next++;
    else if (m->type == METRIC_BOOL)
        m->b = true;
    else if (m->type == METRIC_INT)
        m->i = -(int64_t)f->next++;
    else
        *(m->list.v = ARENA_NEW(f->a, struct str)) = text_for(f);
    m->list.n = m->type == METRIC_LIST ? 1 : m->list.n;
}

static void fill_kinds(struct filling *f, struct map *m)
{
    struct kind_count *k = ARENA_NEW(f->a, struct kind_count);

    map_init(m, f->a);
    *k = (struct kind_count){f->next++, true};
    *map_at(m, text_for(f)) = k;
}

static void fill_one(struct filling *f, const struct field *field, void *p)
{
    switch (field->kind) {
    case FIELD_NUMBER:
    case FIELD_SIGNED:
        field_set_number(field, p, value_for(f, field));
        break;
    case FIELD_TEXT:
        *(struct str *)p = text_for(f);
        break;
    case FIELD_BYTES:
        memset(p, (int)(1 + f->next++ % 200), field->size);
        break;
    case FIELD_STRUCT:
        fill_struct(f, field->shape, p);
        break;
    case FIELD_OWNED:
        *(void **)p = arena_alloc(f->a, field->shape->size);
        fill_struct(f, field->shape, *(void **)p);
        break;
    case FIELD_VALUE:
        fill_value(f, (struct metric *)((char *)p - field->offset));
        break;
    case FIELD_KINDS:
        fill_kinds(f, p);
        break;
    case FIELD_STRINGS:
        string_table_init(p, f->a);
        string_table_set(p, 7, text_for(f));
        break;
    case FIELD_LEFT_OUT:
        if (field->redact)
            *(struct str *)p = text_for(f);
        break;
    case FIELD_OWNER:
    case FIELD_POINTER: /* when all is there */
        break;
    }
}

/* Two entries of what is plain, one of what others point to. */
static void fill_list(struct filling *f, const struct field *field, struct any_list *list)
{
    bool one = field->kind == FIELD_OWNED || field->kind == FIELD_POINTER;
    size_t n = one ? 1 : strcmp(field->name, "bytes") == 0 ? 3 : 2;

    *list = (struct any_list){arena_alloc(f->a, n * field->size), n, n};
    for (size_t i = 0; i < n; i++)
        fill_one(f, field, (char *)list->v + i * field->size);
}

static void fill_struct(struct filling *f, const struct shape *s, void *p)
{
    if (s->is != OBJECT_NONE && !f->objects[s->is])
        f->objects[s->is] = p;
    for (size_t i = 0; i < s->field_count; i++) {
        const struct field *field = &s->fields[i];
        char *at = (char *)p + field->offset;

        if (field->many == FIELD_LIST)
            fill_list(f, field, (void *)at);
        for (size_t k = 0; field->many == FIELD_ARRAY && k < field->count; k++)
            fill_one(f, field, at + k * field->size);
        if (field->many == FIELD_ONE)
            fill_one(f, field, at);
    }
}

/* What a function gets for each place of a model, or for two at once. */
typedef void visit(struct filling *f, const struct field *field, void *p, void *other);

static void walk(struct filling *f, visit *see, const struct shape *s, void *p, void *other);

static void walk_one(struct filling *f, visit *see, const struct field *field, void *p, void *other)
{
    see(f, field, p, other);
    if (field->kind == FIELD_STRUCT)
        walk(f, see, field->shape, p, other);
    if (field->kind == FIELD_OWNED)
        walk(f, see, field->shape, *(void **)p, *(void **)other);
}

static void walk(struct filling *f, visit *see, const struct shape *s, void *p, void *other)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct field *field = &s->fields[i];
        char *at = (char *)p + field->offset, *at_other = (char *)other + field->offset;
        struct any_list *list = (void *)at, *list_other = (void *)at_other;
        size_t n = field->many == FIELD_LIST ? list->n : field->many == FIELD_ARRAY ? field->count : 1;

        if (field->many == FIELD_LIST) {
            assert_int_equal(list->n, list_other->n);
            at = list->v;
            at_other = list_other->v;
        }
        for (size_t k = 0; k < n; k++)
            walk_one(f, see, field, at + k * field->size, at_other + k * field->size);
    }
}

static void set_pointer(struct filling *f, const struct field *field, void *p, void *other)
{
    (void)other;
    if (field->kind == FIELD_POINTER)
        *(void **)p = f->objects[field->points_to];
}

static struct input *filled_input(struct filling *f)
{
    struct input *in = input_new(STR("x"));
    struct process *p;
    struct compile *nobody;

    f->a = in->arena;
    fill_struct(f, &input_shape, in);
    walk(f, set_pointer, &input_shape, in, in);
    p = in->processes.v[0];
    nobody = p->unattributed;
    nobody->frame = NULL; /* by what it is */
    nobody->id = COMPILE_ID_NONE;
    nobody->artifacts.n = nobody->reasons.n = 0;
    memset(nobody->newest_metrics, 0, sizeof nobody->newest_metrics);
    in->stacks.all.v[0]->parent = NULL;
    vec_each(struct gpu_activity, a, &in->gpus.v[0]->activities) a->name = 1; /* there are two */
    vec_each(struct flight_entry, e, &p->flights.v[0]->entries) e->group = e->op = 1;
    memcpy(in->artifacts.v[0]->payload.parts->bytes.v, "\1\2\3", 3);
    in->artifacts.v[0]->payload.parts->bytes.n = 3;
    return in;
}
