#include "unit.h"

#include "output/export/markdown.h"

static struct markdown new_markdown(size_t limit)
{
    struct markdown m = {.arena = arena_new()};

    markdown_limit(&m, limit, limit);
    return m;
}

static void check_and_free(struct markdown *m, const char *expected)
{
    buf_char(&m->out, '\0');
    assert_string_equal(m->out.p, expected);
    arena_free(m->arena);
    markdown_free(m);
}

static void check_words(const char *text, const char *expected)
{
    struct markdown m = new_markdown(10000);

    markdown_words(&m, str_of(text));
    markdown_end_item(&m);
    check_and_free(&m, expected);
}

static void sentences_hold_no_markup(void **state)
{
    (void)state;
    check_words("a `b` c", "a `b` c");
    check_words("*a* _b_ [c](d) ![e](f)", "\\*a\\* \\_b\\_ \\[c\\]\\(d\\) \\!\\[e\\]\\(f\\)");
    check_words("<b> & @user #12", "&lt;b&gt; &amp; @&#8203;user \\#&#8203;12");
    check_words("see https://x.y and www.z", "see https:/&#8203;/x.y and www&#8203;.z");
    check_words("a\nb\x1b[0m", "a b?\\[0m");
    check_words("- a", "\\- a");
    check_words("`not closed", "`not closed`");
}

static void check_code(const char *text, size_t max, const char *expected)
{
    struct markdown m = new_markdown(10000);

    markdown_code(&m, str_of(text), max);
    markdown_end_item(&m);
    check_and_free(&m, expected);
}

static void code_cannot_end_itself(void **state)
{
    (void)state;
    check_code("a", 10, "`a`");
    check_code("a`b", 10, "`` a`b ``");
    check_code("``", 10, "``` `` ```");
    check_code("a\nb", 10, "`a b`");
    check_code("abcdef", 3, "`abc\xe2\x80\xa6`");
    check_code("a\xe2\x80\xae"
               "b",
               10, "`a???b`");
    check_code("a\xff", 10, "`a\xef\xbf\xbd`");
    check_code("  ", 10, "");
}

static void check_fence(const char *text, size_t max, const char *expected)
{
    struct markdown m = new_markdown(10000);

    markdown_fence(&m, "python", str_of(text), max);
    markdown_end_item(&m);
    check_and_free(&m, expected);
}

static void fences_cannot_end_themselves(void **state)
{
    (void)state;
    check_fence("a\n\tb", 100, "```python\na\n\tb\n```\n");
    check_fence("```\n", 100, "````python\n```\n````\n");
    check_fence("abcdef", 3, "```python\nabc\n... cut: 6 bytes in all\n```\n");
    check_fence("a\x1b", 100, "```python\na?\n```\n");
}

/* What does not fit is left out as a whole, and so is what comes behind it. */
static void what_does_not_fit_is_counted(void **state)
{
    struct markdown m = new_markdown(5);

    (void)state;
    for (int i = 0; i < 3; i++) {
        markdown_raw(&m, i == 1 ? "45678" : "12");
        markdown_end_item(&m);
    }
    assert_int_equal(m.left_out, 2);
    markdown_left_out(&m, "thing was", "things were");
    check_and_free(&m, "12\n_2 more things were left out, because GitHub limits the size of this text._\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_hold_no_markup),
        cmocka_unit_test(code_cannot_end_itself),
        cmocka_unit_test(fences_cannot_end_themselves),
        cmocka_unit_test(what_does_not_fit_is_counted),
    };

    return RUN(tests);
}
