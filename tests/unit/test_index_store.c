/* Which files are opened as an index, and what is said of others. */
#include "temp.h"

#include "output/index/index_store.h"

#include <signal.h>
#include <sys/resource.h>

/* Empty if it is opened. */
static struct str why_not(struct arena *a, const char *path)
{
    struct str why = STR("");
    struct database *d = index_open(a, path, &why);

    assert_int_equal(d != NULL, why.n == 0);
    database_close(d);
    return why;
}

/* Makes an index, and changes something in it. */
static const char *changed(struct arena *a, const char *name, const char *sql)
{
    const char *path = temp_path(name);
    struct str why;
    struct database *d = index_open(a, path, &why);

    assert_non_null(d);
    assert_true(database_run(d, sql));
    database_close(d);
    return path;
}

static void files(void **state)
{
    static const char other[] = "a database of another program", old[] = "created by another version of pt2trace";
    struct arena *a = arena_new();

    (void)state;
    assert_str(why_not(a, temp_path("new.db")), "");
    assert_str(why_not(a, temp_path("new.db")), "");
    assert_str(why_not(a, temp_write("empty.db", STR(""))), "");
    assert_str(why_not(a, changed(a, "same.db", "PRAGMA user_version = 3")), "");
    assert_true(str_starts(why_not(a, changed(a, "older.db", "PRAGMA user_version = 2")), str_of(old)));
    assert_true(str_starts(why_not(a, changed(a, "newer.db", "PRAGMA user_version = 4")), str_of(old)));
    assert_true(str_starts(why_not(a, changed(a, "other.db", "PRAGMA application_id = 7")), str_of(other)));
    assert_true(str_starts(why_not(a, changed(a, "both.db", "PRAGMA application_id = 7; PRAGMA user_version = 2")),
                           str_of(other)));
    assert_true(why_not(a, temp_write("text.db", STR("This is a text, and has more bytes than a head.\n"))).n > 0);
    assert_true(why_not(a, temp_dir()).n > 0);
    assert_true(why_not(a, temp_path("nowhere/x.db")).n > 0);
    arena_free(a);
}

/* The tables do not fit: the disk is full from one size to the next, until all of them do. */
static void full_disks(void **state)
{
    struct arena *a = arena_new();
    struct rlimit before, small;
    bool fits = false;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    for (rlim_t kib = 0; kib <= 1024 && !fits; kib = kib ? 2 * kib : 1) {
        const char *path = temp_path("full.db");
        struct str why;

        unlink(path);
        unlink(temp_path("full.db-wal"));
        unlink(temp_path("full.db-journal"));
        small.rlim_cur = kib * 1024;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        why = why_not(a, path);
        setrlimit(RLIMIT_FSIZE, &before);
        fits = why.n == 0;
        assert_false(kib < 32 && fits);
    }
    assert_true(fits);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),
        cmocka_unit_test(full_disks),
    };

    return RUN(tests);
}
