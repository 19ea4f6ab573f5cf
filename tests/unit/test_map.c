#include "unit.h"

#include "util/map.h"

#include <stdio.h>

static void *number(uintptr_t i)
{
    return (void *)(i + 1);
}

static void keeps_what_was_put(void **state)
{
    enum { KEYS = 5000 };
    struct arena *a = arena_new();
    struct map m;

    (void)state;
    map_init(&m, a);
    assert_null(map_get(&m, STR("k0")));
    for (uintptr_t i = 0; i < KEYS; i++) {
        void **slot = map_at(&m, arena_printf(a, "k%zu", (size_t)i));

        assert_null(*slot);
        *slot = number(i);
    }
    assert_int_equal(m.n, KEYS);
    for (uintptr_t i = 0; i < KEYS; i++) {
        struct str key = arena_printf(a, "k%zu", (size_t)i);

        assert_ptr_equal(map_get(&m, key), number(i));
        assert_ptr_equal(*map_at(&m, key), number(i));
        assert_same(m.entries[i].key, key); /* in order of insertion */
    }
    assert_int_equal(m.n, KEYS);
    assert_null(map_get(&m, STR("k")));
    assert_null(map_get(&m, STR("k5000")));
    arena_free(a);
}

static void odd_keys(void **state)
{
    struct arena *a = arena_new();
    struct map m;

    (void)state;
    map_init(&m, a);
    *map_at(&m, (struct str){0}) = number(1);
    *map_at(&m, STR("\0")) = number(2);
    *map_at(&m, STR("\0\0")) = number(3);
    assert_ptr_equal(map_get(&m, STR("")), number(1));
    assert_ptr_equal(map_get(&m, STR("\0")), number(2));
    assert_ptr_equal(map_get(&m, STR("\0\0")), number(3));
    assert_int_equal(m.n, 3);
    arena_free(a);
}

static void keys_are_copied_on_request(void **state)
{
    struct arena *a = arena_new();
    struct map m;
    char bytes[] = "key";
    struct str key = str_of(bytes);
    uint64_t pair[2] = {1, 2};

    (void)state;
    map_init(&m, a);
    *map_at_copy(&m, key) = number(1);
    bytes[0] = 'x';
    assert_ptr_equal(map_get(&m, STR("key")), number(1));
    assert_null(map_get(&m, STR("xey")));
    *map_at_copy(&m, MAP_KEY(pair)) = number(2);
    pair[1] = 3;
    assert_null(map_get(&m, MAP_KEY(pair)));
    pair[1] = 2;
    assert_ptr_equal(map_get(&m, MAP_KEY(pair)), number(2));
    arena_free(a);
}

static void interns(void **state)
{
    enum { WORDS = 1000 };
    struct arena *a = arena_new();
    struct map m;
    const char *first[WORDS];
    char text[32];

    (void)state;
    map_init(&m, a);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < WORDS; i++) {
            struct str s;

            snprintf(text, sizeof text, "word%d", i);
            s = intern(&m, str_of(text));
            assert_str(s, text);
            assert_int_equal(s.p[s.n], '\0');
            if (round == 0)
                first[i] = s.p;
            assert_ptr_equal(s.p, first[i]);
        }
    assert_int_equal(m.n, WORDS);
    assert_non_null(intern(&m, (struct str){0}).p);
    assert_ptr_equal(intern(&m, (struct str){0}).p, intern(&m, STR("")).p);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_was_put),
        cmocka_unit_test(odd_keys),
        cmocka_unit_test(keys_are_copied_on_request),
        cmocka_unit_test(interns),
    };

    return RUN(tests);
}
