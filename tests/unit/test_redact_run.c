/* Redaction of a model in which every text is of the user: none of them is forgotten. */
#include "model_filled.h"

#include "redact/redact_run.h"

static bool has_word(struct str s)
{
    return str_find(s, STR("zork")) >= 0;
}

static bool is_zero(const void *p, size_t n)
{
    const char *bytes = p;

    while (n && bytes[n - 1] == 0)
        n--;
    return n == 0;
}

static bool metric_has_word(const struct metric *m)
{
    return (m->type == METRIC_STR && has_word(m->s)) || (m->type == METRIC_LIST && has_word(m->list.v[0]));
}

static void check_redacted(struct filling *f, const struct field *field, void *p, void *other)
{
    bool kept = (field->redact & REDACT_CLASS) == REDACT_KEPT, same = false;

    (void)f, (void)other;
    if (field->kind == FIELD_TEXT || (field->kind == FIELD_LEFT_OUT && field->redact))
        same = has_word(*(const struct str *)p);
    else if (field->kind == FIELD_BYTES) /* a number that stands for it is small */
        same = !is_zero((const char *)p + 4, field->size - 4);
    else if (field->kind == FIELD_VALUE)
        same = metric_has_word((const struct metric *)((const char *)p - field->offset));
    else if (field->kind == FIELD_KINDS)
        same = has_word(((const struct map *)p)->entries[0].key);
    else if (field->kind == FIELD_STRINGS)
        same = has_word(*(const struct str *)((const struct string_table *)p)->by_number.entries[0].value);
    if (same != kept)
        fail_msg("field %s is %s", field->name, same ? "as it was" : "no longer what it was");
}

/* Texts of the rows that say so are empty in a skeleton, and only there. */
static void check_dropped(struct filling *f, const struct field *field, void *p, void *other)
{
    (void)f, (void)other;
    if (field->kind == FIELD_TEXT && (field->redact & SKELETON_DROPS))
        assert_int_equal(((const struct str *)p)->n, 0);
    if (field->kind == FIELD_TEXT && (field->redact & REDACT_CLASS) == REDACT_KEPT)
        assert_true(((const struct str *)p)->n > 0);
}

static void check_inputs(bool skeleton, visit *check)
{
    struct redactor *r = redactor_new();
    struct filling f = {.word = "zork", .next = 1};
    struct input *in = filled_input(&f);
    struct run run = {.arena = in->arena};

    vec_push(in->arena, &run.inputs, in);
    redact_inputs(r, &run, skeleton);
    walk(&f, check, &input_shape, in, in);
    redactor_free(r);
    arena_free(in->arena);
}

static void no_text_is_forgotten(void **state)
{
    (void)state;
    check_inputs(false, check_redacted);
}

static void no_text_is_forgotten_by_a_skeleton(void **state)
{
    (void)state;
    check_inputs(true, check_redacted);
}

static void a_skeleton_drops_texts(void **state)
{
    (void)state;
    check_inputs(true, check_dropped);
}

/* The digest of a text would show which text it is; a skeleton has no texts at all. */
static void payloads_are_changed(void **state)
{
    (void)state;
    for (int skeleton = 0; skeleton < 2; skeleton++) {
        struct redactor *r = redactor_new();
        struct filling f = {.word = "zork", .next = 1};
        struct input *in = filled_input(&f);
        struct run run = {.arena = in->arena};
        struct artifact *a = in->artifacts.v[0];
        const struct artifact_info for_people = {.title = "a title", .for_people = true};

        a->info = skeleton ? NULL : &for_people;
        a->payload.flags = PAYLOAD_PRESENT | PAYLOAD_DIGEST;
        vec_push(in->arena, &run.inputs, in);
        redact_inputs(r, &run, skeleton);
        assert_int_equal(a->payload.flags, PAYLOAD_PRESENT | (skeleton ? PAYLOAD_WITHHELD : PAYLOAD_PROSE));
        redactor_free(r);
        arena_free(in->arena);
    }
}

/* Titles in a file of labels are the user's words; those of the catalog stay. */
static void titles_of_labels(void **state)
{
    struct redactor *r = redactor_new();
    struct filling f = {.word = "zork", .next = 1};
    struct input *in = filled_input(&f);
    struct run run = {.arena = in->arena};
    const struct artifact_info mine = {.title = "zork title", .group = "zork group"};
    const struct artifact_info *known = artifact_info_find(STR("inductor_output_code"));
    struct artifact list[] = {{.name = STR("zork"), .info = &mine},
                              {.name = STR("inductor_output_code"), .info = known},
                              {.name = STR("inductor_output_code"), .info = &mine},
                              {.name = STR("zork")}};

    (void)state;
    in->artifacts.n = 0;
    for (size_t i = 0; i < COUNT(list); i++)
        vec_push(in->arena, &in->artifacts, &list[i]);
    vec_push(in->arena, &run.inputs, in);
    redact_inputs(r, &run, false);
    assert_ptr_not_equal(list[0].info, &mine);
    assert_false(has_word(str_of(list[0].info->title)) || has_word(str_of(list[0].info->group)));
    assert_true(str_ends(str_of(list[0].info->title), STR(" title")));
    assert_ptr_equal(list[1].info, known);
    assert_ptr_equal(list[2].info, list[0].info);
    assert_null(list[3].info);
    assert_string_equal(mine.title, "zork title");
    redactor_free(r);
    arena_free(in->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_text_is_forgotten),
        cmocka_unit_test(no_text_is_forgotten_by_a_skeleton),
        cmocka_unit_test(a_skeleton_drops_texts),
        cmocka_unit_test(payloads_are_changed),
        cmocka_unit_test(titles_of_labels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
