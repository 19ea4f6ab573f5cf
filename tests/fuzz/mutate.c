#include "mutate.h"

#include "model/rows/fields.h"
#include "util/map.h"

#include <stdlib.h>

struct mutation {
    unsigned *seed;
    struct map rows;           /* of the table: how often each was met, while that is counted */
    const struct field *chosen; /* then the one to change ... */
    size_t left;               /* ... where it was met so many times before */
    struct arena *arena;
    struct {
        VEC(void *) list;
    } objects[OBJECT_CLASSES]; /* what pointers may point to */
};

static size_t any(struct mutation *m, size_t n)
{
    return n ? (size_t)rand_r(m->seed) % n : 0;
}

static uint64_t any_bits(struct mutation *m)
{
    return (uint64_t)rand_r(m->seed) << 40 ^ (uint64_t)rand_r(m->seed) << 20 ^ (uint64_t)rand_r(m->seed);
}

/* Within the range of the field: what is outside of it is refused, which fuzzing of bytes shows. */
static uint64_t any_number(struct mutation *m, const struct field *f, uint64_t before)
{
    uint64_t widest = f->size < 8 ? (UINT64_C(1) << 8 * f->size) - 1 : UINT64_MAX;
    uint64_t most = f->most < widest ? f->most : widest;
    uint64_t numbers[] = {0, 1, most, most / 2, before + 1, before - 1, any_bits(m), any_bits(m) % 100};
    uint64_t n = numbers[any(m, sizeof numbers / sizeof *numbers)];

    return most == UINT64_MAX ? n : n % (most + 1);
}

static int64_t any_signed(struct mutation *m, const struct field *f, int64_t before)
{
    int64_t least = f->size == 4 && f->least < INT32_MIN ? INT32_MIN : f->least;
    int64_t most = f->size == 4 && (int64_t)f->most > INT32_MAX ? INT32_MAX : (int64_t)f->most;
    int64_t numbers[] = {0, 1, -1, least, most, before, before / 2, (int64_t)(any_bits(m) % 1000)};
    int64_t n = numbers[any(m, sizeof numbers / sizeof *numbers)];

    return n < least ? least : n > most ? most : n;
}

static void change_number(struct mutation *m, const struct field *f, void *p)
{
    uint64_t n = 0;

    memcpy(&n, p, f->size);
    n = f->kind == FIELD_NUMBER ? any_number(m, f, n) : (uint64_t)any_signed(m, f, (int64_t)n);
    memcpy(p, &n, f->size);
}

static struct str any_text(struct mutation *m, const struct field *f)
{
    static const struct str texts[] = {
        STR_INIT(""),
        STR_INIT("x"),
        STR_INIT("<b>&\"'"),
        STR_INIT("\n\n\n"),
        STR_INIT("%s%n{{x}}"),
        STR_INIT("[0/0]"),
        STR_INIT("/a/b.py:1"),
        STR_INIT("18446744073709551616"),
        STR_INIT("Traceback (most recent call last):\n  File \""),
        STR_INIT("((((((((((((((((((((((((("),
        STR_INIT("u0 + s0 >= 2"),
        STR_INIT("\xff\xfe\xc2"),
        STR_INIT("L['x'].size()[0] == 1"),
    };
    size_t i = any(m, sizeof texts / sizeof *texts + !(f->flags & FIELD_NEEDED));

    return i < sizeof texts / sizeof *texts ? texts[i] : (struct str){0};
}

static void change_pointer(struct mutation *m, const struct field *f, void **p)
{
    size_t n = m->objects[f->points_to].list.n;

    if (!(f->flags & FIELD_NEEDED) && any(m, 2) == 0)
        *p = NULL;
    else if (n)
        *p = m->objects[f->points_to].list.v[any(m, n)];
}

/* What others may point to stays, as what points to nothing cannot be written. */
static bool is_pointed_to(const struct field *f)
{
    return f->kind == FIELD_OWNED && f->shape->is != OBJECT_NONE;
}

