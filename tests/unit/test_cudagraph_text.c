/* Why something runs without CUDA graphs: the reason, the code, and which lines of a log belong to it. */
#include "unit.h"

#include "text/graphs/cudagraph_text.h"

static void reasons(void **state)
{
    static const struct {
        const char *text, *reason, *place; /* "file:line function" of the last call */
    } cases[] = {
        {"", "", ""},
        {"cpu device (arg0_1)", "cpu device (arg0_1)", ""},
        {"skipping cudagraphs due to cpu device (arg0_1)", "cpu device (arg0_1)", ""},
        {"skipping cudagraph due to cpu device", "cpu device", ""},
        {"disabling cudagraphs due to cpu device", "cpu device", ""},
        {" skipping cudagraphs due to skipping cudagraphs due to  cpu device \n", "cpu device", ""},
        {"skipping cudagraphs due to mutated inputs. Found from : \n   File \"/srv/shop.py\", line 5, in f\n"
         "    return x.sin() + 1\n",
         "mutated inputs", "/srv/shop.py:5 f"},
        {"cpu device. Found from :\n  File \"/srv/a.py\", line 1, in g\n    a(x)\n  File \"/srv/b.py\", line 2, in h\n"
         "    b(x)\n",
         "cpu device", "/srv/b.py:2 h"},
        {"incompatible op aten.index_put_.default Found from   File \"/srv/a.py\", line 1, in g\n    a(x)\n"
         "  File \"/srv/b.py\", line 2, in h\n    b(x)\n",
         "incompatible op aten.index_put_.default", "/srv/b.py:2 h"},
        {"cpu device. Found from : nothing", "cpu device", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cudagraph_text t;
        struct str place = STR("");

        cudagraph_text_parse(a, str_of(cases[i].text), &t);
        assert_str(t.reason, cases[i].reason);
        vec_each(const struct text_call, c, &t.stack.calls) place = arena_printf(
            a, "%.*s:%lld %.*s", STR_ARG(c->file), (long long)c->line, STR_ARG(c->function));
        assert_str(place, cases[i].place);
    }
    arena_free(a);
}

/* "+" for each line that belongs to the text, "-" for the first that does not. */
static void lines_of_a_log(void **state)
{
    static const struct {
        const char *text, *belong;
    } cases[] = {
        {"cpu device\nother\n", "+-"},
        {"cpu device\n  other\n", "+-"},
        {"cpu device. Found from :\n  File x\n    y\n\n  z\nother\n", "+++++-"},
        {"cpu device. Found from :\nother\n", "+-"},
        {"an op Found from   File x\n    y\nother\n", "++-"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str rest = str_of(cases[i].text), line;
        unsigned seen = 0;
        size_t n = 0;

        while (str_next_line(&rest, &line)) {
            assert_int_equal(cudagraph_text_goes_on(&seen, line), cases[i].belong[n] == '+');
            if (cases[i].belong[n++] == '-')
                break;
        }
        assert_int_equal(cases[i].belong[n], '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reasons), cmocka_unit_test(lines_of_a_log)};

    return RUN(tests);
}
