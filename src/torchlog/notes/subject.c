#include "torchlog/notes/subject.h"

#include <inttypes.h>

#include "model/code_file.h"
#include "torchlog/crash/measured.h"
#include "util/utf8.h"

enum { LOOKED_AT = 400, SHOWN_MAX = 120 };

/* --- subjects ----------------------------------------------------------------------------------------------------- */

static const struct {
    struct str words; /* for the message */
    enum complaint of;
    const char *any;  /* in small letters, separated by '\n'; one that begins with a blank is a whole word */
} subjects[] = {
    {STR_INIT(", in a text on memory"), COMPLAINT_MEMORY,
     "memory\n oom\n vram\n rss\nmemory_allocated\n gb\n gib\n mib"},
    {STR_INIT(", in a text on the time of the first calls"),
     COMPLAINT_COMPILING,
     "compile time\ncompilation time\ncompiling takes\ncompilation takes\ntime to compile\nfirst call\nfirst run\n"
     "first iteration\nfirst step\nwarm-up\nwarmup\nwarm up\ncold start\nstart-up\nstartup\nstart up"},
    {STR_INIT(", in a text on speed"), COMPLAINT_SLOW,
     "slow\nfaster\nspeedup\nspeed-up\nspeed up\nlatency\nthroughput\noverhead\ntokens/s\n it/s\nregression\n ms\n us"},
    {STR_INIT(", in a text on results"), COMPLAINT_WRONG,
     "wrong\nincorrect\ndiffer\nmismatch\n nan\n inf\naccuracy\nprecision\nnumerical\nnot match\nn't match"},
    {STR_INIT(", in a text on a crash"), COMPLAINT_NONE,
     "crash\nsegfault\nhangs\n hang \nstuck\ndies\nkilled\ncore dump"},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* " inf" is no part of "inference", and stands in "(inf)", too. */
static bool has_whole(struct str lower, struct str word)
{
    for (ptrdiff_t at; (at = str_find(lower, word)) >= 0; lower = str_skip(lower, (size_t)at + word.n)) {
        struct str behind = str_skip(lower, (size_t)at + word.n);

        if ((at == 0 || !str_is_word_char(lower.p[at - 1])) && (!behind.n || !str_is_word_char(behind.p[0])))
            return true;
    }
    return false;
}

static bool has_word_of(struct str lower, size_t subject)
{
    struct str any = str_of(subjects[subject].any), word;

    while (str_next_line(&any, &word))
        if (str_starts(word, STR(" ")) ? has_whole(lower, str_trim(word)) : str_has(lower, word))
            return true;
    return false;
}

/* By the number of lines with a word of each. */
static size_t subject_of(struct str text)
{
    size_t lines[SUBJECTS] = {0}, best = SUBJECTS;
    char room[LOOKED_AT];
    bool single = false;
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str lower = str_lower(str_take(line, LOOKED_AT), room, sizeof room);

        for (size_t i = 0; i < SUBJECTS && !str_has(lower, STR("no longer")); i++)
            lines[i] += has_word_of(lower, i);
    }
    for (size_t i = 0; i < SUBJECTS; i++)
        if (lines[i] && (best == SUBJECTS || lines[i] > lines[best])) {
            best = i;
            single = true;
        } else if (best < SUBJECTS && lines[i] == lines[best]) {
            single = false;
        }
    return single ? best : SUBJECTS;
}

struct subject subject_find(struct str text)
{
    size_t subject = subject_of(text);
    char room[LOOKED_AT];
    struct str line;

    while (subject < SUBJECTS && str_next_line(&text, &line)) {
        line = str_trim(str_take(line, LOOKED_AT));
        while (line.n) {
            struct str sentence = str_next_sentence(&line), lower = str_lower(sentence, room, sizeof room);

            if (has_word_of(lower, subject))
                return (struct subject){
                    .words = subjects[subject].words,
                    .of = subjects[subject].of,
                    .line = str_trim(sentence),
                };
        }
    }
    return (struct subject){.line = {0}};
}

/* --- one line or sentence ----------------------------------------------------------------------------------------- */

static struct series_found found_at(struct arena *a, const char *lead, struct str line, struct str sentence)
{
    return (struct series_found){
        .message = arena_printf(a, "%s: %.*s", lead,
                                STR_ARG(utf8_shorten(a, str_trim(sentence), SHOWN_MAX))),
        .line = line,
    };
}

