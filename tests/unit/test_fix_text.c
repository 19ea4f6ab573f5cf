/* Advice that was tried, in words: a line for each fix, the patch of all that were chosen, and fixes.md. */
#include "unit.h"

#include "relaunch/procedures/fix_text.h"

static void words(void **state)
{
    static const struct {
        const char *kind, *text, *file;
        int64_t line;
        const char *words;
    } cases[] = {
        {"statement", "y = f(x)", "/srv/train.py", 31, "y = f(x) before train.py:31"},
        {"statement", "y = f(x)\nz = g(y)\n", "train.py", 31, "y = f(x) ... before train.py:31"},
        {"statement", "import a\nimport b\ny = f(x)\n", "train.py", 31, "y = f(x) before train.py:31"},
        {"setting", "import a", "", 0, "import a"},
        {"setting", "import a\nimport b\n", "", 0, "import b"},
        {"setting", "import a\na.b = 1\na.c = 2", "", 0, "a.b = 1 ..."},
        {"environment", "A=1 B=2", "", 0, "A=1 B=2"},
        {"pattern", "torch.compile(..., dynamic=True)", "", 0, "torch.compile(..., dynamic=True) in every call"},
        {"pattern", "torch.compile(...)", "", 0, "torch.compile(...)"},
        {"", "", "", 0, ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct fix f = {.kind = str_of(cases[i].kind),
                              .text = str_of(cases[i].text),
                              .file = str_of(cases[i].file),
                              .line = cases[i].line};

        assert_str(fix_words(a, &f), cases[i].words);
    }
    arena_free(a);
}

#define FIX(of, says, ...) {.kind = STR_INIT(of), .text = STR_INIT(says), __VA_ARGS__}

/* What was chosen, by where it goes; what several findings advise, once. */
static void patches(void **state)
{
    static const struct {
        struct fix fixes[6];
        const char *patch;
    } cases[] = {
        {{FIX("statement", "x()", .file = STR_INIT("a.py"), .line = 3)}, ""},
        {{FIX("environment", "A=1", .chosen = true)}, "# the command\nA=1 python a.py\n"},
        {{FIX("environment", "A=1", .chosen = true), FIX("environment", "C=3", .chosen = false),
          FIX("environment", "A=1", .chosen = true), FIX("environment", "B=2", .chosen = true)},
         "# the command\nA=1 B=2 python a.py\n"},
        {{FIX("setting", "a = 1", .chosen = true), FIX("setting", "b = 2", .chosen = false),
          FIX("setting", "c = 3\nd = 4\n", .chosen = true), FIX("setting", "a = 1", .chosen = true)},
         "# behind the imports, before the first compiled call\n+ a = 1\n+ c = 3\n+ d = 4\n"},
        {{FIX("pattern", "torch.compile(..., dynamic=True)", .chosen = true),
          FIX("pattern", "torch.compile(..., dynamic=True)", .chosen = true),
          FIX("pattern", "torch.compile(..., a=1)", .chosen = false)},
         "# in the calls of torch.compile\n+ dynamic=True\n"},
        {{FIX("statement", "x()\ny()", .file = STR_INIT("/w/a.py"), .line = 3, .chosen = true),
          FIX("statement", "x()\ny()", .file = STR_INIT("/w/a.py"), .line = 4, .chosen = true),
          FIX("statement", "x()\ny()", .file = STR_INIT("/w/b.py"), .line = 3, .chosen = true),
          FIX("statement", "x()\ny()", .file = STR_INIT("/w/a.py"), .line = 3, .chosen = true)},
         "# before /w/a.py:3, indented like that line\n+ x()\n+ y()\n"
         "# before /w/a.py:4, indented like that line\n+ x()\n+ y()\n"
         "# before /w/b.py:3, indented like that line\n+ x()\n+ y()\n"},
        /* One that was not chosen is not the first of its text. */
        {{FIX("setting", "a = 1", .chosen = false), FIX("setting", "a = 1", .chosen = true)},
         "# behind the imports, before the first compiled call\n+ a = 1\n"},
        {{FIX("statement", "x()", .file = STR_INIT("a.py"), .line = 3, .chosen = true),
          FIX("pattern", "torch.compile(..., dynamic=True)", .chosen = true), FIX("setting", "a = 1", .chosen = true),
          FIX("environment", "A=1", .chosen = true)},
         "# the command\nA=1 python a.py\n# behind the imports, before the first compiled call\n+ a = 1\n"
         "# in the calls of torch.compile\n+ dynamic=True\n# before a.py:3, indented like that line\n+ x()\n"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct arena *a = arena_new();
        struct experiment x = {.command = STR("python a.py")};
        struct rerun r = {.arena = a, .experiment = &x};

        for (size_t k = 0; k < COUNT(cases[i].fixes) && cases[i].fixes[k].kind.n; k++)
            vec_push(a, &x.fixes, cases[i].fixes[k]);
        assert_str(fix_patch(&r), cases[i].patch);
        arena_free(a);
    }
}

static void markdown(void **state)
{
    struct fix fixes[] = {
        FIX("setting", "a = 1", .title = STR_INIT("it is slow"), .finding = STR_INIT("slow"), .outcome = FIX_HELPS,
            .measured = STR_INIT("compiles 2 to 1")),
        FIX("statement", "x()\n", .title = STR_INIT("it prints"), .finding = STR_INIT("break-print"),
            .file = STR_INIT("a.py"), .line = 3, .outcome = FIX_NOT_TRIED, .measured = STR_INIT("no line")),
        FIX("", "", .title = STR_INIT("it is odd"), .finding = STR_INIT("odd"), .outcome = FIX_NOT_TRIED,
            .measured = STR_INIT("no advice")),
    };
    struct str conclusions[] = {STR("One helps."), STR("Apply it.")};
    struct experiment x = {.command = STR("python a.py"),
                           .conclusions = {.v = conclusions, .n = 2},
                           .patch = STR("+ a = 1\n"),
                           .fixes = {.v = fixes, .n = COUNT(fixes)}};
    struct rerun r = {.arena = arena_new(), .experiment = &x};
    struct buf out = {0};

    (void)state;
    fix_markdown(&r, &out);
    assert_lines(buf_view(&out), STR("# Advice that was tried\n\n`python a.py`\n\nOne helps.\n\nApply it.\n\n"
                                     "````\n+ a = 1\n````\n\n"
                                     "## it is slow\n\n`slow` \n\n````\na = 1\n````\n\n"
                                     "Tried here: it helps: compiles 2 to 1.\n\n"
                                     "## it prints\n\n`break-print` before a.py:3\n\n````\nx()\n````\n\n"
                                     "Not tried: no line.\n\n"
                                     "## it is odd\n\n`odd` \n\nNot tried: no advice.\n\n"));
    buf_free(&out);
    arena_free(r.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(patches),
                                              cmocka_unit_test(markdown)};

    return RUN(tests);
}
