#include "text/stated/tried.h"

#include "text/stated/prose.h"

enum { SENTENCE_MAX = 400 };

/* --- sentences ---------------------------------------------------------------------------------------------------- */

#define CHANGES_NOTHING                                                                                                \
    "changes nothing\nno difference\ndoes not help\ndoesn't help\ndid not help\ndidn't help\nno effect\nnot change\n"  \
    "n't change\nsame error\nfails the same\nfails, too\nalso fails\nstill fails"

/* A sentence states it where it has one of `any`, and one of `result` if there are some, and none of `denies`. */
static const struct {
    enum stated_fact fact;
    const char *any, *result, *denies; /* in small letters */
} trials[] = {
    {STATED_STATIC_FAILS, "dynamic=false\ndynamic = false", CHANGES_NOTHING, "?"},
    {STATED_FRESH_FAILS,
     "removed ~/.cache\nremoved `~/.cache\ndeleted ~/.cache\ndeleted `~/.cache\ncleared ~/.cache\ncleared `~/.cache\n"
     "wiped ~/.cache\nwiped `~/.cache\nrm -rf ~/.cache\nremoved the cache\ndeleted the cache\ncleared the cache\n"
     "wiped the cache\ncleared the compile cache\nremoved the compile cache\ndeleted the compile cache\n"
     "cleared all caches\ncleared the caches\nremoving the cache\ndeleting the cache\nclearing the cache\n"
     "clearing ~/.cache\nremoving ~/.cache\ndeleting ~/.cache\nvllm_disable_compile_cache=1\nwith an empty cache\n"
     "fresh cache",
     CHANGES_NOTHING "\nsame thing\nsame result\nno change\nsame crash\nstill \nas before",
     "?\nwill \nshould\ncould\nif "},
    {STATED_NO_GRAPHS_FAIL,
     "no-cudagraphs\nwithout cuda graphs\nwithout cudagraphs\ncuda graphs off\ncudagraphs = false\ncudagraphs=false",
     CHANGES_NOTHING, "?"},
    {STATED_ONE_THREAD_HELPS, "compile_threads=1\ncompile_threads = 1\ncompile_threads=\"1\"",
     "go away\ngoes away\nwent away\nfixes\nfixed\nhelps\nhelped\n works\nexits\n ends\nfinishes\nis gone\nsolves\n"
     "solved",
     "n't\n not \nnothing\nno difference\nno effect\nnor \n?\nshould\nwould\ncould\nmight"},
    {STATED_SIZES_VARY, "recompil", NULL,
     "no recompil\nnot recompil\nn't recompil\nnothing\nnone\nnever\nneither\nwithout recompil\nzero recompil\n"
     "0 recompil\nempty\nsilent\ntorch_logs\n?"},
    {STATED_BLOCKS_WORK,
     "compiles the blocks\ncompile the blocks\ncompiling the blocks\ncompile only the blocks\n"
     "compiles only the blocks\ncompiling only the blocks\ncompile each block\ncompiles each block\n"
     "compiling each block\nblock by block\ncompile the layers\ncompile each layer\ncompiling each layer\n"
     "layer by layer\nregional compilation",
     "is fine\nare fine\nlooks fine\nworks\nis correct\nare correct\nis right\nis ok\nis good",
     "n't\n not \n?\nnetworks\nis fine-"},
    {STATED_NO_GRAD_FAILS, "no_grad", CHANGES_NOTHING "\nsame warning\nstill warns\nstill prints\nstill appears", "?"},
    {STATED_DDP_ALONE,
     "no ddp\nwithout ddp\nwithout the ddp\nonly under ddp\nonly with ddp\nonly inside ddp\nonly in ddp",
     "fine\ntwice\nnever again\nonce\nworks\nno recompil\nonly", "not fine\n?\nfsdp"},
    {STATED_NO_AUTOGRAD_HELPS,
     "without compiled_autograd\nwithout** compiled_autograd\nwithout `compiled_autograd\nwithout compiled autograd\n"
     "without** compiled autograd\ncompiled_autograd off\ncompiled autograd off\ncompiled_autograd=false\n"
     "compiled_autograd = false",
     "ok for\nok with\n ok\nworks\nfine\nno error\npasses\ntrains\ngoes away\nwent away\nis gone",
     "n't\n not \n?\nas without\nexpected\nshould\nfails\nbroken\nslow\nlike without"},
    {STATED_FRESH_WORKS,
     "rm -rf\ndelete the cache\ndeleted the cache\ndeleting the cache\nclear the cache\ncleared the cache\n"
     "clearing the cache\nempty cache\ncache deleted\ncache removed\nremove the cache\nremoving the cache\n"
     "removed the cache\ncache is empty\nfresh cache\nempty the cache",
     "| ok\n ok,\n ok.\nworks\nis fine\nruns fine\ngoes away\nwent away\nfixes\nfixed\nhelps\nis gone",
     "n't\n not \n?\nfails\ndies\ncrash\nsame error\nstill\nbefore"},
    {STATED_NO_RECOMPILES,
     "no graph breaks and no recompil\nno recompiles and no graph break\nno recompilations and no graph break\n"
     "no graph breaks or recompil\nno recompiles or graph break\nneither graph breaks nor recompil",
     NULL, "?\nif \nwhere \nwhen "},
    {STATED_NO_RECOMPILES, "recompil",
     "it is not that\nit's not that\nnot the cause\nnothing more\nnothing after\nnothing else\nshows nothing\n"
     "prints nothing\nshows none\n"
     "no recompil\nnot recompil\nstays empty\nis empty\nremains empty\nis silent\nstays silent\nnothing is recompil\n"
     "nothing recompil\nwithout recompil\nnever recompil\nzero recompil\n0 recompil",
     "?\nif \nwhere \nwhen "},
};