/* The first sentence with a word of each list; `denied` must not occur in it. */
static struct series_found find_sentence(struct arena *a, struct str text, const char *first, const char *second,
                                         const char *denied)
{
    char room[LOOKED_AT];
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str rest = str_trim(str_take(line, LOOKED_AT));

        while (rest.n) {
            struct str sentence = str_next_sentence(&rest), lower = str_lower(sentence, room, sizeof room);

            if (str_has_any_line(lower, str_of(first)) && str_has_any_line(lower, str_of(second)) &&
                !str_has_any_line(lower, str_of(denied)))
                return found_at(a, "", line, sentence);
        }
    }
    return (struct series_found){.line = {0}};
}

/* The first number of a line that one of the units follows, in the first of them; 0 if there is none. */
static double amount_in(struct str line, const char *small, const char *large)
{
    for (size_t i = 0; i < line.n; i++) {
        struct str rest = str_skip(line, i);
        double n;
        size_t digits;

        if (!str_is_digit(line.p[i]) || (i && (str_is_word_char(line.p[i - 1]) || line.p[i - 1] == '.')))
            continue;
        digits = str_number(rest, &n);
        rest = str_trim(str_skip(rest, digits));
        if (str_starts(rest, str_of(small)))
            return n;
        if (str_starts(rest, str_of(large)))
            return n * 1000;
        i += digits - 1;
    }
    return 0;
}

/* --- things of which the cause is known --------------------------------------------------------------------------- */

/* A share of the CPU's time in the row of a profile: "TorchDynamo Cache Lookup  0.11%  8.211ms"; -1 if it has none. */
static double share_in(struct str line)
{
    ptrdiff_t percent = str_chr(line, '%');
    size_t begin = percent < 0 ? 0 : (size_t)percent;
    double share;

    while (begin > 0 && (str_is_digit(line.p[begin - 1]) || line.p[begin - 1] == '.'))
        begin--;
    if (percent < 0 || begin == (size_t)percent)
        return -1;
    return str_number(str_skip(line, begin), &share) ? share : -1;
}

struct series_found subject_lookups(struct arena *a, struct str text)
{
    static const double much = 10; /* percent */
    static const char names[] = "TorchDynamo Cache Lookup\nPregraph\npregraph\nCache lookup";
    struct str line, first = {0}, rest = text;
    bool timed = false;

    if (!str_has_any_line(text, STR("Cache Lookup\nCache lookup\ncache lookup")))
        return (struct series_found){.line = {0}};
    while (str_next_line(&rest, &line)) {
        timed |= measured_in(line, false) == MEASURED_TIME;
        if (!str_has_any_line(line, str_of(names)))
            continue;
        if (share_in(line) >= much)
            return found_at(a, "", line, line);
        if (share_in(line) < 0 && !first.n)
            first = line;
    }
    if (!first.n || !timed || str_has(text, STR("Self CPU")))
        return (struct series_found){.line = {0}};
    return found_at(a, "", first, first);
}

struct series_found subject_masks(struct arena *a, struct str text)
{
    static const char name[] = "create_block_mask";
    bool compiled = str_has_any_line(text, STR("_compile=True\n_compile = True\ncompile(create_block_mask"));
    struct str line, rest = text, slow = {0};
    double longest = 0, other = 0;

    while (str_next_line(&rest, &line)) {
        double ms = amount_in(str_take(line, LOOKED_AT), "ms", "s");
        bool of_mask = str_has(line, str_of(name));

        if (of_mask && ms > longest) {
            longest = ms;
            slow = line;
        } else if (!of_mask && ms > other) {
            other = ms;
        }
    }
    if (longest <= 0 || other <= 0 || longest < other)
        return (struct series_found){.line = {0}};
    return found_at(a, compiled ? ", which is compiled" : "", slow, slow);
}

struct series_found subject_random(struct arena *a, struct str text)
{
    if (!str_has_any_line(text, STR("manual_seed\ntorch.rand\ntorch.randn\nrand_like\nropout\nbernoulli")))
        return (struct series_found){.line = {0}};
    return find_sentence(a, text, "seed",
                         "no effect\ndiffer\nignor\nnot reproduc\nn't reproduc\nnot match\nn't match\nother numbers\n"
                         "not the same\nnot have an effect",
                         "different seed\nno different");
}

