#include "unit.h"

static bool all_zero(const void *p, size_t n)
{
    const unsigned char *bytes = p;

    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

static void allocates(void **state)
{
    struct arena *a = arena_new();
    const size_t sizes[] = {0, 1, 15, 16, 17, 100, 4000, 16383, 16384, 16385, 70000, 1 << 20};

    (void)state;
    for (int round = 0; round < 20; round++)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            char *p = arena_alloc(a, sizes[i]);

            assert_int_equal((uintptr_t)p % 16, 0);
            assert_true(all_zero(p, sizes[i]));
            memset(p, 0xff, sizes[i]);
        }
    arena_free(a);
    arena_free(NULL);
}

static void objects_are_apart(void **state)
{
    struct arena *a = arena_new();
    char *p = arena_alloc(a, 1), *q = arena_alloc(a, 1);

    (void)state;
    *p = 'p';
    *q = 'q';
    assert_ptr_not_equal(p, q);
    assert_int_equal(*p, 'p');
    arena_free(a);
}

static void resets(void **state)
{
    struct arena *a = arena_new();
    size_t one_block = 0;

    (void)state;
    arena_reset(a);
    assert_int_equal(arena_bytes(a), 0);
    arena_alloc(a, 1);
    assert_true(arena_bytes(a) <= 4096); /* there may be one for each of a hundred thousand files */
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 200; i++) {
            void *p = arena_alloc(a, 3000);

            assert_true(all_zero(p, 3000));
            memset(p, 0xee, 3000);
        }
        memset(arena_alloc(a, 100000), 0xee, 100000);
        assert_true(arena_bytes(a) >= 100000 + 200 * 3000);
        arena_reset(a);
        one_block = one_block ? one_block : arena_bytes(a);
        assert_int_equal(arena_bytes(a), one_block);
        assert_true(one_block < 200 * 3000);
    }
    arena_free(a);
}

/* Grows several objects in turn, small and large ones, in place and by moving, and looks that none tramples another. */
static void grows(void **state)
{
    enum { OBJECTS = 6, STEPS = 400, LARGEST = 200000 };
    struct {
        unsigned char *p;
        size_t n;
    } o[OBJECTS] = {0};
    struct arena *a = arena_new();
    uint64_t seed = 1;

    (void)state;
    for (int step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)(test_random(&seed) % OBJECTS);
        size_t more = (size_t)(test_random(&seed) % (step % 3 ? 50 : 20000)) + 1;

        if (o[i].n + more > LARGEST)
            continue;
        o[i].p = arena_grow(a, o[i].p, o[i].n, o[i].n + more);
        assert_int_equal((uintptr_t)o[i].p % 16, 0);
        assert_true(all_zero(o[i].p + o[i].n, more));
        memset(o[i].p + o[i].n, (int)i + 1, more);
        o[i].n += more;
        for (unsigned k = 0; k < OBJECTS; k++)
            for (size_t b = 0; b < o[k].n; b++)
                if (o[k].p[b] != k + 1)
                    fail_msg("step %d: object %u has %d at %zu", step, k, o[k].p[b], b);
    }
    arena_free(a);
}

static void grows_in_place(void **state)
{
    struct arena *a = arena_new();
    char *p = arena_grow(a, NULL, 0, 100), *q;

    (void)state;
    assert_ptr_equal(arena_grow(a, p, 100, 200), p);
    assert_ptr_equal(arena_grow(a, p, 200, 201), p);
    arena_alloc(a, 1);
    q = arena_grow(a, p, 201, 5000);
    assert_ptr_not_equal(q, p);
    assert_ptr_equal(arena_grow(a, q, 5000, 10), q); /* never shrinks */
    arena_free(a);
}

