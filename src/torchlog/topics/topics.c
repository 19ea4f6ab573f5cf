#include "torchlog/topics/topics.h"

#include "util/utf8.h"

enum { READ_MAX = 64 << 10, SHOWN_MAX = 100, SUBJECT_WEIGHT = 6 };

enum {
    OF_WRONG = 1 << COMPLAINT_WRONG,
    OF_HANG = 1 << COMPLAINT_HANG,
    OF_MEMORY = 1 << COMPLAINT_MEMORY,
    OF_COMPILING = 1 << COMPLAINT_COMPILING,
    OF_SLOW = 1 << COMPLAINT_SLOW,
    OF_NONE = 1 << COMPLAINT_NONE, /* a question, or a complaint that is not recognized */
    OF_ANY = (1 << COMPLAINTS) - 1
};

/* Numbers with this unit. */
#define IN(unit)                                                                                                       \
    "0" unit "\n1" unit "\n2" unit "\n3" unit "\n4" unit "\n5" unit "\n6" unit "\n7" unit "\n8" unit "\n9" unit
/* A text on speed has one of these. */
#define SPEED                                                                                                          \
    "slow\nfast\nspeed\nlatency\noverhead\nthroughput\nperformance\n perf \n/s\ns/it\n ms\n sec \n"               \
    "seconds\n min \nminute\n hour\nlonger\ntakes\ntook\n gain\nno difference\nsame time\nstep time\nutiliz\n"        \
    "improve\n%\n" IN("s ") "\n" IN(" s ") "\n" IN(" us ")
/* Words of a question. */
#define ASKS \
    "how do i\nhow do we\nhow can i\nhow can we\nhow to use\nhow to see\nhow to disable\nhow to get\nhow to make\n" \
    "how to avoid\nhow to save\nhow to compile\nhow to check\nhow to turn\nhow to skip\nis there a way\n" \
    "is there any way\nis there an option\nis there a switch\nis it possible\ncan i \ncan we \ndo i have to\n" \
    "do i need\ndo we need\nshould i \nshould we\nwhat is the\nwhat's the\nwhat are \nwhat does\nwhich one\n" \
    "which of\nwhich is\nwhich order\nwhich level\nwhich mode\nwhich should\nwhen should\ndoes torch.compile\n" \
    "is torch.compile\ndoes it \nwhere do i\ndoes anyone\nhow do people"
#define TOPIC(complaints, all_of, none_of, title, ...) {complaints, all_of, none_of, title, {__VA_ARGS__}},
static const struct topic {
    unsigned of;       /* complaints, as bits */
    const char *needs; /* in small letters, one of each group; groups are separated by '\t', alternatives by '\n' */
    const char *denied; /* none of these, separated by '\n' */
    const char *lead;
    const char *steps[4];
} topics[] = {
#include "torchlog/topics/topics.def"
};
#undef TOPIC
#undef ASKS
#undef SPEED
#undef IN

static bool is_letter(char c)
{
    return str_is_word_char(c) && !str_is_digit(c);
}

/*
 * Where the word begins; -1 if it does not occur. At a blank with which it begins or ends, no letter may stand: " gb"
 * is in "7GB", and no part of "kgb".
 */
static ptrdiff_t find_word(struct str lower, struct str word)
{
    struct str bare = str_trim(word);
    bool begins = str_starts(word, STR(" ")), ends = str_ends(word, STR(" "));
    size_t from = 0;

    for (ptrdiff_t at; bare.n && (at = str_find(str_skip(lower, from), bare)) >= 0; from += (size_t)at + 1) {
        size_t begin = from + (size_t)at, end = begin + bare.n;

        if (!(begins && begin > 0 && is_letter(lower.p[begin - 1])) &&
            !(ends && end < lower.n && is_letter(lower.p[end])))
            return (ptrdiff_t)begin;
    }
    return -1;
}

/* Of the words that occur, where the longest begins, and its length; -1 if none occurs. */
static ptrdiff_t find_longest(struct str lower, struct str words, size_t *length)
{
    ptrdiff_t found = -1;
    struct str word;

    *length = 0;
    while (str_next_line(&words, &word)) {
        ptrdiff_t at = str_trim(word).n > *length ? find_word(lower, word) : -1;

        if (at >= 0) {
            found = at;
            *length = str_trim(word).n;
        }
    }
    return found;
}

/*
 * Where the word of the first group stands; -1 if the text is not about this. The longer the words are that the text
 * has, the more special they are: "create_graph=true" says more than "memory" and "more".
 */
static ptrdiff_t place_of(struct str lower, const struct topic *t, size_t *length)
{
    struct str groups = str_of(t->needs);
    ptrdiff_t first = -1;
    size_t n;

    *length = 0;
    while (groups.n) {
        ptrdiff_t at = find_longest(lower, str_split(&groups, '\t'), &n);

        if (at < 0)
            return -1;
        first = first < 0 ? at : first;
        *length += n;
    }
    return find_longest(lower, str_of(t->denied), &n) < 0 ? first : -1;
}

