#include "unit.h"

#include "analysis/find/advice_fit.h"
#include "text/versions/names_in_text.h"

/* What is left of one step, or is said instead. */
static struct str left_in(struct arena *a, const struct stated *stated, const char *version, const char *words)
{
    struct advice_fit fit = {.arena = a, .to = stated, .version = str_of(version)};
    struct str left = advice_fit_words(&fit, str_of(words));

    return left.n ? left : advice_fit_nothing(&fit);
}

enum { NOT_READ = STATED_FACTS };

/* Of a text that states one fact, or none (STATED_READ), or was not read. */
static struct str left_of(struct arena *a, int fact, const char *version, const char *words)
{
    struct stated stated = {0};

    if (fact != NOT_READ) {
        stated_add(&stated, STATED_READ);
        stated_add(&stated, (enum stated_fact)fact);
    }
    return left_in(a, &stated, version, words);
}

static void sentences_that_contradict_the_text_are_left_out(void **state)
{
    static const struct {
        int fact;
        const char *words, *left;
    } cases[] = {
        {STATED_READ, "Look at it. On macOS: `brew install x`.", "Look at it. On macOS: `brew install x`."},
        {STATED_LINUX, "Look at it. On macOS: `brew install x`.", "Look at it."},
        {STATED_MACOS, "Look at it. On macOS: `brew install x`.", "Look at it. On macOS: `brew install x`."},
        {STATED_AMD, "Look at it. `nvidia-smi` shows it.", "Look at it."},
        {STATED_READ, "Run it: `gdb -ex run`. Read it: `gdb python CORE`.", "Run it: `gdb -ex run`."},
        {STATED_PROCESSES, "Run it: `gdb -ex run`. Read it: `gdb python CORE`.", "Read it: `gdb python CORE`."},
        {STATED_READ, "Run it. In vLLM: `--x`.", "Run it."},
        {STATED_VLLM, "Run it. In vLLM: `--x`.", "In vLLM: `--x`. Run it."},
        {NOT_READ, "Run it. In vLLM: `--x`.", "Run it. In vLLM: `--x`."},
        {STATED_NOT_MINIFIED, "Set `TORCHDYNAMO_REPRO_LEVEL=4`.",
         "The minifier cannot repeat it: where a graph crashes in it (`Skipping this graph`), it counts that as no "
         "difference. Find the stage: compare outputs and gradients with eager mode, in float32 and in float64, with "
         "`backend=\"aot_eager\"`, then with `\"inductor\"`."},
        {STATED_MINIFYING, "Set `TORCHDYNAMO_REPRO_LEVEL=4`.",
         "Find the stage: compare outputs and gradients with eager mode, in float32 and in float64, with "
         "`backend=\"aot_eager\"`, then with `\"inductor\"`."},
        {STATED_MINIFYING, "Set `TORCHDYNAMO_REPRO_AFTER=aot`.",
         "The minifier is on: it writes `minifier_launcher.py` where it finds the error. Run that, and report the "
         "`repro.py` that it makes."},
        {NOT_READ, "It is the 32-bit compiler (x). Start it.", "Start it."},
        {STATED_CL_32_BIT, "It is the 32-bit compiler (x). Start it.", "It is the 32-bit compiler (x). Start it."},
        {STATED_VLLM, "Run `TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=2`.",
         "vLLM compiles the model, with passes of its own: update vLLM, then report it there with the model's name and "
         "the options. Until then: `--enforce-eager`."},
        {STATED_READ, "Look at it. In torchao: `x`.", "Look at it."},
        {STATED_TORCHAO, "Look at it. In torchao: `x`.", "Look at it. In torchao: `x`."},
        {STATED_READ, "Look at it. Under pytest-xdist: `x`.", "Look at it."},
        {STATED_XDIST, "Look at it. Under pytest-xdist: `x`.", "Look at it. Under pytest-xdist: `x`."},
        {STATED_NOTEBOOK, "Run `AB=1 BC=\"2\" python x` and `x`.",
         "Run `%env AB=1` and `%env BC=2`, then `!python x` and `x`. `%env` only helps before `import torch`: restart "
         "the kernel."},
        {STATED_NOTEBOOK, "Name it `A_B=$HOME/x/y`",
         "Name it `%env A_B=/tmp/x/y`. `%env` only helps before `import torch`: restart the kernel."},
        {STATED_NOTEBOOK, "Run `x`.", "Run `x`."},
        {STATED_VLLM_RUNS, "Set `torch._inductor.config.triton.till = False`, or `torch._inductor.config.tills = 4`.",
         "Set `--compilation-config '{\"inductor_compile_config\": {\"triton.till\": false}}'`, or "
         "`--compilation-config '{\"inductor_compile_config\": {\"tills\": 4}}'`."},
        {STATED_VLLM_RUNS, "Set `torch._inductor.config.compile_threads = 1`, `torch._inductor.config.tills = [4]`.",
         "Set `torch._inductor.config.compile_threads = 1`, `torch._inductor.config.tills = [4]`."},
        {STATED_VLLM, "Set `torch._inductor.config.tills = 4`.", "Set `torch._inductor.config.tills = 4`."},
        {STATED_NODE_COMPILES, "Set `dynamic=False`, or `torch.compile(dynamic=False)`.",
         "Set `dynamic: false` in the node that compiles, or `dynamic: false` in the node that compiles."},
        {STATED_COMFYUI, "Set `dynamic=False`.", "Set `dynamic=False`."},
        {STATED_WINDOWS, "Install it. On Fedora it is `x-devel`. `apt install x`.", "Install it."},
        {STATED_RECOMPILES, "Look. `TORCH_LOGS=recompiles` prints it. `TORCH_LOGS=recompiles` lists it.",
         "Look. `TORCH_LOGS=recompiles` was set: the whole log has all reasons."},
        {STATED_DYNAMIC_FAILS, "Look. Use `mark_dynamic`. Then one graph serves all sizes.",
         "Look. Dynamic shapes fail in this text, whose backward could not be compiled for them: compile for fixed "
         "sizes (`dynamic=False`), and pad to a few, or raise the limit."},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(left_of(a, cases[i].fact, "", cases[i].words), cases[i].left);
    assert_str(left_of(a, STATED_READ, "", "Run `a. b` in eager mode. End."), "Run `a. b` in eager mode. End.");
    assert_true(
        str_starts(left_of(a, STATED_EAGER_WORKS, "", "Run `a. b` in eager mode. End."), STR("It works without")));
    assert_true(str_has(left_of(a, STATED_EAGER_WORKS, "", "Run it in eager mode."), STR("newer PyTorch")));
    arena_free(a);
}

/* "If X is set, ...": what is so comes first, else it stays a condition; what only an old version does is left out. */
static void conditions_of_settings(void **state)
{
#define SET "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1"
    static const char before[] = "Start again. If `" SET "` is set, PyTorch before 2.8 keeps no code. Look.";
    static const char known[] = "`" SET "` is set: PyTorch before 2.8 keeps no code. Start again. Look.";
    static const char always[] = "Start again. If `" SET "` is set, nothing is kept. If it is, look. Look.";
    static const char left[] = "Start again. Look.";
    static const struct {
        const char *settings, *version, *words, *left;
    } cases[] = {
        {"", "", before, before},
        {"", "2.7.1", before, before},
        {"", "2.8.0", before, left},
        {"", "2.10.0", before, left},
        {"", "3.0.0", before, left},
        {"", "1.13.0", before, before},
        {SET "\n", "", before, known},
        {SET "\n", "2.7.1", before, known},
        {SET "\n", "2.8.0", before, left},
        {"mode=max-autotune\n", "2.7.1", before, before},
        {"", "2.10.0", always, always},
        {SET "\n", "2.10.0", always, "`" SET "` is set: nothing is kept. Start again. If it is, look. Look."},
        {SET "\n", "", "Start. If `" SET "` is not set, look.", "Start. If `" SET "` is not set, look."},
        {"dynamic=True\n", "", "Look. Use `dynamic=True`.", "Look."},
        {"dynamic=True\n", "", "Look. Use `dynamic=True` or pad.", "Look. Use `dynamic=True` or pad."},
        {"dynamic=True\n", "", "Look. Use `dynamic=True` or a newer one.", "Look. Use `dynamic=True` or a newer one."},
        {SET "\n", "", "If `" SET "` is set, look. If `" SET "` is set, go on.",
         "`" SET "` is set: look. `" SET "` is set: go on."},
    };
#undef SET
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct stated stated = {.settings = str_of(cases[i].settings)};

        assert_str(left_in(a, &stated, cases[i].version, cases[i].words), cases[i].left);
    }
    arena_free(a);
}