/* What an array leaves behind when it grows is used for the next one of that size, and is zero again. */
static void leftovers(void **state)
{
    struct arena *a = arena_new(), *other = arena_new();
    char *p = arena_alloc(a, 64), *q, *foreign;

    (void)state;
    memset(p, 0xee, 64);
    arena_alloc(a, 1);
    q = arena_grow(a, p, 64, 128);
    assert_int_equal((unsigned char)q[63], 0xee);
    assert_ptr_not_equal(arena_alloc(a, 80), p); /* another size */
    assert_ptr_equal(arena_alloc(a, 64), p);
    for (int i = 0; i < 64; i++)
        assert_int_equal(p[i], 0);
    assert_ptr_not_equal(arena_alloc(a, 64), p);
    /* An array of another arena stays that arena's. */
    foreign = arena_alloc(other, 64);
    arena_alloc(other, 1);
    arena_grow(a, foreign, 64, 256);
    assert_ptr_not_equal(arena_alloc(a, 64), foreign);
    arena_free(other);
    /* Behind a reset nothing is left over. */
    arena_alloc(a, 1);
    arena_grow(a, q, 128, 192);
    arena_reset(a);
    for (int i = 0; i < 1000; i++)
        memset(arena_alloc(a, 128), 0xee, 128);
    arena_free(a);
}

/* Arrays that grow in turn leave little behind. */
static void arrays_in_turn(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (int i = 0; i < 200; i++) {
        char *p = NULL, *q = NULL;

        for (size_t n = 64; n <= 8192; n *= 2) {
            p = arena_grow(a, p, p ? n / 2 : 0, n);
            q = arena_grow(a, q, q ? n / 2 : 0, n);
        }
    }
    assert_in_range(arena_bytes(a), 200 * 2 * 8192, 200 * 2 * 8192 * 3 / 2);
    arena_free(a);
}

/* A large object that grows is moved, not copied beside itself: the arena holds little more than the object. */
static void large_growth_leaves_nothing_behind(void **state)
{
    struct arena *a = arena_new();
    char *p = NULL;
    size_t n = 0;

    (void)state;
    for (size_t want = 1 << 15; want <= 1 << 22; want *= 2) {
        p = arena_grow(a, p, n, want);
        n = want;
    }
    assert_in_range(arena_bytes(a), 1 << 22, (1 << 22) + 100000);
    arena_free(a);
}

static void strings(void **state)
{
    struct arena *a = arena_new();
    char text[] = "abc";
    struct str copy = arena_str(a, str_of(text)), empty = arena_str(a, (struct str){0}), made;

    (void)state;
    text[0] = 'x';
    assert_str(copy, "abc");
    assert_int_equal(copy.p[3], '\0');
    assert_non_null(empty.p);
    assert_int_equal(empty.p[0], '\0');
    made = arena_printf(a, "%d-%.*s", 42, STR_ARG(copy));
    assert_str(made, "42-abc");
    assert_int_equal(made.p[made.n], '\0');
    assert_str(arena_printf(a, "%s", ""), "");
    assert_int_equal(arena_printf(a, "%50000d", 1).n, 50000);
    arena_free(a);
}

/* What one arena began, another may make larger: the block stays with the arena that has it. */
static void grows_what_another_began(void **state)
{
    struct arena *first = arena_new(), *second = arena_new();
    char *small = arena_grow(first, NULL, 0, 100), *large = arena_grow(first, NULL, 0, 100000);
    char *own = arena_grow(second, NULL, 0, 50000);

    (void)state;
    small[99] = large[99999] = own[49999] = 7;
    small = arena_grow(second, small, 100, 30000);
    large = arena_grow(second, large, 100000, 40000000);
    own = arena_grow(second, own, 50000, 90000);
    assert_true(small[99] == 7 && large[99999] == 7 && own[49999] == 7);
    assert_true(small[29999] == 0 && large[39999999] == 0 && own[89999] == 0);
    arena_free(first);
    arena_free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leftovers),
        cmocka_unit_test(arrays_in_turn),
        cmocka_unit_test(allocates),
        cmocka_unit_test(objects_are_apart),
        cmocka_unit_test(resets),
        cmocka_unit_test(grows),
        cmocka_unit_test(grows_in_place),
        cmocka_unit_test(large_growth_leaves_nothing_behind),
        cmocka_unit_test(strings),
        cmocka_unit_test(grows_what_another_began),
    };

    return RUN(tests);
}
