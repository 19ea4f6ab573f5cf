#include "text/messages/stated_text.h"

#include "text/messages/prose.h"
#include "text/trials/tried.h"
#include "text/python/thread_dump.h"

/* --- words -------------------------------------------------------------------------------------------------------- */

/* A fact is stated where one of the words occurs. */
static const struct {
    enum stated_fact fact;
    const char *words; /* alternatives, separated by '\n' */
} facts[] = {
    {STATED_LINUX, "linux-gnu\n/home/\n/usr/lib/\n/usr/local/\n/root/\nUbuntu\nubuntu\nLinux-"},
    {STATED_MACOS, "\"/Users/\n'/Users/\n(/Users/\n /Users/\n-I/Users/\n/opt/homebrew\n/var/folders/\nmacOS\nMacBook"},
    {STATED_WINDOWS,
     ":\\Users\\\n:/Users/\n\\site-packages\\\n\\\\site-packages\\\\\nC:\\\nD:\\\nC:/\nD:/\ncl /I \nWindows\n"
     "windows\nwin_amd64\nVisual Studio\ncl.exe\nDLL load failed\n[WinError"},
    {STATED_AMD,
     "ROCm\nrocm\nRadeon\nradeon\nAMD Instinct\nHIP error\nhipError\n[HIP]\nHSA_\ngfx9\ngfx10\ngfx11\ngfx12"},
    {STATED_FLOAT64, "float64\ntorch.double\n.double()\nf64["},
    {STATED_FLOAT8, "fp8\nfloat8\nf8e4\ne4m3\nfp8e"},
    {STATED_WITH_STACK, "with_stack=True"},
    {STATED_RANKS, "torchrun\nnproc\n[rank\nrank 0\nrank 1\nrank0\nranks\nRank \nNCCL\nDDP\nFSDP\ndistributed\n"
                   "world_size\ndeepspeed\nDeepSpeed\nslurm"},
    {STATED_CUDA_GRAPHS,
     "reduce-overhead\n\"max-autotune\"\n'max-autotune'\ncudagraph\nCUDAGraph\nCUDA graph\ncuda graph"},
    {STATED_NEW_CUDA, "CUDA: 13.\nCUDA 13.\ncuda-13\ncuda_13"},
    {STATED_SPARSE, "sparse_coo_tensor\n.to_sparse(\nsparse_csr\nsparse tensor\nsparse COO"},
    {STATED_HOST_MEMORY, "CPU memory\nCPU RAM\nhost memory\nHost memory\nsystem memory\nsystem RAM\ndocker stats\n"
                         "MEM USAGE\n RSS\nRSS:\nru_maxrss\nmemory_info().rss"},
    {STATED_AUTOTUNE, "AUTOTUNE \nmax-autotune\nmax_autotune=\nmax_autotune ="},
    {STATED_FLEX_ATTENTION, "flex_attention\nFlexAttention\nflex-attention\nflex_decoding"},
    {STATED_VLLM, "vllm\nvLLM"},
    {STATED_SGLANG, "sglang\nSGLang"},
    {STATED_TORCHAO, "torchao"},
    {STATED_FLOAT16, "fp16\ntorch.float16\n.half()\n'Half'\n float16"},
    {STATED_MINIFYING, "TORCHDYNAMO_REPRO_AFTER=\nTORCHDYNAMO_REPRO_LEVEL=\nconfig.repro_after ="},
    {STATED_NOT_MINIFIED, "Skipping this graph\ngraph did not fail the tester"},
    {STATED_MINIFIED, "Writing minified repro to\nWriting checkpoint with "},
    {STATED_COMFYUI, "ComfyUI\ncomfyui\ncomfy_"},
    {STATED_ORIG_MOD, "_orig_mod"},
    {STATED_DYNAMO, "torch.compile\ntorch_compile\nTORCHDYNAMO\nynamo"},
    {STATED_COMPILER,
     "torch.compile\ntorch_compile\nTORCHDYNAMO\nTORCHINDUCTOR\nynamo\nnductor\n_functorch\naot_autograd\nAOTAutograd\n"
     "compiled\nompiling\n"
     "eval_with_key\nGraphModule"},
    {STATED_DEBUGGER, "pydevd\ndebugpy\nException has occurred: \nvscode debug\nithout the debugger\nithout debugger"},
    {STATED_LOADED, "Directly load AOT compilation from path \nDirectly load the compiled graph(s) for "},
    {STATED_OTHER_ENTRY, "aoti_compile\naot_compile\nAOTInductor\nhelion\nHelion\nthunder"},
    {STATED_ONNX, "ONNX\nonnx"},
    {STATED_CONDA, "conda-linux-gnu\nconda-forge\nminiforge\nconda3/\nconda/\nconda install\nconda3\\"},
    {STATED_NOTEBOOK, "Cell In[\nipykernel\nipython-input\nColab\ncolab\nJupyter\njupyter"},
    {STATED_ACCELERATE, "accelerate/\naccelerate launch\nAccelerator("},
    {STATED_LIGHTNING, "pytorch_lightning\nlightning/pytorch\nlightning.pytorch\nLightningModule"},
    {STATED_NNUNET, "nnUNet\nnnunet"},
    {STATED_MOSHI, "moshi"},
    {STATED_EAGER_DIFFERS, "eager_two_runs_differ"},
    {STATED_XDIST, "xdist\n[gw0] \n[gw1] \n[gw2] \n[gw3] "},
    {STATED_FUNC_GRAD, "torch.func.grad\ngrad_and_value\nfunc.vjp\nfunc import grad\nno .backward()\nno `.backward()`\n"
                       "no backward() call\nno `backward()`"},
    {STATED_FEW_CPUS, "num_cpus=1\n`num_cpus` 1\nnum_cpus: 1"},
    {STATED_NO_GRAD, "inference_mode\nno_grad"},
    {STATED_RANDOM, "ropout\nbernoulli\nrand_like\nrandn_like\nmultinomial\ntorch.Generator\ngenerator=\n.train()\n"
                    "random numbers\nrandom output"},
    {STATED_DYNAMIC, "dynamic=True\ndynamic = True\nmark_dynamic(\nassume_static_by_default = False\n"
                     "assume_static_by_default=False"},
    {STATED_ASKS_BFLOAT16, "is_bf16_supported"},
    {STATED_CONVOLUTION, "onvolution\nchannels_last\nConv2d\nconv net\nConv3x3"},
    {STATED_PROCESSES,
     "Subprocess \nsubprocess \nslurmstepd\ntorchrun\ntorch.distributed.elastic\n[rank0]\n[rank1]\n[rank2]\n[rank3]\n"
     "(EngineCore\n(Worker\n(VllmWorker"},
    {STATED_RECOMPILES, "[__recompiles\n.__recompiles"},
    {STATED_ABI_COMPATIBLE, "abi_compatible\": True\nabi_compatible': True\nabi_compatible = True\n"
                            "abi_compatible=True\nABI_COMPATIBLE=1"},
    {STATED_FUSED, "triton_poi_\ntriton_red_\ntriton_per_"},
    {STATED_TEMPLATE, "triton_mm\ntriton_bmm\ntriton_tem_\ntriton_flex\nselect_algorithm.py\", line"},
    {STATED_DYNAMIC_FAILS, "failed to eagerly compile backwards for dynamic"},
};

