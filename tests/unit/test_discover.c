#include "temp.h"

#include "input/discover.h"

#include <errno.h>
#include <sys/wait.h>

static void make_dir(const char *name)
{
    assert_int_equal(mkdir(temp_path(name), 0755), 0);
}

static void make_file(const char *name)
{
    temp_write(name, STR("x"));
}

static void make_link(const char *target, const char *name)
{
    assert_int_equal(symlink(target, temp_path(name)), 0);
}

/*
 * The paths that `roots` (of the temporary directory) stand for, below it, joined by blanks: "a b/c! d?" where '!'
 * marks a file that was named and '?' one that is not to be read.
 */
static struct str found(struct arena *a, const char *const *roots)
{
    struct found_files f;
    struct str out = STR("");
    size_t skip = strlen(temp_dir()) + 1;

    found_files_init(&f, a);
    for (; *roots; roots++)
        assert_int_equal(discover(&f, temp_path(*roots)), 0);
    vec_each(const struct found_file, x, &f.list)
    {
        assert_int_equal(x->path.p[x->path.n], '\0');
        out = arena_printf(a, "%.*s%s%.*s%s%s", STR_ARG(out), out.n ? " " : "", STR_ARG(str_skip(x->path, skip)),
                           x->named ? "!" : "", x->error || x->why_not.n ? "?" : "");
    }
    return out;
}

#define FOUND(...) found(a, (const char *const[]){__VA_ARGS__, NULL})

static void directories(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    make_dir("tree");
    make_dir("tree/b");
    make_dir("tree/b/deep");
    make_dir("tree/empty");
    make_file("tree/b/deep/2");
    make_file("tree/b/deep/1");
    make_file("tree/c");
    make_file("tree/a");
    make_file("tree/.hidden");
    assert_str(FOUND("tree"), "tree/.hidden tree/a tree/b/deep/1 tree/b/deep/2 tree/c");
    assert_str(FOUND("tree/empty"), "");
    assert_str(FOUND("tree/b"), "tree/b/deep/1 tree/b/deep/2");
    arena_free(a);
}

static void named_files(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(FOUND("tree/a"), "tree/a!");
    assert_str(FOUND("tree/c", "tree/a"), "tree/c! tree/a!");
    arena_free(a);
}

/* A file is read once, however many ways lead to it; that it was named is not forgotten over the order of the ways. */
static void duplicates(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    make_dir("dup");
    make_file("dup/file");
    make_link("file", "dup/link");
    assert_int_equal(link(temp_path("dup/file"), temp_path("dup/hard")), 0);
    assert_str(FOUND("dup"), "dup/file");
    assert_str(FOUND("dup", "dup"), "dup/file");
    assert_str(FOUND("dup/file", "dup"), "dup/file!");
    assert_str(FOUND("dup", "dup/file"), "dup/file!");
    assert_str(FOUND("dup/file", "dup/file", "dup/link"), "dup/file!");
    assert_str(FOUND("tree/b", "tree"), "tree/b/deep/1 tree/b/deep/2 tree/.hidden tree/a tree/c");
    arena_free(a);
}

/* Links to files count, links to directories are only followed when they are named: they lead anywhere. */
static void links(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    make_dir("links");
    make_dir("links/sub");
    make_file("links/sub/file");
    make_link("..", "links/sub/up"); /* a loop */
    make_link("self", "links/self"); /* a link to itself */
    make_link("nowhere", "links/dead");
    make_link("../tree/b", "links/elsewhere");
    make_link("/dev/null", "links/device");
    make_link("../tree/a", "links/to-file");
    assert_str(FOUND("links"), "links/dead? links/device? links/elsewhere? links/self? links/sub/file links/sub/up? "
                               "links/to-file");
    assert_str(FOUND("links/elsewhere"), "links/elsewhere/deep/1 links/elsewhere/deep/2");
    arena_free(a);
}

