#include "text/stated/stated_conditions.h"

#include "text/stated/prose.h"
#include "text/python/thread_dump.h"

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

/* Triton 2.0.0 keeps 32 bytes at each launch of a kernel. */
static bool has_host_memory(struct str text)
{
    return str_has_any_line(text, STR("rss\nRSS\nhost memory\nCPU memory"));
}

/* The tolerances that assert_close has for float16 and bfloat16: torch/testing/_comparison.py. */
static bool compares_16_bits(struct str text)
{
    return str_has(text, STR("(up to 1e-05 allowed)")) &&
           str_has_any_line(text, STR("(up to 0.001 allowed)\n(up to 0.016 allowed)"));
}

static bool has_low_precision(struct str text)
{
    if (compares_16_bits(text))
        return true;
    return str_has_any_line(text, STR("float16\n.half()\n'Half'\nBFloat16\nautocast\nfp16\nbf16\nfloat8\nfp8\nf16[")) &&
           !str_has_any_line(text, STR("o autocast\nithout autocast\nfp32 everywhere\nfloat32 everywhere"));
}

/* That knows all GPUs of these generations but one, which has its name since 13.0. */
static bool names_cuda_12_9(struct str text)
{
    return str_has_any_line(text, STR("CUDA: 12.9\nCUDA 12.9\ncuda-12.9\ncuda_12.9")) && !str_has(text, STR("sm_110"));
}

/* 1104 of "11.4"; 0 if the text does not begin with two numbers. */
static uint64_t version_number(struct str text)
{
    uint64_t major, minor;

    if (!str_take_u64(&text, &major) || !str_consume(&text, STR(".")) || !str_take_u64(&text, &minor))
        return 0;
    return major * 100 + minor;
}

/* What follows the first of these words. */
static struct str behind(struct str text, struct str words)
{
    ptrdiff_t at = str_find(text, words);

    return at < 0 ? (struct str){0} : str_trim(str_first_line(str_skip(text, (size_t)at + words.n)));
}

/* The newest CUDA of each generation of NVIDIA's drivers (CUDA's release notes, "CUDA Driver"). */
static uint64_t cuda_of_driver(uint64_t driver)
{
    static const struct {
        uint64_t driver, cuda;
    } drivers[] = {{580, 1300}, {575, 1209}, {570, 1208}, {565, 1207}, {560, 1206}, {555, 1205}, {550, 1204},
                   {545, 1203}, {535, 1202}, {530, 1201}, {525, 1200}, {520, 1108}, {515, 1107}, {510, 1106},
                   {495, 1105}, {470, 1104}, {465, 1103}, {460, 1102}, {455, 1101}, {450, 1100}};

    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (driver >= drivers[i].driver)
            return driver >= drivers[0].driver + 10 ? 0 : drivers[i].cuda;
    return 0;
}

/* "+cu118" of PyTorch's version, as 1108. */
static uint64_t cuda_of_wheel(struct str text)
{
    struct str digits = behind(text, STR("+cu"));
    uint64_t n;

    return str_take_u64(&digits, &n) && n >= 100 && n < 1000 ? n / 10 * 100 + n % 10 : 0;
}

/* `nvidia-smi` and torch.utils.collect_env print both. */
static bool has_older_driver(struct str text)
{
    uint64_t built = version_number(behind(text, STR("CUDA used to build PyTorch:"))),
             known = version_number(behind(text, STR(" CUDA Version:")));

    if (!built)
        built = cuda_of_wheel(text);
    if (!known)
        known = cuda_of_driver(version_number(behind(text, STR("Nvidia driver version:"))) / 100);
    return built && known && known < built;
}

/* Its line of an argument: "layout=FixedLayout('cuda:0', torch.bfloat16, size=[1, 8, 512, 128], stride=[...". */
static bool is_query_of_128(struct str line)
{
    return str_has(line, STR(", 128], stride=")) && str_has_any_line(line, STR("torch.bfloat16\ntorch.float16"));
}

