#include "unit.h"

#include "text/python/fault.h"

/* "cannot find\t-lcuda" as a message has it: the words in one line, with others around them, and the row's path. */
static struct str message_with(struct arena *a, const struct fault *f, struct str words)
{
    struct str out = STR("q7z");

    while (words.n) {
        struct str part = str_split(&words, '\t');

        out = arena_printf(a, "%.*s %.*s", STR_ARG(out), STR_ARG(part));
    }
    if (f->path)
        out = arena_printf(a, "%.*s C:\\\\%0*d'", STR_ARG(out), (int)f->path, 0);
    return arena_printf(a, "%.*s q7z", STR_ARG(out));
}

/* Each alternative is found, and as this row: none is hidden behind an earlier one. */
static void find_by(struct arena *a, const struct fault *f, const char *alternatives, bool alone, bool of_compiler)
{
    struct str rest = str_of(alternatives), words;

    while (str_next_line(&rest, &words)) {
        struct str message = message_with(a, f, words);
        const struct fault *found = fault_find(STR("RuntimeError"), message, of_compiler);

        if (found != f)
            fail_msg("%s: \"%.*s\" is found as %s", f->id, STR_ARG(message), found ? found->id : "nothing");
        assert_str(fault_line(f, STR("RuntimeError"), message), message.p);
        if (alone && !fault_is_known(message))
            fail_msg("%s: \"%.*s\" is not known by itself", f->id, STR_ARG(message));
    }
}

static void rows_are_found_by_their_words(void **state)
{
    struct arena *a = arena_new();
    const struct fault *f;

    (void)state;
    for (size_t i = 0; (f = fault_at(i)) != NULL; i++) {
        find_by(a, f, f->alone, true, false);
        find_by(a, f, f->sure, false, false);
        find_by(a, f, f->within, false, true);
    }
    assert_true(fault_at(0) != NULL);
    assert_null(fault_find(STR("RuntimeError"), STR("q7z"), true));
    assert_false(fault_is_known(STR("q7z")));
    arena_free(a);
}

/* What only a compiler's exception proves is no fault in another one, unless another row knows it by the same words. */
static void words_of_compilers(void **state)
{
    struct arena *a = arena_new();
    const struct fault *f;

    (void)state;
    for (size_t i = 0; (f = fault_at(i)) != NULL; i++) {
        struct str rest = str_of(f->within), words;

        while (str_next_line(&rest, &words))
            if (fault_find(STR("RuntimeError"), message_with(a, f, words), false) == f)
                fail_msg("%s: \"%.*s\" is found without a compiler", f->id, STR_ARG(words));
    }
    arena_free(a);
}

static void rows(void **state)
{
    const struct fault *f;

    (void)state;
    for (size_t i = 0; (f = fault_at(i)) != NULL; i++) {
        struct str fix = str_of(f->fix), words = str_of(f->alone);

        if (!f->alone && !f->sure && !f->within)
            fail_msg("%s has no words", f->id);
        if (f->what[strlen(f->what) - 1] == '.' || !(str_ends(fix, STR(".")) || str_ends(fix, STR("`"))))
            fail_msg("%s: what is a clause, its fix sentences, or ends in a command", f->id);
        assert_true(str_chr(words, '#') < 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(f->id, fault_at(k)->id);
    }
}

static void paths(void **state)
{
    static const char begin[] = "FileNotFoundError: [Errno 2] No such file or directory: '";
    struct arena *a = arena_new();
    const struct fault *f;

    (void)state;
    f = fault_find(STR(""), arena_printf(a, "%sC:\\\\a\\\\%0*d'", begin, 243, 0), false);
    assert_true(f && f->path);
    f = fault_find(STR(""), arena_printf(a, "%sC:\\\\a\\\\%0*d'", begin, 242, 0), false);
    assert_true(!f || !f->path);
    f = fault_find(STR(""), arena_printf(a, "%sx' D:\\%0*d", begin, 245, 0), false);
    assert_true(f && f->path);
    f = fault_find(STR(""), arena_printf(a, "%s/a/%0*d:\\'", begin, 400, 0), false);
    assert_true(!f || !f->path);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found_by_their_words),
        cmocka_unit_test(words_of_compilers),
        cmocka_unit_test(rows),
        cmocka_unit_test(paths),
    };

    return RUN(tests);
}
