/* How a tensor lies in memory, from its sizes and strides. */
#include "unit.h"

#include "analysis/answers/inputs.h"

static void layouts(void **state)
{
    static const struct {
        const char *shape, *stride;
        enum input_layout layout;
    } cases[] = {
        {"[2, 3, 4]", "[12, 4, 1]", LAYOUT_CONTIGUOUS}, {"[2, 3, 4]", "[12, 1, 3]", LAYOUT_OTHER},
        {"[4]", "[2]", LAYOUT_OTHER},                   {"[1, 4]", "[99, 1]", LAYOUT_CONTIGUOUS},
        {"[0, 4]", "[4, 1]", LAYOUT_CONTIGUOUS},        {"[4, 0]", "[9, 7]", LAYOUT_CONTIGUOUS},
        {"[4, s0]", "[5, s1]", LAYOUT_UNKNOWN},         {"[s0, 4]", "[4, 1]", LAYOUT_UNKNOWN},
        {"[2, 3]", "[3]", LAYOUT_UNKNOWN},              {"", "", LAYOUT_UNKNOWN},
        {"[-1, 4]", "[4, 1]", LAYOUT_UNKNOWN},          {"[9223372036854775807, 2]", "[2, 1]", LAYOUT_UNKNOWN},
        {"[[]]]", "]", LAYOUT_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tensor t = {.shape = str_of(cases[i].shape), .stride = str_of(cases[i].stride)};

        assert_int_equal(input_layout(&t), cases[i].layout);
    }
}

static void sizes(void **state)
{
    struct str source;
    int64_t dim;

    (void)state;
    assert_true(input_parse_size(STR("L['x'].size()[2] <= 5"), &source, &dim));
    assert_true(str_eq(source, STR("L['x']")));
    assert_int_equal(dim, 2);
    assert_false(input_parse_size(STR("L['n']"), &source, &dim));
    assert_false(input_parse_size(STR(".size()[0]"), &source, &dim));
    assert_false(input_parse_size(STR("L['x'].size()[s0]"), &source, &dim));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),
        cmocka_unit_test(sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