static bool lacks_kernel_of_flex(struct str text)
{
    struct str line;

    if (!str_has(text, STR("target: flex_attention_backward")))
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

/* "one for each of the 40 layers", "40 graph breaks" */
static bool counts_many_breaks(struct str text)
{
    static const struct str each = STR_INIT("for each of the "), breaks = STR_INIT(" graph breaks");
    enum { MANY = 10 };
    struct str rest = text;
    uint64_t n;

    for (ptrdiff_t at; (at = str_find(rest, each)) >= 0;) {
        rest = str_skip(rest, (size_t)at + each.n);
        if (str_has(text, STR("raph break")) && str_take_u64(&rest, &n) && n >= MANY)
            return true;
    }
    for (ptrdiff_t at; (at = str_find(text, breaks)) >= 0; text = str_skip(text, (size_t)at + breaks.n)) {
        struct str digits = str_take(text, (size_t)at);
        size_t begin = digits.n;

        while (begin > 0 && str_is_digit(digits.p[begin - 1]))
            begin--;
        digits = str_skip(digits, begin);
        if (str_take_u64(&digits, &n) && n >= MANY)
            return true;
    }
    return false;
}

/* "python till.py" of "+ python till.py --device cpu --compile"; empty if there is none. */
static struct str script_of(struct str line)
{
    static const struct str python = STR_INIT("python");
    ptrdiff_t at = str_find(line, python);
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + python.n), words = rest;
    ptrdiff_t end = str_find(words, STR(".py"));

    words = str_trim(str_take(words, end < 0 ? 0 : (size_t)end));
    return str_chr(words, ' ') < 0 ? words : (struct str){0};
}

/* A shell's traces of its commands, "+ python till.py", and what it says of the one that died. */
static bool has_eager_command(struct str text)
{
    struct str rest = text, line, died = {0};

    while (str_next_line(&rest, &line))
        if (str_has(line, STR("Segmentation fault")) && str_has(line, STR("--compile")))
            died = script_of(line);
    while (died.n && str_next_line(&text, &line))
        if (str_has(line, STR("+ python")) && !str_has(line, STR("compile")) && str_eq(script_of(line), died))
            return true;
    return false;
}

/* "codecache.py", line 2636, in warm_pool": the import of Inductor runs it. */
static bool starts_pool_at_import(struct str text)
{
    return str_has(text, STR("in warm_pool")) && str_has(text, STR("/torch/_inductor/")) &&
           str_has(text, STR("in _fixup_main_from_path")) && str_has(text, STR(", in <module>"));
}

/* "2: s0" or "'N': s0" of "triton_meta={'signature': {...}, 'constants': {2: s0, 3: 256}, ...". */
static bool is_symbol_of_size(struct str value)
{
    static const struct str letters[] = {STR_INIT("ks"), STR_INIT("zuf"), STR_INIT("s"), STR_INIT("u")};
    ptrdiff_t colon = str_chr(value, ':');
    uint64_t n;

    value = str_trim(str_skip(value, (size_t)(colon + 1)));
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        struct str number = value;

        if (str_consume(&number, letters[i]) && str_take_u64(&number, &n) && number.n == 0)
            return true;
    }
    return false;
}

static bool has_symbol_among_constants(struct str text)
{
    struct str line, rest;

    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_has(line, STR("triton_meta=")) ? str_find(line, STR("'constants': {")) : -1;

        rest = str_skip(line, at < 0 ? line.n : (size_t)at + STR("'constants': {").n);
        rest = str_split(&rest, '}');
        while (rest.n)
            if (is_symbol_of_size(str_split(&rest, ',')))
                return true;
    }
    return false;
}