/* What torch.utils.collect_env prints names machines and packages, whatever the text is about. */
static bool is_of_environment(struct str line)
{
    static const struct str begins[] = {
        STR_INIT("[pip3]"),        STR_INIT("[conda]"),      STR_INIT("rocm used"),       STR_INIT("cuda used"),
        STR_INIT("is debug"),      STR_INIT("is cuda"),      STR_INIT("is xnnpack"),      STR_INIT("hip runtime"),
        STR_INIT("miopen"),        STR_INIT("gpu models"),   STR_INIT("nvidia driver"),   STR_INIT("cudnn version"),
        STR_INIT("model name:"),   STR_INIT("flags:"),       STR_INIT("vulnerability"),   STR_INIT("architecture:"),
        STR_INIT("gcc version"),   STR_INIT("clang version"), STR_INIT("cmake version"),  STR_INIT("libc version"),
        STR_INIT("python platform"), STR_INIT("python version"), STR_INIT("versions of relevant"), STR_INIT("os:"),
        STR_INIT("is xpu"),        STR_INIT("xpu used")};

    return STR_STARTS_ANY(str_trim(line), begins);
}

/* A phrase may go on in the next line. */
static void join_lines(char *text, size_t n)
{
    struct str rest = {text, n}, line;

    while (str_next_line(&rest, &line)) {
        size_t begin = (size_t)(line.p - text);

        if (is_of_environment(line))
            memset(text + begin, ' ', line.n);
        if (begin + line.n < n)
            text[begin + line.n] = ' ';
    }
}

static struct str line_at(struct str text, ptrdiff_t at)
{
    const char *begin = text.p + at;

    while (begin > text.p && begin[-1] != '\n')
        begin--;
    return str_first_line(str_range(begin, text.p + text.n));
}

/* The word of the first group is what the text is about, in its title or a question; or it was tried in vain. */
static size_t weigh(struct str lower, ptrdiff_t at, size_t length, struct str text)
{
    static const char tried[] = " tried \nnothing changes\nno change\nnot help\nn't help\nno difference\n"
                                "does not change\ndoesn't change\ndo not change\nmakes no\n already \nin between\n"
                                "between)";
    struct str line = line_at(text, at), sentence = {0}, low;
    const char *word = text.p + at;

    while (line.n && word >= line.p)
        sentence = str_next_sentence(&line);
    low = str_range(lower.p + (sentence.p - text.p), lower.p + (sentence.p - text.p) + sentence.n);
    if (find_longest(low, str_of(tried), &(size_t){0}) >= 0)
        return length / 2;
    return str_has(low, STR("?")) || str_trim(str_take(text, (size_t)(sentence.p - text.p))).n == 0
               ? length + SUBJECT_WEIGHT
               : length;
}

/* "backend = 'torch_tensorrt'", of a text in which no word is of Inductor. */
static bool compiles_elsewhere(struct str lower)
{
    static const struct str others[] = {STR_INIT("torch_tensorrt"), STR_INIT("tensorrt"), STR_INIT("openvino"),
                                        STR_INIT("openxla"), STR_INIT("onnxrt"), STR_INIT("tvm"), STR_INIT("ipex"),
                                        STR_INIT("hpu_backend")};
    bool named = false;

    if (str_has(lower, STR("inductor")))
        return false;
    for (ptrdiff_t at; (at = str_find(lower, STR("backend"))) >= 0;) {
        struct str rest = str_skip_any(str_skip(lower, (size_t)at + STR("backend").n), "\"' "), name;
        size_t end;

        lower = rest;
        if (rest.n == 0 || !strchr("=:", rest.p[0]))
            continue;
        name = str_skip_any(str_take(rest, 40), "=: ");
        if (name.n == 0 || !strchr("\"'", name.p[0]))
            continue; /* of a variable, whose value stands elsewhere */
        name = str_skip_any(name, "\"'");
        for (end = 0; end < name.n && name.p[end] != '"' && name.p[end] != '\'';)
            end++;
        name = str_take(name, end);
        if (!STR_IS_ANY(name, others))
            return false;
        named = true;
    }
    return named;
}

/* What it advises is Inductor's: its cache, its packages, its kernels. */
static bool is_of_inductor(const struct topic *t)
{
    static const char words[] = "TORCHINDUCTOR_\n_inductor.\nAOTInductor\ncache_artifacts\nmax-autotune\n"
                                "reduce-overhead\nTRITON_";

    if (str_has_any_line(str_of(t->needs), STR("tensorrt\nopenvino\nopenxla\nonnx")))
        return false;
    for (size_t i = 0; i < sizeof t->steps / sizeof *t->steps && t->steps[i]; i++)
        if (str_has_any_line(str_of(t->steps[i]), str_of(words)))
            return true;
    return false;
}

struct series_found topics_find(struct arena *a, struct str text, enum complaint complaint, enum complaint subject)
{
    unsigned of = complaint ? 1U << complaint : OF_NONE | 1U << subject;
    size_t longest = 0, best = 0;
    bool elsewhere;
    ptrdiff_t at = -1;
    struct str lower, line;
    char *room;

    text = str_take(text, READ_MAX);
    room = arena_alloc(a, text.n + 1);
    lower = str_lower(text, room, text.n + 1);
    join_lines(room, lower.n);
    elsewhere = compiles_elsewhere(lower);
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        size_t length = 0;
        ptrdiff_t place = topics[i].of & of ? place_of(lower, &topics[i], &length) : -1;

        length = place < 0 ? 0 : weigh(lower, place, length, text);
        length += subject && topics[i].of & 1U << subject ? SUBJECT_WEIGHT : 0;
        if (place >= 0 && length > longest && !(elsewhere && is_of_inductor(&topics[i]))) {
            longest = length;
            best = i;
            at = place;
        }
    }
    if (at < 0)
        return (struct series_found){.line = {0}};
    line = line_at(text, at);
    return (struct series_found){
        .message =
            arena_printf(a, "%s: %.*s", topics[best].lead, STR_ARG(utf8_shorten(a, str_trim(line), SHOWN_MAX))),
        .line = line,
    };
}