/* --- PyTorch's version -------------------------------------------------------------------------------------------- */

/* How sure a way of naming the version is. */
enum strength { UNNAMED, BY_WORDING, BY_NUMBER, BY_TOOL };

struct version_named {
    enum strength strength;
    struct str version;
    bool several;
};

/* Wordings that one version has. */
static const struct {
    const char *words, *version;
} wordings[] = {
    {"torchdynamo/blob/main/TROUBLESHOOTING.md", "2.0"},
    {"to diagnose recompilation issues, set env variable", "2.1"},
};

static void add(struct version_named *to, enum strength strength, struct str version)
{
    if (strength < to->strength)
        return;
    to->several = strength == to->strength && (to->several || !str_eq(to->version, version));
    to->strength = strength;
    to->version = version;
}

/* "2.6.0" of "2.6.0+cu124" and "2.2.0.dev20231201": three numbers, the first of which is PyTorch's. */
static struct str version_at(struct str s)
{
    size_t n = 0, dots = 0;

    if (!str_starts(s, STR("2.")) && !str_starts(s, STR("1.")))
        return (struct str){0};
    for (; n < s.n && (str_is_digit(s.p[n]) || (s.p[n] == '.' && n + 1 < s.n && str_is_digit(s.p[n + 1]))); n++)
        dots += s.p[n] == '.';
    return dots == 2 && n <= 12 ? str_take(s, n) : (struct str){0};
}

