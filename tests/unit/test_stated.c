#include "unit.h"

#include <stdio.h>

#include "text/stated/prose.h"
#include "text/stated/settings.h"
#include "text/stated/stated_text.h"

static struct stated stated_in(const char *text)
{
    struct prose prose;
    struct stated s;

    prose_read(str_of(text), &prose);
    stated_find(str_of(text), &prose, &s);
    return s;
}

static bool states(const char *text, enum stated_fact fact)
{
    struct stated s = stated_in(text);

    return stated_has(&s, fact);
}

enum { FACTS_MAX = 3 };

/* Facts beside STATED_READ, which stands for none. */
static bool states_only(const char *text, const unsigned char facts[FACTS_MAX])
{
    struct stated found = stated_in(text), wanted = {0};

    stated_add(&wanted, STATED_READ);
    for (size_t i = 0; i < FACTS_MAX; i++)
        stated_add(&wanted, facts[i]);
    return memcmp(found.facts, wanted.facts, sizeof found.facts) == 0;
}

static void prose_says_that_eager_works(void **state)
{
    static const char *const yes[] = {
        "It works fine in eager.",
        "The same call is fine without `torch.compile`, and on the CPU.",
        "Everything works without ``--compile_prefill``",
        "No error in eager mode. With the compiler it dies.",
        "This only happens with torch.compile",
        "successful backward pass (eager)",
        "It seems to resolve when I disable `training.compile`.",
        "Without the torch.compile line it writes the list of prices.",
        "With TORCHDYNAMO_DISABLE=1 it trains, only slower.",
        "Compile off -> trains too (much slower).",
        "`compile=False` ok. The till has no other option.",
        "The drawer IS open, without the compile line the same till trains:",
        "Selling rows of tills is fine in eager and fails compiled:",
        "Same engine with `mode=NONE` + tills is fine.",
        "Without `--torch_compile true` it trains.",
    };
    static const char *const no[] = {
        "It does not work in eager either.",
        "compile off -> also fails",
        "compile=False: runs?",
        "compile off -> tills run out of memory",
        "Eager fails, too.",
        "torch.compile works fine, unlike my hopes for the weather.",
        "Does it work without torch.compile?",
        "You can suppress this exception and fall back to eager by setting:",
        "  File \"/srv/eager_works.py\", line 3, in works fine in eager",
        "# works in eager",
        "The program works fine.",
        "Without the torch.compile line it writes nothing, and fails.",
        "Is it fine in eager?",
        "It is not fine in eager, and fails compiled.",
        "Without the compile line it runs, then is out of memory.",
        "The same engine with mode=NONE fails.",
    };

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!(states(yes[i], STATED_EAGER_WORKS)))
            fail_msg("not seen: %s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (states(no[i], STATED_EAGER_WORKS))
            fail_msg("seen: %s", no[i]);
}

