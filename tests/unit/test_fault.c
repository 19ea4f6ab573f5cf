#include "unit.h"

#include "text/faults/fault.h"

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

static void is_found(const char *id, const char *message, const char *line)
{
    const struct fault *f = fault_find(STR("InductorError"), str_of(message), true);

    assert_string_equal(f ? f->id : "none", id);
    if (f)
        assert_str(fault_line(f, STR("InductorError"), str_of(message)), line);
}

/* Whose file the first error is in decides: a header is not what Inductor wrote, unless that code instantiates it. */
static void headers_and_generated_code(void **state)
{
    (void)state;
    is_found("bad-headers", "x\n/v/torch/include/c10/util/Half.h:9:2: error: 'q' does not name a type\n",
             "/v/torch/include/c10/util/Half.h:9:2: error: 'q' does not name a type");
    is_found("bad-headers",
             "C:\\VC\\include\\vector(24): error C2065: 'q'\n/tmp/torchinductor_u/a.cpp(2): error C1: x",
             "C:\\VC\\include\\vector(24): error C2065: 'q'");
    is_found("old-compiler", "/v/c10/C++17.h:24:2: error: #error \"a too old version of GCC\"",
             "/v/c10/C++17.h:24:2: error: #error \"a too old version of GCC\"");
    is_found("old-compiler", "g++: error: unrecognized command-line option '-fno-q'",
             "g++: error: unrecognized command-line option '-fno-q'");
    is_found("none", "/tmp/torchinductor_u/c/a.cpp:9:2: error: 'q' was not declared\n/v/x.h:1:1: error: q", "");
    is_found("none", "/tmp/torchinductor_u/a.cpp:9:2:   required from here\n/v/torch/include/v.h:9:2: error: q", "");
    is_found("none",
             "/v/vec.h:9:2: error: q\n/tmp/torchinductor_u/a.cpp:3:1: note: in instantiation of x requested here", "");
    is_found("none", "/pkg/c1.wrapper.cpp:9:2:   required from here\n/v/torch/include/v.h:9:2: error: q", "");
    is_found("no-macos-sdk", "/usr/local/opt/llvm/include/q.h:9:10: fatal error: 'pthread.h' file not found",
             "/usr/local/opt/llvm/include/q.h:9:10: fatal error: 'pthread.h' file not found");
    is_found("no-c-headers", "/home/linuxbrew/.linuxbrew/opt/llvm/q.h:9:10: fatal error: 'pthread.h' file not found",
             "/home/linuxbrew/.linuxbrew/opt/llvm/q.h:9:10: fatal error: 'pthread.h' file not found");
    is_found("no-c-headers", "/opt/llvm/include/q.h:9:10: fatal error: 'pthread.h' file not found",
             "/opt/llvm/include/q.h:9:10: fatal error: 'pthread.h' file not found");
    is_found("none", "InductorError: error: no such thing", "");
    assert_str(fault_compiler_line(STR("x\n (pid=3) /usr/include/s.h:3:10: fatal error: q.h: No such file\n")),
               "(pid=3) /usr/include/s.h:3:10: fatal error: q.h: No such file");
    assert_int_equal(fault_compiler_line(STR("RuntimeError: error: q\n  error: \n")).n, 0);
}

static void rows(void **state)
{
    const struct fault *f;

    (void)state;
    for (size_t i = 0; (f = fault_at(i)) != NULL; i++) {
        struct str fix = str_of(f->fix), words = str_of(f->alone);

        if (!f->alone && !f->sure && !f->within && !f->headers)
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
        cmocka_unit_test(headers_and_generated_code),
        cmocka_unit_test(rows),
        cmocka_unit_test(paths),
    };

    return RUN(tests);
}
