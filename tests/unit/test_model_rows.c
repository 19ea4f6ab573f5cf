/* The rows of the model. That no field lacks one is proven where they are compiled: src/model/rows/fields.c. */
#include "unit.h"

#include "model/rows/fields.h"

/* Of all rows of all shapes. */
static void each_row(void (*check)(const struct shape *s, const struct field *f))
{
    size_t rows = 0;

    for (size_t i = 0; shape_at(i); i++)
        for (size_t k = 0; k < shape_at(i)->field_count; k++, rows++)
            check(shape_at(i), &shape_at(i)->fields[k]);
    assert_true(rows > 400);
}

static size_t bytes_of(const struct field *f)
{
    return f->many == FIELD_LIST    ? sizeof(struct any_list)
           : f->many == FIELD_ARRAY ? f->size * f->count
                                    : f->size;
}

/* Fields of a struct follow one another, with less between them than the widest of them is aligned to. */
static void rows_cover_their_structs(void **state)
{
    (void)state;
    for (size_t i = 0; shape_at(i); i++) {
        const struct shape *s = shape_at(i);
        size_t end = 0;

        for (size_t k = 0; k < s->field_count; k++) {
            const struct field *f = &s->fields[k];

            if (f->offset < end || f->offset - end >= _Alignof(max_align_t))
                fail_msg("%s of struct %s stands at %zu, behind %zu", f->name, s->name, f->offset, end);
            end = f->offset + bytes_of(f);
        }
        assert_in_range(s->size, end, end + _Alignof(max_align_t) - 1);
    }
}

static void check_size(const struct shape *s, const struct field *f)
{
    bool is_number = f->kind == FIELD_NUMBER || f->kind == FIELD_SIGNED;
    size_t expected = f->kind == FIELD_TEXT     ? sizeof(struct str)
                      : f->kind == FIELD_STRUCT ? f->shape->size
                      : f->kind == FIELD_OWNED || f->kind == FIELD_POINTER ? sizeof(void *)
                      : is_number && (f->size & (f->size - 1)) == 0 && f->size <= 8 ? f->size
                                                                                    : 0;

    if (f->size != expected && (expected || is_number))
        fail_msg("%s of struct %s has %zu bytes", f->name, s->name, f->size);
}

static void sizes_fit_kinds(void **state)
{
    (void)state;
    each_row(check_size);
}

static void check_class(const struct shape *s, const struct field *f)
{
    unsigned class = f->redact & REDACT_CLASS;
    bool is_text = f->kind == FIELD_TEXT, is_bytes = f->kind == FIELD_BYTES;

    if (is_text && (class == REDACT_NOTHING || class == REDACT_HASH))
        fail_msg("nobody redacts %s of struct %s", f->name, s->name);
    if (is_bytes && class != REDACT_HASH && class != REDACT_EMPTIED)
        fail_msg("nobody redacts %s of struct %s", f->name, s->name);
    if (!is_text && !is_bytes && f->kind != FIELD_LEFT_OUT && class)
        fail_msg("%s of struct %s is no text", f->name, s->name);
    if ((f->redact & SKELETON_NUMBERS) && class != REDACT_CODE && class != REDACT_PROSE)
        fail_msg("numbers of %s of struct %s are not looked at", f->name, s->name);
}

static void texts_have_a_class(void **state)
{
    (void)state;
    each_row(check_class);
}

static bool rule_fits(const struct field *f)
{
    bool is_number = f->many == FIELD_ONE && (f->kind == FIELD_NUMBER || f->kind == FIELD_SIGNED);

    switch (f->join) {
    case JOIN_FIRST:
        return f->many == FIELD_ONE && (is_number || f->kind == FIELD_TEXT || f->kind == FIELD_POINTER);
    case JOIN_ANY:
        return is_number && f->most == 1;
    case JOIN_MOST:
    case JOIN_SUM:
        return is_number;
    case JOIN_IF_NONE:
        return f->many == FIELD_LIST;
    default:
        return true;
    }
}

/* Only what a log completes is joined, and all of that has a rule. */
static void check_rule(const struct shape *s, const struct field *f)
{
    bool is_joined = s == &compile_shape || s == &process_shape;

    if (is_joined != (f->join != JOIN_NEVER) || !rule_fits(f))
        fail_msg("%s of struct %s has no rule of joining that fits", f->name, s->name);
}

static void joined_fields_have_a_rule(void **state)
{
    (void)state;
    each_row(check_rule);
}

static void check_reason(const struct shape *s, const struct field *f)
{
    if ((f->kind == FIELD_LEFT_OUT) != (f->why != NULL))
        fail_msg("why is %s of struct %s left out of digests?", f->name, s->name);
}

static void what_is_left_out_has_a_reason(void **state)
{
    (void)state;
    each_row(check_reason);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_cover_their_structs),
        cmocka_unit_test(sizes_fit_kinds),
        cmocka_unit_test(texts_have_a_class),
        cmocka_unit_test(joined_fields_have_a_rule),
        cmocka_unit_test(what_is_left_out_has_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