/* A line that is a version with its build and nothing else, as print(torch.__version__) writes it. */
static struct str version_alone(struct str line)
{
    struct str version = version_at(line), build = str_skip(line, version.n);

    if (version.n == 0 || str_chr(line, ' ') >= 0 || line.n > 40)
        return (struct str){0};
    return str_starts(build, STR("+cu")) || str_starts(build, STR("+cpu")) || str_starts(build, STR("+rocm")) ||
                   str_starts(build, STR(".dev")) || str_starts(build, STR("+xpu"))
               ? version
               : (struct str){0};
}

/* What stands between the name and the number: "==", ": ", " version: ", ".__version__=", "` = ", "` is ". */
static struct str behind_name(struct str s, bool *by_tool)
{
    enum { SEPARATORS_MAX = 6 };
    size_t n = 0;

    *by_tool = str_consume(&s, STR(" version"));
    if (*by_tool)
        str_consume(&s, STR(" (GPU?)")); /* transformers-cli env, diffusers-cli env */
    if (!*by_tool)
        str_consume(&s, STR(".__version__"));
    while (n < s.n && n < SEPARATORS_MAX && memchr(" :=|`'\"*\t", s.p[n], 9))
        n++;
    s = str_skip(s, n);
    str_consume(&s, STR("is "));
    str_consume(&s, STR("v"));
    return s;
}

static bool ends_word(struct str before)
{
    return before.n && (str_is_word_char(before.p[before.n - 1]) || memchr("-/.\\", before.p[before.n - 1], 4));
}

/* "torch" or "PyTorch" with a number behind it, anywhere in the line. */
static void find_named(struct str line, struct version_named *out)
{
    size_t from = 0;

    for (ptrdiff_t at; (at = str_find(str_skip(line, from), STR("orch"))) >= 0; from += (size_t)at + 4) {
        size_t begin = from + (size_t)at;
        struct str before = str_take(line, begin), version;
        bool by_tool;

        if (!str_ends(before, STR("t")) && !str_ends(before, STR("T")))
            continue;
        before = str_drop(before, 1);
        if (str_ends(before, STR("py")) || str_ends(before, STR("Py")))
            before = str_drop(before, 2);
        if (ends_word(before) && !str_ends(before, STR("pytorch/"))) /* the image pytorch/pytorch:2.6.0-cuda12.4 */
            continue;
        version = version_at(behind_name(str_skip(line, begin + 4), &by_tool));
        if (version.n)
            add(out, by_tool ? BY_TOOL : BY_NUMBER, version);
    }
}

/* "With torch 2.2.0 it returns, with 2.2.1 and 2.2.2 it hangs.": numbers that follow in the same sentence. */
static void find_siblings(struct str sentence, struct version_named *named)
{
    static const struct str before[] = {STR_INIT(" with "), STR_INIT(" and "), STR_INIT(" in "), STR_INIT(" on "),
                                        STR_INIT(" or ")};

    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct str rest = sentence;

        for (ptrdiff_t at; (at = str_find(rest, before[i])) >= 0;) {
            struct str version;

            rest = str_skip(rest, (size_t)at + before[i].n);
            version = version_at(rest);
            if (version.n)
                add(named, BY_NUMBER, version);
        }
    }
}

