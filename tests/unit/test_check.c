#include "temp.h"

#include "relaunch/checks/check.h"
#include "util/system/file.h"

#include <string.h>

static struct arena *arena;

static struct check a_check(enum check_kind kind, const char *text)
{
    return (struct check){kind, str_of(text), 0, CHECK_TOLERANCE_UNSET, CHECK_TOLERANCE_UNSET};
}

static struct workload workload_of(const struct check *checks, size_t n)
{
    struct workload w = {.directory = str_of(temp_dir())};

    for (size_t i = 0; i < n; i++)
        vec_push(arena, &w.checks, checks[i]);
    return w;
}

/* "same exit 0 | different file x: ..." */
static const char *rows(const struct trial *t)
{
    struct str s = STR("");

    vec_each(const struct trial_check, c, &t->checks)
    {
        s = arena_printf(arena, "%.*s%s%s %.*s", STR_ARG(s), s.n ? " | " : "", check_outcome_name(c->outcome),
                         STR_ARG(c->what));
        if (c->detail.n)
            s = arena_printf(arena, "%.*s: %.*s", STR_ARG(s), STR_ARG(c->detail));
    }
    return s.p;
}

static void test_end(void **state)
{
    struct check zero = a_check(CHECK_EXIT, ""), three = zero;
    struct workload none = workload_of(NULL, 0), both;
    struct trial good = {.status = 0, .end = STR("exited")}, bad = {.status = 1, .end = STR("exited")},
                 killed = {.status = -1, .signal = 11, .end = STR("signaled")},
                 late = {.status = -1, .signal = -1, .end = STR("timed-out")};

    (void)state;
    check_end(arena, &none, &good);
    check_end(arena, &none, &bad);
    check_end(arena, &none, &late);
    assert_true(!good.failed && bad.failed && late.failed);
    assert_string_equal(rows(&bad), "");
    three.status = 3;
    both = workload_of((struct check[]){zero, three}, 2);
    check_end(arena, &both, &good);
    assert_true(good.failed);
    assert_string_equal(rows(&good), "same exit 0 | different exit 3: it ended with status 0");
    check_end(arena, &both, &killed);
    assert_string_equal(rows(&killed),
                        "different exit 0: it was ended by signal 11 | different exit 3: it was ended by signal 11");
    both = workload_of(&three, 1);
    late.checks.n = 0;
    check_end(arena, &both, &late);
    assert_string_equal(rows(&late), "different exit 3: it did not end by itself (timed-out)");
}

static struct check_side side_of(const struct workload *w, const char *name, const char *output)
{
    struct check_side s = {.name = str_of(name)};

    s.output = arena_str(arena, str_of(temp_write(name, str_of(output)))).p;
    check_files_look(arena, w, &s.files);
    return s;
}

static const char *compared(const struct workload *w, const struct check_side *then, const struct check_side *now,
                            const struct check_python *python)
{
    struct trial t = {0};

    check_results(arena, w, then, now, python, &t);
    return rows(&t);
}

static void test_output(void **state)
{
    struct check loss = a_check(CHECK_OUTPUT, "loss ([0-9.]+)"), exit = a_check(CHECK_EXIT, "");
    struct workload w = workload_of((struct check[]){exit, loss}, 2);
    struct check_side base = side_of(&w, "base", "loss 0.5\n"), same = side_of(&w, "same", "loss 0.50001\n"),
                      other = side_of(&w, "other", "loss 0.75\n"), silent = side_of(&w, "silent", "");

    (void)state;
    assert_string_equal(compared(&w, NULL, &base, NULL), "");
    assert_string_equal(compared(&w, NULL, &silent, NULL),
                        "not-compared output loss ([0-9.]+): the expression matches nothing in the output");
    assert_string_equal(compared(&w, &base, &base, NULL), "same output loss ([0-9.]+): 1 value");
    assert_string_equal(compared(&w, &base, &same, NULL),
                        "same output loss ([0-9.]+): max abs difference 1e-05, max rel 2e-05");
    assert_string_equal(compared(&w, &base, &other, NULL),
                        "different output loss ([0-9.]+): 0.75 here, 0.5 in base (match 1); max abs difference 0.25, "
                        "max rel 0.5");
    assert_string_equal(compared(&w, &base, &silent, NULL),
                        "different output loss ([0-9.]+): it matches less often now: nothing here, 0.5 in base (match "
                        "1)");
    silent.output = "/nonexistent/output";
    assert_string_equal(compared(&w, &base, &silent, NULL),
                        "not-compared output loss ([0-9.]+): the output cannot be read: No such file or directory");
}

static void write_rank(const char *dir, const char *file, const char *text)
{
    const char *path = arena_printf(arena, "ranks-%s/attempt_0/%s", dir, file).p;

    assert_int_equal(make_dirs(temp_path(arena_printf(arena, "%.*s", (int)(strrchr(path, '/') - path), path).p)), 0);
    temp_write(path, str_of(text));
}

