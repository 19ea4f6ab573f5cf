/* One rank of a job whose launcher mixes the output of all: where its output goes, and how it ends. */
#include "temp.h"

#include "relaunch/launch/rank_output.h"

#include <errno.h>
#include <string.h>

/* In the order in which they are asked. */
static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                        "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "RANK"};

static void unset_all(void)
{
    for (size_t i = 0; i < COUNT(variables); i++)
        unsetenv(variables[i]);
}

static int run_rank(const char *script, int *status)
{
    const char *words[] = {"sh", "-c", script, NULL};

    return rank_output_run(temp_path("ranks"), words, status);
}

/* What a rank prints is passed on as well: comments of this test's own output. */
static void check_name(const char *name)
{
    struct arena *a = arena_new();
    int status = -1;

    assert_int_equal(run_rank("echo '# out'; echo '# err' >&2; exit 3", &status), 0);
    assert_int_equal(status, 3);
    assert_str(temp_read(a, temp_path(arena_printf(a, "ranks/attempt_0/%s/stdout.log", name).p)), "# out\n");
    assert_str(temp_read(a, temp_path(arena_printf(a, "ranks/attempt_0/%s/stderr.log", name).p)), "# err\n");
    arena_free(a);
}

/* The variable of each launcher; the first that is a number counts. */
static void names_of_ranks(void **state)
{
    char name[40];

    (void)state;
    unset_all();
    snprintf(name, sizeof name, "pid%ld", (long)getpid());
    check_name(name);
    for (size_t i = COUNT(variables); i-- > 0;) {
        setenv(variables[i], "not-a-number", 1);
        if (i + 1 < COUNT(variables))
            check_name(name);
        snprintf(name, sizeof name, "%zu", 10 + i);
        setenv(variables[i], name, 1);
        check_name(name);
    }
}

static void ends(void **state)
{
    const char *nothing[] = {"/nowhere/at-all", NULL};
    int status = -1;

    (void)state;
    unset_all();
    assert_int_equal(run_rank("kill -9 $$", &status), 0);
    assert_int_equal(status, 128 + 9);
    assert_int_equal(rank_output_run(temp_path("ranks"), nothing, &status), -ENOENT);
    assert_int_equal(rank_output_run(temp_write("file", STR("")), nothing, &status), -ENOTDIR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_ranks),
        cmocka_unit_test(ends),
    };

    return RUN(tests);
}
