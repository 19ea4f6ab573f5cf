#include "unit.h"

#include "util/vec.h"

struct item {
    int number;
    const char *name;
};

static void adds(void **state)
{
    struct arena *a = arena_new();
    VEC(struct item) list = {0};
    VEC(int) other = {0};
    int sum = 0;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        struct item *x = vec_add(a, &list);

        assert_int_equal(x->number, 0);
        assert_null(x->name);
        x->number = i;
        vec_push(a, &other, -i); /* grows between, so that the first has to move */
    }
    assert_int_equal(list.n, 10000);
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(list.v[i].number, i);
        assert_int_equal(other.v[i], -i);
    }
    vec_each(const struct item, x, &list) sum += x->number;
    assert_int_equal(sum, 10000 * 9999 / 2);
    arena_free(a);
}

static void pushes_structs(void **state)
{
    struct arena *a = arena_new();
    VEC(struct item) list = {0};

    (void)state;
    vec_push(a, &list, ((struct item){7, "seven"}));
    assert_int_equal(list.v[0].number, 7);
    assert_string_equal(list.v[0].name, "seven");
    arena_free(a);
}

static void nothing_to_visit(void **state)
{
    VEC(struct item) list = {0};
    int visits = 0;

    (void)state;
    vec_each(struct item, x, &list) visits++;
    assert_int_equal(visits, 0);
}

/* So that appending n elements costs a multiple of n. */
static void capacity_doubles(void **state)
{
    struct arena *a = arena_new();
    VEC(char) list = {0};
    size_t moves = 0, cap = 0;

    (void)state;
    for (int i = 0; i < 1 << 16; i++) {
        vec_push(a, &list, 'x');
        moves += list.cap != cap;
        cap = list.cap;
    }
    assert_in_range(moves, 1, 16);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds),
        cmocka_unit_test(pushes_structs),
        cmocka_unit_test(nothing_to_visit),
        cmocka_unit_test(capacity_doubles),
    };

    return RUN(tests);
}