/* What the ranks wrote stands behind the launcher's output, by their numbers. */
static void test_output_of_ranks(void **state)
{
    struct check loss = a_check(CHECK_OUTPUT, "loss ([0-9.]+)");
    struct workload w = workload_of(&loss, 1);
    struct check_side base = side_of(&w, "base", "loss 0\n"), now = side_of(&w, "now", "loss 0\n");

    (void)state;
    base.ranks = arena_str(arena, str_of(temp_path("ranks-base"))).p;
    now.ranks = arena_str(arena, str_of(temp_path("ranks-now"))).p;
    assert_string_equal(compared(&w, &base, &now, NULL), "same output loss ([0-9.]+): 1 value");
    write_rank("base", "10/stdout.log", "loss 10\n");
    write_rank("base", "2/stdout.log", "loss 2\n");
    write_rank("base", "2/stderr.log", "loss 22\n");
    write_rank("base", ".hidden/stdout.log", "loss 33\n");
    write_rank("now", "2/stdout.log", "loss 2\n");
    write_rank("now", "10/stdout.log", "loss 10\n");
    assert_string_equal(compared(&w, &base, &now, NULL), "same output loss ([0-9.]+): 3 values");
    write_rank("now", "10/stdout.log", "loss 5\n");
    assert_string_equal(compared(&w, &base, &now, NULL),
                        "different output loss ([0-9.]+): 5 here, 10 in base (match 3); max abs difference 5, max rel "
                        "0.5");
    write_rank("now", "10/stdout.log", "loss 10\n");
    base.ranks_only = now.ranks_only = true;
    assert_string_equal(compared(&w, &base, &now, NULL), "same output loss ([0-9.]+): 2 values");
    write_rank("now", "3/stdout.log/x", "");
    assert_string_equal(compared(&w, &base, &now, NULL),
                        "not-compared output loss ([0-9.]+): the output cannot be read: Is a directory");
}

/* A launch that writes `text` into the file of the workload's only check; NULL: it writes nothing. */
static struct check_side launch(const struct workload *w, const char *name, const char *text)
{
    struct check_side s = side_of(w, name, "");

    if (text)
        temp_write(w->checks.v[0].text.p, str_of(text));
    check_files_keep(arena, w, temp_path(arena_printf(arena, "%s.files", name).p), &s.files);
    return s;
}

static void test_files(void **state)
{
    struct check c = a_check(CHECK_FILE, "result.txt");
    struct workload w = workload_of(&c, 1);
    struct check_side first, second, third, gone;

    (void)state;
    first = launch(&w, "first", "loss 1.5\n");
    second = launch(&w, "second", "loss 2.5\n");
    third = launch(&w, "third", NULL);
    assert_int_equal(unlink(temp_path("result.txt")), 0);
    gone = launch(&w, "gone", NULL);
    assert_string_equal(compared(&w, NULL, &first, NULL), "");
    assert_string_equal(compared(&w, &first, &first, NULL), "same file result.txt: 2 values");
    assert_string_equal(compared(&w, &first, &second, NULL),
                        "different file result.txt: 2.5 here, 1.5 in first (line 1); max abs difference 1, max rel "
                        "0.6667");
    assert_string_equal(compared(&w, &first, &third, NULL),
                        "not-compared file result.txt: in this run: it was not written; the existing file is older");
    assert_string_equal(compared(&w, &gone, &first, NULL),
                        "not-compared file result.txt: in the first run: it was not written");
    assert_string_equal(compared(&w, NULL, &gone, NULL), "not-compared file result.txt: it was not written");
    assert_false(temp_exists(temp_path("gone.files")));
}

/* What cannot be copied, and why. */
static void test_odd_files(void **state)
{
    static const struct {
        const char *name, *dir, *why;
    } rows[] = {
        {"fifo", "odd.files", "it is not a regular file"},
        {".", "odd.files", "it is not a regular file"},
        {"loop", "odd.files", "Too many levels of symbolic links"},
        {"text/below", "odd.files", "Not a directory"},
        {"none/below", "odd.files", "it was not written"},
        {"text", "text/odd.files", "Not a directory"},
    };

    (void)state;
    assert_int_equal(mkfifo(temp_path("fifo"), 0600), 0);
    assert_int_equal(symlink("loop", temp_path("loop")), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct check c = a_check(CHECK_FILE, rows[i].name);
        struct workload w = workload_of(&c, 1);
        struct check_side s = side_of(&w, "odd", "");

        temp_write("text", STR("loss 1.5\n"));
        check_files_keep(arena, &w, temp_path(rows[i].dir), &s.files);
        assert_string_equal(compared(&w, NULL, &s, NULL),
                            arena_printf(arena, "not-compared file %s: %s", rows[i].name, rows[i].why).p);
    }
    assert_false(temp_exists(temp_path("odd.files")));
}