static void variables_are_set_as_the_system_does_it(void **state)
{
    static const char paths[] =
        "Name it: `CC=a`, or `TORCH_LOGS=\"+x\" B_1=$HOME/.a/b`. Run `A=(b c) python x` or `x=1`.";
    struct arena *a = arena_new();
    struct stated both = {0};

    (void)state;
    stated_add(&both, STATED_READ);
    stated_add(&both, STATED_WINDOWS);
    stated_add(&both, STATED_LINUX);
    assert_str(left_of(a, STATED_READ, "", paths), paths);
    assert_str(left_in(a, &both, "", paths), paths);
    assert_str(left_of(a, STATED_WINDOWS, "", paths),
               "Name it: `set CC=a`, or `set TORCH_LOGS=+x` and `set B_1=%USERPROFILE%\\.a\\b`. "
               "Run `A=(b c) python x` or `x=1`.");
    assert_str(left_of(a, STATED_WINDOWS, "", "Run `AB=(b c) python x`."), "Run `set AB=(b c)`, then `python x`.");
    assert_str(left_of(a, STATED_WINDOWS, "", "A ` is left, and `AB= c`."), "A ` is left, and `AB= c`.");
    arena_free(a);
}

static void names_that_a_version_lacks_are_left_out(void **state)
{
    static const char bisect[] = "Look. Bisect: `python -m torch._inductor.compiler_bisector run CMD`";
    struct arena *a = arena_new();
    struct named_since m;

    (void)state;
    assert_str(left_of(a, NOT_READ, "2.10.0", bisect), "Look.");
    assert_str(left_of(a, NOT_READ, "2.11.0", bisect), bisect);
    assert_str(left_of(a, NOT_READ, "", bisect), bisect);
    assert_true(str_has(left_of(a, NOT_READ, "2.9.1", "Set `torch._dynamo.config.ignore_logging_functions`."),
                        STR("is in PyTorch 2.11 and later")));
    assert_str(left_of(a, NOT_READ, "2.3.0", "Look. Use `torch.library.register_fake`."),
               "Look. Use `torch.library.impl_abstract`.");
    assert_str(left_of(a, NOT_READ, "2.0.0", "Look. `torch.compile(options={\"memory_planning\": True})`"), "Look.");
    assert_str(left_of(a, NOT_READ, "2.0.0", "Look. `torch.cuda.memory._record_memory_history()`"), "Look.");
    assert_true(names_missing(STR("torch._dynamo.config.recompile_limit = 16"), STR("2.6.0"), &m));
    assert_str(m.name, "torch._dynamo.config.recompile_limit");
    assert_false(names_missing(STR("torch._dynamo.config.recompile_limit = 16"), STR("2.7.0"), &m));
    assert_true(names_missing(STR("TORCH_COMPILE_DYNAMIC_SOURCES=x"), STR("2.5.0"), &m));
    assert_true(names_missing(STR("torch.compile(f, recompile_limit=8)"), STR("2.11.0"), &m));
    assert_false(names_missing(STR("Torch.compile a TENSOR"), STR("2.11.0"), &m));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_that_contradict_the_text_are_left_out),
        cmocka_unit_test(conditions_of_settings),
        cmocka_unit_test(variables_are_set_as_the_system_does_it),
        cmocka_unit_test(names_that_a_version_lacks_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
