#include "analysis/errors/error_memory.h"

#include "analysis/errors/error_owner.h"
#include "model/code_file.h"
#include "text/guards/guard_reason.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SEARCHED = 2048,
    SEGMENT_MIB = 20, /* what PyTorch asks the driver for at once, though a tensor needs less (CUDACachingAllocator) */
};

/* Amounts as the message writes them ("1.50 GiB"); empty where it does not say. */
struct amounts {
    struct str wanted, total, free, allowed, used, pools, idle;
};

/* "1.50 GiB" at the beginning of the text. */
static struct str amount_at(struct str text)
{
    static const struct str units[] = {STR_INIT(" bytes"), STR_INIT(" KiB"), STR_INIT(" MiB"), STR_INIT(" GiB"),
                                       STR_INIT(" TiB")};
    size_t n = 0;

    while (n < text.n && (str_is_digit(text.p[n]) || text.p[n] == '.'))
        n++;
    for (size_t i = 0; n && i < sizeof units / sizeof *units; i++)
        if (str_starts(str_skip(text, n), units[i]))
            return str_take(text, n + units[i].n);
    return (struct str){0};
}

static struct str amount_behind(struct str text, struct str words)
{
    ptrdiff_t at = str_find(text, words);

    return at < 0 ? (struct str){0} : amount_at(str_skip(text, (size_t)at + words.n));
}

/* Of "512.00 MiB free": the two words before. */
static struct str amount_before(struct str text, struct str words)
{
    ptrdiff_t at = str_find(text, words), unit, number;
    struct str before = str_take(text, at < 0 ? 0 : (size_t)at);

    unit = str_rchr(before, ' ');
    number = unit < 0 ? -1 : str_rchr(str_take(before, (size_t)unit), ' ');
    return unit < 0 ? (struct str){0} : amount_at(str_skip(before, (size_t)(number + 1)));
}

static struct str either(struct str a, struct str b)
{
    return a.n ? a : b;
}

static struct amounts amounts_of(struct str m)
{
    m = str_take(m, SEARCHED);
    return (struct amounts){
        .wanted = amount_behind(m, STR("Tried to allocate ")),
        .total = either(amount_behind(m, STR("total capacity of ")), amount_before(m, STR(" total capacity"))),
        .free = either(amount_before(m, STR(" is free")), amount_before(m, STR(" free;"))),
        .allowed = amount_before(m, STR(" allowed; ")),
        .used = either(amount_before(m, STR(" is allocated by PyTorch")), amount_before(m, STR(" already allocated"))),
        .pools = amount_before(m, STR(" allocated in private pools")),
        .idle = amount_before(m, STR(" is reserved by PyTorch but unallocated")),
    };
}

/* In MiB; 0 for an amount that is not known. */
static double mib(struct str amount)
{
    static const struct {
        const char *unit;
        double mib;
    } units[] = {{"bytes", 1.0 / (1024 * 1024)}, {"KiB", 1.0 / 1024}, {"MiB", 1}, {"GiB", 1024}, {"TiB", 1024 * 1024}};
    char number[32];

    str_terminate(str_take(amount, sizeof number - 1), number, sizeof number);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_ends(amount, str_of(units[i].unit)))
            return strtod(number, NULL) * units[i].mib;
    return 0;
}

struct str error_memory_headline(struct arena *a, struct str message)
{
    struct amounts m = amounts_of(message);
    struct str out;