/* In prose, a version with which all is well is not the one that fails. */
static void find_in_prose(struct str line, struct version_named *named)
{
    while (line.n) {
        struct str sentence = str_next_sentence(&line), rest = sentence;
        struct version_named found = {0};

        while (rest.n) {
            struct str part = prose_next_part(&rest);

            if (!prose_says_cured(part))
                find_named(part, &found);
        }
        if (found.version.n)
            find_siblings(sentence, &found);
        if (found.version.n)
            add(named, found.strength, found.version);
        named->several |= found.several && found.strength == named->strength;
    }
}

static struct str version_stated(struct str text)
{
    struct version_named named = {0};
    struct str line;

    for (size_t i = 0; i < sizeof wordings / sizeof *wordings; i++)
        if (str_has(text, str_of(wordings[i].words)))
            add(&named, BY_WORDING, str_of(wordings[i].version));
    while (str_next_line(&text, &line)) {
        struct str alone = version_alone(str_trim(line));

        if (alone.n)
            add(&named, BY_NUMBER, alone);
        find_in_prose(line, &named);
    }
    return named.several ? (struct str){0} : named.version;
}

/*
 * "[2023-03-04 03:09:32,084] [8/0] torch._dynamo.utils: [ERROR] ...": lines of this form were written up to 2.2, which
 * came out in January 2024. The newest version that the year allows.
 */
static struct str newest_of_line(struct str line)
{
    static const struct str levels[] = {STR_INIT(": [WARNING] "), STR_INIT(": [ERROR] "), STR_INIT(": [INFO] "),
                                        STR_INIT(": [DEBUG] ")};
    ptrdiff_t at = str_find(line, STR("[20"));
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + 3), logger = str_skip(rest, 2);
    uint64_t year;

    if (!str_take_u64(&rest, &year) || !str_starts(rest, STR("-")) || !str_has(logger, STR("] torch._")) ||
        !STR_HAS_ANY(logger, levels))
        return (struct str){0};
    return year < 23 ? STR("2.0") : year == 23 ? STR("2.1") : STR("2.2");
}

/* Wordings of several versions, and the last that has them. */
static const struct {
    const char *words, *newest;
} gone[] = {
    {"not allocated yet. Caffe2 uses a lazy allocation", "2.1"},
    {"def unimplemented(msg: str):", "2.4"}, /* torch/_dynamo/exc.py; more parameters in 2.5 */
    {"inline in skipfiles: ", "2.6"},        /* torch/_dynamo/symbolic_convert.py */
};

static struct str newest_of(struct str text)
{
    struct str line, found;

    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (str_has(text, str_of(gone[i].words)))
            return str_of(gone[i].newest);
    while (str_next_line(&text, &line))
        if ((found = newest_of_line(line)).n)
            return found;
    return (struct str){0};
}

/* "Optimizing Compiler Version 19.50.35721 for x86", which is not "for x86_64" of others. */
static bool cl_is_32_bit(struct str text)
{
    ptrdiff_t at = str_find(text, STR("Optimizing Compiler Version "));
    struct str line = str_skip(text, at < 0 ? text.n : (size_t)at);

    return str_ends(str_trim(str_split(&line, '\n')), STR(" for x86"));
}

/* PyTorch's own hint, "consider passing CUDA_LAUNCH_BLOCKING=1", is below every such error. */
static bool launches_one_by_one(struct str text)
{
    static const struct str setting = STR_INIT("CUDA_LAUNCH_BLOCKING=1");
    struct str rest = text;

    for (ptrdiff_t at; (at = str_find(rest, setting)) >= 0; rest = str_skip(rest, (size_t)at + setting.n))
        if (!str_ends(str_take(rest, (size_t)at), STR("consider passing ")))
            return true;
    return false;
}

