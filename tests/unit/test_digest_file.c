#include "model_filled.h"
#include "trace_text.h"

#include "digest/decode.h"
#include "digest/digest_file.h"
#include "digest/encode.h"

#include <zlib.h>

/* --- every field -------------------------------------------------------------------------------------------------- */

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
    struct filling f = {.word = "text", .next = 1};
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
    struct filling f = {.word = "text", .next = 1};
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

/* A count is a number of things that follow: of more than the bytes that are left nothing is made room for. */
static void no_count_goes_beyond_the_bytes(void **state)
{
    (void)state;
    for (int i = 0; i <= METRIC_LIST; i++) { /* each has metrics of other types */
        struct buf bytes = filled_bytes(), with = {0};

        for (size_t at = 0; at < bytes.n; at++) {
            struct input *in;

            with.n = 0;
            buf_add(&with, bytes.p, at);
            encode_number(&with, (uint64_t)1 << 40);
            buf_str(&with, str_skip(buf_view(&bytes), at + 1));
            in = decode_input(buf_view(&with));
            if (in)
                input_free(in);
        }
        buf_free(&bytes);
        buf_free(&with);
    }
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

static void name_no_operation(struct input *in)
{
    in->processes.v[0]->flights.v[0]->entries.v[1].op = 2;
}

static void name_metrics_of_another(struct input *in)
{
    struct process *p = in->processes.v[0];

    p->compiles.v[0]->newest_metrics[METRICS_BACKWARD] = p->unattributed->metrics.v[0];
}

static void name_an_artifact_of_another(struct input *in)
{
    in->artifacts.v[0]->compile = in->processes.v[0]->unattributed;
}

static void name_a_compile_without_a_frame(struct input *in)
{
    in->processes.v[0]->frames.v[0]->compiles.v[0] = in->processes.v[0]->unattributed;
}

static void name_a_frame_of_what_has_none(struct input *in)
{
    in->processes.v[0]->unattributed->frame = in->processes.v[0]->frames.v[0];
}

static void lose_the_artifact_of_a_file(struct input *in) /* which belongs to no compile */
{
    in->kind = INPUT_COMPILE_DEBUG;
}

static void set_parts(struct input *in, struct str bytes)
{
    struct payload_parts *parts = in->artifacts.v[0]->payload.parts;

    parts->bytes.v = (void *)arena_str(in->arena, bytes).p;
    parts->bytes.n = parts->bytes.cap = bytes.n;
}

static void write_too_long_a_number(struct input *in)
{
    set_parts(in, STR("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x01\x01"));
}

static void cut_a_number(struct input *in)
{
    set_parts(in, STR("\x01\x01\x01\x80"));
}

static void a_model_without_what_others_rely_on_is_refused(void **state)
{
    static void (*const losses[])(struct input *) = {
        lose_key, lose_frame, lose_compiles_of_frame, lose_records_of_reasons, lose_epochs, name_what_has_no_id,
        call_itself, cut_parts, end_beyond_time, name_no_kernel, name_no_group, name_no_operation,
        name_metrics_of_another, name_an_artifact_of_another, name_a_compile_without_a_frame,
        name_a_frame_of_what_has_none, lose_the_artifact_of_a_file, write_too_long_a_number, cut_a_number};

    (void)state;
    for (size_t i = 0; i < COUNT(losses); i++) {
        struct filling f = {.word = "text", .next = 1};
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

/* What is just within the limits. */
static void end_with_time(struct input *in)
{
    struct event *e = &in->processes.v[0]->events.v[0];

    e->start_ns = INT64_C(9000000000000000000);
    e->duration_ns = INT64_MAX - e->start_ns;
}

static void name_the_last_kernel(struct input *in)
{
    in->gpus.v[0]->activities.v[0].name = 1;
}

static void name_the_last_group(struct input *in)
{
    in->processes.v[0]->flights.v[0]->entries.v[0].group = in->processes.v[0]->flights.v[0]->entries.v[0].op = 1;
}

static void write_long_numbers(struct input *in)
{
    set_parts(in, STR("\x80\x80\x80\x80\x80\x80\x80\x80\x01\x80\x01\x01"));
}

static void read_a_file(struct input *in)
{
    struct compile *c = in->processes.v[0]->compiles.v[0], *unattributed = in->processes.v[0]->unattributed;

    in->kind = INPUT_COMPILE_DEBUG;
    unattributed->artifacts = c->artifacts;
    unattributed->artifacts.v[0]->compile = unattributed;
    c->artifacts.n = c->reasons.n = 0;
}

static void a_model_at_its_limits_is_taken(void **state)
{
    static void (*const changes[])(struct input *) = {end_with_time, name_the_last_kernel, name_the_last_group,
                                                      write_long_numbers, read_a_file};

    (void)state;
    for (size_t i = 0; i < COUNT(changes); i++) {
        struct filling f = {.word = "text", .next = 1};
        struct input *in = filled_input(&f), *back;
        struct buf bytes = {0};

        changes[i](in);
        encode_input(&bytes, in);
        input_free(in);
        back = decode_input(buf_view(&bytes));
        if (!back)
            fail_msg("change %zu is refused", i);
        input_free(back);
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

/* What a row says of a digest's bytes changes the fingerprint; how it is redacted and joined does not. */
static void the_fingerprint_is_of_each_row(void **state)
{
    static const struct field row = {.name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 1};
    static const struct field others[] = {
        {.name = "y", .kind = FIELD_NUMBER, .most = 9, .count = 1},
        {.name = "x", .kind = FIELD_SIGNED, .most = 9, .count = 1},
        {.name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 1, .many = FIELD_LIST},
        {.name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 1, .flags = FIELD_RISING},
        {.name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 2},
        {.name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 1, .least = -1},
        {.name = "x", .kind = FIELD_NUMBER, .most = 1ull << 63, .count = 1},
        {.name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 1, .points_to = OBJECT_FRAME},
        {.name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 1, .shape = &frame_shape},
        {.name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 1, .shape = &compile_shape},
    };
    static const struct field same = {
        .name = "x", .kind = FIELD_NUMBER, .most = 9, .count = 1, .redact = REDACT_HASH, .join = JOIN_SUM};

    (void)state;
    assert_int_equal(field_mix(1, &same), field_mix(1, &row));
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_int_not_equal(field_mix(1, &others[i]), field_mix(1, &row));
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(field_mix(1, &others[i]), field_mix(1, &others[k]));
    }
}

static void the_fingerprint_is_of_the_table(void **state)
{
    (void)state;
    assert_int_not_equal(fields_fingerprint(), 0);
    for (size_t i = 0; shape_at(i); i++)
        for (size_t k = 0; k < i; k++)
            assert_ptr_not_equal(shape_at(i), shape_at(k));
}

/* --- the file it was made of -------------------------------------------------------------------------------------- */

/* A file that is now shorter than what was read of it, or that is gone, is not the one to look for later. */
static void sources_that_can_be_found_again(void **state)
{
    static const struct {
        uint64_t read; /* bytes, of 6 */
        bool pipe, gone, found;
    } cases[] = {
        {6, false, false, true},  {3, false, false, true}, {0, false, false, true}, {7, false, false, false},
        {60, false, false, false}, {6, true, false, false}, {7, true, false, false}, {6, false, true, false},
    };
    struct digest whole = digest_of(STR("abcdef"));

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *path = temp_write("source.log", STR("abcdef"));
        struct input *in = input_new(str_of(path));

        assert_int_equal(source_open(&in->source, path, true), 0);
        in->source.read_bytes = cases[i].read;
        in->source.mtime_s = cases[i].pipe ? 0 : in->source.mtime_s;
        if (cases[i].gone)
            assert_int_equal(unlink(path), 0);
        digest_note_source(in);
        if (str_ends(in->full_path, STR("/source.log")) != cases[i].found || (in->full_path.n > 0) != cases[i].found)
            fail_msg("case %zu: %.*s", i, STR_ARG(in->full_path));
        if (cases[i].read == 6)
            assert_true(digest_eq(&in->content, &whole));
        source_end_reading(&in->source);
        input_free(in);
    }
}

/* What was noted while it was read, with `error` one of its numbers: opening the file once more finds none of it. */
static void what_was_noted_stays(void **state)
{
    static const char *const ways[] = {"here", "moved", "changed"};

    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        const char *path = temp_write("noted.log", STR("abcdef"));
        struct input *in = input_new(str_of(path)), *back;
        struct buf before = {0}, after = {0};
        bool changed = str_eq(str_of(ways[i]), STR("changed"));

        assert_int_equal(source_open(&in->source, path, true), 0);
        in->read = true;
        in->source.read_bytes = 4;
        in->source.gzip_damaged = in->source.bomb = in->source.spill_failed = true;
        in->source.error = -5;
        digest_note_source(in);
        source_end_reading(&in->source);
        if (str_eq(str_of(ways[i]), STR("moved")))
            in->path = STR("nowhere.log");
        encode_input(&before, in);
        back = decode_input(buf_view(&before));
        assert_non_null(back);
        if (changed)
            temp_write("noted.log", STR("abcxef"));
        digest_open_source(back);
        assert_int_equal(back->messages.list.n, changed);
        back->messages.list.n = 0;
        memset(back->messages.counts, 0, sizeof back->messages.counts);
        encode_input(&after, back);
        assert_same(buf_view(&after), buf_view(&before));
        buf_free(&before);
        buf_free(&after);
        input_free(in);
        input_free(back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_comes_back),
        cmocka_unit_test(no_beginning_is_taken_for_the_whole),
        cmocka_unit_test(damage_is_refused_or_harmless),
        cmocka_unit_test(no_count_goes_beyond_the_bytes),
        cmocka_unit_test(a_model_without_what_others_rely_on_is_refused),
        cmocka_unit_test(a_model_at_its_limits_is_taken),
        cmocka_unit_test(numbers_are_read_as_they_were_written),
        cmocka_unit_test(the_fingerprint_is_of_the_table),
        cmocka_unit_test(the_fingerprint_is_of_each_row),
        cmocka_unit_test(sources_that_can_be_found_again),
        cmocka_unit_test(what_was_noted_stays),
    };

    return RUN(tests);
}