/* "till: []" and "till: [3, 4]": the same is printed twice, and is empty once. */
static bool prints_empty_once(struct str text)
{
    static const struct str empty[] = {STR_INIT("{}"), STR_INIT("[]"), STR_INIT("()")}, full[] = {
        STR_INIT("}"), STR_INIT("]"), STR_INIT(")")};
    enum { SAME_MIN = 6 };
    struct str line, before = {0};

    for (; str_next_line(&text, &line); before = line) {
        size_t same = 0;

        line = str_trim(line);
        while (same < line.n && same < before.n && line.p[same] == before.p[same])
            same++;
        for (size_t i = 0; same >= SAME_MIN && i < sizeof empty / sizeof *empty; i++)
            if (str_ends(line, full[i]) && str_ends(before, full[i]) &&
                str_ends(line, empty[i]) != str_ends(before, empty[i]) && str_chr(line, '=') < 0)
                return true;
    }
    return false;
}

/* "Warning: libomp 15.0.7 is already installed and up-to-date." */
static bool has_libomp(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (str_has(line, STR("libomp")) &&
            str_has_any_line(line, STR("already installed\nis installed\nI installed\nhave installed\nis there")) &&
            !str_has_any_line(line, STR(" not \nn't \n?\nif \nIf ")))
            return true;
    return false;
}

/* What the rows of a table or list, "| reduce-overhead | ok | ok |", say of a mode. */
struct rows_of_mode {
    size_t ok, failed;
};

static struct rows_of_mode rows_of(struct str text, struct str mode)
{
    static const char bad[] = "crash\nfail\ndies\nerror\nwrong\nnan\nNaN\nOOM\nhang\n not ";
    struct rows_of_mode out = {0};
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str row = str_skip_any(line, "|-*` \"'\t");

        if (str_starts(row, STR("mode=")))
            row = str_skip_any(str_skip(row, sizeof "mode=" - 1), "\"'");
        if (!str_consume(&row, mode) || row.n == 0 || !strchr(" |:`\"'\t", row.p[0]))
            continue;
        if (str_has_any_line(row, str_of(bad)))
            out.failed++;
        else if (str_has_any_line(row, STR(" ok\n OK\nworks\nfine\nright\ncorrect\npass")))
            out.ok++;
    }
    return out;
}

static bool works_with_one_of_two(struct str text)
{
    struct rows_of_mode both = rows_of(text, STR("max-autotune")), graphs = rows_of(text, STR("reduce-overhead")),
                        tuned = rows_of(text, STR("max-autotune-no-cudagraphs"));

    return both.failed && !both.ok && graphs.ok && !graphs.failed && tuned.ok && !tuned.failed;
}

static bool fails_without_graphs(struct str text)
{
    struct rows_of_mode tuned = rows_of(text, STR("max-autotune-no-cudagraphs"));

    return tuned.failed && !tuned.ok;
}

/* "The list stays empty, no warning.": of what a program does, and not how fast. */
static bool fails_silently(struct str text)
{
    return prints_empty_once(text) ||
           prose_has_sentence(text,
                        "no warning\nno exception\nno error message\nsilently\nwithout a warning\nwithout any warning\n"
                        "without any error\nstays empty\nremains empty\nis ignored\nare ignored\nnot executed\n"
                        "not to be executed\nnever executed\nis never called\nare never called\nis not called\n"
                        "are not called\nhas no effect\nhave no effect",
                        NULL, "memory\nslow\nspeed\nfast\nrecompile\nlog stays empty\nlog is empty\nlog remains empty");
}

/* Parameters that a sharding has released are empty: "torch.Size([0])", and "f32[0]" in a graph. */
static bool has_empty_shards(struct str text)
{
    return str_has_any_line(text, STR("torch.Size([0])\nf32[0]\nf16[0]\nbf16[0]\nlength 0 at")) &&
           str_has_any_line(text, STR("ZeRO-3\nZeRO3\nzero-3\nzero3\nZeRO 3\nZeRO stage 3\nzero_stage 3\nstage 3\n"
                                      "stage\": 3\nstage=3\nstage3\nFSDP\nfully_shard("));
}