/* "/srv/torch_compile_cache" of "Directly load AOT compilation from path /srv/torch_compile_cache/3b/model" */
static struct str cache_of_vllm(struct str text)
{
    enum { PATH_MAX_BYTES = 400 };
    static const struct str lead = STR_INIT("Directly load AOT compilation from path "),
                            name = STR_INIT("/torch_compile_cache");
    ptrdiff_t at = str_find(text, lead), end;
    struct str path = str_take(str_skip(text, at < 0 ? text.n : (size_t)at + lead.n), PATH_MAX_BYTES);

    path = str_first_line(path);
    end = str_find(path, name);
    return end < 0 || str_chr(path, ' ') >= 0 ? (struct str){0} : str_take(path, (size_t)end + name.n);
}

/* "warning" of `logger.warning("x")`, where no other method is called. */
static struct str method_of_logger(struct str text)
{
    static const struct str object = STR_INIT("logger.");
    struct str found = {0};

    for (ptrdiff_t at; (at = str_find(text, object)) >= 0;) {
        size_t n = 0;

        text = str_skip(text, (size_t)at + object.n);
        while (n < text.n && str_is_word_char(text.p[n]))
            n++;
        if (n == 0 || n == text.n || text.p[n] != '(')
            continue;
        if (found.n && !str_eq(found, str_take(text, n)))
            return (struct str){0};
        found = str_take(text, n);
    }
    return found;
}

/* PyTorch's own messages advise it: "To log all recompilation reasons, use TORCH_LOGS="recompiles".", "enable ...". */
static bool sets_logs_of_recompiles(struct str text)
{
    static const struct str name = STR_INIT("TORCH_LOGS=");

    for (ptrdiff_t at; (at = str_find(text, name)) >= 0;) {
        struct str before = str_take(text, (size_t)at);
        bool advised = str_ends(before, STR("use ")) || str_ends(before, STR("enable "));
        struct str value;

        text = str_skip(text, (size_t)at + name.n);
        value = text;
        value = str_split(&value, '\n');
        value = str_split(&value, ' ');
        if (!advised && str_has(value, STR("recompiles")))
            return true;
    }
    return false;
}

/* "for block in model.blocks:" */
static bool goes_through_modules(struct str line)
{
    static const struct str lists[] = {STR_INIT("modules()"), STR_INIT("children()"), STR_INIT("layers"),
                                       STR_INIT("blocks")};

    return str_starts(line, STR("for ")) && STR_HAS_ANY(line, lists);
}

static bool compiles_parts(struct str text)
{
    enum { LINES_OF_LOOP = 4 };
    struct str line;
    size_t left = 0;

    while (str_next_line(&text, &line)) {
        if (goes_through_modules(str_trim(line)))
            left = LINES_OF_LOOP;
        else if (left && left-- && str_has(line, STR("compile(")))
            return true;
    }
    return false;
}

/* A text that compares backends names Inductor, or compiles without a backend, in another line. */
static bool compiles_without_inductor(struct str text)
{
    static const struct str before[] = {STR_INIT("\"eager\""), STR_INIT("'eager'"), STR_INIT("\"aot_eager\""),
                                        STR_INIT("'aot_eager'")};
    struct str line;
    bool found = false;

    while (str_next_line(&text, &line)) {
        if (!str_has(line, STR("torch.compile(")) || str_starts(str_trim(line), STR("#")))
            continue;
        if (!str_has(line, STR("backend=")) || !STR_HAS_ANY(line, before))
            return false;
        found = true;
    }
    return found;
}

/* The main threads of several dumps have one innermost call. */
static bool stacks_stand_at_one_line(struct str text)
{
    struct str line, first = {0};
    size_t n = 0;

    while (str_next_line(&text, &line)) {
        struct str rest = text, call;

        if (!thread_dump_begins(str_trim(line)) || !str_has(line, STR("MainThread")) || !str_next_line(&rest, &call))
            continue;
        call = str_trim(call);
        if (n++ && !str_eq(call, first))
            return false;
        first = call;
    }
    return n > 1 && first.n;
}

