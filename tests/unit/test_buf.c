#include "unit.h"

#include "util/buf.h"

static void appends(void **state)
{
    struct buf b = {0};

    (void)state;
    assert_int_equal(buf_view(&b).n, 0);
    buf_str(&b, STR("ab"));
    buf_str(&b, (struct str){0});
    buf_char(&b, '\0');
    buf_add(&b, "cd", 2);
    buf_printf(&b, "%d", -7);
    assert_same(buf_view(&b), STR("ab\0cd-7"));
    buf_free(&b);
    assert_null(b.p);
    assert_int_equal(b.n + b.cap, 0);
    buf_free(&b);
}

static void grows(void **state)
{
    struct buf b = {0};
    uint64_t seed = 5;

    (void)state;
    while (b.n < 1 << 20) {
        size_t before = b.n, more = (size_t)(test_random(&seed) % 5000);
        char *room = buf_room(&b, more);

        assert_true(b.cap - b.n >= more);
        for (size_t i = 0; i < more; i++)
            room[i] = (char)((before + i) * 7);
        buf_added(&b, more);
    }
    for (size_t i = 0; i < b.n; i++)
        if (b.p[i] != (char)(i * 7))
            fail_msg("byte %zu", i);
    buf_free(&b);
}

static void prints_long_text(void **state)
{
    struct buf b = {0};

    (void)state;
    buf_printf(&b, "%s", "");
    assert_int_equal(b.n, 0);
    buf_printf(&b, "%1000d|", 5);
    buf_printf(&b, "%1000d|", 6);
    assert_int_equal(b.n, 2002);
    assert_int_equal(b.p[999], '5');
    assert_int_equal(b.p[2000], '6');
    buf_free(&b);
}

static void consumes(void **state)
{
    struct buf b = {0};

    (void)state;
    buf_consume(&b, 0);
    assert_int_equal(b.n, 0);
    buf_str(&b, STR("abcdef"));
    buf_consume(&b, 2);
    assert_str(buf_view(&b), "cdef");
    buf_consume(&b, 0);
    assert_str(buf_view(&b), "cdef");
    buf_consume(&b, 4);
    assert_str(buf_view(&b), "");
    buf_free(&b);
}

static void room_for_nothing(void **state)
{
    struct buf b = {0};

    (void)state;
    buf_room(&b, 0);
    buf_added(&b, 0);
    assert_int_equal(b.n, 0);
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends),          cmocka_unit_test(grows),    cmocka_unit_test(prints_long_text),
        cmocka_unit_test(consumes), cmocka_unit_test(room_for_nothing),
    };

    return RUN(tests);
}