/* "With a limit of 64 it is slower still." */
static bool raised_limit_in_vain(struct str text)
{
    static const char limits[] = "limit 6\nlimit 1\nlimit 2\nlimit 3\nlimit of \nlimit to \nlimit =\nlimit=\n"
                                 "higher limit\nraising the limit\nraised the limit\nincreasing the limit";
    static const char vain[] = "slower\nnot help\nn't help\nno difference\nno effect\ndoes nothing\nmakes no\n"
                               "only delays\njust delays\njust as slow";

    return prose_has_sentence(text, limits, vain,
                              "?\nhit torch\nhit config\nmemory limit\ntime limit\npower limit\nrate limit");
}

/* The sum of the counters that end with `name`: "fxgraph_cache_hit 1", "'autograd_cache_hit': 2". */
static uint64_t counted(struct str text, struct str name)
{
    uint64_t sum = 0, n;

    for (ptrdiff_t at; (at = str_find(text, name)) >= 0;) {
        text = str_skip(text, (size_t)at + name.n);
        struct str rest = str_skip_any(str_take(text, 8), "'\": =");

        sum += str_take_u64(&rest, &n) ? n : 0;
    }
    return sum;
}

/* torch._dynamo.utils.counters */
static bool hits_caches(struct str text)
{
    return counted(text, STR("_cache_hit")) > 0 && counted(text, STR("_cache_miss")) == 0;
}

/* "| compile (reduce-overhead) | 33.9 |", "reduce-overhead: 34 us", or that different modes were tried. */
static bool measures_modes(struct str text)
{
    static const struct str mode = STR_INIT("reduce-overhead");
    struct str line, rest = text;

    if (prose_has_sentence(text,
                     "tried different mode\ntried all mode\ntried other mode\ntried the other mode\nin all modes\n"
                     "other modes are\ndifferent modes are\nevery mode",
                     NULL, "?"))
        return true;
    while (str_next_line(&rest, &line)) {
        ptrdiff_t at = str_find(line, mode);
        struct str behind = str_skip(line, at < 0 ? line.n : (size_t)at + mode.n);

        behind = str_skip_any(behind, "\"'`) :|=");
        if (behind.n && str_is_digit(behind.p[0]))
            return true;
    }
    return false;
}

static bool serves_requests(struct str text)
{
    static const char words[] = "TTFT\nlaunch_server\napi_server\nPrefill batch\nfirst request\nfirst real request\n"
                                "each request\nevery request\nuvicorn\nvllm serve\nwarm-up request\ninference server";

    return str_has_any_line(text, str_of(words)) &&
           !str_has_any_line(text, STR("backward(\n.train()\ntraining\noptimizer\n loss"));
}

/* The first version has this name for what calls the backend. */
static bool has_first_wrapper(struct str text)
{
    return str_has(text, STR("debug_wrapper raised"));
}

static bool looks_for_openmp(struct str text)
{
    return str_has_any_line(text, STR("omp.h\n-lomp\nlibomp\nOpenMP"));
}

/* Of vLLM, SGLang and transformers the frames of a stack, of ComfyUI the names of its nodes; or the writer says it. */
static bool is_compiled_by_project(struct str text)
{
    static const char frames[] = "/sglang/\n/vllm/\n(EngineCore\n/transformers/generation/utils.py\nTorchCompileModel\n"
                                 "never call torch.compile\nnever call `torch.compile\nnot call torch.compile myself\n"
                                 "n't call torch.compile myself\nnot use torch.compile myself\n"
                                 "n't use torch.compile myself";

    return str_has_any_line(text, str_of(frames)) && !str_has_any_line(text, STR("torch.compile(\n@torch.compile"));
}

