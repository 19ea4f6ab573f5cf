#include "relaunch/launch/rank_output.h"

#include "relaunch/launch/launch.h"
#include "util/arena.h"
#include "util/system/file.h"

#include <stdlib.h>
#include <unistd.h>

/*
 * The number of this rank, from the variables of launchers: Open MPI, PMIx, MPICH and Intel MPI, MVAPICH, Slurm,
 * others.
 */
static const char *rank_name(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                        "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "RANK"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        uint64_t rank;

        if (value && str_u64(str_of(value), &rank))
            return value;
    }
    return NULL;
}

int rank_output_run(const char *dir, const char *const *words, int *status)
{
    struct arena *a = arena_new();
    const char *rank = rank_name();
    struct str own = rank ? arena_printf(a, "%s/attempt_0/%s", dir, rank)
                          : arena_printf(a, "%s/attempt_0/pid%ld", dir, (long)getpid());
    struct launch launch = {.argv = words,
                            .environment = environ,
                            .directory = ".",
                            .out_path = arena_printf(a, "%.*s/stdout.log", STR_ARG(own)).p,
                            .err_path = arena_printf(a, "%.*s/stderr.log", STR_ARG(own)).p,
                            .last = true};
    struct launch_result result = {0};
    int rc = make_dirs(own.p);

    if (rc == 0)
        rc = launch_run(&launch, &result);
    if (rc == 0 && result.end == LAUNCH_NOT_STARTED)
        rc = -result.error;
    *status = result.end == LAUNCH_EXITED ? result.status : 128 + result.signal;
    arena_free(a);
    return rc;
}