struct series_found subject_overflow(struct arena *a, struct str text)
{
    if (!str_has_any_line(text, STR("float16\n.half()\nfp16")) ||
        !str_has_any_line(text, STR("nductor\ntorch.compile")))
        return (struct series_found){.line = {0}};
    return find_sentence(a, text, "overflow\n inf ", "compil\ninductor", "stack overflow\nint overflow\ninteger");
}

/* "8.8162e-39" is subnormal in float32, and "1e-310" in float64. */
static bool has_subnormal(struct str line)
{
    for (ptrdiff_t at; (at = str_find(line, STR("e-"))) >= 0;) {
        bool number = at > 0 && (str_is_digit(line.p[at - 1]) || line.p[at - 1] == '.');
        uint64_t n;

        line = str_skip(line, (size_t)at + 2);
        if (number && str_take_u64(&line, &n) && !(line.n && str_is_word_char(line.p[0])) &&
            ((n >= 39 && n <= 45) || (n >= 309 && n <= 324)))
            return true;
    }
    return false;
}

struct series_found subject_subnormal(struct arena *a, struct str text)
{
    static const char zeros[] = "(0.)\n(-0.)\n(0., \n[0., \n 0., \n: 0.\n 0.0\n to 0\n zero\nflush";
    struct str line;

    if (!str_has_any_line(text, str_of(zeros)))
        return (struct series_found){.line = {0}};
    while (str_next_line(&text, &line))
        if (has_subnormal(str_take(line, LOOKED_AT)))
            return found_at(a, "", line, line);
    return (struct series_found){.line = {0}};
}

/* The number behind "'calls_captured': ", as Python prints a Counter; 0 if there is none. */
static uint64_t counter_of(struct str text, struct str name)
{
    ptrdiff_t at = str_find(text, name);
    uint64_t n = 0;

    text = str_trim(str_skip(text, at < 0 ? text.n : (size_t)at + name.n));
    return str_take_u64(&text, &n) ? n : 0;
}

struct series_found subject_traced(struct arena *a, struct str text)
{
    static const struct str name = STR_INIT("'calls_captured':");
    static const uint64_t many = 2000; /* of a large model, a graph has some hundred */
    uint64_t calls = counter_of(text, name), graphs = counter_of(text, STR("'unique_graphs':"));
    struct str line;

    while (graphs && calls / graphs >= many && str_next_line(&text, &line))
        if (str_has(line, name))
            return (struct series_found){
                .message = arena_printf(a, ": %" PRIu64 " calls in %" PRIu64 " graph%s", calls, graphs,
                                        graphs == 1 ? "" : "s"),
                .line = line,
            };
    return (struct series_found){.line = {0}};
}

/* "tills" of "/v/site-packages/tills/patch.py", line 3, in __repr__": a library that is not PyTorch. */
static struct str package_of_repr(struct str line)
{
    static const struct str dir = STR_INIT("/site-packages/");
    ptrdiff_t at = str_find(line, dir);
    struct str package = str_skip(line, at < 0 ? line.n : (size_t)at + dir.n);

    if (!str_ends(str_trim(line), STR(", in __repr__")))
        return (struct str){0};
    package = str_split(&package, '/');
    return str_eq(package, STR("torch")) ? (struct str){0} : package;
}

struct series_found subject_refused(struct arena *a, struct str text)
{
    static const struct str name = STR_INIT("[__graph_breaks] WON'T CONVERT ");
    struct series_found out = {.line = {0}};
    struct str line, package = {0};

    if (!str_has(text, name) || str_has(text, STR("Adding a graph break")) || str_has(text, STR("Graph break")))
        return out;
    while (str_next_line(&text, &line)) {
        if (out.line.n == 0 && str_has(line, name))
            out.line = line;
        if (out.line.n && package.n == 0)
            package = package_of_repr(line);
    }
    out.message = package.n ? arena_printf(a, ", below `__repr__` of `%.*s`", STR_ARG(package))
                            : STR(", and the text has no graph break");
    return out;
}

/* "compile: True, autocast: True   0.654 GB" */
static bool has_both_on(struct str lower)
{
    return str_has(lower, STR("compil")) && str_has(lower, STR("autocast")) &&
           !str_has_any_line(lower, STR("false\n off\nno compil\nno autocast\nwithout\n=0"));
}

