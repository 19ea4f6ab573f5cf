#include "unit.h"

#include "text/versions/version_places.h"

/* Where the first records of testdata/hello-VERSION were written from. */
static const struct place {
    const char *file;
    uint32_t line;
} of_2_3_1[] = {{"torch/_logging/structured.py", 19},
                {"torch/_dynamo/convert_frame.py", 662},
                {"torch/_dynamo/output_graph.py", 1158},
                {"torch/_inductor/graph.py", 1268},
                {"torch/_dynamo/guards.py", 1194}},
  of_2_6_0[] = {{"torch/_dynamo/utils.py", 1318},
                {"torch/_logging/structured.py", 22},
                {"torch/_dynamo/convert_frame.py", 958},
                {"torch/_subclasses/meta_utils.py", 253}};

static unsigned version_of(const struct place *places, size_t n)
{
    struct version_places p = {0};

    for (size_t i = 0; i < n; i++)
        version_places_add(&p, str_hash(str_of(places[i].file)), places[i].line);
    return version_places_find(&p);
}

static void real(void **state)
{
    (void)state;
    assert_int_equal(version_of(of_2_3_1, COUNT(of_2_3_1)), 2003);
    assert_int_equal(version_of(of_2_6_0, COUNT(of_2_6_0)), 2006);
}

/* Too few places, one that no version has, and places of two versions. */
static void not_certain(void **state)
{
    static const struct place mixed[] = {{"torch/_dynamo/convert_frame.py", 662},
                                         {"torch/_dynamo/guards.py", 1194},
                                         {"torch/_dynamo/utils.py", 1318},
                                         {"torch/_subclasses/meta_utils.py", 253}},
                              moved[] = {{"torch/_dynamo/convert_frame.py", 662},
                                         {"torch/_dynamo/output_graph.py", 1158},
                                         {"torch/_inductor/graph.py", 1268},
                                         {"torch/_dynamo/guards.py", 1195}};

    (void)state;
    assert_int_equal(version_of(of_2_3_1, 0), 0);
    assert_int_equal(version_of(of_2_3_1, 2), 0);
    assert_int_equal(version_of(mixed, COUNT(mixed)), 0);
    assert_int_equal(version_of(moved, COUNT(moved)), 0);
}

/* Files of other programs say nothing, nor does the same place again, nor a prefix without a line. */
static void other_places(void **state)
{
    static const struct place others[] = {{"vllm/compilation/backends.py", 100}, {"torch/_dynamo/guards.py", 1194},
                                          {"torch/_dynamo/guards.py", 1194},     {"torch/_dynamo/guards.py", 0},
                                          {"torch/_inductor/graph.py", 1268}},
                              and_one[] = {{"vllm/compilation/backends.py", 100},
                                           {"torch/_dynamo/guards.py", 1194},
                                           {"torch/_inductor/graph.py", 1268},
                                           {"torch/_dynamo/output_graph.py", 1158}};

    (void)state;
    assert_int_equal(version_of(others, COUNT(others)), 0);
    assert_int_equal(version_of(and_one, COUNT(and_one)), 2003);
}

/* Only the first are kept. */
static void many(void **state)
{
    struct version_places p = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(of_2_3_1); i++)
        version_places_add(&p, str_hash(str_of(of_2_3_1[i].file)), of_2_3_1[i].line);
    for (uint32_t line = 1; line < 1000; line++)
        version_places_add(&p, str_hash(STR("x.py")), line);
    version_places_add(&p, str_hash(STR("torch/_dynamo/guards.py")), 1195);
    assert_int_equal(p.n, VERSION_PLACES_MAX);
    assert_int_equal(version_places_find(&p), 2003);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real),
        cmocka_unit_test(not_certain),
        cmocka_unit_test(other_places),
        cmocka_unit_test(many),
    };

    return RUN(tests);
}