/* A question ends a sentence, too: "Is this expected? There are no recompiles." */
static struct str next_sentence(struct str *line)
{
    struct str all = *line, sentence = str_next_sentence(line);
    ptrdiff_t question = str_find(sentence, STR("? "));

    if (question < 0)
        return sentence;
    *line = str_skip(all, (size_t)question + 2);
    return str_take(all, (size_t)question + 1);
}

static void read_sentence(struct str sentence, struct stated *out)
{
    char room[SENTENCE_MAX];
    struct str s = str_lower(sentence, room, sizeof room);

    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        if (str_has_any_line(s, str_of(trials[i].any)) &&
            (!trials[i].result || str_has_any_line(s, str_of(trials[i].result))) &&
            !str_has_any_line(s, str_of(trials[i].denies)))
            stated_add(out, trials[i].fact);
}

/* --- settings ----------------------------------------------------------------------------------------------------- */

/* "cudagraph_skip_dynamic_graphs = True", or as a key of `options`; PyTorch's warning advises it: "or b) set ...". */
static bool sets_skipping(struct str line)
{
    static const struct str name = STR_INIT("cudagraph_skip_dynamic_graphs");
    ptrdiff_t at = str_find(line, name);
    struct str before = str_take(line, at < 0 ? 0 : (size_t)at), value;

    if (at < 0 || str_has(before, STR(" set ")) || str_has(line, STR("?")) || str_starts(str_trim(line), STR("#")))
        return false;
    value = str_skip(line, (size_t)at + name.n);
    value = str_skip_any(value, "\"' :=");
    return str_starts(value, STR("True"));
}

/* A line of the program or of its call; PyTorch's own messages advise the same within a sentence. */
static bool sets_scalars(struct str line)
{
    static const struct str begins[] = {STR_INIT("torch._dynamo.config.capture_scalar_outputs"),
                                        STR_INIT("TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1"),
                                        STR_INIT("$ TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1"),
                                        STR_INIT("export TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1")};

    return STR_STARTS_ANY(str_trim(line), begins) && !str_has(line, STR("False"));
}

/* A line of the program, or of its call, that sets a mode which records CUDA graphs; sentences only speak of it. */
static bool sets_graphs(struct str line)
{
    static const char modes[] = "mode=\"reduce-overhead\nmode='reduce-overhead\nmode = \"reduce-overhead\n"
                                "mode=reduce-overhead\nmode=\"max-autotune\"\nmode='max-autotune'\n"
                                "mode = \"max-autotune\"\nmode=max-autotune\ncudagraphs = True\ncudagraphs=True\n"
                                "cudagraphs\": True";
    static const char calls[] = "compile(\n.compile\nexport \npython \n--\ncudagraphs = True\n\": True";
    static const char denied[] = "?\nwithout\n try \nTry \n could \n can \nyou \n instead\nno-cudagraphs";

    return !str_starts(str_trim(line), STR("#")) && str_has_any_line(line, str_of(modes)) &&
           str_has_any_line(line, str_of(calls)) && !str_has_any_line(line, str_of(denied));
}

