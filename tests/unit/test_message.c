#include "unit.h"

#include "util/message.h"
#include "util/utf8.h"

static void adds(void **state)
{
    struct arena *a = arena_new();
    struct messages m;

    (void)state;
    messages_init(&m, a, STR("x.log"));
    message_add(&m, MSG_BAD_JSON, 7, "near %s", "here");
    message_add(&m, MSG_RESET, 0, "%s", "");
    messages_finish(&m);
    assert_int_equal(m.list.n, 2);
    assert_int_equal(m.list.v[0].code, MSG_BAD_JSON);
    assert_int_equal(m.list.v[0].line, 7);
    assert_int_equal(m.list.v[0].count, 1);
    assert_str(m.list.v[0].file, "x.log");
    assert_str(m.list.v[0].text, "near here");
    assert_str(m.list.v[1].text, "");
    assert_int_equal(m.counts[MSG_BAD_JSON], 1);
    assert_int_equal(m.counts[MSG_RESET], 1);
    arena_free(a);
}

static void counts_beyond_the_limit(void **state)
{
    struct arena *a = arena_new();
    struct messages m;
    const struct message *rest;

    (void)state;
    messages_init(&m, a, STR("x.log"));
    for (unsigned i = 0; i < MESSAGES_PER_CODE; i++)
        message_add(&m, MSG_BAD_LINE, i + 1, "exactly the limit");
    for (unsigned i = 0; i < MESSAGES_PER_CODE + 5; i++)
        message_add(&m, MSG_BAD_JSON, i + 1, "over the limit");
    assert_int_equal(m.list.n, 2 * MESSAGES_PER_CODE);
    messages_finish(&m);
    assert_int_equal(m.list.n, 2 * MESSAGES_PER_CODE + 1);
    rest = &m.list.v[m.list.n - 1];
    assert_int_equal(rest->code, MSG_BAD_JSON);
    assert_int_equal(rest->count, 5);
    assert_int_equal(rest->line, 0);
    assert_str(rest->file, "x.log");
    assert_int_equal(m.counts[MSG_BAD_JSON], MESSAGES_PER_CODE + 5);
    arena_free(a);
}

/* The text is bounded, and not cut in the middle of a character. */
static void bounds_the_text(void **state)
{
    struct arena *a = arena_new();
    char text[1000];

    (void)state;
    for (unsigned ascii = 0; ascii < 4; ascii++) {
        struct messages m;
        struct str got;

        memset(text, 'a', ascii);
        for (size_t i = ascii; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xe2\x82\xac", 4); /* the euro sign */
        messages_init(&m, a, STR("x"));
        message_add(&m, MSG_BAD_JSON, 1, "%s", text);
        got = m.list.v[0].text;
        assert_in_range(got.n, MESSAGE_TEXT_MAX - 4, MESSAGE_TEXT_MAX);
        assert_true(utf8_valid(got));
    }
    arena_free(a);
}

static void catalog(void **state)
{
    (void)state;
    for (int i = 0; i < MSG_COUNT; i++) {
        const struct message_info *info = &message_infos[i];
        struct str key = str_of(info->key), meaning = str_of(info->meaning);

        assert_in_range(key.n, 3, 40);
        for (size_t k = 0; k < key.n; k++)
            assert_true((key.p[k] >= 'a' && key.p[k] <= 'z') || (key.p[k] >= '0' && key.p[k] <= '9') ||
                        key.p[k] == '-');
        assert_true(str_ends(meaning, STR(".")));
        assert_non_null(severity_name(info->severity));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(info->key, message_infos[k].key);
    }
    assert_string_equal(severity_name(SEVERITY_INFO), "info");
    assert_string_equal(severity_name(SEVERITY_WARNING), "warning");
    assert_string_equal(severity_name(SEVERITY_ERROR), "error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds),
        cmocka_unit_test(counts_beyond_the_limit),
        cmocka_unit_test(bounds_the_text),
        cmocka_unit_test(catalog),
    };

    return RUN(tests);
}