/* The writer never calls torch.compile, or the stack shows who does: `generate` of transformers. */
static bool is_compiled_by_generate(struct str text)
{
    return is_compiled_by_project(text) && str_has(text, STR("transformers/")) &&
           str_has_any_line(text, STR("/transformers/generation/utils.py\nnever call\nmyself")) &&
           !str_has_any_line(text, STR("vllm\nsglang"));
}

/* A pair as in "256==2048", and whether both sides are the same. */
static bool takes_pair(struct str pair, bool *same)
{
    ptrdiff_t at = str_find(pair, STR("=="));

    *same = at > 0 && str_eq(str_take(pair, (size_t)at), str_skip(pair, (size_t)at + 2));
    return at > 0;
}

/* "expected size 256==2048, stride 2048==2048 at dim=0": the size differs, and the stride does not. */
static bool is_of_other_size(struct str line)
{
    struct str size, stride;
    bool same_size, same_stride;

    return str_between(line, STR("expected size "), STR(","), &size) &&
           str_between(line, STR(", stride "), STR(" at dim="), &stride) && takes_pair(size, &same_size) &&
           takes_pair(stride, &same_stride) && !same_size && same_stride;
}

/* A check of a parameter ("primals_2") that fails for its size, where FSDP wraps modules. */
static bool meets_other_weight(struct str text)
{
    enum { BELOW = 3 };
    struct str line;
    unsigned left = 0;

    if (!str_has_any_line(text, STR("fully_shard\nFSDP\nFullyShardedDataParallel")))
        return false;
    while (str_next_line(&text, &line)) {
        if (str_has(line, STR("assert_size_stride(primals_")))
            left = BELOW;
        else if (left && left-- && is_of_other_size(line))
            return true;
    }
    return false;
}

/* A row of numbers of an evaluation, "epoch 1  val eager 1.10  val compiled 1.34", or the writer's words. */
static bool has_old_weights(struct str text)
{
    return prose_has_sentence(text,
                              "old weights\nstale weights\noutdated weights\nweights are stale\nweights are old\n"
                              "not see the new weights\nnot see the updated weights\nignores the new weights",
                              NULL, "?\nload_state_dict\ncheckpoint");
}

/*
 * Inductor of 2.0 and 2.1 folds a batch norm into the convolution before it where no gradients are needed, and training
 * changes the weights afterwards. With freezing that is meant.
 */
static bool folds_norm(struct str text)
{
    static const char same[] = "same\nright\ncorrect\nfixes\nfixed\nhelps\nagree\nfine";

    return has_old_weights(text) && str_has_any_line(text, STR("no_grad\ninference_mode")) &&
           str_has_any_line(text, STR("BatchNorm\nbatch norm\nbatchnorm\nbatch_norm")) &&
           !str_has_any_line(text, STR("freez\nassign=True")) &&
           prose_has_sentence(text, "dynamo.reset()\ncompiler.reset()\na reset", same, "?\nnot the same\nn't help");
}

/* "4.3 it/s", "792 ms", "9.6 GiB": a number with a unit of speed, time or memory. */
static bool has_measure(struct str line)
{
    static const struct str units[] = {STR_INIT("ms"),    STR_INIT("s"),     STR_INIT("us"),  STR_INIT("it/s"),
                                       STR_INIT("s/it"),  STR_INIT("tok/s"), STR_INIT("GB"),  STR_INIT("GiB"),
                                       STR_INIT("MB"),    STR_INIT("MiB"),   STR_INIT("sec"), STR_INIT("seconds"),
                                       STR_INIT("tokens/s")};

    for (size_t i = 0; i < line.n; i++) {
        struct str rest, unit;
        size_t n = 0;

        if (!str_is_digit(line.p[i]) || (i && (str_is_word_char(line.p[i - 1]) || strchr(":-", line.p[i - 1]))))
            continue;
        while (i < line.n && (str_is_digit(line.p[i]) || line.p[i] == '.' || line.p[i] == ','))
            i++;
        rest = str_skip_any(str_skip(line, i), " ");
        while (n < rest.n && (str_is_word_char(rest.p[n]) || rest.p[n] == '/'))
            n++;
        unit = str_take(rest, n);
        if (STR_IS_ANY(unit, units))
            return true;
    }
    return false;
}