/* Links that lead to one directory from two places, level after level: 2^30 ways to the file, none of them taken. */
static void many_ways_to_one_directory(void **state)
{
    struct arena *a = arena_new();
    char name[64], target[64];

    (void)state;
    make_dir("ways");
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "ways/%02d", i);
        make_dir(name);
    }
    for (int i = 0; i < 29; i++)
        for (int k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "ways/%02d/%d", i, k);
            snprintf(target, sizeof target, "../%02d", i + 1);
            make_link(target, name);
        }
    make_file("ways/29/file");
    assert_str(FOUND("ways/00"), "ways/00/0? ways/00/1?");
    assert_str(FOUND("ways/29"), "ways/29/file");
    arena_free(a);
}

static void what_cannot_be_read(void **state)
{
    struct arena *a = arena_new();
    struct found_files f;

    (void)state;
    found_files_init(&f, a);
    assert_int_equal(discover(&f, temp_path("missing")), -ENOENT);
    assert_int_equal(discover(&f, temp_path("links/dead")), -ENOENT);
    assert_int_equal(discover(&f, temp_path("links/self")), -ELOOP);
    assert_int_equal(discover(&f, temp_path("tree/a/x")), -ENOTDIR);
    assert_int_equal(f.list.n, 0);
    arena_free(a);
}

/* Below a directory that was given, and given itself. */
static bool finds_closed_directories(void)
{
    struct arena *a = arena_new();
    struct found_files f;
    bool ok;

    found_files_init(&f, a);
    ok = discover(&f, temp_path("closed")) == 0 && f.list.n == 1 && f.list.v[0].error == EACCES && !f.list.v[0].named &&
         str_ends(f.list.v[0].path, STR("closed/in")) && discover(&f, temp_path("closed/in/file")) == -EACCES;
    found_files_init(&f, a);
    ok = ok && discover(&f, temp_path("closed/in")) == 0 && f.list.n == 1 && f.list.v[0].error == EACCES &&
         f.list.v[0].named;
    arena_free(a);
    return ok;
}

/* In a child, which gives up the rights of root where it has them: root may read everything. */
static void closed_directories(void **state)
{
    int status;
    pid_t child;

    (void)state;
    make_dir("closed");
    make_dir("closed/in");
    make_file("closed/in/file");
    assert_int_equal(chmod(temp_path("closed/in"), 0), 0);
    assert_int_equal(chmod(temp_dir(), 0755), 0);
    child = fork();
    if (child == 0)
        _exit(!((geteuid() != 0 || setuid(65534) == 0) && finds_closed_directories()));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(chmod(temp_path("closed/in"), 0755), 0);
}

/* What can be read only once: a pipe is no file of a directory, but may be named. */
static void pipes(void **state)
{
    struct arena *a = arena_new();
    struct found_files f;

    (void)state;
    make_dir("pipes");
    assert_int_equal(mkfifo(temp_path("pipes/fifo"), 0600), 0);
    make_file("pipes/file");
    assert_str(FOUND("pipes"), "pipes/fifo? pipes/file");
    assert_str(FOUND("pipes/fifo"), "pipes/fifo!");
    found_files_init(&f, a);
    assert_int_equal(discover(&f, temp_path("pipes/fifo")), 0);
    assert_int_equal(discover(&f, "-"), 0);
    assert_int_equal(discover(&f, temp_path("pipes/file")), 0);
    assert_int_equal(f.list.n, 3);
    assert_true(f.list.v[0].once);
    assert_true(f.list.v[1].once && f.list.v[1].named);
    assert_str(f.list.v[1].path, "-");
    assert_false(f.list.v[2].once);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directories),
        cmocka_unit_test(named_files),
        cmocka_unit_test(duplicates),
        cmocka_unit_test(links),
        cmocka_unit_test(many_ways_to_one_directory),
        cmocka_unit_test(what_cannot_be_read),
        cmocka_unit_test(closed_directories),
        cmocka_unit_test(pipes),
    };

    return RUN(tests);
}
