/* Which failures are the same exception: whole, cut by a summary, quoted, or passed on by others. */
#include "unit.h"

#include "torchlog/failures/known_crashes.h"

struct text {
    const char *type, *message;
    int64_t line; /* of the program; 0: it is not known */
};

static struct failure failure_of(struct text t)
{
    return (struct failure){.type = str_of(t.type), .message = str_of(t.message), .line = t.line};
}

static bool is_same(struct text one, struct text other)
{
    struct failure a = failure_of(one), b = failure_of(other);

    assert_int_equal(crash_same_exception(&a, &b), crash_same_exception(&b, &a));
    return crash_same_exception(&a, &b);
}

#define WHOLE "The quokka has 3 legs, but the shop sells shoes for 4"

/* How a log shows what another line has whole. */
static void of_a_whole_one(void **state)
{
    static const struct {
        const char *message;
        bool same;
    } rows[] = {
        {WHOLE, true},
        {WHOLE "\nbelow it", true},
        {"another one", false},
        /* cut */
        {"The quo...", true},
        {"The quo\xe2\x80\xa6", true},
        {"The quo", false},
        {"The shop...", false},
        {"The shop\xe2\x80\xa6", false},
        /* cut within a quote, which is closed */
        {"The quo...\"", true},
        {"The quo\xe2\x80\xa6\"", true},
        {"The quo...')", true},
        {"The quo\xe2\x80\xa6`].", true},
        {"The shop...\"", false},
        {"The shop\xe2\x80\xa6')", false},
        /* quoted whole */
        {WHOLE "\"", true},
        {WHOLE "').", true},
        {WHOLE "\\n", true},
        {"The quo\"", false},
        {WHOLE "\", says the shop", true},
        {WHOLE ", says the shop", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (is_same((struct text){"ValueError", rows[i].message, 3}, (struct text){"ValueError", WHOLE, 3}) !=
            rows[i].same)
            fail_msg("\"%s\" is %sthe same", rows[i].message, rows[i].same ? "not " : "");
}

static void of_others(void **state)
{
    static const struct {
        struct text one, other;
        bool same;
    } rows[] = {
        {{"ValueError", "no quokka", 0}, {"KeyError", "no quokka", 0}, false},
        /* torch.export raises it again */
        {{"UserError", "no quokka", 0}, {"KeyError", "no quokka", 0}, true},
        /* it passes another one on */
        {{"BackendCompilerFailed", "shop raised ValueError: no quokka", 0}, {"ValueError", "no quokka", 0}, true},
        {{"BackendCompilerFailed", "shop raised KeyError: no quokka", 0}, {"ValueError", "no quokka", 0}, false},
        {{"BackendCompilerFailed", "backend='shop' raised:\nValueError: no quokka", 0},
         {"ValueError", "no quokka", 0}, true},
        /* without a name */
        {{"", "no quokka", 0}, {"ValueError", "there is no quokka in the shop", 0}, true},
        {{"", "[Bug]: [shop] ValueError: " WHOLE, 0}, {"ValueError", WHOLE, 0}, true},
        {{"", "cannot sell: " WHOLE, 0}, {"ValueError", WHOLE, 0}, true},
        {{"", "cannot sell: short", 0}, {"ValueError", "short", 0}, false},
        /* a summary of old versions of pytest cuts without a sign, and has no line */
        {{"ValueError", "The quokka has 3 legs, but the shop", 0}, {"ValueError", WHOLE, 3}, true},
        {{"ValueError", "The quokka has 3 legs, but no shop", 0}, {"ValueError", WHOLE, 3}, false},
        {{"ValueError", "The quokka has 3 legs, but the shop", 3}, {"ValueError", WHOLE, 3}, false},
        {{"ValueError", "The quokka", 0}, {"ValueError", WHOLE, 3}, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (is_same(rows[i].one, rows[i].other) != rows[i].same)
            fail_msg("row %zu: \"%s\"", i, rows[i].one.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_whole_one),
        cmocka_unit_test(of_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
