#include "text/stated/stated_version.h"

#include "text/stated/prose.h"

/* How sure a way of naming the version is. */
enum strength { UNNAMED, BY_WORDING, BY_SHORT_NUMBER, BY_NUMBER, BY_TOOL };

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

/*
 * "2.0" of "Lightning 2.0 / PyTorch 2.0, model = ...": two numbers, after which the sentence goes on. "2.6 or newer" is
 * a condition, and "2.0 introduced torch.compile" is no version that somebody has.
 */
static struct str short_version_at(struct str s)
{
    static const struct str ends[] = {STR_INIT(","), STR_INIT(";"), STR_INIT(")"), STR_INIT("."),    STR_INIT(" /"),
                                      STR_INIT(" |"), STR_INIT(" on "), STR_INIT(" with "), STR_INIT(" and CUDA")};
    struct str rest = s;
    uint64_t number;

    if (!str_consume(&rest, STR("2.")) || !str_take_u64(&rest, &number) || number > 99)
        return (struct str){0};
    if (str_starts(rest, STR(".")) && rest.n > 1 && rest.p[1] != ' ')
        return (struct str){0};
    return rest.n == 0 || STR_STARTS_ANY(rest, ends) ? str_take(s, s.n - rest.n) : (struct str){0};
}

/* "needs PyTorch 2.6.", "since PyTorch 2.6," */
static bool is_condition(struct str before)
{
    static const struct str words[] = {STR_INIT("need"),  STR_INIT("require"), STR_INIT("since "), STR_INIT("from "),
                                       STR_INIT("until"), STR_INIT("before "), STR_INIT("after "), STR_INIT("than "),
                                       STR_INIT("to "),   STR_INIT("for "),    STR_INIT("in "),    STR_INIT("Since "),
                                       STR_INIT("From "), STR_INIT("upgrad"),  STR_INIT("support")};

    return STR_HAS_ANY(before, words);
}

/*
 * Messages of PyTorch say in which version something changed or ends: "deprecated as of PyTorch 2.1", "In PyTorch 2.6,
 * we changed the default value", "From PyTorch 2.0.0 onwards", "In PyTorch 1.1.0 and later, you should". It may run
 * under any other.
 */
static bool is_history(struct str before, struct str behind)
{
    static const struct str leads[] = {STR_INIT("s of "),          STR_INIT("removed in "),
                                       STR_INIT("removed after "), STR_INIT("eprecated since "),
                                       STR_INIT("eprecated in "),  STR_INIT("tarting in ")},
                            sequels[] = {STR_INIT(", we changed"), STR_INIT(" onwards"), STR_INIT(" release notes")};

    return STR_ENDS_ANY(before, leads) || STR_STARTS_ANY(behind, sequels) ||
           (str_ends(before, STR("In ")) && str_starts(behind, STR(" and later")));
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

/*
 * "('2.0.0+cu117', '2.3.0')" below ">>> torch.__version__, tills.__version__": the versions stand in the order of the
 * names.
 */
static struct str version_in_tuple(struct str asked, struct str line)
{
    ptrdiff_t at = str_find(asked, STR("torch.__version__"));
    struct str before = str_take(asked, at < 0 ? 0 : (size_t)at);

    if (at < 0 || (at > 0 && before.p[at - 1] != ' ' && before.p[at - 1] != '(') || !str_consume(&line, STR("(")))
        return (struct str){0};
    for (; str_chr(before, ',') >= 0; str_split(&before, ','))
        str_split(&line, ',');
    return version_at(str_skip_any(line, " '\""));
}

/* " version", " Version", "_VERSION" and "-version" behind the name. */
static bool consume_version(struct str *s)
{
    static const struct str words[] = {STR_INIT("version"), STR_INIT("Version"), STR_INIT("VERSION")};
    struct str rest = str_skip(*s, 1);

    if (s->n == 0 || !memchr(" _-", s->p[0], 3))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_consume(&rest, words[i])) {
            *s = rest;
            return true;
        }
    return false;
}

/* What stands between the name and the number: "==", ": ", " version: ", ".__version__=", "` = ", blanks of a list. */
static struct str behind_name(struct str s, bool *by_tool)
{
    enum { SEPARATORS_MAX = 40 };
    size_t n = 0;

    *by_tool = consume_version(&s);
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

/* "2.3.1" of "-2.3.1+cu121-cp312-cp312-linux_x86_64.whl", behind the "torch" of a wheel's name, also in an address. */
static struct str version_of_wheel(struct str behind)
{
    struct str version, rest;
    size_t n = 0;

