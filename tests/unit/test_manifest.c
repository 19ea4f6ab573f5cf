#include "temp.h"

#include "input/report_files.h"
#include "output/files/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

static const char first_line[] =
    "pt2trace report: files listed here are replaced by --overwrite, others are left alone\n";

static enum directory_state state_of(const char *name)
{
    int error = 0;

    return directory_state(temp_path(name), &error);
}

static void make_dir(const char *name)
{
    assert_int_equal(mkdir(temp_path(name), 0755), 0);
}

/* What is in a directory. */
static int temp_count(const char *dir)
{
    DIR *d = opendir(temp_path(dir));
    int n = 0;

    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

static void put(struct manifest *m, const char *name, const char *text)
{
    struct outfile o;

    assert_int_equal(manifest_create(m, str_of(name), &o), 0);
    outfile_write(&o, str_of(text));
    assert_int_equal(manifest_complete(m, str_of(name), &o), 0);
}

/* Writes a report of these files into a directory. */
static void report(const char *dir, const char *const *names)
{
    struct arena *a = arena_new();
    struct manifest m;
    const char *path = arena_str(a, str_of(temp_path(dir))).p;

    assert_int_equal(manifest_begin(&m, path, true, a), 0);
    for (; *names; names++)
        put(&m, *names, "text");
    assert_int_equal(manifest_finish(&m), 0);
    arena_free(a);
}

#define REPORT(dir, ...) report(dir, (const char *const[]){__VA_ARGS__, NULL})

static void check_marker(const char *dir, const char *names)
{
    struct arena *a = arena_new();
    struct str text = temp_read(a, arena_printf(a, "%s/%s", temp_path(dir), REPORT_MARKER).p);

    assert_true(str_consume(&text, str_of(first_line)));
    assert_str(text, names);
    arena_free(a);
}

static void what_a_directory_is(void **state)
{
    int error = 0;

    (void)state;
    assert_int_equal(state_of("new"), DIRECTORY_FREE);
    make_dir("new");
    assert_int_equal(state_of("new"), DIRECTORY_FREE);
    temp_write("new/.hidden", STR(""));
    assert_int_equal(state_of("new"), DIRECTORY_FOREIGN);
    assert_int_equal(directory_state(temp_path("new/.hidden"), &error), DIRECTORY_BAD);
    assert_int_equal(error, ENOTDIR);
    REPORT("ours", "index.html");
    assert_int_equal(state_of("ours"), DIRECTORY_OURS);
    /* Begun and interrupted: there is nothing yet that would be lost. */
    make_dir("begun");
    temp_write("begun/" REPORT_MARKER, str_of(first_line));
    assert_int_equal(state_of("begun"), DIRECTORY_FREE);
}

static void writes_and_replaces(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    REPORT("r/deep/dir", "index.html", "payloads/0_0/a.txt", "payloads/0_0/b.txt", "payloads/1_0/c.txt");
    check_marker("r/deep/dir", "index.html\npayloads/0_0/a.txt\npayloads/0_0/b.txt\npayloads/1_0/c.txt\n");
    assert_str(temp_read(a, temp_path("r/deep/dir/payloads/0_0/a.txt")), "text");
    temp_write("r/deep/dir/payloads/1_0/mine.txt", STR("mine"));
    temp_write("r/deep/dir/notes.txt", STR("mine"));
    REPORT("r/deep/dir", "index.html", "payloads/0_0/b.txt");
    check_marker("r/deep/dir", "index.html\npayloads/0_0/b.txt\n");
    assert_false(temp_exists(temp_path("r/deep/dir/payloads/0_0/a.txt")));
    assert_true(temp_exists(temp_path("r/deep/dir/payloads/0_0/b.txt")));
    assert_false(temp_exists(temp_path("r/deep/dir/payloads/1_0/c.txt")));
    assert_true(temp_exists(temp_path("r/deep/dir/payloads/1_0/mine.txt"))); /* and its directory stays for it */
    assert_true(temp_exists(temp_path("r/deep/dir/notes.txt")));
    REPORT("r/deep/dir", "index.html");
    assert_false(temp_exists(temp_path("r/deep/dir/payloads/0_0"))); /* empty: gone */
    arena_free(a);
}

/* The old report stays as it was until every file of the new one is complete. */
static void gives_up(void **state)
{
    struct arena *a = arena_new();
    struct manifest m;
    struct outfile o;

    (void)state;
    REPORT("i", "index.html", "old.txt");
    temp_write("i/index.html", STR("old page"));
    assert_int_equal(manifest_begin(&m, arena_str(a, str_of(temp_path("i"))).p, true, a), 0);
    put(&m, "sub/new.txt", "text");
    put(&m, "old.txt", "new text");
    assert_int_equal(manifest_create(&m, STR("index.html"), &o), 0);
    outfile_abort(&o);
    manifest_abort(&m);
    assert_int_equal(state_of("i"), DIRECTORY_OURS);
    assert_str(temp_read(a, temp_path("i/index.html")), "old page");
    assert_str(temp_read(a, temp_path("i/old.txt")), "text");
    assert_int_equal(temp_count("i"), 3); /* with the marker */
    REPORT("i", "index.html");
    assert_int_equal(temp_count("i"), 2);
    check_marker("i", "index.html\n");
    arena_free(a);
}

static void publishing_fails(void **state)
{
    struct arena *a = arena_new();
    struct manifest m;

    (void)state;
    assert_int_equal(manifest_begin(&m, arena_str(a, str_of(temp_path("p"))).p, true, a), 0);
    put(&m, "a", "text");
    put(&m, "b", "text");
    put(&m, "c", "text");
    make_dir("p/b"); /* somebody is quick */
    assert_int_equal(manifest_finish(&m), -EEXIST);
    assert_int_equal(rmdir(temp_path("p/b")), 0);
    assert_int_equal(temp_count("p"), 1);
    REPORT("p", "index.html");
    assert_int_equal(temp_count("p"), 2);
    assert_false(temp_exists(temp_path("p/a")));
    arena_free(a);
}

/* A child begins a second report, goes `steps` of the way, and is killed. */
static void kill_on_the_way(const char *dir, int steps)
{
    struct arena *a = arena_new();
    struct manifest m;
    struct outfile o;

    if (manifest_begin(&m, dir, true, a) != 0 || manifest_create(&m, STR("sub/new.txt"), &o) != 0)
        _exit(9);
    outfile_write(&o, STR("text"));
    if (steps > 1 && manifest_complete(&m, STR("sub/new.txt"), &o) != 0)
        _exit(9);
    if (steps > 2 && manifest_create(&m, STR("index.html"), &o) != 0)
        _exit(9);
    raise(SIGKILL);
}

/* Also what a killed process left is known, and goes with the next report. */
static void killed(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    REPORT("k", "index.html", "old.txt");
    for (int steps = 1; steps <= 3; steps++) {
        const char *dir = arena_str(a, str_of(temp_path("k"))).p;
        pid_t child = fork();
        int status;

        if (child == 0)
            kill_on_the_way(dir, steps);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_str(temp_read(a, temp_path("k/index.html")), "text");
        assert_false(temp_exists(temp_path("k/sub/new.txt")));
        assert_true(temp_exists(temp_path("k/" REPORT_STAGE)));
        REPORT("k", "index.html", "old.txt");
        assert_int_equal(temp_count("k"), 3);
    }
    arena_free(a);
}

/* One at a time. The second writer gets an error, and a later one finds files that may not be replaced. */
static void two_writers(void **state)
{
    struct arena *a = arena_new();
    const char *dir = arena_str(a, str_of(temp_path("two"))).p;
    struct manifest first, second;

    (void)state;
    assert_int_equal(manifest_begin(&first, dir, false, a), 0);
    put(&first, "index.html", "text");
    assert_int_equal(manifest_begin(&second, dir, true, a), -EBUSY);
    manifest_abort(&second);
    assert_int_equal(manifest_finish(&first), 0);
    assert_int_equal(manifest_begin(&second, dir, false, a), -ENOTEMPTY);
    manifest_abort(&second);
    assert_str(temp_read(a, temp_path("two/index.html")), "text");
    REPORT("two", "index.html");
    assert_int_equal(temp_count("two"), 2);
    /* Files of somebody else came since the directory was looked at. */
    make_dir("late");
    temp_write("late/mine", STR("mine"));
    assert_int_equal(manifest_begin(&first, arena_str(a, str_of(temp_path("late"))).p, true, a), -ENOTEMPTY);
    assert_int_equal(temp_count("late"), 1);
    arena_free(a);
}

/* What somebody put among our files stays, though the directory that it is in is exchanged for another. */
static void foreign_among_ours(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    REPORT("among", "index.html", "artifacts/0_0/a");
    make_dir("among/artifacts/mine");
    make_dir("among/artifacts/mine/empty");
    temp_write("among/artifacts/0_0/notes", STR("notes"));
    assert_int_equal(symlink("notes", temp_path("among/artifacts/0_0/link")), 0);
    REPORT("among", "index.html", "artifacts/1_0/b");
    assert_str(temp_read(a, temp_path("among/artifacts/0_0/link")), "notes");
    assert_true(temp_exists(temp_path("among/artifacts/mine/empty")));
    assert_false(temp_exists(temp_path("among/artifacts/0_0/a")));
    REPORT("among", "index.html");
    assert_str(temp_read(a, temp_path("among/artifacts/0_0/notes")), "notes");
    assert_true(temp_exists(temp_path("among/artifacts/mine/empty")));
    assert_false(temp_exists(temp_path("among/artifacts/1_0")));
    assert_int_equal(temp_count("among"), 3);
    arena_free(a);
}

/* Files of somebody else are neither replaced nor removed. */
static void foreign_files(void **state)
{
    struct arena *a = arena_new();
    struct manifest m;
    struct outfile o;

    (void)state;
    REPORT("f", "index.html");
    temp_write("f/report.json", STR("mine"));
    make_dir("f/payloads");
    temp_write("f/file", STR("mine"));
    assert_int_equal(symlink("nowhere", temp_path("f/dangling")), 0);
    assert_int_equal(manifest_begin(&m, arena_str(a, str_of(temp_path("f"))).p, true, a), 0);
    assert_int_equal(manifest_create(&m, STR("report.json"), &o), -EEXIST);
    assert_int_equal(manifest_create(&m, STR("payloads"), &o), -EEXIST);
    assert_int_equal(manifest_create(&m, STR("dangling"), &o), -EEXIST);
    assert_int_equal(manifest_create(&m, STR("file/x"), &o), -ENOTDIR);
    put(&m, "index.html", "text");
    assert_int_equal(manifest_finish(&m), 0);
    check_marker("f", "index.html\n");
    assert_str(temp_read(a, temp_path("f/report.json")), "mine");
    arena_free(a);
}

/* A marker that somebody made leads nowhere out of the directory. */
static void hostile_markers(void **state)
{
    static const char names[] =
        "../victim\n/etc/passwd\nsub/../../victim\n./victim\n.\n..\n\n//\nlink/victim\nsub/deep/\n"
        "ok\nlink\n../hostile/ok2\na\0b\n";
    struct arena *a = arena_new();
    struct buf text = {0};

    (void)state;
    make_dir("hostile");
    make_dir("hostile/sub");
    make_dir("hostile/sub/deep");
    make_dir("outside");
    temp_write("victim", STR("precious"));
    temp_write("outside/victim", STR("precious"));
    temp_write("hostile/ok", STR("of an earlier report"));
    temp_write("hostile/ok2", STR("somebody's"));
    assert_int_equal(symlink("../outside", temp_path("hostile/link")), 0);
    buf_str(&text, str_of(first_line));
    buf_add(&text, names, sizeof names - 1);
    temp_write("hostile/" REPORT_MARKER, buf_view(&text));
    REPORT("hostile", "index.html");
    assert_str(temp_read(a, temp_path("victim")), "precious");
    assert_str(temp_read(a, temp_path("outside/victim")), "precious");
    assert_str(temp_read(a, temp_path("hostile/ok2")), "somebody's");
    assert_true(temp_exists(temp_path("hostile/sub/deep")));
    assert_false(temp_exists(temp_path("hostile/ok"))); /* that is what a marker is for */
    buf_free(&text);
    arena_free(a);
}

/* A file of somebody else's that has the marker's name. */
static void foreign_markers(void **state)
{
    struct arena *a = arena_new();
    struct manifest m;

    (void)state;
    make_dir("foreign");
    temp_write("foreign/ok", STR("somebody's"));
    temp_write("foreign/" REPORT_MARKER, STR("my notes\nok\n"));
    assert_int_equal(manifest_begin(&m, arena_str(a, str_of(temp_path("foreign"))).p, true, a), -EINVAL);
    manifest_abort(&m);
    assert_str(temp_read(a, temp_path("foreign/" REPORT_MARKER)), "my notes\nok\n");
    assert_true(temp_exists(temp_path("foreign/ok")));
    arena_free(a);
}

/* A directory that is a link is not written through either. */
static void links_on_the_way(void **state)
{
    struct arena *a = arena_new();
    struct manifest m;
    struct outfile o;

    (void)state;
    REPORT("way", "index.html", "payloads/a");
    unlink(temp_path("way/payloads/a"));
    assert_int_equal(rmdir(temp_path("way/payloads")), 0);
    assert_int_equal(symlink("../outside", temp_path("way/payloads")), 0);
    assert_int_equal(manifest_begin(&m, arena_str(a, str_of(temp_path("way"))).p, true, a), 0);
    assert_int_equal(manifest_create(&m, STR("payloads/a"), &o), -ELOOP);
    manifest_abort(&m);
    assert_false(temp_exists(temp_path("outside/a")));
    arena_free(a);
}

static void marker_that_is_a_link(void **state)
{
    struct arena *a = arena_new();
    struct manifest m;

    (void)state;
    make_dir("linked");
    temp_write("linked/index.html", STR("mine"));
    temp_write("target", STR("precious\nindex.html\n"));
    assert_int_equal(symlink("../target", temp_path("linked/" REPORT_MARKER)), 0);
    assert_int_equal(manifest_begin(&m, arena_str(a, str_of(temp_path("linked"))).p, true, a), -ELOOP);
    manifest_abort(&m);
    assert_str(temp_read(a, temp_path("target")), "precious\nindex.html\n");
    assert_str(temp_read(a, temp_path("linked/index.html")), "mine");
    arena_free(a);
}

static void cannot_begin(void **state)
{
    struct arena *a = arena_new();
    struct manifest m;

    (void)state;
    assert_int_equal(manifest_begin(&m, arena_str(a, str_of(temp_path("target"))).p, true, a), -ENOTDIR);
    manifest_abort(&m);
    assert_int_equal(manifest_begin(&m, "", true, a), -ENOENT);
    manifest_abort(&m);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_directory_is),
        cmocka_unit_test(writes_and_replaces),
        cmocka_unit_test(gives_up),
        cmocka_unit_test(publishing_fails),
        cmocka_unit_test(killed),
        cmocka_unit_test(two_writers),
        cmocka_unit_test(foreign_among_ours),
        cmocka_unit_test(foreign_files),
        cmocka_unit_test(hostile_markers),
        cmocka_unit_test(foreign_markers),
        cmocka_unit_test(links_on_the_way),
        cmocka_unit_test(marker_that_is_a_link),
        cmocka_unit_test(cannot_begin),
    };

    return RUN(tests);
}
