/* What the kernel says of memory, in a /proc and /sys of our own: control groups of both versions, in containers and
 * not. */
#include "temp.h"

#include "relaunch/launch/oom.h"
#include "util/arena.h"
#include "util/system/file.h"

static struct arena *arena;

static int begin(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* A root of that name, with the line of this process in /proc/self/cgroup. */
static const char *root_with(const char *name, const char *cgroup)
{
    const char *root = temp_path(name);

    assert_int_equal(make_dirs(arena_printf(arena, "%s/proc/self", root).p), 0);
    temp_write(arena_printf(arena, "%s/proc/self/cgroup", name).p, str_of(cgroup));
    temp_write(arena_printf(arena, "%s/proc/vmstat", name).p, STR("nr_free_pages 12\noom_kill 7\nzswpin 0\n"));
    return root;
}

static void put(const char *name, const char *dir, const char *file, const char *text)
{
    assert_int_equal(make_dirs(arena_printf(arena, "%s%s", temp_path(name), dir).p), 0);
    temp_write(arena_printf(arena, "%s%s/%s", name, dir, file).p, str_of(text));
}

static void version_2(void **state)
{
    const char *root = root_with("two", "0::/job/step\n");

    (void)state;
    put("two", "/sys/fs/cgroup/job", "memory.max", "4000\n");
    put("two", "/sys/fs/cgroup/job/step", "memory.max", "max\n");
    put("two", "/sys/fs/cgroup/job/step", "memory.events",
        "low 0\nhigh 0\nmax 9\noom 2\noom_kill 3\noom_group_kill 0\n");
    assert_int_equal(oom_kills(root), 3);
    assert_int_equal(oom_limit(root), 4000);
    put("two", "/sys/fs/cgroup/job/step", "memory.max", "3000\n");
    assert_int_equal(oom_limit(root), 3000);
}

static void of_a_container(void **state)
{
    const char *root = root_with("container", "0::/\n");

    (void)state;
    put("container", "/sys/fs/cgroup", "memory.max", "5000\n");
    put("container", "/sys/fs/cgroup", "memory.events", "oom_kill 1\n");
    assert_int_equal(oom_kills(root), 1);
    assert_int_equal(oom_limit(root), 5000);
}

/* Groups do not count with those below them: the machine's count is taken. */
static void version_1(void **state)
{
    const char *root = root_with("one", "5:cpu:/\n4:memory:/seen/by/the/host\n0::/\n");

    (void)state;
    put("one", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "2000\n");
    put("one", "/sys/fs/cgroup/memory", "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n");
    assert_int_equal(oom_kills(root), 7);
    assert_int_equal(oom_limit(root), 2000);
    put("one", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(oom_limit(root), 0);
}

static void nothing_known(void **state)
{
    const char *root = root_with("odd", "nonsense\n0::\n:memory:/\n");

    (void)state;
    assert_int_equal(oom_kills(root), 7);
    assert_int_equal(oom_limit(root), 0);
    assert_int_equal(oom_kills("/nowhere"), 0);
    assert_int_equal(oom_limit("/nowhere"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_2),
        cmocka_unit_test(of_a_container),
        cmocka_unit_test(version_1),
        cmocka_unit_test(nothing_known),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
