#include "unit.h"

#include "util/frequency.h"

/* The most frequent first; of equally many the first in the alphabet. */
static void ranked(void **state)
{
    static const struct {
        const char *names, *ranked;
    } cases[] = {{"", ""}, {"a", "a1 "}, {"b a", "a1 b1 "}, {"b a b", "b2 a1 "}, {"c b a c b c d", "c3 b2 a1 d1 "}};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str rest = str_of(cases[i].names), got = STR("");
        const struct frequency **list;
        struct map names;

        map_init(&names, a);
        while (rest.n)
            frequency_add(&names, str_split(&rest, ' '));
        list = frequency_ranked(a, &names);
        for (size_t k = 0; k < names.n; k++)
            got = arena_printf(a, "%.*s%.*s%llu ", STR_ARG(got), STR_ARG(list[k]->name),
                               (unsigned long long)list[k]->n);
        assert_str(got, cases[i].ranked);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranked)};

    return RUN(tests);
}
