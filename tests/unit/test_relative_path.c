/* Where a file that a trace names is below a directory. */
#include "temp.h"

#include "output/files/relative_path.h"

static void below(void **state)
{
    struct arena *a = arena_new();
    char *root = realpath(temp_path(""), NULL);
    const struct {
        struct str file;
        const char *path;
    } cases[] = {
        {arena_printf(a, "%s/real/work/x.py", root), "work/x.py"},
        {arena_printf(a, "%s/real/work/gone.py", root), "work/gone.py"}, /* by its name alone */
        {arena_printf(a, "%s/real/../x.py", root), "x.py"},              /* another one of that name */
        {arena_printf(a, "%s/real/../gone.py", root), ""},
        {arena_printf(a, "%s/realer/gone.py", root), ""},
        {arena_printf(a, "%s/real", root), ""},
        {STR("/elsewhere/work/x.py"), "work/x.py"},
        {STR("/elsewhere/x.py"), "x.py"},
        {STR("work/x.py"), "work/x.py"},
        {STR("x.py"), "x.py"},
        {STR("/elsewhere/y.py"), ""},
        {STR("/elsewhere/work"), ""}, /* a directory */
        {STR("../real/x.py"), "x.py"},
        {STR("x.py\0"), ""},
        {STR(""), ""},
    };
    struct source_tree tree;

    (void)state;
    assert_int_equal(mkdir(temp_path("real"), 0700), 0);
    assert_int_equal(mkdir(temp_path("real/work"), 0700), 0);
    assert_int_equal(symlink(temp_path("real"), temp_path("link")), 0);
    temp_write("real/x.py", STR(""));
    temp_write("real/work/x.py", STR(""));
    source_tree_init(&tree, a, temp_path("link"));
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_str(relative_path(&tree, cases[i].file), cases[i].path);
        assert_str(relative_path(&tree, cases[i].file), cases[i].path);
    }
    source_tree_init(&tree, a, temp_path("none"));
    assert_str(relative_path(&tree, STR("x.py")), "");
    free(root);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(below)};

    return RUN(tests);
}