/* "| 32 | 3.50 | 0.19 |" below a head of words, which has the unit. */
static bool is_row_of_numbers(struct str line)
{
    size_t numbers = 0;

    while (line.n) {
        struct str word = str_split(&line, ' '), rest = str_drop_any(str_skip_any(word, "|~"), "x%|");
        bool number = rest.n > 0;

        for (size_t i = 0; i < rest.n; i++)
            number &= str_is_digit(rest.p[i]) || rest.p[i] == '.';
        numbers += number;
    }
    return numbers > 1;
}

static bool has_numbers(struct str text)
{
    static const char of_time_or_memory[] = "(ms)\n[ms]\n ms \n ms|\n(s)\n(us)\nit/s\ntok/s\ntime\nTime\nlatency\n"
                                            "memory\nMemory\n(GB)\n(GiB)\n(MB)\n(MiB)\nspeed";
    enum { READ_MAX = 64 << 10 }; /* what a person writes is shorter */
    size_t measured = 0, rows = 0;
    struct str line;
    bool head = false;

    text = str_take(text, READ_MAX);
    while (measured < 2 && rows < 2 && str_next_line(&text, &line)) {
        bool row = is_row_of_numbers(str_trim(line));

        measured += has_measure(line);
        head |= !row && str_has_any_line(line, str_of(of_time_or_memory));
        rows += row && head;
    }
    return measured > 1 || rows > 1;
}

/*
 * A person writes around the lines, most often only some of many: what is missing at a rank's end may have been left
 * out. Where something hangs, it is what a rank has not reached.
 */
static bool is_excerpt(struct str text)
{
    enum { LINES_MAX = 400 }; /* of what a person copies; a log that was saved has more */
    static const struct str waits[] = {STR_INIT("hang"), STR_INIT("stuck"), STR_INIT("Watchdog caught"),
                                       STR_INIT("imeout"), STR_INIT("imed out"), STR_INIT("deadlock"),
                                       STR_INIT("diverge")};
    struct str rest = text, line;

    bool written = false;
    size_t n = 0;

    for (; n <= LINES_MAX && str_next_line(&rest, &line); n++)
        written = written || (line.n && str_is_word_char(line.p[0]) && str_chr(line, ']') < 0 &&
                              prose_is_paragraph(line));
    return written && n <= LINES_MAX && !STR_HAS_ANY(text, waits);
}

/* "multiple devices: device(type='cuda', index=1), device(type='cuda', index=0)" */
static bool has_several_gpus(struct str text)
{
    static const struct str lists = STR_INIT("multiple devices: ");
    struct str line;

    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_find(line, lists);
        struct str devices = str_skip(line, at < 0 ? line.n : (size_t)at + lists.n);

        if (str_has(devices, STR("'cuda', index=0")) && str_has(devices, STR("'cuda', index=1")) &&
            !str_has(devices, STR("'cpu'")))
            return true;
    }
    return false;
}

/* "all 8 ranks", "every rank" */
static bool names_all_ranks(struct str line)
{
    static const struct str words[] = {STR_INIT("ll ranks"), STR_INIT("ll the ranks"), STR_INIT("very rank"),
                                       STR_INIT("ach rank"), STR_INIT("oth ranks")};
    struct str rest = line;
    ptrdiff_t at = str_find(line, STR("ll "));
    uint64_t n;

    if (STR_HAS_ANY(line, words))
        return true;
    rest = str_skip(rest, at < 0 ? rest.n : (size_t)at + 3);
    return str_take_u64(&rest, &n) && str_starts(rest, STR(" ranks"));
}