    if (!str_consume(&behind, STR("-")))
        return (struct str){0};
    version = version_at(behind);
    rest = str_skip(behind, version.n);
    while (n < rest.n && (str_is_word_char(rest.p[n]) || strchr("+%.", rest.p[n])))
        n++;
    rest = str_skip(rest, n);
    return version.n && str_starts(rest, STR("-cp")) ? version : (struct str){0};
}

/* Where the next "torch" or "TORCH" begins, but for its first letter. */
static ptrdiff_t find_torch(struct str s)
{
    ptrdiff_t lower = str_find(s, STR("orch")), upper = str_find(s, STR("ORCH"));

    return lower < 0 || (upper >= 0 && upper < lower) ? upper : lower;
}

/* What the version, a part of the sentence, is followed by in it. */
static struct str behind_version(struct str sentence, struct str version)
{
    return str_range(version.p + version.n, sentence.p + sentence.n);
}

/* "torch" or "PyTorch" with a number behind it, anywhere in the line, which is a part of the sentence. */
static void find_named(struct str line, struct str sentence, struct version_named *out)
{
    size_t from = 0;

    for (ptrdiff_t at; (at = find_torch(str_skip(line, from))) >= 0; from += (size_t)at + 4) {
        size_t begin = from + (size_t)at;
        struct str before = str_take(line, begin), version;
        bool by_tool;

        if (!str_ends(before, STR("t")) && !str_ends(before, STR("T")))
            continue;
        before = str_drop(before, 1);
        version = version_of_wheel(str_skip(line, begin + 4));
        if (version.n && !str_ends(before, STR("_")) && !str_ends(before, STR("-"))) {
            add(out, BY_NUMBER, version);
            continue;
        }
        if (str_ends(before, STR("py")) || str_ends(before, STR("Py")) || str_ends(before, STR("PY")))
            before = str_drop(before, 2);
        if (ends_word(before) && !str_ends(before, STR("pytorch/"))) /* the image pytorch/pytorch:2.6.0-cuda12.4 */
            continue;
        version = version_at(behind_name(str_skip(line, begin + 4), &by_tool));
        if (version.n && is_history(before, behind_version(sentence, version)))
            continue;
        if (version.n)
            add(out, by_tool ? BY_TOOL : BY_NUMBER, version);
        else if (!by_tool && !is_condition(before) && (version = short_version_at(str_skip(line, begin + 5))).n &&
                 !is_history(before, behind_version(sentence, version)))
            add(out, BY_SHORT_NUMBER, version);
    }
}

/* "+cu128", "+rocm6.2", ".dev20231006+cu121": the word ends there, unlike "+cu12torch2.6cxx11abi" of an extension. */
static bool is_build_of_pytorch(struct str s)
{
    static const struct str builds[] = {STR_INIT("+cu"), STR_INIT("+rocm"), STR_INIT("+cpu"), STR_INIT("+xpu")};

    if (str_consume(&s, STR(".dev")))
        while (s.n && str_is_digit(s.p[0]))
            s = str_skip(s, 1);
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++)
        if (str_consume(&s, builds[i])) {
            while (s.n > 1 && (str_is_digit(s.p[0]) || (s.p[0] == '.' && str_is_digit(s.p[1]))))
                s = str_skip(s, 1);
            return s.n == 0 || str_is_digit(s.p[0]) || !str_is_word_char(s.p[0]);
        }
    return false;
}

/* "2.2.0.dev20231006+cu121, H100": no name stands before it, and such builds are PyTorch's. */
static void find_bare(struct str part, struct version_named *out)
{
    static const struct str before[] = {STR_INIT(" ("), STR_INIT(" to "), STR_INIT(" on "), STR_INIT(" with ")};

    for (ptrdiff_t at, from = 0; (at = str_find(str_skip(part, (size_t)from), STR("2."))) >= 0; from += at + 2) {
        size_t begin = (size_t)(from + at), end = begin;
        struct str version = version_at(str_skip(part, begin));
        bool alone = str_trim(str_take(part, begin)).n == 0;

        for (size_t i = 0; !alone && i < sizeof before / sizeof *before; i++)
            alone = str_ends(str_take(part, begin), before[i]);
        end += version.n;
        if (version.n && alone && is_build_of_pytorch(str_skip(part, end)))
            add(out, BY_NUMBER, version);
    }
}

