/* The range of sizes that a violated constraint leaves, and what is said of it. */
#include "unit.h"

#include "analysis/errors/error_range.h"

/* All sentences, each with its end of line. */
static struct str said(struct arena *a, void (*say)(struct arena *, struct str, struct error_steps *),
                       struct str message)
{
    struct error_steps steps = {0};
    struct str out = STR("");

    say(a, message, &steps);
    vec_each(const struct error_step, s, &steps.list)
    {
        struct str text = error_step_text(a, s);

        out = arena_printf(a, "%.*s%.*s\n", STR_ARG(out), STR_ARG(text));
    }
    return out;
}

static void say_range(struct arena *a, struct str message, struct error_steps *out)
{
    error_range_say(a, message, STR(""), out);
}

/* What to declare for each form of a guard, at its limits; NULL: no range follows. */
static void ranges(void **state)
{
    static const struct {
        const char *name, *range, *guard, *paste;
    } cases[] = {
        {"till", "till <= 512", "8 <= L['x'].size()[0]", "Dim(\"till\", min=8)"},
        {"till", "till <= 512", "8 < L['x'].size()[0]", "Dim(\"till\", min=9)"},
        {"till", "till <= 512", "0 <= L['x'].size()[0]", "Dim(\"till\", min=0)"},
        {"till", "till <= 512", "0 < L['x'].size()[0]", "Dim(\"till\", min=1)"},
        {"till", "till <= 512", "-1 <= L['x'].size()[0]", NULL},
        {"till", "till <= 512", "L['x'].size()[0] <= 40", "Dim(\"till\", max=40)"},
        {"till", "till <= 512", "L['x'].size()[0] < 40", "Dim(\"till\", max=39)"},
        {"till", "till <= 512", "L['x'].size()[0] <= 1", "Dim(\"till\", max=1)"},
        {"till", "till <= 512", "L['x'].size()[0] < 2", "Dim(\"till\", max=1)"},
        {"till", "till <= 512", "L['x'].size()[0] <= 0", NULL}, /* Dim("till", max=0) is an error */
        {"till", "till <= 512", "L['x'].size()[0] < 1", NULL},
        {"till", "till <= 512", "L['x'].size()[0] < 0", NULL},
        {"till", "till <= 512", "8 <= L['x'].size()[0] and L['x'].size()[0] < 40", "Dim(\"till\", min=8, max=39)"},
        {"till", "till <= 512", "8 <= L['x'].size()[0] and L['x'].size()[0] <= 9", "Dim(\"till\", min=8, max=9)"},
        {"till", "till <= 512", "8 <= L['x'].size()[0] and L['x'].size()[0] <= 8", NULL}, /* a single size, or none */
        {"till", "till <= 512", "8 <= L['x'].size()[0] and L['x'].size()[0] <= 7", NULL},
        {"till", "till <= 512", "Ne(512, L['x'].size()[0])", "Dim(\"till\", max=511)"},
        {"till", "till <= 512", "L['x'].size()[0] != 512", "Dim(\"till\", max=511)"},
        {"till", "till <= 2", "Ne(2, L['x'].size()[0])", "Dim(\"till\", max=1)"},
        {"till", "till <= 1", "Ne(1, L['x'].size()[0])", NULL},
        {"till", "till <= 512", "Ne(511, L['x'].size()[0])", NULL}, /* inside: two ranges are left */
        {"till", "till <= 1512", "Ne(512, L['x'].size()[0])", NULL},
        {"till", "2 <= till", "Ne(2, L['x'].size()[0])", "Dim(\"till\", min=3)"},
        {"till", "2 <= till <= 512", "L['x'].size()[0] != 2", "Dim(\"till\", min=3)"},
        {"till", "25 <= till", "Ne(2, L['x'].size()[0])", NULL},
        {"till", "till <= 512", "Eq(Mod(L['x'].size()[0], 8), 0)", NULL},
        {"till", "till <= 512", "9223372036854775806 < L['x'].size()[0]", "Dim(\"till\", min=9223372036854775807)"},
        {"till", "till <= 512", "9223372036854775807 < L['x'].size()[0]", NULL},
        {"till", "till <= 512", "L['x'].size()[0] < -9223372036854775808", NULL},
        {"till", "9223372036854775807 <= till", "Ne(9223372036854775807, L['x'].size()[0])", NULL},
        {"L['x'].size()[0]", "L['x'].size()[0] <= 512", "2 <= L['x'].size()[0]", "mark_dynamic(x, 0, min=2)"},
        {"L['x'].size()[0]", "L['x'].size()[0] <= 512", "Ne(512, L['x'].size()[0])", "mark_dynamic(x, 0, max=511)"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int stop = 0; stop < 2; stop++) { /* with and without the period at its end */
            struct str text =
                said(a, say_range,
                     arena_printf(a,
                                  "Constraints violated (%s)!\n  - Not all values of %s = "
                                  "L['x'].size()[0] in the specified range %s satisfy the generated "
                                  "guard %s%s\nmore",
                                  cases[i].name, cases[i].name, cases[i].range, cases[i].guard, stop ? "." : ""));
            struct str paste = {0};

            str_between(text, STR("Declare that range (`"), STR("`)"), &paste);
            if (!str_eq(paste, str_of(cases[i].paste ? cases[i].paste : "")))
                fail_msg("%s, %s: %.*s", cases[i].range, cases[i].guard, STR_ARG(text));
        }
    arena_free(a);
}

/* Only the first four parts of a guard count. */
static void guards_of_many_parts(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (int n = 3; n <= 4; n++) {
        struct str guard = STR("");

        for (int i = 0; i < n; i++)
            guard = arena_printf(a, "%.*sEq(Mod(s0, 8), 0) and ", STR_ARG(guard));
        assert_int_equal(
            str_has(said(a, say_range,
                         arena_printf(a,
                                      "Not all values of q = s0 in the specified range q <= 64 satisfy the "
                                      "generated guard %.*s2 <= s0.",
                                      STR_ARG(guard))),
                    STR("min=2")),
            n == 3);
    }
    arena_free(a);
}

#define NEEDS(size)                                                                                                    \
    "The code needs `till` to be " size ": change the line that fixes it, which `TORCH_LOGS=\"+dynamic\"` prints at "  \
    "`[guard added]`, or leave it out of the dynamic shapes.\n"

/* What PyTorch suggests: a size, a range, one that it rejects itself, and lines behind the list. */
static void suggestions(void **state)
{
    static const struct {
        const char *message, *said;
    } cases[] = {
        {"Suggested fixes:\n  till = 4\n", NEEDS("4")},
        {"Suggested fixes:\n  till = None  # 4\n", NEEDS("4")},
        {"Suggested fixes:\n  till = 0\n",
         "The example has a size of 0, which PyTorch takes for a constant: export with "
         "one in which `till` is 2 or more.\n"},
        {"Suggested fixes:\n  till = 1\n",
         "The example has a size of 1, which PyTorch takes for a constant: export with "
         "one in which `till` is 2 or more.\n"},
        {"Suggested fixes:\n  till = 2\n", NEEDS("2")},
        {"Suggested fixes:\n\n  till = Dim('till', max=64)\n  n = 2*_n\nAnd a sentence.\n  q = 4\n",
         "PyTorch suggests `till = Dim('till', max=64)`.\nPyTorch suggests `n = 2*_n`.\n"},
        {"till in the specified range 8 <= till <= 64 satisfy x\nSuggested fixes:\n  till = Dim('till', min=8, "
         "max=64)\n",
         ""},
        {"till in the specified range 8 <= till <= 64 satisfy x\nSuggested fixes:\n  till = Dim('till', min=9, "
         "max=64)\n",
         "PyTorch suggests `till = Dim('till', min=9, max=64)`.\n"},
        {"till in the specified range 8 <= till <= 64 satisfy x\nSuggested fixes:\n  till = Dim('till', min=8, "
         "max=63)\n",
         "PyTorch suggests `till = Dim('till', min=8, max=63)`.\n"},
        {"Suggested fixes:\n  a = 2*_a\n  b = 2*_b\n  c = 2*_c\n  d = 2*_d\n  e = 2*_e\n",
         "PyTorch suggests `a = 2*_a`.\nPyTorch suggests `b = 2*_b`.\nPyTorch suggests `c = 2*_c`.\n"
         "PyTorch suggests `d = 2*_d`.\n"},
        {"till was inferred to be a constant (0).",
         "The example has a size of 0, which PyTorch takes for a constant: use one of size 2 or more.\n"},
        {"till was inferred to be a constant (1).",
         "The example has a size of 1, which PyTorch takes for a constant: use one of size 2 or more.\n"},
        {"till was inferred to be a constant (2).", ""},
        {"", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(said(a, error_range_say_suggested, str_of(cases[i].message)), cases[i].said);
    arena_free(a);
}

/* Which of the two numbers is the input's; equal ones are no error of this kind, but nothing is said wrongly. */
static void resized_tensors(void **state)
{
    static const struct {
        const char *capacity, *to, *got, *takes;
        bool turned;
    } cases[] = {
        {"4", "9", "9", "4", false},  {"9", "4", "9", "4", true},  {"4", "5", "5", "4", false},
        {"5", "4", "5", "4", true},   {"4", "4", "4", "4", false}, {"", "4", NULL, NULL, false},
        {"4", "", NULL, NULL, false},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str words = error_range_of_tensor(
            a, arena_printf(a, "Attempted to resize a bounded tensor with capacity of %s elements to %s elements",
                            cases[i].capacity, cases[i].to));

        assert_int_equal(words.n > 0, cases[i].got != NULL);
        if (!cases[i].got)
            continue;
        assert_true(str_starts(words, arena_printf(a,
                                                   "The input has %s elements, and the exported program takes %s at "
                                                   "most: ",
                                                   cases[i].got, cases[i].takes)));
        assert_int_equal(str_has(words, STR("other way round")), cases[i].turned);
    }
    assert_int_equal(error_range_of_tensor(a, STR("capacity of 4 elements to 9 elements")).n, 0);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(guards_of_many_parts),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(resized_tensors),
    };

    return RUN(tests);
}