static bool compiles_before_deepspeed(struct str text)
{
    ptrdiff_t engine = str_find(text, STR("deepspeed.initialize("));

    return engine > 0 && str_has(str_take(text, (size_t)engine), STR("torch.compile("));
}

static void add_if(struct stated *out, enum stated_fact fact, bool stated)
{
    if (stated)
        stated_add(out, fact);
}

static void add_prose(struct str text, struct stated *out)
{
    struct prose prose;

    prose_read(text, &prose);
    add_if(out, STATED_EAGER_WORKS, prose.eager_works);
    add_if(out, STATED_FLOAT32_WORKS, prose.float32_works);
    add_if(out, STATED_ONE_PLACE, prose.one_place);
    add_if(out, STATED_MEMORY_GROWS, prose.complaints[COMPLAINT_MEMORY].n > 0);
    add_if(out, STATED_WRONG_IN_DYNAMO, prose.wrong[BACKEND_EAGER]);
    add_if(out, STATED_WRONG_IN_AOT, !prose.wrong[BACKEND_EAGER] && prose.wrong[BACKEND_AOT_EAGER]);
    add_if(out, STATED_RIGHT_IN_AOT, !prose.wrong[BACKEND_EAGER] && prose.right[BACKEND_AOT_EAGER]);
    add_if(out, STATED_STAGE, prose.right[BACKEND_EAGER] || prose.right[BACKEND_AOT_EAGER]);
    add_if(out, STATED_CONCURRENT, prose.concurrent && prose.sequential_works);
    out->trial = prose.trial;
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

static const char of_cuda[] = "cuda:\ncuda'\ncuda\"\n.cuda()\nCUDA available: True\nNVIDIA\nnvidia\nGeForce\nRTX \n"
                              "+cu1\ngfx9\ngfx1\n+rocm";
static const char of_cpu[] = "+cpu\nCUDA available: False\non cpu\non CPU\non the CPU\ndevice='cpu'\ndevice=\"cpu\"";
static const char of_others[] = "'mps'\n\"mps\"\nmps:0\non MPS\nMPS backend\n'xpu'\n\"xpu\"\nxpu:0\non XPU\nApple M";

static void add_devices(struct str text, struct stated *out)
{
    bool cuda = str_has_any_line(text, str_of(of_cuda)), others = str_has_any_line(text, str_of(of_others)),
         cpu = str_has_any_line(text, str_of(of_cpu));

    add_if(out, STATED_NO_TF32, !cuda && (others || cpu));
    add_if(out, STATED_NO_GPU, !cuda && !others && cpu);
}

/* PyTorch's own warning names the setting where it is off, and the table of the autotuner in each row. */
static bool uses_tf32(struct str line)
{
    static const char words[] = "matmul_precision('high\nmatmul_precision(\"high\nmatmul_precision('medium\n"
                                "matmul_precision(\"medium\nallow_tf32\nTF32\ntf32";
    static const char denies[] = "TensorFloat32 tensor cores\nonsider setting\nALLOW_TF32\nFalse\nhighest\nisabl\n"
                                 "n't \n not \nwithout TF32\nNo TF32\nno TF32";

    return str_has_any_line(line, str_of(words)) && !str_has_any_line(line, str_of(denies));
}

static bool states_tf32(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (uses_tf32(line))
            return true;
    return false;
}

/* Seen in 2.5 and 2.6, also without Inductor; gone in 2.7, and not in 2.4. */
static bool keeps_tensors_of_disabled(struct str text)
{
    struct str version;

    if (!str_has_any_line(text, STR("compiler.disable\ndynamo.disable")))
        return false;
    version = version_stated(text);
    return version.n == 0 || str_starts(version, STR("2.5")) || str_starts(version, STR("2.6"));
}

/* Triton 2.0.0 keeps 32 bytes at each launch of a kernel. */
static bool keeps_bytes_of_launches(struct str text)
{
    return str_has_any_line(text, STR("rss\nRSS\nhost memory\nCPU memory")) &&
           str_starts(version_stated(text), STR("2.0."));
}

static bool has_low_precision(struct str text)
{
    return str_has_any_line(text, STR("float16\n.half()\n'Half'\nBFloat16\nautocast\nfp16\nbf16\nfloat8\nfp8\nf16[")) &&
           !str_has_any_line(text, STR("o autocast\nithout autocast\nfp32 everywhere\nfloat32 everywhere"));
}

/* That knows all GPUs of these generations but one, which has its name since 13.0. */
static bool names_cuda_12_9(struct str text)
{
    return str_has_any_line(text, STR("CUDA: 12.9\nCUDA 12.9\ncuda-12.9\ncuda_12.9")) && !str_has(text, STR("sm_110"));
}

/* Its line of an argument: "layout=FixedLayout('cuda:0', torch.bfloat16, size=[1, 8, 512, 128], stride=[...". */
static bool is_query_of_128(struct str line)
{
    return str_has(line, STR(", 128], stride=")) && str_has_any_line(line, STR("torch.bfloat16\ntorch.float16"));
}

/* Kernels that were tried say `out of resource`. */
static bool lacks_kernel_of_flex(struct str text)
{
    struct str line;

    if (!str_has(text, STR("target: flex_attention_backward")) || str_has(text, STR("out of resource")) ||
        !str_starts(version_stated(text), STR("2.6")))
        return false;
    while (str_next_line(&text, &line))
        if (is_query_of_128(line))
            return true;
    return false;
}

/* A wheel for macOS may have two: `delocate` adds one to torch/.dylibs, and the build has put one into torch/lib. */
static bool has_openmps_of_torch(struct str text)
{
    static const char alone[] = "nothing from conda\nno conda\nNo conda\nwithout conda\nnot conda\npip only\nonly pip";

    if (!str_has_words(text, STR("OMP: Error ")))
        return false;
    return (str_has(text, STR("torch/.dylibs/lib")) && str_has(text, STR("torch/lib/lib"))) ||
           (str_has_any_line(text, str_of(alone)) && str_has(text, STR("torchinductor_")));
}

static bool records_graphs_of_sizes(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_has_any_line(line, STR("reduce-overhead\n\"max-autotune\"\n'max-autotune'")) &&
            str_has_any_line(line, STR("dynamic=True\ndynamic = True")))
            return true;
    return false;
}

