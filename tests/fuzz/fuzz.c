#include "fuzz.h"

#include "util/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_check(bool claim, const char *what)
{
    if (claim)
        return;
    fprintf(stderr, "fuzz: does not hold: %s\n", what);
    abort();
}

struct pool *fuzz_pool(void)
{
    static struct pool *pool;

    if (!pool)
        pool = pool_new(1);
    return pool;
}

int fuzz_file(const uint8_t *data, size_t size, char *name, size_t name_n)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);

    fuzz_check(fd >= 0 && write_all(fd, data, size) == 0, "a file in memory can be made");
    snprintf(name, name_n, "/proc/self/fd/%d", fd);
    return fd;
}

struct run *fuzz_read(const uint8_t *data, size_t size, enum trace_depth depth, bool check_digests)
{
    struct trace_options options = {.depth = depth, .check_digests = check_digests};
    struct run *r = run_new();
    char name[64];
    int fd = fuzz_file(data, size, name, sizeof name);
    struct input *in = run_add_input(r, str_of(name));

    fuzz_check(input_open(in) == 0, "the file can be opened");
    trace_read(in, &options, fuzz_pool());
    in->used = true;
    in->kind = INPUT_TORCH_TRACE;
    run_finish(r);
    close(fd);
    return r;
}