struct series_found subject_autocast(struct arena *a, struct str text)
{
    static const double more = 1.5;
    char room[LOOKED_AT];
    double both = 0, other = 0;
    size_t rows = 0;
    struct str line, found = {0};

    while (str_next_line(&text, &line)) {
        struct str lower = str_lower(str_take(line, LOOKED_AT), room, sizeof room);
        double mb = amount_in(lower, "mb", "gb");

        mb = mb > 0 ? mb : amount_in(lower, "mib", "gib");
        if (mb <= 0 || !str_has_any_line(lower, STR("autocast\ncompil\neager")))
            continue;
        rows++;
        if (has_both_on(lower)) {
            both = mb > both ? mb : both;
            found = found.n ? found : line;
        } else if (mb > other) {
            other = mb;
        }
    }
    if (rows < 3 || other <= 0 || both < more * other)
        return (struct series_found){.line = {0}};
    return found_at(a, "", found, found);
}

/* What stands before the last number of a line ("memory: 6144000000"), and that number; false if none ends it. */
static bool last_number(struct str line, struct str *name, double *number)
{
    size_t begin = line.n;

    line = str_trim(str_take(line, LOOKED_AT));
    begin = line.n;
    while (begin > 0 && (str_is_digit(line.p[begin - 1]) || line.p[begin - 1] == '.'))
        begin--;
    *name = str_trim(str_take(line, begin));
    return begin < line.n && name->n && str_number(str_skip(line, begin), number) > 0;
}

/* Numbers of one name in a row, the last of which is above the first, or all of which are equal. */
struct run_of_numbers {
    struct str name;
    double first, last;
    size_t n;
    bool equal;
};

static void add_number(struct run_of_numbers *run, struct str name, double number)
{
    if (!str_eq(run->name, name))
        *run = (struct run_of_numbers){.name = name, .first = number, .equal = true};
    run->equal &= number == run->first;
    run->last = number;
    run->n++;
}

/* "Now the same with gc.collect()" above numbers that stay, where those of the same name rise without it. */
static struct series_found collected_numbers(struct arena *a, struct str text)
{
    enum { NUMBERS_MIN = 3 };
    struct run_of_numbers run = {.n = 0};
    struct str line, name, head = {0}, rising = {0};
    double number;

    while (str_next_line(&text, &line)) {
        if (str_has(line, STR("gc.collect")) && str_chr(str_trim(line), ' ') > 0 &&
            !str_starts(str_trim(line), STR("#"))) {
            head = line;
            run = (struct run_of_numbers){.n = 0};
            continue;
        }
        if (!last_number(line, &name, &number))
            continue;
        add_number(&run, name, number);
        if (run.n < NUMBERS_MIN)
            continue;
        if (!head.n && run.last > run.first)
            rising = name;
        if (head.n && run.equal && str_eq(name, rising))
            return found_at(a, "", head, head);
    }
    return (struct series_found){.line = {0}};
}

struct series_found subject_cycle(struct arena *a, struct str text)
{
    struct series_found found = find_sentence(
        a, text, "gc.collect",
        "constant\nis flat\nstays flat\nfrees\nis freed\nare freed\nreleases\nis released\nare released\n"
        "goes back\ngoes down\nback down\ndrops\nrestores\nfixes\nhelps\nis gone\ngoes away\nsolves\nno growth\n"
        "no longer grow\nno leak\nreclaims\nis reclaimed",
        "n't\n not \nnothing\nno effect\nno difference\neven \nstill\n?\nshould\nmaybe\nwould\nmight\nneither\n nor ");

    return found.line.n ? found : collected_numbers(a, text);
}

struct series_found subject_frozen(struct arena *a, struct str text)
{
    static const char uncompiled[] = "ithout torch.compile\nithout `torch.compile\nithout compil\nuncompiled\neager\n"
                                     "not compiled\nwhen i compile\nwhen compiled\nonce compiled\nonce i compile\n"
                                     "inside the compiled\nin the compiled\nin compiled";