/* --- times of backends -------------------------------------------------------------------------------------------- */

enum { COLUMNS_MAX = 12, DIGITS_MAX = 24 };

/* In seconds: "24m 10s", "0.81 ms", "12.5"; -1 for anything else. */
static double read_time(struct str s)
{
    static const struct {
        struct str unit;
        double seconds;
    } units[] = {{STR_INIT("ms"), 1e-3}, {STR_INIT("us"), 1e-6},  {STR_INIT("min"), 60},
                 {STR_INIT("s"), 1},     {STR_INIT("m"), 60},     {STR_INIT("h"), 3600}};
    double sum = 0;

    s = str_trim(s);
    if (s.n == 0)
        return -1;
    while (s.n) {
        double value, unit = 1;
        size_t n = 0;

        while (n < s.n && n < DIGITS_MAX && (str_is_digit(s.p[n]) || (s.p[n] == '.' && n)))
            n++;
        if (n == 0)
            return -1;
        str_number(str_take(s, n), &value);
        s = str_trim(str_skip(s, n));
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (str_consume(&s, units[i].unit)) {
                unit = units[i].seconds;
                break;
            }
        sum += value * unit;
        s = str_trim(s);
    }
    return sum;
}

/* The cells of "| cpu | 24m 10s | 15m 32s |". */
static size_t read_cells(struct str line, struct str cells[COLUMNS_MAX])
{
    size_t n = 0;

    line = str_trim(line);
    if (!str_consume(&line, STR("|")))
        return 0;
    while (line.n && n < COLUMNS_MAX)
        cells[n++] = str_trim(str_split(&line, '|'));
    return n;
}

/* Counts a row in which the column's time is above all others, or is not. */
static void count_row(const struct str *cells, size_t n, size_t column, size_t *above, size_t *below)
{
    double time = column < n ? read_time(cells[column]) : -1;
    bool others = false, most = true;

    for (size_t i = 1; time >= 0 && i < n; i++) {
        double other = i == column ? -1 : read_time(cells[i]);

        others |= other >= 0;
        most &= other < time;
    }
    *above += others && most;
    *below += others && !most;
}

/* "aot_eager: 47.9 s" below "inductor: 12.0 s". */
static void read_listed(struct str line, double *time, double *other)
{
    static const struct str names[] = {STR_INIT("inductor"), STR_INIT("Inductor"), STR_INIT("eager"),
                                       STR_INIT("Eager"),    STR_INIT("compile"),  STR_INIT("Compile")};
    ptrdiff_t colon = str_chr(line, ':');
    struct str name = str_take(line, colon < 0 ? 0 : (size_t)colon);
    double value = colon < 0 ? -1 : read_time(str_skip(line, (size_t)colon + 1));

    if (value < 0)
        return;
    if (str_has(name, STR("aot_eager")))
        *time = *time < 0 ? value : *time;
    else if (STR_HAS_ANY(name, names) && value > *other)
        *other = value;
}

/* A table with a column of `aot_eager`, or a list with its time: it takes longest wherever it is compared. */
static bool aot_eager_takes_longest(struct str text)
{
    size_t column = 0, above = 0, below = 0;
    double time = -1, other = -1;
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str cells[COLUMNS_MAX];
        size_t n = read_cells(line, cells), named = 0;

        for (size_t i = 1; i < n; i++)
            named = str_has(cells[i], STR("aot_eager")) ? i : named;
        if (named)
            column = named;
        else if (n && column)
            count_row(cells, n, column, &above, &below);
        else if (n == 0)
            read_listed(str_trim(line), &time, &other);
    }
    return (above && !below) || (other >= 0 && time > other);
}

/* --- modes -------------------------------------------------------------------------------------------------------- */

/* What the text says of modes that use CUDA graphs, and of others. */
struct modes {
    bool graphs, others; /* one is named in the part that is read */
    bool wrong_graphs, right_graphs, wrong_others, right_others;
};

static void find_modes(struct str part, struct modes *m)
{
    static const char plain[] = "no-cudagraphs\nno_cudagraphs\ndefault\nwithout cuda graphs\nwithout cudagraphs";
    static const char recorded[] = "reduce-overhead\nreduce_overhead\ncuda graphs on\nwith cuda graphs\n"
                                   "with cudagraphs";
    bool others = str_has_any_line(part, str_of(plain));
    bool graphs = str_has_any_line(part, str_of(recorded)) || (!others && str_has(part, STR("max-autotune")));

    if (others || graphs) {
        m->others = others;
        m->graphs = graphs;
    }
}