    if (m.wanted.n == 0 || m.free.n == 0)
        return (struct str){0};
    out = arena_printf(a, "%.*s asked for, %.*s free", STR_ARG(m.wanted), STR_ARG(m.free));
    if (m.total.n)
        out = arena_printf(a, "%.*s of %.*s", STR_ARG(out), STR_ARG(m.total));
    if (m.allowed.n)
        out = arena_printf(a, "%.*s, %.*s allowed to the process", STR_ARG(out), STR_ARG(m.allowed));
    if (m.used.n)
        out = arena_printf(a, "%.*s; PyTorch uses %.*s", STR_ARG(out), STR_ARG(m.used));
    if (m.pools.n)
        out = arena_printf(a, "%.*s (%.*s in private pools, as of CUDA graphs)", STR_ARG(out), STR_ARG(m.pools));
    if (m.idle.n)
        out = arena_printf(a, "%.*s, and has %.*s reserved but unallocated", STR_ARG(out), STR_ARG(m.idle));
    return out;
}

/* The stack ends where Inductor times the choices of max-autotune: templates, and calls of libraries. */
static bool is_choosing(const struct failure *f)
{
    return stack_calls(f->stack, STR("benchmark_choice\nautotune_select_algorithm"));
}

static bool is_within(const struct failure *f, struct str file, struct str function)
{
    for (const struct call *c = f->stack; c; c = c->parent)
        if (str_eq(c->function, function) && code_file_has(c->file, file))
            return true;
    return false;
}

/* A graph of CUDA is recorded, by what `torch.compile` made; servers have options of their own for theirs. */
static bool is_recording(const struct failure *f)
{
    return is_within(f, STR("torch/_inductor/cudagraph_trees.py"), STR("_record"));
}

/* vLLM records the graphs of CUDA itself, when it starts, beside what it has given to its cache. */
static bool is_captured_by_vllm(const struct failure *f)
{
    return is_within(f, STR("vllm/"), STR("capture_model"));
}

bool error_memory_is_tuning(const struct failure *f)
{
    return is_choosing(f) || stack_calls(f->stack, STR("benchmark_all_configs\nautotune_to_one_config"));
}

/* torch/_subclasses/fake_tensor.py and torch/_inductor/fx_passes/fuse_attention.py make a first, small tensor. */
bool error_memory_is_all_taken(const struct failure *f)
{
    return stack_calls(f->stack, STR("init_cuda_context\ninit_gpu_context\n_sfdp_init\n_cuda_init"));
}

/* The GPU has more than was asked for: neither what PyTorch holds nor what the program needs explains that. */
static bool is_free(const struct amounts *m)
{
    return m->wanted.n && mib(m->free) > SEGMENT_MIB && mib(m->free) > mib(m->wanted);
}

bool error_memory_is_refused(const struct failure *f)
{
    struct amounts m = amounts_of(f->message);

    return is_free(&m);
}

