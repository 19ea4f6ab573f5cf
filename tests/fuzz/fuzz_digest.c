/*
 * Any bytes as the model of an input: it is refused, or all outputs can be made of it. Bytes change as libFuzzer
 * changes any, and as mutate.h does, which knows the model. Once: what each trace becomes in a digest, whole and
 * changed.
 */
#include "fuzz.h"
#include "trace/trace.h"

#include "mutate.h"

#include "digest/decode.h"
#include "digest/encode.h"

#include <stdlib.h>
#include <unistd.h>

enum { CHANGES = 10, CHANGED_AT_ONCE = 3, MOST_BYTES = 64 * 1024 };

/* Whether bytes are a model; then all that is done with models is done with this one. */
static bool use(struct str bytes, bool outputs)
{
    struct input *in = decode_input(bytes);
    struct run *r;

    if (!in)
        return false;
    r = run_new();
    vec_push(r->arena, &r->inputs, in);
    run_finish(r);
    if (outputs)
        fuzz_check_outputs(r);
    run_free(r);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    use((struct str){(const char *)data, size}, true);
    return 0;
}

/* The model in `bytes` with some fields changed. */
static bool change(struct str bytes, unsigned seed, struct buf *out)
{
    struct input *in = decode_input(bytes);

    if (!in)
        return false;
    for (unsigned i = 0; i <= seed % CHANGED_AT_ONCE; i++)
        mutate_input(in, &seed);
    encode_input(out, in);
    input_free(in);
    return true;
}

/* Called by libFuzzer, and for half of the inputs it does what libFuzzer would. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct buf out = {0};

    if (seed % 2 && change((struct str){(const char *)data, size}, seed / 2, &out) && out.n <= max) {
        memcpy(data, out.p, out.n);
        size = out.n;
    } else {
        size = LLVMFuzzerMutate(data, size, max);
    }
    buf_free(&out);
    return size;
}

/* The model of a trace, encoded. */
static void encode_trace(struct buf *out, const uint8_t *data, size_t size)
{
    struct trace_options options = {.check_digests = true};
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

void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    struct buf bytes = {0}, changed = {0};

    encode_trace(&bytes, data, size);
    fuzz_check(use(buf_view(&bytes), false), "what was encoded is decoded");
    take(buf_view(&bytes));
    for (unsigned seed = 0; bytes.n < MOST_BYTES && seed < CHANGES; seed++) {
        changed.n = 0;
        fuzz_check(change(buf_view(&bytes), seed * 7919 + (unsigned)size, &changed), "what was encoded can be changed");
        take(buf_view(&changed));
    }
    buf_free(&changed);
    buf_free(&bytes);
}