/* A stand-in for the user's Python: it answers `json`. */
static const char *answered(const char *json, int status)
{
    struct check c = a_check(CHECK_FILE, "result.pt");
    struct workload w = workload_of(&c, 1);
    struct environment none = {.arena = arena};
    struct check_python python = {str_of(temp_path("python")), &none, temp_path("scratch")};
    struct check_side first = launch(&w, "first", "1"), second = launch(&w, "second", "22");

    temp_write("python", arena_printf(arena, "#!/bin/sh\n[ \"$TORCH_TRACE\" ] && exit 9\n[ -e \"$1\" ] || exit 8\n"
                                             "[ \"$5 $6\" = '-1 -1' ] || exit 7\ncmp -s \"$2\" \"$3\" && exit 6\n"
                                             "printf '%%s' '%s' > \"$4\"\nexit %d\n",
                                      json, status));
    assert_int_equal(chmod(python.python.p, 0700), 0);
    setenv("TORCH_TRACE", "x", 1);
    return compared(&w, &first, &second, &python);
}

static void test_python(void **state)
{
    (void)state;
    assert_string_equal(answered("{\"outcome\": \"same\", \"max_abs\": 0.0, \"max_rel\": 0.0, \"numbers\": 12}", 0),
                        "same file result.pt: 12 values");
    assert_string_equal(answered("{\"outcome\": \"different\", \"where\": \"[1, 2]\", \"then\": \"0.5\", "
                                 "\"now\": \"nan\", \"max_abs\": null, \"max_rel\": null}", 0),
                        "different file result.pt: nan here, 0.5 in first ([1, 2]); max abs difference infinite, max "
                        "rel infinite");
    assert_string_equal(answered("{\"outcome\": \"different\", \"where\": \"[0]\", \"why\": \"the shapes differ\", "
                                 "\"then\": \"(2,)\", \"now\": \"(3,)\", \"max_abs\": 0.0, \"max_rel\": 0.0}", 0),
                        "different file result.pt: the shapes differ: (3,) here, (2,) in first ([0])");
    assert_string_equal(answered("{\"outcome\": \"not-compared\", \"why\": \"refused\"}", 0),
                        "not-compared file result.pt: refused");
    assert_string_equal(answered("[", 3),
                        "not-compared file result.pt: the Python that should read the files: it ended with status 3");
}

/* One trial more, with this output; its rows and those of all before: "base: ... / eager: ...". */
static const char *after(struct check_history *h, struct trial *trials, const char *name, const char *output,
                         bool eager)
{
    struct check_side side = side_of(h->workload, name, output ? output : "");
    struct str s = STR("");

    side.eager = eager;
    side.output = output ? side.output : NULL;
    check_trial(arena, h, &side, trials);
    for (size_t i = 0; i < h->sides.n; i++)
        s = arena_printf(arena, "%.*s%s%.*s%s: %s", STR_ARG(s), i ? " / " : "", STR_ARG(h->sides.v[i].name),
                         trials[i].failed ? " failed" : "", rows(&trials[i]));
    return s.p;
}

/* The first trial counts, until there is one without the compiler. */
static void test_reference(void **state)
{
    struct check zero = a_check(CHECK_EXIT, ""), loss = a_check(CHECK_OUTPUT, "[0-9]+");
    struct workload w = workload_of((struct check[]){zero, loss}, 2);
    struct check_history h = {.workload = &w};
    struct trial trials[5] = {0};

    (void)state;
    trials[1].status = 1;
    trials[3].status = 1;
#define ROW "same exit 0 | "
#define BROKEN "different exit 0: it ended with status 1 | "
#define OFF "different output [0-9]+: 5 here, 4 in "
    assert_string_equal(after(&h, trials, "base", "5", false), "base: same exit 0");
    assert_string_equal(after(&h, trials, "broken", "5", true),
                        "base: same exit 0 / broken failed: " BROKEN "same output [0-9]+: 1 value");
    assert_string_equal(after(&h, trials, "eager", "4", true),
                        "base: " ROW OFF "eager (match 1); max abs difference 1, max rel 0.25 / broken failed: " BROKEN
                        OFF "eager (match 1); max abs difference 1, max rel 0.25 / eager: same exit 0");
    after(&h, trials, "repro", NULL, false);
    assert_true(trials[3].failed && trials[3].checks.n == 0);
    after(&h, trials, "again", "5", true);
    assert_int_equal(h.reference, 2);
    assert_string_equal(rows(&trials[4]), ROW OFF "eager (match 1); max abs difference 1, max rel 0.25");
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_end),       cmocka_unit_test(test_output), cmocka_unit_test(test_output_of_ranks),
        cmocka_unit_test(test_files),     cmocka_unit_test(test_odd_files), cmocka_unit_test(test_python),
        cmocka_unit_test(test_reference),
    };

    return cmocka_run_group_tests_name(NULL, tests, begin, end);
}
