#include "trace_text.h"

#include "digest/decode.h"
#include "digest/digest_file.h"
#include "digest/encode.h"

#include <zlib.h>

/* --- every field -------------------------------------------------------------------------------------------------- */

/* A model in which every field of every struct has another value, as far as its range goes. */
struct filling {
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
    return arena_printf(f->a, "text %llu \xc3\xa9", (unsigned long long)f->next++);
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
    case FIELD_POINTER: /* when all is there */
    case FIELD_LEFT_OUT:
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

/* What a function is told of each place of a model, or of two at once. */
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

/* The same value, and one that is not there by itself. */
static void check_same(struct filling *f, const struct field *field, void *p, void *other)
{
    static const char zeros[64];
    const struct metric *m = (const void *)((char *)p - field->offset);
    const struct metric *m_other = (const void *)((char *)other - field->offset);

    (void)f;
    if (field->kind == FIELD_NUMBER || field->kind == FIELD_SIGNED || field->kind == FIELD_BYTES) {
        if (memcmp(p, other, field->size) != 0 || (memcmp(p, zeros, field->size) == 0 && field->most != METRIC_LIST))
            fail_msg("field %s is not what it was, or was never set", field->name);
    } else if (field->kind == FIELD_TEXT) {
        assert_same(*(struct str *)other, *(struct str *)p);
        assert_true(((struct str *)p)->n > 0);
    } else if (field->kind == FIELD_POINTER) {
        assert_int_equal(!*(void **)p, !*(void **)other);
    } else if (field->kind == FIELD_VALUE) {
        assert_int_equal(m->type, m_other->type);
        if (m->type == METRIC_LIST)
            assert_same(m_other->list.v[0], m->list.v[0]);
        else if (m->type == METRIC_STR)
            assert_same(m_other->s, m->s);
        else
            assert_true(m->type == METRIC_BOOL ? m->b == m_other->b : m->i == m_other->i); /* a real has as many bits */
    }
}

static void every_field_comes_back(void **state)
{
    struct filling f = {.next = 1};
    struct input *in = filled_input(&f), *back;
    struct buf bytes = {0}, again = {0};

    (void)state;
    encode_input(&bytes, in);
    back = decode_input(buf_view(&bytes));
    assert_non_null(back);
    walk(&f, check_same, &input_shape, in, back);
    assert_ptr_equal(back->processes.v[0]->compiles.v[0]->frame, back->processes.v[0]->frames.v[0]);
    assert_ptr_equal(back->artifacts.v[0]->compile, back->processes.v[0]->compiles.v[0]);
    assert_ptr_equal(back->artifacts.v[0]->input, back);
    encode_input(&again, back);
    assert_same(buf_view(&again), buf_view(&bytes));
    input_free(in);
    input_free(back);
    buf_free(&bytes);
    buf_free(&again);
}

/* --- what is not a digest ----------------------------------------------------------------------------------------- */

static struct buf filled_bytes(void)
{
    struct filling f = {.next = 1};
    struct input *in = filled_input(&f);
    struct buf bytes = {0};

    encode_input(&bytes, in);
    input_free(in);
    return bytes;
}

static void no_beginning_is_taken_for_the_whole(void **state)
{
    struct buf bytes = filled_bytes();

    (void)state;
    for (size_t n = 0; n < bytes.n; n++)
        if (decode_input(str_take(buf_view(&bytes), n)))
            fail_msg("%zu of %zu bytes are taken for an input", n, bytes.n);
    buf_char(&bytes, '\0');
    assert_null(decode_input(buf_view(&bytes)));
    buf_free(&bytes);
}

/* Whatever is accepted is a model that can be written and read again. */
static void damage_is_refused_or_harmless(void **state)
{
    struct buf bytes = filled_bytes(), again = {0};
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        size_t at = test_random(&seed) % bytes.n;
        char before = bytes.p[at];
        struct input *in;

        bytes.p[at] = (char)test_random(&seed);
        in = decode_input(buf_view(&bytes));
        bytes.p[at] = before;
        if (!in)
            continue;
        again.n = 0;
        encode_input(&again, in);
        input_free(in);
        in = decode_input(buf_view(&again));
        assert_non_null(in);
        input_free(in);
    }
    buf_free(&bytes);
    buf_free(&again);
}

