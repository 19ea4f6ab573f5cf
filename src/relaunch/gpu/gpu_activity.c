#include "relaunch/gpu/gpu_activity.h"

#include <stdlib.h>
#include <unistd.h>

#define LIBRARY "libpt2trace_gpu.so"

bool gpu_recorder_of(struct str name, enum gpu_recorder *out)
{
    static const char *const names[GPU_RECORDERS] = {"", "cupti", "kineto", "nsys"};

    for (int i = 0; i < GPU_RECORDERS; i++)
        if (str_eq(name, str_of(names[i]))) {
            *out = (enum gpu_recorder)i;
            return true;
        }
    return false;
}

/* Next to the program in a build directory, or in the lib directory of an installation. Empty if it is in neither. */
static struct str find_library(struct arena *a)
{
    static const char *const places[] = {"", "../lib/", "../lib/pt2trace/", "../lib/x86_64-linux-gnu/",
                                         "../lib/aarch64-linux-gnu/"};
    char *self = realpath("/proc/self/exe", NULL);
    struct str dir = str_of(self), path;

    dir = str_take(dir, (size_t)(str_rchr(dir, '/') + 1));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        path = arena_printf(a, "%.*s%s" LIBRARY, STR_ARG(dir), places[i]);
        if (access(path.p, R_OK) == 0)
            break;
        path = (struct str){0};
    }
    free(self);
    return path;
}

struct str gpu_recorder_missing(struct arena *a, enum gpu_recorder recorder)
{
    const struct environment ours = {.arena = a};

    if (recorder == GPU_CUPTI && find_library(a).n == 0)
        return STR(LIBRARY " is not there: pt2trace was built without the CUDA toolkit's headers. "
                           "--gpu-activity kineto needs none");
    if (recorder == GPU_NSYS && environment_find_program(&ours, STR("nsys")).n == 0)
        return STR("nsys is not on the PATH. --gpu-activity cupti or kineto need no other program");
    return (struct str){0};
}

/* One file for each process that uses CUDA, in the format that load reads. */
static void use_nsys(struct arena *a, const char *dir, struct command_line *line)
{
    const struct str words[] = {STR("nsys"),
                                STR("profile"),
                                STR("--trace=cuda"),
                                STR("--cuda-graph-trace=node"),
                                STR("--sample=none"),
                                STR("--cpuctxsw=none"),
                                STR("--export=sqlite"),
                                STR("--output"),
                                arena_printf(a, "%s/nsys", dir)};

    command_line_insert(a, line, 0, words, sizeof words / sizeof *words);
}

bool gpu_activity_apply(enum gpu_recorder recorder, const char *dir, struct environment *e, struct command_line *line)
{
    switch (recorder) {
    case GPU_CUPTI:
        environment_set(e, STR("CUDA_INJECTION64_PATH"), find_library(e->arena));
        environment_set(e, STR("PT2TRACE_GPU_DIR"), str_of(dir));
        return false;
    case GPU_KINETO:
        environment_set(e, STR("PT2TRACE_PROFILE"), str_of(dir));
        return true;
    case GPU_NSYS:
        use_nsys(e->arena, dir, line);
        return false;
    default:
        return false;
    }
}
