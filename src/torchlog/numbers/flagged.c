#include "torchlog/numbers/flagged.h"

#include <math.h>

#include "torchlog/crash/measured.h"
#include "torchlog/numbers/table.h"
#include "util/utf8.h"

enum { LINE_MAX = 240, RESULTS = 32, SHOWN_MAX = 120, RIGHT_SHOWN = 2, SECTION_MAX = 60 };

struct result {
    struct str line, label, section;
    double value; /* of the difference; not a number where there is none */
    bool marked, wrong;
};

struct results {
    struct result v[RESULTS];
    size_t n;
};

/* The line marks it as wrong: in capitals anywhere, in small letters at its end. */
static bool is_marked(struct str line)
{
    static const struct str ends[] = {STR_INIT("mismatch"), STR_INIT("wrong"), STR_INIT("bad"), STR_INIT("fail"),
                                      STR_INIT("failed")};

    return str_has_any_line(line, STR("BUG\nFAIL\nWRONG\nMISMATCH\n BAD\n\xe2\x9c\x97\n\xe2\x9c\x98\n\xe2\x9d\x8c\n"
                                      "<--\n<==\n!!!")) ||
           STR_ENDS_ANY(line, ends);
}

/* "max_diff" of "fc3.bias=1.0000  max_diff=7.45e-09": where the difference begins; the end of the line if nowhere. */
static size_t difference_at(struct str lower)
{
    static const struct str words[] = {STR_INIT("max"),      STR_INIT("mean"),  STR_INIT("abs"),  STR_INIT("rel"),
                                       STR_INIT("diff"),     STR_INIT("err"),   STR_INIT("rmse"), STR_INIT("mse"),
                                       STR_INIT("allclose"), STR_INIT("equal"), STR_INIT("match")};
    size_t at = lower.n;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct str rest = lower;

        for (ptrdiff_t found; (found = str_find(rest, words[i])) >= 0; rest = str_skip(rest, (size_t)found + 1)) {
            size_t place = (size_t)(rest.p - lower.p) + (size_t)found;
            struct str behind = str_skip(rest, (size_t)found);
            size_t n = 0;

            while (n < behind.n && strchr(" _", behind.p[n]) == NULL && behind.p[n] != ':' && behind.p[n] != '=')
                n++;
            if ((place == 0 || !str_is_word_char(lower.p[place - 1])) && place < at &&
                !str_has(str_take(behind, n), STR("max-")))
                at = place;
        }
    }
    return at;
}

/* The number behind the first ':', '=', '|' or blank of the difference. */
static double value_in(struct str rest)
{
    double value = NAN;

    for (size_t i = 0; i < rest.n; i++)
        if (strchr(":=| ", rest.p[i]) && table_number(str_trim(str_skip(rest, i + 1)), &value).n)
            return value;
    return NAN;
}

/* What stands before the difference: up to a colon, behind which a program prints other numbers. */
static struct str label_of(struct str line, size_t at)
{
    struct str label = str_take(line, at);
    ptrdiff_t colon = str_find(label, STR(": "));

    label = colon > 0 ? str_take(label, (size_t)colon) : str_trim(label);
    label = str_drop_any(label, ":-=|, ");
    while (label.n && (strchr("|-*[ ", label.p[0]) || (unsigned char)label.p[0] >= 0x80))
        label = str_skip(label, 1);
    return label;
}

/* "max_diff: 1e-8", and "fast: max diff 1e-8  OK", where the program says how it is. */
static bool is_result(struct str line)
{
    static const struct str ends[] = {STR_INIT("ok"), STR_INIT("OK"), STR_INIT("PASS"), STR_INIT("pass"),
                                      STR_INIT("passed")};
    char room[LINE_MAX];
    struct str lower = str_lower(line, room, sizeof room), rest;

    if (measured_in(line, false) == MEASURED_DIFFERENCE)
        return true;
    rest = str_skip(lower, difference_at(lower));
    return (is_marked(line) || STR_ENDS_ANY(line, ends)) && str_has_any_line(rest, STR("diff\nerr")) &&
           !isnan(value_in(rest));
}

static void read_results(struct str text, struct results *r)
{
    struct str line, section = {0};

    while (r->n < RESULTS && str_next_line(&text, &line)) {
        char room[LINE_MAX];
        struct str lower;
        size_t at;

        line = str_trim(str_take(line, LINE_MAX));
        if (!is_result(line)) {
            section = str_ends(line, STR(":")) || str_starts(line, STR("#")) ? line : line.n ? section : section;
            continue;
        }
        lower = str_lower(line, room, sizeof room);
        at = difference_at(lower);
        r->v[r->n++] = (struct result){.line = line,
                                       .label = label_of(line, at),
                                       .section = section,
                                       .value = value_in(str_skip(line, at)),
                                       .marked = is_marked(line)};
    }
}

