#include "unit.h"

#include "util/nearest.h"

static const char *const words[] = {"report", "summary", "check", "export", "output_code", "diff", "run"};

static struct str near(const char *wanted)
{
    struct nearest n = nearest_to(str_of(wanted));

    for (size_t i = 0; i < COUNT(words); i++)
        nearest_try(&n, str_of(words[i]));
    return n.word;
}

static void finds_slips(void **state)
{
    (void)state;
    assert_str(near("chekc"), "check");    /* swapped */
    assert_str(near("sumary"), "summary"); /* one missing */
    assert_str(near("exporrt"), "export"); /* one too many */
    assert_str(near("Repord"), "report");  /* another one, and another case */
    assert_str(near("outputcode"), "output_code");
    assert_str(near("output-cod"), "output_code");
}

static void finds_no_other_words(void **state)
{
    char lengthy[200] = {0};

    (void)state;
    memset(lengthy, 'x', sizeof lengthy - 1);
    assert_str(near("train"), "");
    assert_str(near("data"), "");
    assert_str(near("ru"), "");
    assert_str(near(""), "");
    assert_str(near(lengthy), "");
}

static void first_of_equals_stays(void **state)
{
    struct nearest n = nearest_to(STR("abcd"));

    (void)state;
    nearest_try(&n, STR("abcx"));
    nearest_try(&n, STR("abcy"));
    assert_str(n.word, "abcx");
    nearest_try(&n, STR("abcd"));
    assert_str(n.word, "abcd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_slips),
        cmocka_unit_test(finds_no_other_words),
        cmocka_unit_test(first_of_equals_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