/* "All 8 ranks show last enqueued work: 417, last completed work: 416." */
static bool says_that_ranks_agree(struct str text)
{
    static const struct str same[] = {STR_INIT(" same"), STR_INIT("identical"), STR_INIT("last enqueued")},
                            but[] = {STR_INIT("xcept"), STR_INIT(" but "), STR_INIT("not "), STR_INIT("n't"),
                                     STR_INIT("ifferent"), STR_INIT("hould"), STR_INIT("must"), STR_INIT("?")};
    struct str line;

    if (!str_has(text, STR("last enqueued ")))
        return false;
    while (str_next_line(&text, &line))
        if (str_chr(line, '[') < 0 && names_all_ranks(line) && STR_HAS_ANY(line, same) && !STR_HAS_ANY(line, but))
            return true;
    return false;
}

/* "52 frames", which stands for calls that Colab folds. */
static bool is_fold(struct str line)
{
    uint64_t number;

    return str_take_u64(&line, &number) && str_eq(line, STR(" frames"));
}

/* A traceback of a cell, with Colab's directory of packages and its fold; its links have gone from the text. */
static bool is_of_colab(struct str text)
{
    struct str line;

    if (!str_has(text, STR("ipython-input")) || !str_has(text, STR("/usr/local/lib/python3")))
        return false;
    while (str_next_line(&text, &line))
        if (is_fold(str_trim(line)))
            return true;
    return false;
}

static bool traces_inference_tensors(struct str text)
{
    return str_has(text, STR("Inference tensors do not track version counter"));
}

/* A script that takes what is there names every kind of device, and so does a text that compares them. */
static bool computes_on(struct str text, const char *device, const char *chosen)
{
    static const char of_cuda[] = "'cuda'\n\"cuda\"\ncuda:0\n.cuda()";

    return str_has_any_line(text, str_of(device)) && !str_has(text, str_of(chosen)) &&
           !str_has_any_line(text, str_of(of_cuda));
}

/* What the writer says of the machine, or the device of the program. Where it works is not where it fails. */
static bool is_on_mac(struct str text)
{
    static const char macs[] = "macbook\n a mac \n my mac \n on mac \n a mac,\n my mac,\n on mac,\n a mac.\n"
                               " my mac.\n on mac.\nmac studio\nmac mini\napple silicon\napple m1\napple m2\n"
                               "apple m3\napple m4\napple m5\nm1 mac\nm2 mac\nm3 mac\nm4 mac\nm5 mac\nm1 max\n"
                               "m2 max\nm3 max\nm4 max\nm1 pro\nm2 pro\nm3 pro\nm4 pro\nmacosx_\ndarwin kernel";
    static const char elsewhere[] = "orks on\nine on\norked on\nnot on\nonly on linux\nssh\nremote\n"
                                    "not supported in windows or macos\nlinux\nserver";
    static const char mps[] = "'mps'\n\"mps\"\nmps:0\n on MPS\nMPS backend\nDevice mps \n_inductor/codegen/mps.py";

    return prose_has_sentence(text, macs, NULL, elsewhere) || computes_on(text, mps, "mps.is_available");
}

static bool is_on_other_accelerator(struct str text)
{
    static const char devices[] = "'xpu'\n\"xpu\"\nxpu:0\n'npu'\n\"npu\"\nnpu:0\n'hpu'\n\"hpu\"\nhpu:0";

    return computes_on(text, devices, "xpu.is_available");
}

