/*
 * Any bytes as the model of an input, and what a trace becomes in a digest, whole and damaged: it is refused, or all
 * outputs can be made of it.
 */
#include "fuzz.h"

#include "digest/decode.h"
#include "digest/encode.h"

#include <stdlib.h>
#include <unistd.h>

enum { DAMAGES = 20, SIZE_MAX_DAMAGED = 64 * 1024 };

/* The model of a trace, encoded. */
static void encode_trace(struct buf *out, const uint8_t *data, size_t size)
{
    struct trace_options options = {.depth = TRACE_FULL, .check_digests = true};
    char name[64];
    int fd = fuzz_file(data, size, name, sizeof name);
    struct input *in = input_new(str_of(name));

    fuzz_check(input_open(in) == 0, "the file can be opened");
    trace_read(in, &options, fuzz_pool());
    in->used = true;
    in->kind = INPUT_TORCH_TRACE;
    encode_input(out, in);
    input_free(in);
    close(fd);
}

/* Whether bytes are a model; then all that is done with models is done with this one. */
static bool use(struct str bytes, bool outputs)
{
    struct input *in = decode_input(bytes);
    struct buf again = {0};
    struct run *r;

    if (!in)
        return false;
    encode_input(&again, in);
    buf_free(&again);
    r = run_new();
    vec_push(r->arena, &r->inputs, in);
    run_finish(r);
    if (outputs)
        fuzz_check_outputs(r);
    run_free(r);
    return true;
}

static void use_damaged(struct buf *bytes)
{
    unsigned seed = (unsigned)bytes->n;

    for (int i = 0; i < DAMAGES; i++) {
        size_t at = (size_t)rand_r(&seed) % bytes->n;
        char before = bytes->p[at];

        bytes->p[at] = (char)rand_r(&seed);
        use(buf_view(bytes), true);
        bytes->p[at] = before;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf bytes = {0};

    use((struct str){(const char *)data, size}, true);
    encode_trace(&bytes, data, size);
    fuzz_check(use(buf_view(&bytes), false), "what was encoded is decoded");
    if (bytes.n < SIZE_MAX_DAMAGED)
        use_damaged(&bytes);
    buf_free(&bytes);
    return 0;
}
