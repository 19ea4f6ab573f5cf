#include "analysis/steps/error_cuda.h"

#include "analysis/known_errors/error_answers.h"

/* While a CUDA graph is recorded, the allocator's cache is what keeps `cudaMalloc` out of the recording. */
#define EXACT "Make the crash exact: `CUDA_LAUNCH_BLOCKING=1 PYTORCH_NO_CUDA_MEMORY_CACHING=1`"
#define EXACT_IN_GRAPHS                                                                                                \
    "Make the crash exact: `CUDA_LAUNCH_BLOCKING=1`, and run without CUDA graphs (no mode \"reduce-overhead\"), "      \
    "whose replay hides which kernel it is."
#define NAME_KERNEL                                                                                                    \
    "Let NVIDIA's tool name the kernel that reads or writes out of bounds: `compute-sanitizer python CMD`"

enum code_is { OF_MEMORY, OF_CALL, OF_ANY };

/* The first row that fits counts. */
static const struct {
    const char *codes;
    enum code_is is;
} codes[] = {
    {"illegal memory access\nillegal address\nunspecified launch failure\nmisaligned address\n"
     "device-side assert triggered\n"
     "invalid program counter\ninvalid pc\ninvalid address space\nhardware stack error\ncudaErrorIllegalAddress\n"
     "cudaErrorLaunchFailure",
     OF_MEMORY},
    {"error: invalid argument\n[CUDA]: invalid argument\n[HIP]: invalid argument\ncudaErrorInvalidValue\n"
     "hipErrorInvalidValue",
     OF_CALL},
    {"CUDA error: \nHIP error: \nTriton Error [CUDA]: \nTriton Error [HIP]: ", OF_ANY},
};

static bool has_graphs(const struct error *e)
{
    const struct failure *f = e->failure;

    return stated_has(&f->compile->process->input->stated, STATED_CUDA_GRAPHS) ||
           stack_calls(f->stack, STR("torch/_inductor/cudagraph_trees.py\ntorch/cuda/graphs.py"));
}

/* The call whose arguments were refused: the innermost of the stack, as far as calls are not queued. */
static void say_call(struct arena *a, const struct error *e, struct error_steps *out)
{
    bool graphs = has_graphs(e);

    error_step_say(a, out,
                   arena_printf(a,
                                "The GPU's runtime refused an argument of a call (an address, a size, a stream or an "
                                "event), which is not an access out of bounds by a kernel. Find the call: "
                                "`CUDA_LAUNCH_BLOCKING=1`, and the innermost line of the whole stack. Run the same "
                                "without `torch.compile`%s: if it fails there too, the call is wrong.",
                                graphs ? ", then compiled without CUDA graphs (no mode \"reduce-overhead\")"
                                       : ", and, if CUDA graphs are in use (mode \"reduce-overhead\"), without those"));
    error_step_say(a, out,
                   STR("Work that is not waited for (a collective with `async_op=True`, another stream) may be the "
                       "cause: wait for it before a graph break. If only the compiled code fails, try a newer "
                       "PyTorch, then report it."));
}

bool error_cuda_say(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str message = str_take(e->failure->message, ERROR_SEARCHED);

    for (size_t i = 0; e->category == ERROR_RUNTIME_CRASH && i < sizeof codes / sizeof *codes; i++) {
        if (!str_has_any_line(message, str_of(codes[i].codes)))
            continue;
        if (codes[i].is == OF_CALL)
            say_call(a, e, out);
        else
            error_step_say(a, out,
                           has_graphs(e)              ? STR(EXACT_IN_GRAPHS)
                           : codes[i].is == OF_MEMORY ? STR(EXACT)
                                                      : STR("Make the crash exact: `CUDA_LAUNCH_BLOCKING=1`"));
        if (codes[i].is == OF_MEMORY)
            error_step_say(a, out, STR(NAME_KERNEL));
        return true;
    }
    return false;
}