static const struct stated_condition conditions[] = {
    {.fact = STATED_MACOS, .states = is_on_mac},
    {.fact = STATED_OTHER_ACCELERATOR, .states = is_on_other_accelerator},
    {.fact = STATED_COLAB, .states = is_of_colab},
    {.fact = STATED_RANKS_AGREE, .states = says_that_ranks_agree},
    {.fact = STATED_SEVERAL_GPUS, .states = has_several_gpus},
    {.fact = STATED_FOLDED_NORM, .states = folds_norm, .versions = "2.0.\n2.1.\n2.2.\n2.3.\n2.4.", .or_unknown = true},
    {.fact = STATED_NUMBERS, .states = has_numbers},
    {.fact = STATED_EXCERPT, .states = is_excerpt},
    {.fact = STATED_CL_32_BIT, .states = cl_is_32_bit},
    {.fact = STATED_LIMIT_IN_VAIN, .states = raised_limit_in_vain},
    {.fact = STATED_CACHES_HIT, .states = hits_caches},
    {.fact = STATED_OTHER_WEIGHT, .states = meets_other_weight},
    {.fact = STATED_LOW_PRECISION, .states = has_low_precision},
    {.fact = STATED_BLOCKING, .states = launches_one_by_one},
    {.fact = STATED_RECOMPILES, .states = sets_logs_of_recompiles},
    {.fact = STATED_ONE_PLACE, .states = stacks_stand_at_one_line},
    {.fact = STATED_LAUNCHER_LEAKS, .states = has_host_memory, .versions = "2.0."},
    {.fact = STATED_NEW_CUDA, .states = names_cuda_12_9},
    {.fact = STATED_OLD_DRIVER, .states = has_older_driver},
    {.fact = STATED_NO_FLEX_KERNEL, .states = lacks_kernel_of_flex, .versions = "2.6"},
    {.fact = STATED_SIZE_OF_FLEX_BUG, .states = lacks_kernel_of_flex, .versions = "2.6", .or_unknown = true},
    {.fact = STATED_INFERENCE_OF_2_0,
     .states = traces_inference_tensors,
     .versions = "2.0",
     .or_unknown = true},
    {.fact = STATED_MANY_BREAKS, .states = counts_many_breaks},
    {.fact = STATED_OPENMP_OF_TORCH, .states = has_openmps_of_torch},
    {.fact = STATED_EMPTY_SHARDS, .states = has_empty_shards},
    {.fact = STATED_EAGER_COMMAND, .states = has_eager_command},
    {.fact = STATED_POOL_AT_IMPORT, .states = starts_pool_at_import},
    {.fact = STATED_SYMBOL_CONSTANT, .states = has_symbol_among_constants},
    {.fact = STATED_SILENT, .states = fails_silently},
    {.fact = STATED_NO_GRAPHS_FAIL, .states = fails_without_graphs},
    {.fact = STATED_SERVES, .states = serves_requests},
    {.fact = STATED_TOGETHER, .states = works_with_one_of_two},
    {.fact = STATED_LIBOMP, .states = has_libomp},
    {.fact = STATED_OPENMP_OF_2_0, .states = has_first_wrapper},
    {.fact = STATED_OPENMP_OF_2_0, .states = looks_for_openmp, .versions = "2.0."},
    {.fact = STATED_OPENMP_LATER,
     .states = looks_for_openmp,
     .versions = "2.1\n2.2.\n2.3.\n2.4.\n2.5.\n2.6.\n2.7.\n2.8.\n2.9."},
    {.fact = STATED_PROJECT_COMPILES, .states = is_compiled_by_project},
    {.fact = STATED_GENERATE_COMPILES, .states = is_compiled_by_generate},
    {.fact = STATED_MODES_TRIED, .states = measures_modes},
};

static bool is_of_version(struct str versions, bool or_unknown, struct str version)
{
    struct str begin;

    if (versions.n == 0 || version.n == 0)
        return versions.n == 0 || or_unknown;
    while (str_next_line(&versions, &begin))
        if (str_starts(version, begin))
            return true;
    return false;
}

void conditions_add(const struct stated_condition *rows, size_t n, struct str text, struct stated *out)
{
    for (size_t i = 0; i < n; i++)
        if (is_of_version(str_of(rows[i].versions), rows[i].or_unknown, out->pytorch) && rows[i].states(text))
            stated_add(out, rows[i].fact);
}

void conditions_find(struct str text, struct stated *out)
{
    conditions_add(conditions, sizeof conditions / sizeof *conditions, text, out);
}
