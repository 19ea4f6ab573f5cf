#include "temp.h"

#include "relaunch/workload/hook.h"

#include <errno.h>

/* The file is there, whole, and may be written over. */
static void test_write(void **state)
{
    struct arena *a = arena_new();
    const char *dir = temp_path("a/hook");

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(hook_write(dir), 0);
        assert_same(temp_read(a, temp_path("a/hook/sitecustomize.py")), hook_sitecustomize);
    }
    assert_true(str_ends(hook_sitecustomize, STR("\nbegin()\n")));
    arena_free(a);
}

static void test_in_the_way(void **state)
{
    (void)state;
    assert_int_equal(hook_write(temp_write("file", STR("x"))), -ENOTDIR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_in_the_way),
    };

    return RUN(tests);
}