/* Only a difference that is far above each other one. */
static void mark_largest(struct results *r)
{
    static const double far = 1000, large = 1e-2;
    struct result *most = NULL;
    double second = 0;
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++) {
        struct result *x = &r->v[i];

        if (isnan(x->value))
            continue;
        n++;
        if (!most || x->value > most->value) {
            second = most ? most->value : second;
            most = x;
        } else {
            second = x->value > second ? x->value : second;
        }
    }
    if (n >= 3 && most->value > large && most->value > far * second)
        most->wrong = true;
}

static bool uses_graphs(struct str label)
{
    char room[LINE_MAX];
    struct str s = str_lower(label, room, sizeof room);

    if (str_has_any_line(s, STR("no-cudagraph\nno cudagraph\nno_cudagraph\nwithout cudagraph\nwithout cuda graph\n"
                                "=false\n= false\n=0\n off\n=off")))
        return false;
    return str_has_any_line(s, STR("cudagraph\ncuda graph\nreduce-overhead\nmax-autotune"));
}

/* The word in which two labels differ, where it is the only one: "trees=True" and "trees=False". */
static bool differ_in_word(struct str x, struct str y, struct str *of_x, struct str *of_y)
{
    size_t n = 0;

    while (x.n && y.n) {
        struct str a = str_split(&x, ' '), b = str_split(&y, ' ');

        if (str_eq(a, b))
            continue;
        *of_x = a;
        *of_y = b;
        n++;
    }
    return n == 1 && x.n == 0 && y.n == 0;
}

/* "; right with `trees=False`, `default`": of lines in the same section, or of all where it has none. */
static struct str right_beside(struct arena *a, const struct results *r, const struct result *bad, bool section)
{
    struct str out = {0};
    size_t shown = 0;

    for (size_t i = 0; i < 2 * r->n && shown < RIGHT_SHOWN; i++) {
        const struct result *x = &r->v[i % r->n];
        struct str label = x->label, own, other;
        bool single = differ_in_word(bad->label, label, &own, &other); /* these say most */

        if (single != (i < r->n) || x->wrong || label.n == 0 || str_eq(label, bad->label))
            continue;
        if (section && !str_eq(x->section, bad->section))
            continue;
        label = single && str_has(other, STR("=")) ? other : label; /* "0" of "head 0" says nothing alone */
        if (str_has(out, label))
            continue;
        out = arena_printf(a, "%.*s%s`%.*s`", STR_ARG(out), shown++ ? ", " : "; right with ", STR_ARG(label));
    }
    return out.n || !section ? out : right_beside(a, r, bad, false);
}

/* All wrong ones use CUDA graphs, and no right one of the same section does. */
static bool is_of_graphs(const struct results *r, const struct result *bad)
{
    size_t right = 0;

    for (size_t i = 0; i < r->n; i++) {
        const struct result *x = &r->v[i];

        if (x->wrong ? !uses_graphs(x->label) : str_eq(x->section, bad->section) && uses_graphs(x->label))
            return false;
        right += !x->wrong;
    }
    return right > 0;
}

struct series_found flagged_difference(struct arena *a, struct str text)
{
    struct results r = {.n = 0};
    const struct result *bad = NULL;
    size_t wrong = 0;
    struct str section;

    read_results(text, &r);
    for (size_t i = 0; i < r.n; i++)
        wrong += r.v[i].wrong = r.v[i].marked;
    if (wrong == 0)
        mark_largest(&r);
    for (size_t i = r.n; i-- > 0;)
        if (r.v[i].wrong && (!bad || !(r.v[i].value < bad->value)))
            bad = &r.v[i];
    if (!bad || wrong == r.n)
        return (struct series_found){.line = {0}};
    section = bad->section;
    section = section.n > SECTION_MAX ? (struct str){0} : section;
    section = str_drop_any(section, ":# ");
    return (struct series_found){
        .message = arena_printf(a, "%s: %.*s%.*s%s%.*s%s", is_of_graphs(&r, bad) ? ", only with CUDA graphs" : "",
                                STR_ARG(utf8_shorten(a, bad->line, SHOWN_MAX)), STR_ARG(right_beside(a, &r, bad, true)),
                                section.n ? " (`" : "", STR_ARG(section), section.n ? "`)" : ""),
        .line = bad->line,
    };
}