static void swap_entries(struct mutation *m, const struct field *f, struct any_list *list)
{
    char *a = (char *)list->v + any(m, list->n) * f->size, *b = (char *)list->v + any(m, list->n) * f->size;
    char *between = arena_alloc(m->arena, f->size);

    memcpy(between, a, f->size);
    memmove(a, b, f->size);
    memcpy(b, between, f->size);
}

static void repeat_entry(struct mutation *m, const struct field *f, struct any_list *list)
{
    char *v = arena_alloc(m->arena, (list->n + 1) * f->size);

    memcpy(v, list->v, list->n * f->size);
    memcpy(v + list->n * f->size, v + any(m, list->n) * f->size, f->size);
    *list = (struct any_list){v, list->n + 1, list->n + 1};
}

static void change_list(struct mutation *m, const struct field *f, struct any_list *list)
{
    size_t how = any(m, 4);

    if (list->n == 0)
        return;
    if (how == 0 || is_pointed_to(f))
        swap_entries(m, f, list);
    else if (how == 1)
        list->n = 0;
    else if (how == 2)
        list->n--;
    else
        repeat_entry(m, f, list);
}

/* Of another type a metric has another value: none. */
static void forget_value(const struct field *f, void *p)
{
    struct metric *x = (struct metric *)(void *)((char *)p - offsetof(struct metric, type));

    if (strcmp(f->name, "type") == 0 && f->kind == FIELD_NUMBER && f->most == METRIC_LIST)
        memset(&x->i, 0, sizeof *x - offsetof(struct metric, i));
}

static void change(struct mutation *m, const struct field *f, void *p)
{
    switch (f->kind) {
    case FIELD_NUMBER:
    case FIELD_SIGNED:
        change_number(m, f, p);
        forget_value(f, p);
        break;
    case FIELD_TEXT:
        *(struct str *)p = any_text(m, f);
        break;
    case FIELD_BYTES:
        *(char *)p = (char)any_bits(m);
        break;
    case FIELD_OWNED:
        if (!(f->flags & FIELD_NEEDED) && !is_pointed_to(f))
            *(void **)p = NULL;
        break;
    case FIELD_POINTER:
        change_pointer(m, f, p);
        break;
    default:
        break;
    }
}

/* Whether this is the place to change. */
static bool is_it(struct mutation *m, const struct field *f)
{
    void **slot;

    if (!m->chosen) {
        slot = map_at_copy(&m->rows, MAP_KEY(f));
        *slot = (void *)((uintptr_t)*slot + 1);
        return false;
    }
    return f == m->chosen && m->left-- == 0;
}

static void walk(struct mutation *m, const struct shape *s, void *p);

static void visit(struct mutation *m, const struct field *f, void *p)
{
    void *inner = f->kind == FIELD_STRUCT ? p : f->kind == FIELD_OWNED ? *(void **)p : NULL;

    if (is_it(m, f))
        change(m, f, p);
    else if (inner)
        walk(m, f->shape, inner);
}

static void visit_many(struct mutation *m, const struct field *f, char *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        visit(m, f, v + i * f->size);
}

static void walk(struct mutation *m, const struct shape *s, void *p)
{
    if (!m->chosen && s->is != OBJECT_NONE)
        vec_push(m->arena, &m->objects[s->is].list, p);
    for (size_t i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];
        char *at = (char *)p + f->offset;

        if (f->many == FIELD_LIST && is_it(m, f))
            change_list(m, f, (void *)at);
        else if (f->many == FIELD_LIST)
            visit_many(m, f, ((struct any_list *)(void *)at)->v, ((struct any_list *)(void *)at)->n);
        else
            visit_many(m, f, at, f->many == FIELD_ARRAY ? f->count : 1);
    }
}

void mutate_input(struct input *in, unsigned *seed)
{
    struct mutation m = {.seed = seed, .arena = in->arena};
    const struct map_entry *row;

    map_init(&m.rows, m.arena);
    walk(&m, &input_shape, in);
    row = &m.rows.entries[any(&m, m.rows.n)];
    memcpy(&m.chosen, row->key.p, sizeof m.chosen);
    m.left = any(&m, (uintptr_t)row->value);
    walk(&m, &input_shape, in);
}