const char *error_memory_step(const struct failure *f)
{
    struct amounts m = amounts_of(f->message);

    if (error_memory_is_all_taken(f))
        return "The compiler only begins to use the GPU here, as it does for functions on the CPU, too: another "
               "program has filled it (`nvidia-smi`). Hide it from a program that needs none, "
               "`CUDA_VISIBLE_DEVICES=\"\"`, or free it, or take another one.";
    if (is_choosing(f))
        return "The memory is for copies of arguments that Inductor makes while it times (autotunes) the choices of a "
               "kernel, in the first call: leave that call more room with smaller inputs, or compile without "
               "max-autotune.";
    /* torch/_inductor/runtime/triton_heuristics.py: clone_args copies mutated ones; disable_pointwise_autotuning */
    if (error_memory_is_tuning(f))
        return "The memory is for copies that Inductor makes while it times (autotunes) the configurations of one "
               "kernel, in the first call, and then frees: it copies the arguments that the kernel changes in place. "
               "Kernels that compute element by element, or reduce, are timed in the default mode, too: "
               "`torch._inductor.config.triton.autotune_pointwise = False` takes one configuration without timing, "
               "which may be slower. Without max-autotune fewer are timed. "
               "Or write the result to a new tensor instead of in place, or make the first call with a smaller one. "
               "Report it if it stays with a newer PyTorch.";
    if (is_captured_by_vllm(f))
        return "It is raised while the server captures CUDA graphs, for which its cache has left too little: leave "
               "more (a smaller `--gpu-memory-utilization`), capture fewer sizes (`--compilation-config "
               "'{\"cudagraph_capture_sizes\": [1, 2, 4, 8]}'`), or none, and run slower: `--enforce-eager`.";
    if (is_free(&m) && m.allowed.n)
        return "The GPU has more than was asked for, and the process may not take it: its limit is set by "
               "`set_per_process_memory_fraction`, in the program or in a library that it uses. Find that call, and "
               "raise the limit or leave it out. It holds for all that follows in the process: of a series of tests, "
               "one may have set it and left it so, which the failing test alone, in a process of its own, shows.";
    if (is_free(&m))
        return "The GPU has more than was asked for, so by these numbers neither fragmentation nor the size of the "
               "batch is the cause: the driver refused the memory for another reason. Another program may have taken "
               "it at that moment, and given it back since (`nvidia-smi`). A container or a GPU that is shared may "
               "have a limit of its own. On Windows the memory of the GPU needs room in the page file, too: make it "
               "larger, and close other programs. Or let the program keep less on the GPU, by its own options "
               "(offloading to the CPU, half precision).";
    if (mib(m.pools) == 0 && is_recording(f))
        return "It is raised while a CUDA graph is recorded, which takes memory of its own for each size of inputs and "
               "keeps it: compile without CUDA graphs (no mode \"reduce-overhead\"; "
               "`mode=\"max-autotune-no-cudagraphs\"` instead of \"max-autotune\"), record fewer sizes, or use a "
               "smaller batch.";
    if (mib(m.pools) > mib(m.used) / 4 && mib(m.pools) > mib(m.idle))
        return "Much is in the pools of CUDA graphs, which keep it, one graph for each size of inputs: pad the inputs "
               "to a few sizes, or run without CUDA graphs (no mode \"reduce-overhead\"). Sizes that vary can be left "
               "out: `torch._inductor.config.triton.cudagraph_skip_dynamic_graphs = True`.";
    if (mib(m.idle) > 0 && mib(m.idle) >= mib(m.wanted))
        return "More is reserved and unallocated than was asked for, but in pieces that are too small (fragmentation): "
               "`PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True`. Pools of CUDA graphs (mode "
               "\"reduce-overhead\") keep what they reserved: if there are any, try without.";
    return NULL;
}

/* The first size of a tensor became smaller: what follows the full batches of a data set is most often its last one. */
static bool shrinks(struct arena *a, const struct compile *c, struct guard_reason *g)
{
    uint64_t from, to;

    for (size_t i = 0; i < c->reasons.n; i++) {
        guard_reason_parse(a, c->reasons.v[i].text, g);
        if (g->class == GUARD_SIZE && g->index == 0 && str_u64(g->expected, &from) && str_u64(g->actual, &to) &&
            to < from)
            return true;
    }
    return false;
}

struct str error_memory_of_recompile(struct arena *a, const struct failure *f)
{
    const struct process *p = f->compile->process;
    struct guard_reason g;

    if (!error_owner_is_below_generated(f->stack))
        return (struct str){0};
    for (size_t i = 0; i < p->compiles.n; i++) {
        const struct compile *c = p->compiles.v[i];

        if (c->reasons.n && c->artifacts.n && c->artifacts.v[0]->line < f->record_line && shrinks(a, c, &g))
            return arena_printf(a,
                                "Most likely the code that was compiled again before it takes the memory: %.*s, as "
                                "for an incomplete last batch. From then on that size may be symbolic, and Inductor "
                                "may fuse less for it and allocate more at once. Keep the size the same: "
                                "`drop_last=True` of the DataLoader, or pad the last batch. Or compile for each size: "
                                "`torch.compile(dynamic=False)`, `torch._dynamo.mark_static(x, 0)`.",
                                STR_ARG(g.words));
    }
    return (struct str){0};
}
