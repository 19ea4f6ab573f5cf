#include "digest/decode.h"

#include "digest/link.h"
#include "model/merge/run.h"
#include "util/utf8.h"

struct decoder {
    struct str left;
    bool bad;
    struct arena *arena; /* the input's arena */
    struct arena *scratch;
    VEC(struct str) texts; /* by number */
    struct map interned;
    struct {
        void **v; /* NULL for objects that nothing has referred to yet */
        size_t n, defined;
        const struct shape *shape;
    } objects[OBJECT_CLASSES];
};

bool decode_number(struct str *s, uint64_t *out)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < s->n && i < 10; i++) {
        uint64_t byte = (unsigned char)s->p[i];

        n |= (byte & 0x7f) << 7 * i;
        if (byte & 0x80)
            continue;
        *s = str_skip(*s, i + 1);
        *out = n;
        return i < 9 || byte <= 1;
    }
    return false;
}

static uint64_t get_number(struct decoder *d)
{
    uint64_t n = 0;

    d->bad |= d->bad || !decode_number(&d->left, &n);
    return d->bad ? 0 : n;
}

/*
 * A count of things to follow, each of which takes at least `least_bytes` bytes, so that the count is bounded by the
 * input.
 */
static size_t get_count(struct decoder *d, size_t least_bytes)
{
    uint64_t n = get_number(d);

    if (n > d->left.n / (least_bytes ? least_bytes : 1))
        d->bad = true;
    return d->bad ? 0 : (size_t)n;
}

static struct str get_bytes(struct decoder *d, size_t n)
{
    struct str s = str_take(d->left, n);

    d->bad |= s.n < n;
    d->left = str_skip(d->left, n);
    return d->bad ? (struct str){0} : s;
}

static int64_t unzigzag(uint64_t n)
{
    return (int64_t)(n >> 1 ^ -(n & 1));
}

/* Enums and flags are one byte wide or four; a value that does not fit is refused. */
static bool is_in_range(const struct field *f, uint64_t n)
{
    unsigned bits = (unsigned)(8 * f->size);

    if (f->kind == FIELD_NUMBER)
        return n <= f->most && (bits == 64 || n >> bits == 0);
    return (int64_t)n >= f->least && (int64_t)n <= (int64_t)f->most &&
           (bits == 64 || ((int64_t)n >> (bits - 1)) == ((int64_t)n < 0 ? -1 : 0));
}

static void get_any_number(struct decoder *d, const struct field *f, void *p, const void *before)
{
    uint64_t n = get_number(d), last = 0;

    if (f->kind == FIELD_SIGNED || (f->flags & FIELD_RISING))
        n = (uint64_t)unzigzag(n);
    if ((f->flags & FIELD_RISING) && before)
        last = field_number(f, before);
    n += last;
    if (is_in_range(f, n))
        field_set_number(f, p, n);
    else
        d->bad = true;
}

static struct str get_text(struct decoder *d, unsigned flags)
{
    uint64_t number = get_number(d);
    struct str s;

    if (number == 1) {
        s = get_bytes(d, get_count(d, 1));
        if (!d->bad)
            vec_push(d->scratch, &d->texts, intern(&d->interned, s));
        number = d->texts.n + 1;
    }
    d->bad |= number > d->texts.n + 1 || (number == 0 && (flags & FIELD_NEEDED));
    if (d->bad || number == 0)
        return (struct str){0};
    s = d->texts.v[number - 2];
    return flags & FIELD_RAW ? s : utf8_clean(d->arena, s);
}

static void *object(struct decoder *d, enum object_class class, size_t i)
{
    void **slot = &d->objects[class].v[i];

    if (!*slot)
        *slot = arena_alloc(d->arena, d->objects[class].shape->size);
    return *slot;
}

static void *get_pointer(struct decoder *d, const struct field *f)
{
    uint64_t number = get_number(d);

    d->bad |= number > d->objects[f->points_to].n || (number == 0 && (f->flags & FIELD_NEEDED));
    return d->bad || number == 0 ? NULL : object(d, f->points_to, (size_t)number - 1);
}

