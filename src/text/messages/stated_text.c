#include "text/messages/stated_text.h"

/* --- words -------------------------------------------------------------------------------------------------------- */

/* A fact is stated where one of the words occurs. */
static const struct {
    uint64_t fact;
    const char *words; /* alternatives, separated by '\n' */
} facts[] = {
    {STATED_LINUX, "linux-gnu\n/home/\n/usr/lib/\n/usr/local/\n/root/\nUbuntu\nubuntu\nLinux-"},
    {STATED_MACOS,
     "\"/Users/\n'/Users/\n(/Users/\n /Users/\n-I/Users/\n/opt/homebrew\n/var/folders/\nmacOS\nMacBook"},
    {STATED_WINDOWS,
     ":\\Users\\\n:/Users/\n\\site-packages\\\n\\\\site-packages\\\\\nC:\\\nD:\\\nC:/\nD:/\ncl /I \nWindows\n"
     "windows\nwin_amd64\nVisual Studio\ncl.exe\nDLL load failed\n[WinError"},
    {STATED_AMD,
     "ROCm\nrocm\nRadeon\nradeon\nAMD Instinct\nHIP error\nhipError\n[HIP]\nHSA_\ngfx9\ngfx10\ngfx11\ngfx12"},
    {STATED_FLOAT64, "float64\ntorch.double\n.double()\nf64["},
    {STATED_LOW_PRECISION, "float16\n.half()\n'Half'\nBFloat16\nautocast\nfp16\nbf16\nfloat8\nfp8\nf16["},
    {STATED_CUDA_GRAPHS, "reduce-overhead\ncudagraph\nCUDAGraph\nCUDA graph\ncuda graph"},
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
    {STATED_DYNAMIC, "dynamic=True\ndynamic = True\nassume_static_by_default = False\nassume_static_by_default=False"},
    {STATED_PROCESSES,
     "Subprocess \nsubprocess \nslurmstepd\ntorchrun\ntorch.distributed.elastic\n[rank0]\n[rank1]\n[rank2]\n[rank3]\n"
     "(EngineCore\n(Worker\n(VllmWorker"},
};

/* --- that it works without the compiler --------------------------------------------------------------------------- */

enum { SENTENCE_MAX = 400 };

static const char works[] =
    "works\nwork fine\nwork well\nruns fine\nis fine\nfine in \nfine with\nran fine\nno error\nno problem\nno issue\n"
    "succeed\nsuccess\npasses\nis correct\nare correct\nas expected\n resolve";
static const char uncompiled[] =
    "eager\nwithout torch.compile\nwithout `torch.compile\nwithout compil\nwithout the compil\nwithout ``--compile\n"
    "without `--compile\nwithout --compile\nuncompiled\nturn off torch.compile\nremove torch.compile\n"
    "removing torch.compile\ncompile=false\nno torch.compile\nnot compiled\nnon-compiled";
static const char denies[] = "n't\n not \nnot work\nneither\nnor \nfail\nalso \ntoo.\nraises\ncrash\nfallback\n"
                             "fall back\nfalls back\nhow to\n?";
static const char only[] = "only fails\nonly happens\nonly occurs\nonly crashes\nonly when\nonly with\nonly under\n"
                           "fails only\nhappens only\noccurs only";

static struct str lower(struct str s, char buf[SENTENCE_MAX])
{
    s = str_take(s, SENTENCE_MAX);
    for (size_t i = 0; i < s.n; i++)
        buf[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] | 0x20 : s.p[i]);
    return (struct str){buf, s.n};
}

/* "It works fine in eager.", "This only happens with torch.compile": a sentence that denies anything proves nothing. */
static bool says_eager_works(struct str sentence)
{
    char buf[SENTENCE_MAX];
    struct str s = lower(sentence, buf);

    if (str_has(s, STR("compiled autograd")) || str_has(s, STR("compiled_autograd"))) /* another part */
        return false;
    if (str_has_any_line(s, str_of(only)) && str_has(s, STR("compile")) && !str_has_any_line(s, STR(" not \nn't")))
        return true;
    if (!str_has_any_line(s, str_of(works)) || str_has_any_line(s, str_of(denies)))
        return false;
    return str_has_any_line(s, str_of(uncompiled)) || (str_has(s, STR("disabl")) && str_has(s, STR("compile")));
}

static struct str next_sentence(struct str *line)
{
    ptrdiff_t end = str_find(*line, STR(". "));
    struct str sentence = end < 0 ? *line : str_take(*line, (size_t)end + 1);

    *line = end < 0 ? (struct str){0} : str_skip(*line, (size_t)end + 2);
    return sentence;
}

/* Code, paths and a logger's lines are no prose. */
static bool is_prose(struct str line)
{
    return str_chr(line, ' ') > 0 && !str_has(line, STR("File \"")) && !str_has(line, STR(".py:")) &&
           !str_has(line, STR("_eager\"")) && !str_starts(line, STR("#"));
}

/* "In fp32 the same script passes." */
static bool says_float32_works(struct str sentence)
{
    char buf[SENTENCE_MAX];
    struct str s = lower(sentence, buf);

    return str_has_any_line(s, STR("fp32\nfloat32")) && str_has_any_line(s, str_of(works)) &&
           !str_has_any_line(s, str_of(denies));
}

/* What the prose of a text says. */
static uint64_t said_in(struct str text)
{
    uint64_t said = 0;
    struct str line;

    while (str_next_line(&text, &line)) {
        line = str_trim(line);
        while (line.n && is_prose(line)) {
            struct str sentence = next_sentence(&line);

            said |= says_eager_works(sentence) ? STATED_EAGER_WORKS : 0;
            said |= says_float32_works(sentence) ? STATED_FLOAT32_WORKS : 0;
        }
    }
    return said;
}

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

/* What stands between the name and the number: "==", ": ", " version: ", ".__version__=", "` = ". */
static struct str behind_name(struct str s, bool *by_tool)
{
    enum { SEPARATORS_MAX = 6 };
    size_t n = 0;

    *by_tool = str_consume(&s, STR(" version"));
    if (!*by_tool)
        str_consume(&s, STR(".__version__"));
    while (n < s.n && n < SEPARATORS_MAX && memchr(" :=|`'\"*\t", s.p[n], 9))
        n++;
    s = str_skip(s, n);
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
        if (ends_word(before))
            continue;
        version = version_at(behind_name(str_skip(line, begin + 4), &by_tool));
        if (version.n)
            add(out, by_tool ? BY_TOOL : BY_NUMBER, version);
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
        find_named(line, &named);
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

void stated_find(struct str text, struct stated *out)
{
    *out = (struct stated){.facts = STATED_READ, .pytorch = version_stated(text), .newest = newest_of(text)};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (str_has_any_line(text, str_of(facts[i].words)))
            out->facts |= facts[i].fact;
    if (cl_is_32_bit(text))
        out->facts |= STATED_CL_32_BIT;
    out->facts |= said_in(text);
}