/* What the reader of a trace makes sure of, so that nobody asks again: each taken away from a model that has it. */
static void lose_key(struct input *in)
{
    in->processes.v[0]->compiles.v[0]->metrics.v[0]->values.v[0].key = (struct str){0};
}

static void lose_frame(struct input *in)
{
    in->processes.v[0]->compiles.v[0]->frame = NULL;
}

static void lose_compiles_of_frame(struct input *in)
{
    in->processes.v[0]->frames.v[0]->compiles.n = 0;
}

static void lose_records_of_reasons(struct input *in)
{
    in->processes.v[0]->compiles.v[0]->artifacts.n = 0;
}

static void lose_epochs(struct input *in)
{
    in->processes.v[0]->epochs = 0;
}

static void name_what_has_no_id(struct input *in)
{
    in->processes.v[0]->unattributed->id = (struct compile_id){ID_NONE, 0, 1};
}

static void call_itself(struct input *in)
{
    in->stacks.all.v[0]->parent = in->stacks.all.v[0];
}

static void cut_parts(struct input *in)
{
    in->artifacts.v[0]->payload.parts->bytes.n = 2;
}

static void end_beyond_time(struct input *in)
{
    struct event *e = &in->processes.v[0]->events.v[0];

    e->start_ns = e->duration_ns = INT64_C(9000000000000000000);
}

static void name_no_kernel(struct input *in)
{
    in->gpus.v[0]->activities.v[0].name = 2;
}

static void name_no_group(struct input *in)
{
    in->processes.v[0]->flights.v[0]->entries.v[0].group = 2;
}

static void a_model_without_what_others_rely_on_is_refused(void **state)
{
    static void (*const losses[])(struct input *) = {
        lose_key,    lose_frame, lose_compiles_of_frame, lose_records_of_reasons, lose_epochs,  name_what_has_no_id,
        call_itself, cut_parts,  end_beyond_time,        name_no_kernel,          name_no_group};

    (void)state;
    for (size_t i = 0; i < COUNT(losses); i++) {
        struct filling f = {.next = 1};
        struct input *in = filled_input(&f);
        struct buf bytes = {0};

        losses[i](in);
        encode_input(&bytes, in);
        input_free(in);
        if (decode_input(buf_view(&bytes)))
            fail_msg("loss %zu is not seen", i);
        buf_free(&bytes);
    }
}

static void numbers_are_read_as_they_were_written(void **state)
{
    static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, INT64_MAX, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct buf b = {0};
        struct str rest;
        uint64_t n;

        encode_number(&b, numbers[i]);
        rest = buf_view(&b);
        assert_true(decode_number(&rest, &n));
        assert_true(n == numbers[i] && rest.n == 0);
        rest = str_drop(buf_view(&b), 1);
        assert_false(decode_number(&rest, &n));
        buf_free(&b);
    }
    assert_false(decode_number(&(struct str){"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10}, &(uint64_t){0}));
}

static void the_fingerprint_is_of_the_table(void **state)
{
    (void)state;
    assert_int_not_equal(fields_fingerprint(), 0);
    for (size_t i = 0; shape_at(i); i++)
        for (size_t k = 0; k < i; k++)
            assert_ptr_not_equal(shape_at(i), shape_at(k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_comes_back),
        cmocka_unit_test(no_beginning_is_taken_for_the_whole),
        cmocka_unit_test(damage_is_refused_or_harmless),
        cmocka_unit_test(a_model_without_what_others_rely_on_is_refused),
        cmocka_unit_test(numbers_are_read_as_they_were_written),
        cmocka_unit_test(the_fingerprint_is_of_the_table),
    };

    return RUN(tests);
}