/* Eight bytes, lowest first on any machine. */
static double get_double(struct decoder *d)
{
    struct str bytes = get_bytes(d, 8);
    uint64_t bits = 0;
    double value;

    for (size_t i = bytes.n; i > 0; i--)
        bits = bits << 8 | (unsigned char)bytes.p[i - 1];
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void get_value(struct decoder *d, struct metric *m)
{
    switch (m->type) {
    case METRIC_INT:
        m->i = unzigzag(get_number(d));
        break;
    case METRIC_DOUBLE:
        m->d = get_double(d);
        break;
    case METRIC_BOOL:
        m->b = get_number(d) != 0;
        break;
    case METRIC_STR:
        m->s = get_text(d, 0);
        break;
    case METRIC_LIST:
        m->list.n = get_count(d, 1);
        m->list.v = ARENA_ARRAY(d->arena, struct str, m->list.n);
        for (size_t i = 0; i < m->list.n; i++)
            m->list.v[i] = get_text(d, 0);
    }
}

static void get_kinds(struct decoder *d, struct map *kinds)
{
    size_t n = get_count(d, 3);

    map_init(kinds, d->arena);
    for (size_t i = 0; i < n && !d->bad; i++) {
        struct kind_count *k = ARENA_NEW(d->arena, struct kind_count);
        struct str name = get_text(d, 0);

        k->count = get_number(d);
        k->unknown = get_number(d) != 0;
        *map_at(kinds, name) = k;
    }
}

static void get_strings(struct decoder *d, struct string_table *t)
{
    size_t n = get_count(d, 2);

    string_table_init(t, d->arena);
    for (size_t i = 0; i < n && !d->bad; i++) {
        uint64_t number = get_number(d);

        d->bad |= number == UINT64_MAX;
        string_table_set(t, number, get_text(d, 0));
    }
}

static void get_struct(struct decoder *d, const struct shape *s, void *p, const void *before, void *owner);

static void *get_owned(struct decoder *d, const struct field *f, void *owner)
{
    enum object_class class = f->shape->is;
    void *p;

    if (!(f->flags & FIELD_NEEDED) && get_number(d) == 0)
        return NULL;
    if (class == OBJECT_NONE)
        p = arena_alloc(d->arena, f->shape->size);
    else if (d->objects[class].defined < d->objects[class].n)
        p = object(d, class, d->objects[class].defined++);
    else
        d->bad = true;
    if (d->bad)
        return NULL;
    get_struct(d, f->shape, p, NULL, owner);
    return p;
}

/* `object` contains the field, and `owner` is what the object belongs to. */
static void get_one(struct decoder *d, const struct field *f, void *p, const void *before, void *object, void *owner)
{
    switch (f->kind) {
    case FIELD_NUMBER:
    case FIELD_SIGNED:
        get_any_number(d, f, p, before);
        break;
    case FIELD_TEXT:
        *(struct str *)p = get_text(d, f->flags);
        break;
    case FIELD_BYTES: {
        struct str bytes = get_bytes(d, f->size);

        memcpy(p, bytes.n ? bytes.p : p, bytes.n);
        break;
    }
    case FIELD_STRUCT:
        get_struct(d, f->shape, p, before, object);
        break;
    case FIELD_OWNED:
        *(void **)p = get_owned(d, f, object);
        break;
    case FIELD_POINTER:
        *(void **)p = get_pointer(d, f);
        break;
    case FIELD_VALUE:
        get_value(d, (struct metric *)((char *)p - f->offset));
        break;
    case FIELD_KINDS:
        get_kinds(d, p);
        break;
    case FIELD_STRINGS:
        get_strings(d, p);
        break;
    case FIELD_OWNER:
        *(void **)p = owner;
        break;
    case FIELD_LEFT_OUT:
        break;
    }
}

static void get_many(struct decoder *d, const struct field *f, char *v, size_t n, void *object)
{
    for (size_t i = 0; i < n && !d->bad; i++)
        get_one(d, f, v + i * f->size, i ? v + (i - 1) * f->size : NULL, object, NULL);
}

static void get_list(struct decoder *d, const struct field *f, struct any_list *list, void *object)
{
    size_t n = get_count(d, f->shape ? shape_least_bytes(f->shape) : 1);

    *list = (struct any_list){n ? arena_alloc(d->arena, n * f->size) : NULL, n, n};
    get_many(d, f, list->v, n, object);
}

static void get_struct(struct decoder *d, const struct shape *s, void *p, const void *before, void *owner)
{
    for (size_t i = 0; i < s->field_count && !d->bad; i++) {
        const struct field *f = &s->fields[i];
        char *at = (char *)p + f->offset;

        if (f->many == FIELD_LIST)
            get_list(d, f, (void *)at, p);
        else if (f->many == FIELD_ARRAY)
            get_many(d, f, at, f->count, p);
        else
            get_one(d, f, at, before ? (const char *)before + f->offset : NULL, p, owner);
    }
}

static void init_objects(struct decoder *d)
{
    for (size_t i = 0; shape_at(i); i++)
        if (shape_at(i)->is != OBJECT_NONE)
            d->objects[shape_at(i)->is].shape = shape_at(i);
    for (int i = 0; i < OBJECT_CLASSES; i++) {
        d->objects[i].n = get_count(d, shape_least_bytes(d->objects[i].shape));
        d->objects[i].v = ARENA_ARRAY(d->scratch, void *, d->objects[i].n);
    }
}

/* All bytes were used, and no reference dangles. */
static bool is_complete(const struct decoder *d)
{
    bool complete = !d->bad && d->left.n == 0;

    for (int i = 0; i < OBJECT_CLASSES; i++)
        complete &= d->objects[i].defined == d->objects[i].n;
    return complete;
}

struct input *decode_input(struct str bytes)
{
    struct input *in = input_new(STR(""));
    struct decoder d = {.left = bytes, .arena = in->arena, .scratch = arena_new()};

    map_init(&d.interned, d.arena);
    init_objects(&d);
    get_struct(&d, &input_shape, in, NULL, NULL);
    if (!is_complete(&d) || !link_input(in)) {
        arena_free(in->arena);
        in = NULL;
    }
    arena_free(d.scratch);
    return in;
}