/* Takes what stands up to the next `before`, and the version behind it, which may be empty; false at the end. */
static bool next_behind(struct str *rest, struct str before, struct str *version)
{
    ptrdiff_t at = str_find(*rest, before);

    if (at < 0)
        return false;
    *rest = str_skip(*rest, (size_t)at + before.n);
    *version = version_at(*rest);
    return true;
}

/* "torch.compile worked with 2.5, with 2.9.1 it dies." */
static void find_failing(struct str sentence, struct version_named *out)
{
    static const struct str verbs[] = {STR_INIT(" it dies"), STR_INIT(" it fails"), STR_INIT(" it crash"),
                                       STR_INIT(" it hangs"), STR_INIT(" it raises"), STR_INIT(" it breaks")},
                            before[] = {STR_INIT(" with "), STR_INIT(" on "), STR_INIT(" in "), STR_INIT(" under ")};

    if (!str_has_any_line(sentence, STR("torch.compile\nnductor\nynamo")))
        return;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct str rest = sentence, version;

        while (next_behind(&rest, before[i], &version))
            if (version.n && STR_STARTS_ANY(str_skip(rest, version.n), verbs))
                add(out, BY_NUMBER, version);
    }
}

/* "With torch 2.2.0 it returns, with 2.2.1 and 2.2.2 it hangs.": numbers that follow in the same sentence. */
static void find_siblings(struct str sentence, struct version_named *named)
{
    static const struct str before[] = {STR_INIT(" with "), STR_INIT(" and "), STR_INIT(" in "), STR_INIT(" on "),
                                        STR_INIT(" or ")};

    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct str rest = sentence, version;

        while (next_behind(&rest, before[i], &version))
            if (version.n)
                add(named, BY_NUMBER, version);
    }
}

/* In prose, a version with which all is well is not the one that fails. */
static void find_in_prose(struct str line, struct version_named *named)
{
    while (line.n) {
        struct str sentence = str_next_sentence(&line), rest = sentence;
        struct version_named found = {0}, bare = {0};

        while (rest.n) {
            struct str part = prose_next_part(&rest);

            if (prose_says_cured(part))
                continue;
            find_named(part, sentence, &found);
            find_bare(part, &bare);
        }
        find_failing(sentence, &bare);
        for (rest = sentence; found.version.n && rest.n;) {
            struct str part = prose_next_part(&rest);

            if (!prose_says_cured(part)) /* with the blank before its first word */
                find_siblings(str_range(part.p - (part.p > sentence.p), part.p + part.n), &found);
        }
        if (found.version.n)
            add(named, found.strength, found.version);
        named->several |= found.several && found.strength == named->strength;
        if (bare.version.n && !found.version.n) {
            add(named, BY_NUMBER, bare.version);
            named->several |= bare.several && named->strength == BY_NUMBER;
        }
    }
}

struct str version_stated(struct str text)
{
    struct version_named named = {0};
    struct str line, above = {0};

    for (size_t i = 0; i < sizeof wordings / sizeof *wordings; i++)
        if (str_has(text, str_of(wordings[i].words)))
            add(&named, BY_WORDING, str_of(wordings[i].version));
    while (str_next_line(&text, &line)) {
        struct str alone = version_alone(str_trim(line));

        if (alone.n == 0)
            alone = version_in_tuple(above, str_trim(line));
        if (alone.n)
            add(&named, BY_NUMBER, alone);
        above = line;
        find_in_prose(line, &named);
    }
    return named.several ? (struct str){0} : named.version;
}

/*
 * "[2023-03-04 03:09:32,084] [8/0] torch._dynamo.utils: [ERROR] ...": lines of this form were written up to 2.2, which
 * came out in January 2024. The newest version that the date allows: 2.1 came out in October 2023, and its lines have
 * the number of the compile, which those of 2.0 lack.
 */
static struct str newest_of_line(struct str line)
{
    static const struct str levels[] = {STR_INIT(": [WARNING] "), STR_INIT(": [ERROR] "), STR_INIT(": [INFO] "),
                                        STR_INIT(": [DEBUG] ")};
    ptrdiff_t at = str_find(line, STR("[20"));
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + 3), logger = str_skip(rest, 2);
    uint64_t year, month = 0;

    if (!str_take_u64(&rest, &year) || !str_starts(rest, STR("-")) || !str_has(logger, STR("] torch._")) ||
        !STR_HAS_ANY(logger, levels))
        return (struct str){0};
    rest = str_skip(rest, 1);
    if (year == 23 && str_take_u64(&rest, &month) && month < 10 && !str_has(logger, STR("] [")))
        return STR("2.0");
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

struct str version_newest(struct str text)
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