/* "| reduce-overhead | 9.6 | nan |", "loss is NaN with reduce-overhead"; a row of numbers has none. */
static void read_mode(struct str part, struct modes *m)
{
    static const char right[] = "fine\ncorrect\nright\nworks\nno nan\nno nans\nnormal\nidentical";
    bool no_nan = str_has(part, STR("no nan")), nan = !no_nan && prose_has_word(part, STR("nan\nnans"));
    bool numbers = str_starts(part, STR("|")) || str_chr(part, ':') >= 0;
    bool good = !nan && (prose_has_word(part, str_of(right)) || (numbers && str_has(part, STR("."))));

    find_modes(part, m);
    if (m->graphs == m->others) /* none, or both */
        return;
    m->wrong_graphs |= m->graphs && nan;
    m->wrong_others |= m->others && nan;
    m->right_others |= m->others && good;
    m->right_graphs |= m->graphs && good;
}

/* NaN in all modes that use CUDA graphs, and in no other. */
static bool is_wrong_in_graphs(struct str text)
{
    struct modes m = {0};
    struct str line;

    while (str_next_line(&text, &line)) {
        char room[SENTENCE_MAX];
        struct str rest = str_lower(str_trim(line), room, sizeof room);

        m.graphs = m.others = false;
        if (str_chr(rest, '(') >= 0 && str_has(rest, STR("compile("))) /* the program's own */
            continue;
        if (str_starts(rest, STR("|")))
            read_mode(rest, &m);
        for (struct str part; !str_starts(rest, STR("|")) && rest.n; read_mode(part, &m)) {
            ptrdiff_t end = str_find(rest, STR(", "));

            part = end < 0 ? rest : str_take(rest, (size_t)end);
            rest = str_skip(rest, part.n + (end < 0 ? 0 : 2));
        }
    }
    return m.wrong_graphs && !m.right_graphs && m.right_others && !m.wrong_others;
}

/* --- float8 ------------------------------------------------------------------------------------------------------- */

static bool has_old_gpu(struct str text)
{
    static const char old[] = "RTX 20\nRTX 30\nRTX20\nRTX30\nRTX A\nA100\nA10G\nNVIDIA A10\nA40\nA6000\nV100\n"
                              "Tesla T4\nsm_86\nsm_80\nsm_75\nsm_70";
    static const char newer[] = "RTX 40\nRTX 50\nRTX40\nRTX50\nRTX 6000 Ada\n L4\nL40\nH100\nH200\nH800\nB200\n"
                                "GB200\nsm_89\nsm_90\nsm_100\nsm_120";

    return str_has_any_line(text, str_of(old)) && !str_has_any_line(text, str_of(newer));
}

/* "    tmp1 = tmp0.to(tl.float32)" with a mark below it. */
static bool refuses_conversion(struct str text)
{
    struct str line, before = {0};

    while (str_next_line(&text, &line)) {
        struct str mark = str_trim(line);

        if (str_eq(mark, STR("^")) && str_has(before, STR(" = tmp")) && str_has(before, STR(".to(tl.float")))
            return true;
        before = line;
    }
    return false;
}

/* e4m3 needs compute capability 8.9; e5m2 does not. The message's last line says so, where it was not left out. */
static bool is_too_old_for_float8(struct str text)
{
    return str_has_any_line(text, STR("e4m3\nfp8e4nv")) && has_old_gpu(text) && refuses_conversion(text);
}

void tried_find(struct str text, struct stated *out)
{
    struct str rest = text, line;

    while (str_next_line(&rest, &line)) {
        if (sets_skipping(line))
            stated_add(out, STATED_SKIPS_DYNAMIC_GRAPHS);
        if (sets_graphs(line))
            stated_add(out, STATED_GRAPHS_SET);
        if (sets_scalars(line))
            stated_add(out, STATED_SCALARS);
        while (line.n)
            read_sentence(next_sentence(&line), out);
    }
    if (aot_eager_takes_longest(text))
        stated_add(out, STATED_AOT_EAGER_SLOWEST);
    if (is_wrong_in_graphs(text))
        stated_add(out, STATED_WRONG_IN_GRAPHS);
    if (is_too_old_for_float8(text))
        stated_add(out, STATED_TOO_OLD_FOR_FLOAT8);
}
