#include "fuzz.h"

#include "activity/activity.h"
#include "input/limits.h"
#include "torchlog/debug_dir.h"
#include "torchlog/torchlog.h"
#include "util/system/file.h"

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

/* `path` says what a file of a torch_compile_debug directory is; for others it is NULL. */
static struct run *read_as(enum input_kind kind, const char *path, const uint8_t *data, size_t size)
{
    struct trace_options options = {.check_digests = true};
    struct run *r = run_new();
    char name[64];
    int fd = fuzz_file(data, size, name, sizeof name);
    struct input *in = run_add_input(r, str_of(name));

    fuzz_check(input_open(in) == 0, "the file can be opened");
    in->kind = kind;
    if (path)
        in->file = debug_file_of(str_of(path));
    if (activity_is(kind))
        activity_read(in);
    else if (kind == INPUT_COMPILE_DEBUG)
        debug_dir_read(in, &options, fuzz_pool());
    else if (kind == INPUT_TORCH_LOGS)
        torchlog_read(in, &options, fuzz_pool());
    else
        trace_read(in, &options, fuzz_pool());
    in->used = true;
    run_finish(r);
    close(fd);
    return r;
}

struct run *fuzz_read(const uint8_t *data, size_t size)
{
    return read_as(INPUT_TORCH_TRACE, NULL, data, size);
}

struct run *fuzz_read_activity(const uint8_t *data, size_t size)
{
    enum input_kind kind = activity_sniff((struct str){(const char *)data, size < LIMIT_SNIFF ? size : LIMIT_SNIFF});

    return activity_is(kind) ? read_as(kind, NULL, data, size) : NULL;
}

struct run *fuzz_read_log(const uint8_t *data, size_t size)
{
    return read_as(INPUT_TORCH_LOGS, NULL, data, size);
}

struct run *fuzz_read_debug(const char *path, const uint8_t *data, size_t size)
{
    return read_as(INPUT_COMPILE_DEBUG, path, data, size);
}

/* A prefix of lines that a log taught only behind a message is taken off that message, too, when it is read back. */
static bool is_certain(const struct input *in, const struct payload *p)
{
    return !(p->flags & PAYLOAD_LOG) || (in->stream_keys.n <= 1 && !in->lines_timed);
}

void fuzz_check_payload(const struct input *in, const struct artifact *a)
{
    struct payload_source from = input_payloads(in);
    struct buf text = {0};
    struct digest d;

    if (!(a->payload.flags & PAYLOAD_PRESENT))
        return;
    fuzz_check(payload_read(&from, &a->payload, READ_ALL, &text) == 0, "a payload can be read back");
    if (is_certain(in, &a->payload))
        fuzz_check(text.n == a->payload.text_bytes, "a payload read back is as long as it was");
    d = digest_of(text.p ? buf_view(&text) : STR(""));
    if (a->payload.flags & PAYLOAD_CHECKED)
        fuzz_check(digest_eq(&d, &a->payload.digest) == !(a->payload.flags & PAYLOAD_BAD),
                   "a payload read back has its digest");
    buf_free(&text);
}

void fuzz_check_artifacts(const struct run *r)
{
    const struct input *in = r->inputs.v[0];
    const struct compile *c;
    size_t artifacts = 0;

    for (size_t i = 0; i < in->artifacts.n; i++)
        fuzz_check_payload(in, in->artifacts.v[i]);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        artifacts += c->artifacts.n;
    fuzz_check(artifacts == in->artifacts.n, "every artifact belongs to one compile");
}