    if (!prose_has_line(text, uncompiled))
        return (struct series_found){.line = {0}};
    return find_sentence(a, text,
                         "always 0\nis always 1\nalways the same\nalways the first\nalways false\nalways true\n"
                         "always none\nstays 0\nstays at \nstays the same\nstays constant\nstays false\nstays true\n"
                         "remains 0\nremains constant\nremains the same\nnever changes\nnever leaves\nnever updated\n"
                         "never updates\nnot updated\nnever increases\ndoes not change\ndoesn't change\n"
                         "does not update\ndoesn't update\nkeeps its first value\nkeeps the first value\n"
                         "keeps the value of the first\nkeeps its initial\nkeeps the initial\nis frozen at\n"
                         "stuck at 0\nstuck at 1\nstuck at its",
                         "epoch\ncounter\nglobal_step\nglobal step\nstep count\nstep number\n_step`\nschedule\nanneal\n"
                         "temperature\nself.\nattribute\nproperty\n flag",
                         "memory\nspeed\nseconds\n ms\nloss is\nloss stays\nloss does\nloss remains\n"
                         "the loss \naccuracy\nthroughput\nlatency\nno longer\n gpu\n"
                         "gradient\nparameters\nvram\nit/s\n?");
}

struct series_found subject_mode(struct arena *a, struct str text)
{
    if (!str_has_any_line(text, STR("FlopCounterMode\nTorchDispatchMode\nDispatchMode(")))
        return (struct series_found){.line = {0}};
    return find_sentence(a, text,
                         "as slow as\nnot compiled\nnot compile\nn't compile\nno speedup\nno speed-up\nnever compile\n"
                         "same speed\nnot faster\nno faster\nruns eager\nnothing is compiled\nstays eager",
                         "compil\neager\nflop\nmode", "?\nif \nerror\nfail");
}

struct series_found subject_skipped(struct arena *a, struct str text)
{
    static const struct str reason = STR_INIT(" (reason: non-infra torch dispatch mode present");
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str name, file;

        if (!str_has(line, reason) || !str_between(line, STR("skipping: "), STR(" (reason: "), &name))
            continue;
        if (!str_between(line, STR(", file: "), STR(")"), &file))
            return (struct series_found){arena_printf(a, ": skipping `%.*s`", STR_ARG(name)), line};
        return (struct series_found){
            arena_printf(a, ": skipping `%.*s` (%.*s)", STR_ARG(name), STR_ARG(code_file_name(file))), line};
    }
    return (struct series_found){.line = {0}};
}

/* "3" and "8" of "Recording function 3 of graph recording id 8", and the rank that printed it. */
static bool reads_recording(struct str line, struct str *rank, uint64_t *function, uint64_t *id)
{
    static const struct str lead = STR_INIT("Recording function "), middle = STR_INIT(" of graph recording id ");
    ptrdiff_t at = str_find(line, lead);
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + lead.n);

    if (at < 0 || !str_take_u64(&rest, function) || !str_consume(&rest, middle) || !str_take_u64(&rest, id))
        return false;
    if (!str_between(line, STR("[rank"), STR("]"), rank))
        *rank = (struct str){0};
    return true;
}

/* Twice may be the two calls that a tree needs, or a new size. */
struct series_found subject_recorded(struct arena *a, struct str text)
{
    enum { RECORDINGS = 3 };
    struct str rest = text, line, rank = {0}, other, ids = {0}, first = {0};
    uint64_t function = 0, id, last = 0, one;
    size_t n = 0;

    while (str_next_line(&rest, &line)) {
        if (!reads_recording(line, &other, &one, &id))
            continue;
        if (n == 0) {
            rank = other;
            function = one;
            first = line;
        } else if (one != function || !str_eq(rank, other) || id == last) {
            continue;
        }
        ids = n == 0              ? arena_printf(a, "%llu", (unsigned long long)id)
              : n < RECORDINGS ? arena_printf(a, "%.*s, %llu", STR_ARG(ids), (unsigned long long)id)
                                  : ids;
        last = id;
        n++;
    }
    if (n < RECORDINGS)
        return (struct series_found){.line = {0}};
    return (struct series_found){arena_printf(a, ": function %llu as graphs %.*s%s", (unsigned long long)function,
                                              STR_ARG(ids), n > RECORDINGS ? ", ..." : ""),
                                 first};
}

struct series_found subject_parallel(struct str text)
{
    static const char wrapper[] = "gather along dimension 0\ntorch/nn/parallel/_functions.py\nn.DataParallel\n"
                                  " DataParallel(\n`DataParallel\n=DataParallel(";
    struct str line, rest = text;

