#include "unit.h"

#include "model/metrics.h"

static void table(void **state)
{
    (void)state;
    assert_in_range(metric_field_count, 100, 200);
    for (size_t i = 0; i < metric_field_count; i++) {
        const struct metric_field *f = &metric_fields[i];

        assert_ptr_equal(metric_field_find(str_of(f->key)), f); /* so no key stands there twice */
        assert_true(f->title[0]);
        assert_in_range(f->group, 0, METRICS_GROUPS - 1);
        if (i)
            assert_true(f->group >= f[-1].group);
    }
    assert_null(metric_field_find(STR("")));
    assert_null(metric_field_find(STR("compile_i")));
    assert_null(metric_field_find(STR("compile_idx")));
}

/* The name of a field contains its unit: names that end in _us are in microseconds. */
static void units_agree_with_names(void **state)
{
    static const struct {
        const char *end;
        enum metric_unit units[3];
    } ends[] = {
        {"_us", {UNIT_US, UNIT_EPOCH_US, UNIT_NONE}},
        {"_ms", {UNIT_MS, UNIT_MS, UNIT_MS}},
        {"_s", {UNIT_S, UNIT_S, UNIT_S}},
        {"_count", {UNIT_COUNT, UNIT_COUNT, UNIT_COUNT}},
        {"_bytes", {UNIT_BYTES, UNIT_BYTES, UNIT_BYTES}},
    };

    (void)state;
    for (size_t i = 0; i < metric_field_count; i++)
        for (size_t k = 0; k < COUNT(ends); k++) {
            enum metric_unit u = metric_fields[i].unit;

            if (str_ends(str_of(metric_fields[i].key), str_of(ends[k].end)) && u != ends[k].units[0] &&
                u != ends[k].units[1] && u != ends[k].units[2])
                fail_msg("%s has another unit", metric_fields[i].key);
        }
}

static void groups(void **state)
{
    (void)state;
    for (int g = 0; g < METRICS_GROUPS; g++)
        for (int k = 0; k < g; k++)
            assert_string_not_equal(metric_group_title(g), metric_group_title(k));
}

static void lookups(void **state)
{
    struct arena *a = arena_new();
    struct metrics m = {0};
    int64_t i = -5;

    (void)state;
    vec_push(a, &m.values, ((struct metric){.key = STR("i"), .type = METRIC_INT, .i = 7}));
    vec_push(a, &m.values, ((struct metric){.key = STR("d"), .type = METRIC_DOUBLE, .d = 8.9}));
    vec_push(a, &m.values, ((struct metric){.key = STR("huge"), .type = METRIC_DOUBLE, .d = 1e300}));
    vec_push(a, &m.values, ((struct metric){.key = STR("nan"), .type = METRIC_DOUBLE, .d = 0.0 / 0.0}));
    vec_push(a, &m.values, ((struct metric){.key = STR("s"), .type = METRIC_STR, .s = STR("text")}));
    vec_push(a, &m.values, ((struct metric){.key = STR("b"), .type = METRIC_BOOL, .b = true}));
    assert_int_equal(metrics_get(&m, "i")->i, 7);
    assert_null(metrics_get(&m, "gone"));
    assert_null(metrics_get(NULL, "i"));
    assert_false(metrics_i64(&m, "gone", &i));
    assert_false(metrics_i64(&m, "s", &i));
    assert_false(metrics_i64(&m, "b", &i));
    assert_false(metrics_i64(&m, "huge", &i));
    assert_false(metrics_i64(&m, "nan", &i));
    assert_false(metrics_i64(NULL, "i", &i));
    assert_int_equal(i, -5);
    assert_true(metrics_i64(&m, "i", &i));
    assert_int_equal(i, 7);
    assert_true(metrics_i64(&m, "d", &i));
    assert_int_equal(i, 8);
    assert_str(metrics_str(&m, "s"), "text");
    assert_str(metrics_str(&m, "i"), "");
    assert_str(metrics_str(NULL, "s"), "");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(units_agree_with_names),
        cmocka_unit_test(groups),
        cmocka_unit_test(lookups),
    };

    return RUN(tests);
}