/* Facts that take more than words. */
static const struct {
    enum stated_fact fact;
    bool (*states)(struct str text);
} conditions[] = {
    {STATED_CL_32_BIT, cl_is_32_bit},
    {STATED_LOW_PRECISION, has_low_precision},
    {STATED_TF32, states_tf32},
    {STATED_BLOCKING, launches_one_by_one},
    {STATED_RECOMPILES, sets_logs_of_recompiles},
    {STATED_ONE_PLACE, stacks_stand_at_one_line},
    {STATED_COMPILED_FIRST, compiles_before_deepspeed},
    {STATED_PARTS, compiles_parts},
    {STATED_DISABLE_LEAKS, keeps_tensors_of_disabled},
    {STATED_LAUNCHER_LEAKS, keeps_bytes_of_launches},
    {STATED_NEW_CUDA, names_cuda_12_9},
    {STATED_NO_FLEX_KERNEL, lacks_kernel_of_flex},
    {STATED_NOT_INDUCTOR, compiles_without_inductor},
    {STATED_GRAPHS_OF_SIZES, records_graphs_of_sizes},
    {STATED_OPENMP_OF_TORCH, has_openmps_of_torch},
};

void stated_find(struct str text, struct stated *out)
{
    *out = (struct stated){.pytorch = version_stated(text),
                           .newest = newest_of(text),
                           .logged = method_of_logger(text),
                           .cache = cache_of_vllm(text)};
    stated_add(out, STATED_READ);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        add_if(out, facts[i].fact, str_has_any_line(text, str_of(facts[i].words)));
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        add_if(out, conditions[i].fact, conditions[i].states(text));
    add_devices(text, out);
    add_prose(text, out);
    tried_find(text, out);
}