    if (!str_has_any_line(text, str_of(wrapper)) ||
        str_has_any_line(text, STR("torchrun\naccelerate launch\nDistributedDataParallel(")))
        return (struct series_found){.line = {0}};
    if (!prose_has_line(text, "not compile\nnot call torch.compile\nn't compile\nnot being compiled\nnever compile\n"
                            "nothing is compiled\nno compilation\nno graph\nline about a graph\nsame speed\n"
                            "same iter\nsame throughput\nsame time\nsame it/s\nsame s/it\n"
                            "no speedup\nno speed-up\nno speed up\nnot faster\nno faster\nno effect\nthe same as with\n"
                            "same as without\nas slow as\nno difference\nnot do anything\nn't do anything\n"
                            "does nothing\nis ignored\nsilently ignore"))
        return (struct series_found){.line = {0}};
    while (str_next_line(&rest, &line))
        if (str_has_any_line(line, str_of(wrapper)))
            return (struct series_found){
                .message = str_has_any_line(text, STR("Trainer(\nTrainingArguments")) ? STR(", by a Trainer") : STR(""),
                .line = line,
            };
    return (struct series_found){.line = {0}};
}

/* --- hooks -------------------------------------------------------------------------------------------------------- */

struct series_found subject_hooks(struct arena *a, struct str text)
{
    static const char forward[] = "register_forward_hook\nregister_forward_pre_hook";
    static const char backward[] = "register_full_backward_hook\nregister_full_backward_pre_hook\n"
                                   "register_backward_hook";
    static const char ranks[] = "FSDP\nfully_shard\nDistributedDataParallel\nDDP\ndeepspeed";
    static const char later[] = "already called\ncalled once\nfirst call\ncalled before\nafter the first\n"
                                "after a first\nafter one call\nafter a call\nafter the warm\nafter warm\non the fly\n"
                                "ran once\nrun once\nalready ran\nsecond call\nevery n steps\nalready compiled";
    bool added_later = prose_has_line(text, later);
    struct series_found found;

    if (str_has_any_line(text, str_of(ranks)) ||
        !(str_has_any_line(text, str_of(forward)) || (added_later && str_has_any_line(text, str_of(backward)))))
        return (struct series_found){.line = {0}};
    found = find_sentence(a, text,
                          "stays empty\nstay empty\nis empty\nare empty\nremains empty\nremain empty\nnot called\n"
                          "n't called\nn't get called\nnot get called\nnever called\nno longer called\nnot run\n"
                          "n't run\nnever run\nnever ran\nnot fire\nn't fire\nnever fire\nnot trigger\nn't trigger\n"
                          "never trigger\nignored\nignores\nno effect\nnot execut\nn't execut\nnever execut\n"
                          "skipped\nnot invoked\nn't invoked\nnever invoked\nnothing happens\nnot seen\nn't seen",
                          "hook", "no hook");
    if (found.line.n && added_later)
        found.message = arena_printf(a, ", added after the first call%.*s", STR_ARG(found.message));
    return found;
}

/* --- gradients of torch.func -------------------------------------------------------------------------------------- */

struct series_found subject_transformed(struct arena *a, struct str text)
{
    static const char transforms[] = "func.grad\ngrad_and_value(\nfunc.vjp\nfunc.jacrev\nfunctorch.grad\n"
                                     "functorch.vjp\nfrom torch.func import";
    static const char ignored[] = "ignored\nignores\nnot used\nn't used\nnever used\nnot called\nn't called\n"
                                  "never called\nnot run\nn't run\nnever runs\ndropped\nbypassed\nskipped\nlost\n"
                                  "wrong gradient\nwrong grad\ndifferent gradient\nother gradient\ngradients differ";
    struct str line, rest = text;

    if (!str_has(text, STR("autograd.Function)")) || !str_has(text, STR("def backward(")) ||
        !str_has_any_line(text, str_of(transforms)) || !prose_has_line(text, ignored))
        return (struct series_found){.line = {0}};
    while (str_next_line(&rest, &line))
        if (str_has(line, STR("autograd.Function)")))
            return (struct series_found){
                .message = arena_printf(a, ": %.*s", STR_ARG(utf8_shorten(a, str_trim(line), 80))),
                .line = line,
            };
    return (struct series_found){.line = {0}};
}