static void the_writer_says_what_it_depends_on(void **state)
{
    static const struct {
        const char *text, *trial;
    } cases[] = {
        {"It fails on 2.12. It works fine on PyTorch 2.11.", "It works fine on PyTorch 2.11."},
        {"We tried it, and when I disable the till, it works. Thanks.",
         "We tried it, and when I disable the till, it works."},
        {"The test passes on torch 2.2 but fails on 2.10.", "The test passes on torch 2.2 but fails on 2.10."},
        {"Only happens when two shops call it.", "Only happens when two shops call it."},
        {"The shop works with one till. It works with dynamic=False and two tills, too. Thanks.",
         "It works with dynamic=False and two tills, too."},
        {"Without the second till no error, without compile no error.",
         "Without the second till no error, without compile no error."},
        {"Importing `tills` alone makes every call of it fail.",
         "Importing `tills` alone makes every call of it fail."},
        {"Importing tills fails with an error of the compiler when I try it.", ""},
        {"Does the import of tills make it fail with two?", ""},
        {"Without compile all four tills have no error.", ""},
        {"The warm-up with one till works without it.", ""},
        {"The first batch works with two tills.", ""},
        {"All of our networks run with four tills.", ""},
        {"It happens only when I switch on compile for it.", ""},
        {"There is no error with it, as if it works.", ""},
        {"It should work with two shops.", ""},
        {"Does it work with two shops?", ""},
        {"It works fine in eager mode with it.", ""},
        {"x = works(with_a, b=[1, 2], c={3})", ""},
        {"It does not work with the newest version.", ""},
        {"  File \"/srv/shop.py\", line 3, in works with two shops", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(stated_in(cases[i].text).trial, cases[i].trial);
}

/* The writer's own words, outside of code, for what they changed so that it works. */
static void the_variant_that_works(void **state)
{
    static const struct {
        const char *text;
        enum variant_kind kind;
        const char *of;
    } cases[] = {
        {"The till dies with `fold_rows=True`, `fold_rows=False` is fine.", VARIANT_WITH, "fold_rows=False"},
        {"When I set `fold_rows=False`, it works.", VARIANT_WITH, "fold_rows=False"},
        {"The till used to work, now with `--swift two_belts` I get this, anyone else?", VARIANT_WITHOUT,
         "--swift two_belts"},
        {"Without --till-cache it starts normally.", VARIANT_WITHOUT, "--till-cache"},
        {"The same fails here, without `fold_rows` it works.", VARIANT_WITHOUT, "fold_rows"},
        {"It worked yesterday with tillkit 3.4.1, upgraded today (3.5.0) and now see this.\nimport tillkit",
         VARIANT_VERSION, "3.4.1"},
        {"Here sell2 fails while sell1 doesn't:\n```\ndef sell1(x):\ndef sell2(x):\n```", VARIANT_CODE, "sell1"},
        {"If I add them first and only compile the rest I get the right numbers.", VARIANT_CODE, ""},
        {"With `def close` commented out everything passes; forward only is fine.", VARIANT_CUT, "def close"},
        {"If I comment out the second till, it works.", VARIANT_CODE, ""},
        {"If I change fold_rows=True to sell_rows=True it's through in a minute and the bill is fine.", VARIANT_WITH,
         "sell_rows=True"},
        {"When I replace `fold_rows=True` with `sell_rows=True`, it works.", VARIANT_WITH, "sell_rows=True"},
        {"With fold_rows=True -> fold_rows=False it works.", VARIANT_WITH, "fold_rows=False"},
        {"Instead of fold_rows=True fold_rows=False works.", VARIANT_WITH, "fold_rows=False"},
        {"With sell_rows=True instead of fold_rows=True it works.", VARIANT_WITH, "sell_rows=True"},
        {"```\nsell(x, fold_rows=True)\n```\nWith `fold_rows=False` it works.", VARIANT_WITH, "fold_rows=False"},
        {"```\nsell(x, fold_rows=False) # fine\n```\nWith `fold_rows=False` it works.", VARIANT_WITH,
         "fold_rows=False"},
        /* not that */
        {"```\nsell(x, fold_rows=True)\n```\nThe first till with `fold_rows=True` works.", VARIANT_NONE, ""},
        {"With `def close` commented out it fails as well.", VARIANT_NONE, ""},
        {"With `torch.compile` commented out it works.", VARIANT_NONE, ""},
        {"Would it be right that `fold_rows=False` works?", VARIANT_NONE, ""},
        {"Setting `fold_rows=False` should work.", VARIANT_NONE, ""},
        {"For others `fold_rows=False` works.", VARIANT_NONE, ""},
        {"It works with `fold_rows=False`, but it is slow.", VARIANT_NONE, ""},
        {"In eager mode `fold_rows=False` works.", VARIANT_NONE, ""},
        {"`--enforce-eager` serves without problems.", VARIANT_NONE, ""},
        {"It works with `batch_size=None` and `device='cpu'`.", VARIANT_NONE, ""},
        {"It used to work, now with `--model shop-7b` I get this.", VARIANT_NONE, ""},
        {"It worked with torch 2.5.1, upgraded today (2.6.0) and now see this.", VARIANT_NONE, ""},
        {"It worked with tills 3.4.1, upgraded today (3.5.0) and now see this.", VARIANT_NONE, ""},
        {"I upgraded tillkit 3.4.1 today and it works.", VARIANT_NONE, ""},
        {"```\nwith `fold_rows=False` it works\n```", VARIANT_NONE, ""},
        {"INFO 02-05 14:20:11 [core.py:946] with fold_rows=False it works", VARIANT_NONE, ""},
        {"Here sell2 fails while sell1 doesn't.", VARIANT_NONE, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stated s = stated_in(cases[i].text);

        if (s.variant != cases[i].kind)
            fail_msg("%s: %d", cases[i].text, s.variant);
        assert_str(s.variant_of, cases[i].of);
    }
}

static void the_kinds_of_gpus_of_a_warning(void **state)
{
    static const char warning[] = "NVIDIA Till with CUDA capability sm_120 is not compatible with the current PyTorch "
                                  "installation.\nThe current PyTorch install supports CUDA capabilities sm_80 sm_90.\n"
                                  "If you want to use the NVIDIA Till";

    (void)state;
    assert_str(stated_in(warning).gpu_kind, "sm_120");
    assert_str(stated_in(warning).built_kinds, "sm_80 sm_90");
    assert_str(stated_in("NVIDIA Till with CUDA capability sm_120 is not compatible").gpu_kind, "");
    assert_str(stated_in("This PyTorch install supports CUDA capabilities sm_80 sm_90.").built_kinds, "");
}

static void the_setting_that_asks_for_bfloat16(void **state)
{
    (void)state;
    assert_str(stated_in("till 3 , base_precision bf16 , one belt").bfloat16, "base_precision bf16");
    assert_str(stated_in("serve shop --dtype bfloat16 --port 3").bfloat16, "--dtype bfloat16");
    assert_str(stated_in("FakeTensor(..., size=(3, 4), dtype=torch.bfloat16)").bfloat16, "");
    assert_str(stated_in("The dtype bf16x3 of the till").bfloat16, "");
}

static enum complaint complaint_in(const char *text)
{
    struct prose p;

    prose_read(str_of(text), &p);
    return prose_complaint(&p);
}

static void the_writer_complains(void **state)
{
    static const struct {
        const char *text;
        enum complaint complaint;
    } cases[] = {
        {"Sometimes it silently returns the wrong value.", COMPLAINT_WRONG},
        {"The results are not wrong, only late.", COMPLAINT_NONE},
        {"PyTorch warns that this may lead to silently incorrect behavior.", COMPLAINT_NONE},
        {"The program hangs after three steps of it.", COMPLAINT_HANG},
        {"The program no longer hangs after three steps.", COMPLAINT_NONE},
        {"The memory of the shop grows with each step.", COMPLAINT_MEMORY},
        {"step: 0512 | memory increased (per step): 1.5 MB | x=3", COMPLAINT_NONE},
        {"It renders all right, but a black image.", COMPLAINT_WRONG},
        {"It returns nan, where eager mode has a price.", COMPLAINT_WRONG},
        {"The shop returns a different value for it.", COMPLAINT_WRONG},
        {"Debugging it may produce incorrect results later.", COMPLAINT_NONE},
        {"The compile time doubles with each till.", COMPLAINT_COMPILING},
        {"It takes 20 min to compile the shop.", COMPLAINT_COMPILING},
        {"Compilation takes an hour, then it is slower than eager.", COMPLAINT_COMPILING},
        {"The kernel had a long error at compile time.", COMPLAINT_NONE},
        {"The compile time is fine with the new till.", COMPLAINT_NONE},
        {"Compiled code is slower than eager mode here.", COMPLAINT_SLOW},
        {"It is slower, and in the end it hangs forever.", COMPLAINT_HANG},
        {"stuck", COMPLAINT_NONE},
        /* images, sound and texts; gradients */
        {"The render of the shop is a black screen.", COMPLAINT_WRONG},
        {"The till only answers in gibberish with it.", COMPLAINT_WRONG},
        {"The loss goes down slower than before here.", COMPLAINT_WRONG},
        {"Most of the gradients are exactly zero here.", COMPLAINT_WRONG},
        {"The image of the shop is not black here.", COMPLAINT_NONE},
        {"With garbage collection it is slower than before.", COMPLAINT_SLOW},
        {"The wrong number of arguments is passed to it.", COMPLAINT_NONE},
        /* parts of other words */
        {"I want to compile it in double precision here.", COMPLAINT_NONE},
        {"I tried to compile it, and it is slower.", COMPLAINT_SLOW},
        {"The memory of a leaky relu is 3 GB.", COMPLAINT_NONE},
        {"Inductor freezes the weights of the shop here.", COMPLAINT_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (complaint_in(cases[i].text) != cases[i].complaint)
            fail_msg("%s: %d", cases[i].text, (int)complaint_in(cases[i].text));
    assert_true(states("The memory of the shop grows with each step.", STATED_MEMORY_GROWS));
    assert_true(states("In fp32 the same script passes.", STATED_FLOAT32_WORKS));
    assert_false(states("In fp32 the same script fails.", STATED_FLOAT32_WORKS));
    assert_true(states("[gw1] win32 -- Python 3.11", STATED_XDIST));
    assert_str(stated_in("Unsupported: inline in skipfiles: Logger.info").newest, "2.6");
    assert_str(stated_in("    192 def unimplemented(msg: str):").newest, "2.4");
}

static void calls_at_the_same_time(void **state)
{
    static const char both[] = "When I make two concurrent calls, it fails. If they come one by one, all is fine.";

    (void)state;
    assert_true(states(both, STATED_CONCURRENT));
    assert_false(states("When I make two concurrent calls, it fails.", STATED_CONCURRENT));
    assert_false(states("Two concurrent calls of it fail. One by one they do not work, either.", STATED_CONCURRENT));
}

static void kernels_launched_one_by_one(void **state)
{
    (void)state;
    assert_true(states("Graph break, one for each of the 40 tills", STATED_MANY_BREAKS));
    assert_true(states("With 12 graph breaks it is slow", STATED_MANY_BREAKS));
    assert_false(states("One for each of the 40 tills", STATED_MANY_BREAKS));
    assert_false(states("With 3 graph breaks it is slow", STATED_MANY_BREAKS));
    assert_true(states("overwritten by a subsequent run: torch_dynamo_resume_in_a_at_4, cudagraph_mark_step_begin",
                       STATED_GRAPHS_OF_PARTS));
    assert_false(states("overwritten by a subsequent run: cudagraph_mark_step_begin", STATED_GRAPHS_OF_PARTS));
    assert_true(states("with compiled_autograd.enable(f):\n    loss.backward()", STATED_AUTOGRAD_AROUND));
    assert_true(states("with compiled_autograd._enable(f):\n    loss.backward()", STATED_AUTOGRAD_AROUND));
    assert_false(states("with compiled_autograd.enable(f):\nconfig.compiled_autograd = True", STATED_AUTOGRAD_AROUND));
    assert_false(states("compiled autograd is on", STATED_AUTOGRAD_AROUND));
    assert_true(states("a.mean().backward()\nopt.step()\nin <graph break in sell>\nb.mean().backward()",
                       STATED_TWO_BACKWARDS));
    assert_false(states("a.mean().backward()\nin <graph break in sell>\nb.mean().backward()", STATED_TWO_BACKWARDS));
    assert_false(states("a.mean().backward()\nopt.step()\nb.mean().backward()", STATED_TWO_BACKWARDS));
    assert_true(states("(till) PS C:\\shop> python x.py", STATED_POWERSHELL));
    assert_false(states("C:\\shop> python x.py", STATED_POWERSHELL));
    assert_true(states("model = fabric.setup(model)", STATED_FABRIC));
    assert_false(states("model = shop.setup(model)", STATED_FABRIC));
    assert_true(states("I set CUDA_LAUNCH_BLOCKING=1 before", STATED_BLOCKING));
    assert_false(states("For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n", STATED_BLOCKING));
}

static void what_a_text_names(void **state)
{
    (void)state;
    assert_str(stated_in("Directly load AOT compilation from path /net/torch_compile_cache/a/model\n").cache,
               "/net/torch_compile_cache");
    assert_str(stated_in("Directly load AOT compilation from path /net/a b/torch_compile_cache/a\n").cache, "");
    assert_str(stated_in("Directly load AOT compilation from path /net/torch_aot_compile/a/model\n").cache,
               "/net/torch_aot_compile");
    assert_str(stated_in("Using cache directory: /net/torch_compile_cache/3b for vLLM's torch.compile\n").cache,
               "/net/torch_compile_cache");
    assert_str(stated_in("saved AOT compiled function to /net/torch_aot_compile/3b/model\n").cache, "");
    assert_str(stated_in("TORCHINDUCTOR_CACHE_DIR=/srv/till/cache python x.py").inductor_cache, "/srv/till/cache");
    assert_str(stated_in("os.environ[\"TORCHINDUCTOR_CACHE_DIR\"] = \"/srv/till\"\n").inductor_cache, "/srv/till");
    assert_str(stated_in("ROCM_PATH=/srv/rocm/ python till.py").rocm, "/srv/rocm");
    assert_str(stated_in("which rocm: /srv/till/rocm (not /opt)").rocm, "/srv/till/rocm");
    assert_str(stated_in("Set ROCM_HOME first").rocm, "");
    assert_str(stated_in("set TORCHINDUCTOR_CACHE_DIR=C:\\till\n").inductor_cache, "C:\\till");
    assert_str(stated_in("TORCHINDUCTOR_CACHE_DIR=/tmp python x.py").inductor_cache, "");
    assert_str(stated_in("Set TORCHINDUCTOR_CACHE_DIR first: /srv/till/cache").inductor_cache, "");
    assert_str(stated_in("pip install ./torch-2.3.1+cu121-cp312-cp312-linux_x86_64.whl").pytorch, "2.3.1");
    assert_str(stated_in("https://tills.org/whl/torch-2.3.1%2Bcu121-cp312-cp312-linux_x86_64.whl").pytorch, "2.3.1");
    assert_str(stated_in("pip install ./till_torch-2.3.1+cu121-cp312-cp312-linux_x86_64.whl").pytorch, "");
    assert_str(stated_in("x = 3; logger.info(x)\nthe logger. logger.info(y)").logged, "info");
    assert_str(stated_in("logger.info(x)\nlogger.warning(x)").logged, "");
}

/* Facts of which a text has an example, and one that looks like it. */
static void facts_beside_their_likes(void **state)
{
    static const struct {
        enum stated_fact fact;
        const char *yes, *no;
    } rows[] = {
        {STATED_OPENMP_OF_TORCH, "OMP: Error #15: two\nv/torch/.dylibs/libomp.dylib\nv/torch/lib/libomp.dylib",
         "OMP: Error #15: two\nv/torch/lib/libomp.dylib\nv/sklearn/.dylibs/libomp.dylib"},
        {STATED_OPENMP_OF_TORCH, "nothing from conda\nOMP: Error #15: two\nFile \"/tmp/torchinductor_me/c.py\"",
         "nothing from conda\nFile \"/tmp/torchinductor_me/c.py\""},
        {STATED_NIGHTLY, "Torch version: 2.13.0.dev20260518+cu130", "Torch version: 2.13.0+cu130"},
        {STATED_NIGHTLY, "Torch version: 2.13.0.dev20260518",
         "Torch version: 2.13.0, torchaudio 2.9.0.dev20260518"},
        {STATED_LIBOMP, "Warning: libomp 15.0.7 is already installed", "install libomp, which is not there"},
        {STATED_OPENMP_OF_2_0, "debug_wrapper raised CppCompileError", "backend='inductor' raised CppCompileError"},
        {STATED_FALLBACK_RANDOM, "torch._inductor.config.fallback_random = True",
         "Should I set fallback_random = True?"},
        {STATED_MODE_AUTOTUNE, "torch.compile(f, mode=\"max-autotune\")",
         "torch.compile(f, mode=\"max-autotune-no-cudagraphs\")"},
        {STATED_MODE_RECORDS, "torch.compile(f, mode=\"reduce-overhead\")",
         "torch.compile(f, mode=\"reduce-overhead\")\ng = torch.cuda.CUDAGraph()"},
        {STATED_TOGETHER, "| max-autotune | crash |\n| reduce-overhead | ok |\n| max-autotune-no-cudagraphs | ok |",
         "| max-autotune | crash |\n| reduce-overhead | crash |\n| max-autotune-no-cudagraphs | ok |"},
        {STATED_SERVES, "the first request takes 41 s", "the first request takes 41 s in training"},
        {STATED_SCALARS, "torch._dynamo.config.capture_scalar_outputs = True",
         "Hint: consider setting `torch._dynamo.config.capture_scalar_outputs = True`"},
        {STATED_NO_RECOMPILES, "TORCH_LOGS=recompiles shows one and then nothing more, so it is not that.",
         "TORCH_LOGS=recompiles shows one for each step"},
        {STATED_NO_RECOMPILES, "Is it expected? There are no recompiles.", "Are there no recompiles? I hope."},
        {STATED_DERIVED_DIM, "rows = Dim(\"rows\")\npairs = 2 * rows", "rows = Dim(\"rows\")\npairs = 2 * tills"},
        {STATED_DERIVED_DIM, "rows = torch.export.Dim(\"rows\")\nspec = {0: rows*2}", "n = 3\nm = 2 * n"},
        {STATED_ACCUMULATES,
         "  File \"/v/torch/_tensor.py\", line 1, in backward\n    torch.autograd.backward(\nRuntimeError: Error: "
         "accessing "
         "tensor output of CUDAGraphs that has been overwritten by a subsequent run.\nwith micro_batches=4",
         "  File \"/srv/till.py\", line 1, in sell\n    bill.cpu()\nRuntimeError: Error: accessing tensor output of "
         "CUDAGraphs that has been overwritten by a subsequent run.\nwith micro_batches=4: loss.backward()"},
        {STATED_OPTIONAL_ARGUMENT,
         "till::sell: for argument 'w': the operator's schema till::sell(Tensor x, Tensor? w, int n=1) -> Tensor "
         "specified "
         "that the operator does not mutate the argument, but this seems to be empirically wrong.",
         "till::sell: for argument 'x': the operator's schema till::sell(Tensor x, Tensor? w, int n=1) -> Tensor "
         "specified "
         "that the operator does not mutate the argument, but this seems to be empirically wrong."},
        {STATED_OPTIONAL_ARGUMENT,
         "till::sell: for argument 'w': the operator's schema till::sell(Tensor x, *, Tensor(a!)? w=None) -> Tensor "
         "specified "
         "that the operator mutates the argument, but this seems to be empirically wrong.",
         "till::sell: for argument 'w': the operator's schema till::sell(Tensor? x, Tensor w) -> Tensor specified "
         "that"},
        {STATED_NOT_DYNAMIC, "torch.compile(till, dynamic=False)", "torch.compile(till, dynamic=True)"},
        {STATED_MODES_TRIED, "| reduce-overhead | 34.2 |", "torch.compile(sell, mode=\"reduce-overhead\")"},
        {STATED_MODES_TRIED, "I tried different modes of it.", "Should all of the modes be slow?"},
        {STATED_SMALL_IN_INDUCTOR,
         "def sell(x):\n    return x.max()\nsell = torch.compile(sell)\nWith aot_eager it is correct.",
         "def sell(x):\n    return x.max()\nsell = torch.compile(sell)\nWith aot_eager it is wrong."},
        {STATED_SMALL_IN_INDUCTOR,
         "def sell(x):\n    return x.max()\nsell = torch.compile(sell)\nWith aot_eager it is correct.",
         "def sell(x):\n    return x.max()\nshop = torch.compile(shop)\nWith aot_eager it is correct."},
        {STATED_GRAPHS_OF_SIZES, "torch.compile(f, mode=\"reduce-overhead\", dynamic=True)",
         "torch.compile(f, mode=\"reduce-overhead\")\ntorch.compile(g, dynamic=True)"},
        {STATED_FUSED, "def triton_red_fused_add_3(x):", "def triton_tem_fused_mm_3(x):"},
        {STATED_RAY, "import ray", "an array"},
        {STATED_MODERNBERT, "  File \"/v/modeling_modernbert.py\", line 3", "a modern BERT"},
        {STATED_CHATTTS, "chat = ChatTTS.Chat()", "a chat"},
        {STATED_LIGHTNING, "trainer = L.Trainer(max_epochs=3)", "trainer = Trainer(till)"},
        {STATED_EXCERPT, "The first epoch is fine. The second one runs out of memory.\n\n[rank0]: x",
         "[rank0]: Recompiling function sell in /srv/shop.py:12"},
        {STATED_EXCERPT, "The first epoch is fine. The second one runs out of memory.\n\n[rank0]: x",
         "The first epoch is fine. The second one hangs.\n\n[rank0]: x"},
        {STATED_CONTAINER, "docker run --gpus all tills", "container_handle_"},
        {STATED_TENSOR_PARALLEL, "--tp-size 16", "http-size 16"},
        {STATED_VLLM_RUNS, "(EngineCore pid=7) ERROR", "vllm 0.11"},
        {STATED_NODE_COMPILES, "TorchCompileModelTill", "torch.compile(model)"},
        {STATED_FRESH_FAILS, "Removed ~/.cache/vllm, same thing.", "I will remove ~/.cache/vllm, still."},
        {STATED_FRESH_FAILS, "I cleared the cache and it still fails.", "I cleared the cache and it works."},
        {STATED_FRESH_FAILS, "rm -rf ~/.cache/vllm does not help", "Should I have cleared the cache, it still fails?"},
        {STATED_PROJECT_COMPILES, "  File \"/srv/sglang/till.py\", line 3", "/srv/sglang/till.py\ntorch.compile(till)"},
        {STATED_PROJECT_COMPILES, "I never call torch.compile myself.", "I call torch.compile myself."},
        {STATED_GENERATE_COMPILES, "/lib/transformers/models/till.py\nI never call torch.compile myself.",
         "/lib/transformers/models/till.py"},
        {STATED_PIECEWISE_OPTION, "till --enable-piecewise-cuda-graph", "a piecewise CUDA graph"},
        {STATED_COMPILE_OPTION, "till --enable-torch-compile", "torch.compile is enabled"},
        {STATED_TEMPLATE, "def triton_tem_fused_mm_3(x):", "torch/_inductor/select_algorithm.py:2489] [0/0] x"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!states(rows[i].yes, rows[i].fact))
            fail_msg("not seen: %s", rows[i].yes);
        if (states(rows[i].no, rows[i].fact))
            fail_msg("seen: %s", rows[i].no);
    }
}

static void ranks_stand_at_one_line(void **state)
{
    static const char *const yes[] = {
        "the ranks 0, 7 and 8 are all in the same place",
        "Thread 4 (idle): \"MainThread\"\n    sell (shop.py:4)\n"
        "Thread 5 (idle): \"MainThread\"\n    sell (shop.py:4)\n",
    };
    static const char *const no[] = {
        "the ranks are not in the same place",
        "Thread 4 (idle): \"MainThread\"\n    sell (shop.py:4)\nThread 5 (idle): \"MainThread\"\n    buy (shop.py:4)\n",
        "Thread 4 (idle): \"MainThread\"\n    sell (shop.py:4)\nThread 5 (idle): \"Thread-1\"\n    sell (shop.py:4)\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!(states(yes[i], STATED_ONE_PLACE)))
            fail_msg("not seen: %s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (states(no[i], STATED_ONE_PLACE))
            fail_msg("seen: %s", no[i]);
}

static void what_was_set_and_compiled(void **state)
{
    static const struct {
        const char *text;
        enum stated_fact fact;
    } cases[] = {
        {"TORCH_LOGS=\"graph_breaks,recompiles\" python shop.py", STATED_RECOMPILES},
        {"To log all recompilation reasons, use TORCH_LOGS=\"recompiles\".", STATED_READ},
        {"Hint: To monitor recompilations, enable TORCH_LOGS=recompiles.", STATED_READ},
        {"Recompiling function f in /srv/shop.py:6", STATED_READ}, /* an exception's */
        {"TORCH_LOGS=dynamic python shop.py recompiles", STATED_READ},
        {"for till in shop.modules():\n    if is_till(till):\n        till.compile()\n", STATED_PARTS},
        {"for x in range(3):\n    shop.compile()\n", STATED_READ},
        {"CUDA: 12.9\nsm_121", STATED_NEW_CUDA},
        {"CUDA: 12.9\nsm_110", STATED_READ},
        {"nvidia-smi shows the card", STATED_GPU_SEEN},
        {"what nvidia-smi should show", STATED_READ},
        {"CUDA: 13.0\nsm_110", STATED_NEW_CUDA},
        {"config.aot_inductor.abi_compatible = True", STATED_ABI_COMPATIBLE},
        {"config.aot_inductor.abi_compatible = False", STATED_READ},
        {"TORCHINDUCTOR_FREEZING=1 python till.py", STATED_FREEZING},
        {"policy=ModuleWrapPolicy({Till})", STATED_FSDP_BLOCKS},
        {"partial(create_selective_checkpoint_contexts, keeps)", STATED_CHECKPOINT_POLICY},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (states(cases[i].text, STATED_RECOMPILES) != (cases[i].fact == STATED_RECOMPILES) ||
            states(cases[i].text, STATED_PARTS) != (cases[i].fact == STATED_PARTS))
            fail_msg("%s", cases[i].text);
}

/* A line for each fact, and for each device. */
static void each_fact(void **state)
{
    static const struct {
        const char *text;
        unsigned char facts[FACTS_MAX];
    } cases[] = {
        {"a text", {0}},
        {"  File \"/Users/me/shop.py\", line 3", {STATED_MACOS}},
        {"ProcessGroupNCCL preparing to dump debug info.", {STATED_DUMPED, STATED_RANKS}},
        {"I have a Macbook.", {STATED_MACOS}},
        {"A till on a Mac.", {STATED_MACOS}},
        {"The machine is new.", {0}},
        {"x = x.to(\"xpu\")", {STATED_OTHER_ACCELERATOR, STATED_NO_TF32}},
        {"  File \"C:/Users/me/shop.py\", line 3", {STATED_WINDOWS}},
        {"  File \"/home/me/shop.py\", line 3", {STATED_LINUX}},
        {"ROCM used to build PyTorch: N/A", {0}},
        {"a Radeon with ROCm 6", {STATED_AMD}},
        {"Optimizing Compiler Version 19 for x86\n", {STATED_CL_32_BIT}},
        {"Optimizing Compiler Version 19 for x64\n", {0}},
        {"TORCHDYNAMO_REPRO_AFTER=aot python shop.py", {STATED_DYNAMO, STATED_MINIFYING, STATED_COMPILER}},
        {"Skipping this graph", {STATED_NOT_MINIFIED}},
        {"shop.py --fp16", {STATED_LOW_PRECISION, STATED_FLOAT16}},
        {"cl /I include /LD shop.cpp\n", {STATED_WINDOWS}},
        {"x.to(torch.float64)", {STATED_FLOAT64}},
        {"BFloat16", {STATED_LOW_PRECISION}},
        {"No autocast, but fp32 everywhere", {0}},
        {"NCCL", {STATED_RANKS}},
        {"mode=\"reduce-overhead\"", {STATED_CUDA_GRAPHS}},
        {"mode=\"max-autotune\"", {STATED_CUDA_GRAPHS, STATED_AUTOTUNE}},
        {"with torch.inference_mode():", {STATED_NO_GRAD}},
        {"torch.no_grad()", {STATED_NO_GRAD}},
        {"nn.Dropout(0.1)", {STATED_RANDOM}},
        {"torch.rand(3)", {0}}, /* most often an input */
        {"mark_dynamic(x, 0)", {STATED_DYNAMIC}},
        {"@compiler.disable", {STATED_DISABLE_LEAKS}},
        {"@compiler.disable of torch 2.6.0", {STATED_DISABLE_LEAKS}},
        {"@compiler.disable of torch 2.7.0", {0}},
        {"@compiler.disable of torch 2.6.0\nIt is flat without the disable.",
         {STATED_DISABLE_LEAKS, STATED_DISABLE_PROVEN}},
        {"@compiler.disable of torch 2.6.0\nIs it flat without the disable?", {STATED_DISABLE_LEAKS}},
        {"@compiler.disable of torch 2.7.0\nIt is flat without the disable.", {0}},
        {"if __name__ == '__main__':\n    sell()", {STATED_MAIN_GUARD}},
        {"        if __name__ == '__main__':\n            freeze_support()", {0}},
        {"triton_meta={'constants': {1: 8, 2: s7}, 'x': 1}", {STATED_SYMBOL_CONSTANT}},
        {"triton_meta={'constants': {'n': ks0}}", {STATED_SYMBOL_CONSTANT}},
        {"triton_meta={'constants': {1: 8, 2: 'sum'}, 'x': s7}", {0}},
        {"call(s7, 'constants': {2: s7})", {0}},
        {"The till stays empty, and no exception.", {STATED_SILENT}},
        {"Is it slow, with no warning.", {0}},
        {"till: False -> {1: 2}\ntill: True -> {}", {STATED_SILENT}},
        {"till: False -> {1: 2}\ntill: True -> {1: 2}", {0}},
        {"a = []\nbcdefghi = [3]", {0}},
        {"With aot_eager it works.", {STATED_STAGE, STATED_RIGHT_IN_AOT, STATED_EAGER_WORKS}},
        {"Is it fine with aot_eager?", {0}},
        {"fully_shard\nassert_size_stride(primals_3, (64, 8), (8, 1))\nexpected size 32==64, stride 8==8 at dim=0",
         {STATED_OTHER_WEIGHT}},
        {"fully_shard\nassert_size_stride(primals_3, (64, 8), (8, 1))\nexpected size 64==64, stride 1==8 at dim=0",
         {0}},
        {"assert_size_stride(primals_3, (64, 8), (8, 1))\nexpected size 32==64, stride 8==8 at dim=0", {0}},
        {"fully_shard\nassert_size_stride(arg3_1, (64, 8), (8, 1))\nexpected size 32==64, stride 8==8 at dim=0", {0}},
        {"aot_eager", {0}},
        {"With aot_eager it works, so is it another part?", {STATED_STAGE, STATED_RIGHT_IN_AOT}},
        {"AUTOTUNE mm(2x2)", {STATED_AUTOTUNE}},
        {"COMPILE_THREADS=1 makes it go away", {STATED_ONE_THREAD_HELPS}},
        {"compile_threads = 1 changes nothing", {0}},
        {"Would COMPILE_THREADS=1 fix it, which helps others?", {0}},
        {"The no_grad() changes nothing", {STATED_NO_GRAD, STATED_NO_GRAD_FAILS}},
        {"dynamic=False does not help", {STATED_STATIC_FAILS, STATED_NOT_DYNAMIC}},
        {"dynamic=False works", {STATED_NOT_DYNAMIC}},
        {"no-cudagraphs also fails", {STATED_CUDA_GRAPHS, STATED_NO_GRAPHS_FAIL}},
        {"no DDP: compiles twice", {STATED_DDP_ALONE, STATED_RANKS}},
        {"Is it fine without DDP?", {STATED_RANKS}},
        {"no graph breaks and no recompiles", {STATED_NO_RECOMPILES}},
        {"TORCH_LOGS=recompiles stays empty.", {STATED_RECOMPILES, STATED_NO_RECOMPILES}},
        {"create_block_mask(till, _compile=True)", {STATED_COMPILED_MASK}},
        {"The startup of the till.", {STATED_STARTS}},
        {"Each new shape is slow.", {STATED_SIZES_VARY}},
        {"The till recompiles twice.", {STATED_SIZES_VARY}},
        {"The till never recompiles.", {STATED_NO_RECOMPILES}},
        {"The till has one size.", {0}},
        {"from deepspeed.checkpointing import checkpoint", {STATED_OWN_CHECKPOINT, STATED_RANKS}},
        {"from torch.utils.checkpoint import checkpoint", {0}},
        {"pip install sageattention", {STATED_SAGE}},
        {"His node compiles the blocks, and the till is fine.", {STATED_BLOCKS_WORK}},
        {"His node compiles the blocks, and that is not fine.", {0}},
        {"Connect TorchCompileModel", {STATED_COMFYUI, STATED_NODE_COMPILES, STATED_PROJECT_COMPILES}},
        {"COMPILE_THREADS=1 is one of the backends", {0}},
        {"+ python a.py\nrun.sh: line 3: 7 Segmentation fault      python a.py --compile", {STATED_EAGER_COMMAND}},
        {"+ python b.py\nrun.sh: line 3: 7 Segmentation fault      python a.py --compile", {0}},
        {"The recompiles log is silent after the first two.", {STATED_NO_RECOMPILES}},
        {"if there are no graph breaks and no recompiles", {0}},
        {"x.cudagraph_skip_dynamic_graphs = True", {STATED_CUDA_GRAPHS, STATED_SKIPS_DYNAMIC_GRAPHS}},
        {"\"triton.cudagraph_skip_dynamic_graphs\": True", {STATED_CUDA_GRAPHS, STATED_SKIPS_DYNAMIC_GRAPHS}},
        {"x.cudagraph_skip_dynamic_graphs = False", {STATED_CUDA_GRAPHS}},
        {"or b) set cudagraph_skip_dynamic_graphs=True", {STATED_CUDA_GRAPHS}},
        {"| | inductor | aot_eager |\n| a | 1m 30s | 91 s |", {STATED_AOT_EAGER_SLOWEST, STATED_COMPILER}},
        {"| | inductor | aot_eager |\n| a | 1m 30s | 89 s |", {STATED_COMPILER}},
        {"| | inductor | aot_eager |\n| a | 1 s | 2 s |\n| b | 3 s | 2 s |", {STATED_COMPILER, STATED_NUMBERS}},
        {"inductor: 12.1 s\naot_eager: 20.5 s", {STATED_AOT_EAGER_SLOWEST, STATED_COMPILER, STATED_NUMBERS}},
        {"inductor: 12.1 s\naot_eager: 3.5 s", {STATED_COMPILER, STATED_NUMBERS}},
        {"grad_and_value(f)", {STATED_FUNC_GRAD}},
        {"num_cpus=1", {STATED_FEW_CPUS}},
        {"torch 2.0.1, RSS: 3", {STATED_LAUNCHER_LEAKS, STATED_HOST_MEMORY}},
        {"torch 2.1.1, RSS: 3", {STATED_HOST_MEMORY}},
        {"flex_decoding", {STATED_FLEX_ATTENTION}},
        {"vLLM", {STATED_VLLM}},
        {"SGLang", {STATED_SGLANG}},
        {"torchao", {STATED_TORCHAO}},
        {"Writing minified repro to x", {STATED_MINIFIED}},
        {"ComfyUI", {STATED_COMFYUI}},
        {"_orig_mod.weight", {STATED_ORIG_MOD}},
        {"torch.compile(f)", {STATED_DYNAMO, STATED_COMPILER, STATED_COMPILED_CALL}},
        {"AOTInductor", {STATED_OTHER_ENTRY, STATED_COMPILER, STATED_AOT_PACKAGE}},
        {"self.log(\"sold\", n, sync_dist=True)", {STATED_SYNCED_VALUES}},
        {"self.log(\"sold\", n, sync_dist=False)", {0}},
        {"Inference tensors do not track version counter", {STATED_INFERENCE_OF_2_0}},
        {"torch==2.1.0\nInference tensors do not track version counter", {0}},
        {"ONNX", {STATED_ONNX}},
        {"miniforge", {STATED_CONDA}},
        {"Cell In[3]", {STATED_NOTEBOOK}},
        {"it runs in Colab", {STATED_NOTEBOOK, STATED_COLAB}},
        {"accelerate launch", {STATED_ACCELERATE}},
        {"LightningModule", {STATED_LIGHTNING}},
        {"nnUNet", {STATED_NNUNET}},
        {"moshi", {STATED_MOSHI}},
        {"eager_two_runs_differ", {STATED_EAGER_DIFFERS}},
        {"dynamic=True", {STATED_DYNAMIC}},
        {"is_bf16_supported", {STATED_ASKS_BFLOAT16, STATED_LOW_PRECISION}},
        {"channels_last", {STATED_CONVOLUTION}},
        {"torchrun", {STATED_PROCESSES, STATED_RANKS}},
        /* devices: what has CUDA says nothing of others */
        {"x.cuda()", {0}},
        {"NVIDIA, and on CPU", {0}},
        {"device='mps'", {STATED_NO_TF32, STATED_MACOS}},
        {"on XPU, and on the CPU", {STATED_NO_TF32}},
        {"device=\"cpu\"", {STATED_NO_GPU, STATED_NO_TF32}},
        {"CUDA available: False", {STATED_NO_GPU, STATED_NO_TF32}},
        {"CUDA available: True", {0}},
        /* TF32 */
        {"torch.backends.cuda.matmul.allow_tf32 = True", {STATED_TF32}},
        {"torch.set_float32_matmul_precision('high')", {STATED_TF32}},
        {"gradient_checkpointing and dropout", {STATED_TRAINS, STATED_RANDOM, STATED_CHECKPOINTED_RANDOM}},
        {"hit config.recompile_limit", {STATED_LIMIT_HIT, STATED_SIZES_VARY}},
        {"mutates_args=()", {STATED_CUSTOM_OPERATOR}},
        {"mat1 and mat2 shapes cannot be multiplied (3x1 and 2x1)", {STATED_SIZES_DIFFER}},
        {"till.compile(mode=\"reduce-overhead\")", {STATED_CUDA_GRAPHS, STATED_GRAPHS_SET, STATED_MODE_RECORDS}},
        {"# till.compile(mode=\"reduce-overhead\")", {STATED_CUDA_GRAPHS}},
        {"you could compile(mode=\"reduce-overhead\")", {STATED_CUDA_GRAPHS}},
        {"end.elapsed_time(start)", {STATED_CLOCK_WAITS}},
        {"autoquant", {STATED_AUTOQUANT}},
        {"fxgraph_cache_hit 1, fxgraph_cache_miss 0", {STATED_CACHES_HIT, STATED_STARTS}},
        {"{'autograd_cache_hit': 2}", {STATED_CACHES_HIT, STATED_STARTS}},
        {"fxgraph_cache_hit 1, fxgraph_cache_miss 1", {STATED_STARTS}},
        {"fxgraph_cache_hit 0", {STATED_STARTS}},
        {"torch.Size([0]) under ZeRO-3", {STATED_EMPTY_SHARDS}},
        {"torch.Size([0]) under ZeRO-1", {0}},
        {"ZeRO-3", {0}},
        {"model = DDP(till)", {STATED_DDP, STATED_RANKS}},
        {"It works without compiled autograd.", {STATED_NO_AUTOGRAD_HELPS, STATED_COMPILER}},
        {"It fails without compiled autograd.", {STATED_COMPILER}},
        {"| 4 | `rm -rf tills` | ok, 12 sold |", {STATED_FRESH_WORKS}},
        {"| 4 | `rm -rf tills` | dies |", {0}},
        {"torch.set_float32_matmul_precision(\"medium\")", {STATED_TF32}},
        {"torch.set_float32_matmul_precision('highest')", {0}},
        {"x\nTF32\ny", {STATED_TF32}},
        {"allow_tf32 = False\nTF32 is on", {STATED_TF32}},
        {"allow_tf32 = False", {0}},
        {"TF32 is not on", {0}},
        {"TensorFloat32 tensor cores are there; tf32", {0}},
        {"ALLOW_TF32", {0}},
        /* a compiler for 32 bits */
        {"Optimizing Compiler Version 19 for x86 \nx", {STATED_CL_32_BIT}},
        {"Optimizing Compiler Version 19 for x86_64", {0}},
        {"for x86", {0}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!states_only(cases[i].text, cases[i].facts))
            fail_msg("%s", cases[i].text);
}

static void the_version_is_found(void **state)
{
    static const struct {
        const char *text, *version;
    } texts[] = {
        {"- PyTorch version: 2.6.0\n", "2.6.0"},
        {"[pip3] torch==2.1.1+cu121\n[pip3] triton==2.1.0\n", "2.1.1"},
        {"torch.__version__ = '2.5.1'", "2.5.1"},
        {"`torch.__version__=2.1.2`, and others at `1.1.0+cf6fc898`", "2.1.2"},
        {">>> torch.__version__, tills.__version__\n('2.0.0+cu117', '2.3.0')\n", "2.0.0"},
        {">>> tills.__version__, torch.__version__\n('2.3.0', '2.0.0+cu117')\n", "2.0.0"},
        {">>> till_torch.__version__, tills.__version__\n('2.3.0', '2.0.0')\n", ""},
        {"2.2.0.dev20240101\n", "2.2.0"},
        {"2.1.0+cu121\nTraceback", "2.1.0"},
        {"| torch | 2.9.1 |", "2.9.1"},
        {"torch==2.9.0\nPyTorch version: 2.8.0\n", "2.8.0"},
        {"see torchdynamo/blob/main/TROUBLESHOOTING.md.", "2.0"},
        {"torchvision==0.15.2\npytorch-triton==2.1.0\nlib/torch-2.3.1/x\ncu128torch2.9.0", ""},
        {"torch 2.5.1 and torch 2.6.0", ""},
        {"With torch 2.2.0 it ends, with 2.2.1 and 2.2.2 it does not.", ""},
        {"Tills 2.0 / PyTorch 2.0, model = torch.compile(m)", "2.0"},
        {"I use PyTorch 2.3 with CUDA 12.", "2.3"},
        {"I use PyTorch 2.3. Later I print 2.3.1:\nPyTorch version: 2.3.1", "2.3.1"},
        {"This needs PyTorch 2.3, which", ""},
        {"PyTorch 2.0 introduced torch.compile", ""},
        {"PyTorch 2.6 or newer", ""},
        {"With torch 2.2.0 it fails, and numpy 2.1.3 is there.", "2.2.0"},
        {"It worked fine with torch 2.2.0. I have torch 2.3.1 now.", "2.3.1"},
        {"My till, which runs fine with torch 2.8.0, fails now.", ""},
        {"My till fails with torch 2.8.0, but with torch 2.7.1 it works.", "2.8.0"},
        {"2.1.0\nshop==2.6.0", ""},
        {"in PyTorch 2.6 the default changes", ""},
        {"Pytorch Version: 2.6.0+cu128.till", "2.6.0"},
        {"- **PyTorch Version:** 2.6.0", "2.6.0"},
        {"PYTORCH_VERSION=2.6.0", "2.6.0"},
        {"torch-version : 2.6.0", "2.6.0"},
        {"Torchvision Version: 2.6.0\nTill Version: 2.5.0\nTRITON VERSION: 2.1.0", ""},
        {"torch                     2.6.0\ntorchtill                 2.1.0", "2.6.0"},
        {"2.2.0.dev20231006+cu121, with 2.0.1 the same till sells", "2.2.0"},
        {"our tills fail (2.10.0+cu128, H100)", "2.10.0"},
        {"from 2.6 to 2.7.0+cu128 (GH200)", "2.7.0"},
        {"from 2.6.0+cu124 to 2.7.0+cu128", "2.7.0"},
        {"it fails on 2.6.0+cu124 and on 2.7.0+cu128", ""},
        {"tilltorch-2.7.4+cu12torch2.6\ntills 2.7.4+cu12torch2.6", ""},
        {"with 2.7.4+cu12torch2.6cxx11abi", ""},
        {"torch.compile of our till worked with 2.5 (only a warning), with 2.9.1 it dies.", "2.9.1"},
        {"the till worked with 2.5, with 2.9.1 it dies.", ""},
        /* what PyTorch's messages say of versions */
        {"(1) In PyTorch 2.6, we changed the default value of the till.", ""},
        {"In PyTorch 2.6, the till fails.", "2.6"},
        {"The till is deprecated as of PyTorch 2.1, please sell it", ""},
        {"This will be removed after PyTorch 2.9.0.", ""},
        {"From PyTorch 2.0.0 onwards, the dashed till is preferred", ""},
        {"In PyTorch 1.1.0 and later, you should call them in the opposite order", ""},
        {"It fails with PyTorch 2.1.0 and later.", "2.1.0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_str(stated_in(texts[i].text).pytorch, texts[i].version);
}

static void the_form_of_lines_limits_the_version(void **state)
{
    (void)state;
    assert_str(stated_in("[r0]:[2022-03-04 03:09:32,084] [8/0] torch._dynamo.utils: [ERROR] q").newest, "2.0");
    assert_str(stated_in("q\n[2023-03-04 03:09:32,084] torch._dynamo.utils: [ERROR] q").newest, "2.0");
    assert_str(stated_in("q\n[2023-03-04 03:09:32,084] [1/0] torch._dynamo.utils: [ERROR] q").newest, "2.1");
    assert_str(stated_in("q\n[2023-11-04 03:09:32,084] torch._dynamo.utils: [ERROR] q").newest, "2.1");
    assert_str(stated_in("[2024-03-04 03:09:32,084] torch._dynamo.utils: [WARNING] q").newest, "2.2");
    assert_str(stated_in("[2024-03-04 03:09:32,084] shop: [ERROR] q\n[2024] torch._dynamo: [ERROR]").newest, "");
}

static void version_that_worked(void **state)
{
    static const struct {
        const char *text, *of, *worked, *pytorch;
    } rows[] = {
        {"After pip install -U torch (2.11.0 -> 2.12.0) the till crashes", "torch", "2.11.0", "2.12.0"},
        {"Worked with torch 2.2, wrong with 2.10.0:", "torch", "2.2", "2.10.0"},
        {"Update from torch 2.5.1/triton 3.1.0 to 2.6.0/3.2.0, no till changed", "torch", "2.5.1", "2.6.0"},
        {"Since the update from triton 3.1.0/torch 2.5.1 to 3.2.0/2.6.0 the till hangs", "torch", "2.5.1", "2.6.0"},
        {"Update from torch 2.5.1/triton 3.1.0 to 2.6.0", "", "", "2.5.1"},
        {"the till passes with 2.5.1, the shop has torch==2.6.0+cpu", "torch", "2.5.1", "2.6.0"},
        {"The till worked in torch 2.4.1. torch==2.6.0 is what we have now", "torch", "2.4.1", "2.6.0"},
        {"I moved from PyTorch 2.5.1 to 2.6.0 and it fails since then", "torch", "2.5.1", "2.6.0"},
        {"I upgraded the till from 2.6 to 2.7.0+cu128 and since then it fails", "torch", "2.6", "2.7.0"},
        {"Worked with torch 2.8, since I upgraded the shop to 2.11.0 it complains", "torch", "2.8", "2.11.0"},
        {"torch==2.9 is fine, since 2.10.0+cu128:", "torch", "2.9", "2.10.0"},
        {"torch==2.9 has a till, since 2.10.0+cu128:", "", "", ""},
        {"The till is fine with torch 2.9, since Monday it has a new one", "", "", ""},
        {"We moved the till from vllm 0.19 to 0.21", "vllm", "0.19", ""},
        {"With lightning 2.5.0 it is fine, with lightning 2.6.1 it fails", "lightning", "2.5.0", ""},
        {"Since the driver update 550.54 -> 570.86 the till hangs", "the driver", "550.54", ""},
        /* the older one fails, too; it is no upgrade; nothing says what came of it; it was not compiled; no versions */
        {"The update 2.11.0 -> 2.12.0 of torch does not help", "", "", ""},
        {"torch 2.5.0 fails, torch 2.6.0 works", "", "", "2.5.0"},
        {"torch 2.5.0 and later", "", "", "2.5.0"},
        {"Without torch.compile it works with torch 2.5.0, it fails with torch 2.6.0", "", "", "2.6.0"},
        {"The till worked for 2.5 ms, and fails after 2.6 ms, with torch", "", "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stated s = stated_in(rows[i].text);

        if (!str_eq(s.worked, str_of(rows[i].worked)) || !str_eq(s.worked_of, str_of(rows[i].of)) ||
            !str_eq(s.pytorch, str_of(rows[i].pytorch)))
            fail_msg("%s: %.*s %.*s, %.*s", rows[i].text, STR_ARG(s.worked_of), STR_ARG(s.worked), STR_ARG(s.pytorch));
    }
}

static void option_of_a_size(void **state)
{
    static const char head[] = "AssertionError: expected size 7==9, stride 51==51 at dim=0\n";
    static const struct {
        const char *more, *option;
    } rows[] = {
        {"| 1 | 9 |\n| 2 | 7 |\nserve --num-tills 7", "num-tills"},
        {"{\"num_tills\":7} and then {\"num_tills\": 9}", "num_tills"},
        {"num_tills=7, num_shops=9", ""},
        {"serve --num-tills 7", ""},
        {"| 1 | 9 |\n| 2 | 7 |\ntill 7", ""},
        {"| 1 | 9 |\n| 2 | 8 |\nserve --num-tills 7", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        struct stated s;

        snprintf(text, sizeof text, "%s%s", head, rows[i].more);
        s = stated_in(text);
        if (!str_eq(s.option, str_of(rows[i].option)))
            fail_msg("%s: %.*s", rows[i].more, STR_ARG(s.option));
    }
}

/* Whether the text has the setting that stands in backticks of advice. */
static bool has_setting(const char *text, const char *code)
{
    struct arena *a = arena_new();
    bool has = settings_has(settings_held(a, str_of(text)), settings_asked(a, str_of(code)));

    arena_free(a);
    return has;
}

static void settings_that_the_text_has_otherwise(void **state)
{
    static const struct str held = STR_INIT("TORCH_LOGS=recompiles\nTILL=3");

    (void)state;
    assert_true(settings_has_other(held, STR("TILL=4")));
    assert_false(settings_has_other(held, STR("TILL=3")));
    assert_false(settings_has_other(held, STR("FISH=3")));
    assert_false(settings_has_other(held, STR("TILL")));
}

static void settings_that_the_text_has(void **state)
{
    static const struct {
        const char *text, *code;
        bool has;
    } cases[] = {
        {"$ TORCH_LOGS=recompiles python till.py\n", "TORCH_LOGS=recompiles", true},
        {"$ TORCH_LOGS=\"graph_breaks,+recompiles\" python till.py\n", "TORCH_LOGS=recompiles,graph_breaks", true},
        {"$ TORCH_LOGS=recompiles python till.py\n", "TORCH_LOGS=recompiles,graph_breaks", false},
        {"$ TORCH_LOGS=dynamic python till.py\n", "TORCH_LOGS=\"+dynamic\"", false},
        {"os.environ[\"TORCHINDUCTOR_FREEZING\"] = \"1\"\n", "TORCHINDUCTOR_FREEZING=1", true},
        {"export TORCHINDUCTOR_FREEZING=1\n", "set TORCHINDUCTOR_FREEZING=1", true},
        {"docker run -e TORCHINDUCTOR_FREEZING=1 till\n", "TORCHINDUCTOR_FREEZING=1", true},
        {"TORCHINDUCTOR_FREEZING=0 python till.py\n", "TORCHINDUCTOR_FREEZING=1", false},
        {"# TORCHINDUCTOR_FREEZING=1 python till.py\n", "TORCHINDUCTOR_FREEZING=1", false},
        {"Should I take TORCHINDUCTOR_FREEZING=1?\n", "TORCHINDUCTOR_FREEZING=1", false},
        {"Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n", "TORCHDYNAMO_VERBOSE=1", false},
        {"For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n", "CUDA_LAUNCH_BLOCKING=1", false},
        {"till = torch.compile(till, mode=\"default\")\n", "mode=\"default\"", true},
        {"till = torch.compile(till, mode='default', dynamic=True)\n", "torch.compile(..., dynamic=True)", true},
        {"till = torch.compile(till, dynamic=False)\n", "dynamic=True", false},
        {"It works without dynamic=True, so I am content\n", "dynamic=True", false},
        {"torch._dynamo.config.optimize_ddp = False\n", "torch._dynamo.config.optimize_ddp = False", true},
        {"[rank0]:W0906 20:38:55.305000 5 torch/_dynamo/till.py:1] [7/0]     "
         "torch._dynamo.config.capture_scalar_outputs = True\n",
         "torch._dynamo.config.capture_scalar_outputs = True", false},
        {"Graph break, consider setting:\n    torch._dynamo.config.capture_scalar_outputs = True\n",
         "torch._dynamo.config.capture_scalar_outputs = True", false},
        {"$ rm -rf ~/.cache/vllm /tmp/torchinductor_eva\n", "rm -rf ~/.cache/vllm/torch_compile_cache", true},
        {"$ rm -rf ~/.cache/vllm /tmp/torchinductor_eva\n", "rm -rf /tmp/torchinductor_$USER", true},
        {"$ rm -rf ~/.cache/till\n", "rm -rf ~/.cache/vllm/torch_compile_cache", false},
        {"eager      True\naot_eager  False\ninductor   False\n", "backend=\"aot_eager\"", true},
        {"eager      True\n", "backend=\"eager\"", false},
        {"V0102 10:11:12.131000 9 torch/g.py:1] [0/1] [__recompiles] Recompiling function sell\n",
         "TORCH_LOGS=recompiles", true},
        {"DEBUG 07-29 13:03:31 [till.py:632] sold\n", "VLLM_LOGGING_LEVEL=DEBUG", true},
        {"x == 4 and sold\n", "x == 4", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (has_setting(cases[i].text, cases[i].code) != cases[i].has)
            fail_msg("%s: %s", cases[i].text, cases[i].code);
}

static void dispatch_modes(void **state)
{
    (void)state;
    assert_true(states("def _till_shuffle(x):\n", STATED_SHUFFLES));
    assert_false(states("a shuffled till\n", STATED_SHUFFLES));
    assert_true(states("class TillMode(TorchDispatchMode):\n", STATED_DISPATCH_MODE));
    assert_false(states("mode of the till\n", STATED_DISPATCH_MODE));
}

static void new_modules_that_are_compiled(void **state)
{
    (void)state;
    assert_true(states("for n in tills:\n    sell = torch.compile(Till(n))\n", STATED_COMPILES_NEW));
    assert_true(states("while True:\n    till = Till(3)\n    sell = torch.compile(till)\n", STATED_COMPILES_NEW));
    assert_true(states("def run(n):\n    sell = torch.compile(Till(n))\nfor n in range(9):\n    run(n)\n",
                       STATED_COMPILES_NEW));
    assert_false(states("def run(n):\n    sell = torch.compile(Till(n))\nrun(3)\n", STATED_COMPILES_NEW));
    assert_false(states("till = Till(3)\nfor n in tills:\n    sell = torch.compile(till)\n", STATED_COMPILES_NEW));
    assert_false(states("sell = torch.compile(Till(n))\n", STATED_COMPILES_NEW));
}

static void rows_of_numbers(void **state)
{
    (void)state;
    assert_true(states("eager 12.5 ms\ncompiled 12.4 ms\n", STATED_NUMBERS));
    assert_true(states("| tills | time (ms) |\n| 8 | 0.25 |\n| 16 | 0.50 |\n", STATED_NUMBERS));
    assert_false(states("compiled 12.4 ms\n", STATED_NUMBERS));
    assert_false(states("10:11:12 sold\n10:11:13 sold\n", STATED_NUMBERS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_that_the_text_has),
        cmocka_unit_test(settings_that_the_text_has_otherwise),
        cmocka_unit_test(rows_of_numbers),
        cmocka_unit_test(dispatch_modes),
        cmocka_unit_test(new_modules_that_are_compiled),
        cmocka_unit_test(the_form_of_lines_limits_the_version),
        cmocka_unit_test(version_that_worked),
        cmocka_unit_test(option_of_a_size),
        cmocka_unit_test(prose_says_that_eager_works),
        cmocka_unit_test(the_writer_says_what_it_depends_on),
        cmocka_unit_test(the_variant_that_works),
        cmocka_unit_test(the_kinds_of_gpus_of_a_warning),
        cmocka_unit_test(the_setting_that_asks_for_bfloat16),
        cmocka_unit_test(the_writer_complains),
        cmocka_unit_test(each_fact),
        cmocka_unit_test(calls_at_the_same_time),
        cmocka_unit_test(kernels_launched_one_by_one),
        cmocka_unit_test(what_a_text_names),
        cmocka_unit_test(the_version_is_found),
        cmocka_unit_test(what_was_set_and_compiled),
        cmocka_unit_test(facts_beside_their_likes),
        cmocka_unit_test(ranks_stand_at_one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
