#include "unit.h"

#include "input/limits.h"
#include "model/compile_id.h"

static const struct {
    const char *text;
    struct compile_id id;
    int attempt;
    const char *printed;
} forms[] = {
    {"0/0", {ID_NONE, 0, 0}, 0, "0/0"},
    {"12/34", {ID_NONE, 12, 34}, 0, "12/34"},
    {"0/1_1", {ID_NONE, 0, 1}, 1, "0/1"},
    {"[0/1]", {ID_NONE, 0, 1}, 0, "0/1"},
    {"[0/1_12]", {ID_NONE, 0, 1}, 12, "0/1"},
    {"!0", {0, ID_NONE, ID_NONE}, 0, "!0"},
    {"[!3]", {3, ID_NONE, ID_NONE}, 0, "!3"},
    {"!0/3/0", {0, 3, 0}, 0, "!0/3/0"},
    {"[!1/2/3_4]", {1, 2, 3}, 4, "!1/2/3"},
    {"16777216/16777216", {ID_NONE, LIMIT_COMPILE_NUMBER, LIMIT_COMPILE_NUMBER}, 0, "16777216/16777216"},
};

static void takes_and_prints(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct str s = arena_printf(a, "%s: rest", forms[i].text);
        struct compile_id id;
        int attempt = 99;

        if (!compile_id_take(&s, &id, &attempt))
            fail_msg("%s is no id", forms[i].text);
        assert_str(s, ": rest");
        assert_true(compile_id_eq(id, forms[i].id));
        assert_int_equal(attempt, forms[i].attempt);
        assert_str(compile_id_print(a, id), forms[i].printed);
        for (size_t k = 0; k < COUNT(forms); k++)
            assert_int_equal(compile_id_eq(id, forms[k].id), strcmp(forms[i].printed, forms[k].printed) == 0);
        assert_false(compile_id_is_none(id));
    }
    assert_str(compile_id_print(a, COMPILE_ID_NONE), "-");
    assert_true(compile_id_is_none(COMPILE_ID_NONE));
    arena_free(a);
}

static void no_ids(void **state)
{
    static const char *const bad[] = {
        "", "0", "0/", "/0", "!", "!/0/0", "!0/", "!0/1", "!0/1/", "[0/0", "[0/0_]", "0/0_", "-1/0", "a/b", "[]", "[/]",
        "16777217/0", "0/16777217", "0/0_16777217", "!16777217", "99999999999999999999/0", " 0/0",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct str s = str_of(bad[i]);
        struct compile_id id;
        int attempt = 99;

        if (compile_id_take(&s, &id, &attempt))
            fail_msg("\"%s\" was taken", bad[i]);
        assert_str(s, bad[i]);
        assert_int_equal(attempt, 99);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_and_prints),
        cmocka_unit_test(no_ids),
    };

    return RUN(tests);
}
