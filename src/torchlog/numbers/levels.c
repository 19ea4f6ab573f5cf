#include "torchlog/numbers/levels.h"

#include <stdlib.h>

#include "util/utf8.h"

enum { LOOKED_AT = 400, DIGITS_MAX = 24, GAP_MAX = 32, POINTS_MAX = 1024, LEVEL_MIN = 3, SHOWN_MAX = 80 };

/* Names and units of a speed, in small letters; longer ones first where one begins like another. */
static const struct {
    struct str name;
    bool time; /* more is worse */
} rates[] = {
    {STR_INIT("tokens_per_second"), false},
    {STR_INIT("tokens_per_sec"), false},
    {STR_INIT("tokens per second"), false},
    {STR_INIT("tokens/s"), false},
    {STR_INIT("tokens/sec"), false},
    {STR_INIT("tok/s"), false},
    {STR_INIT("tok/sec"), false},
    {STR_INIT("tps"), false},
    {STR_INIT("samples_per_second"), false},
    {STR_INIT("samples/s"), false},
    {STR_INIT("samples/sec"), false},
    {STR_INIT("steps_per_second"), false},
    {STR_INIT("steps/s"), false},
    {STR_INIT("it/s"), false},
    {STR_INIT("iter/s"), false},
    {STR_INIT("img/s"), false},
    {STR_INIT("images/s"), false},
    {STR_INIT("images/sec"), false},
    {STR_INIT("throughput"), false},
    {STR_INIT("tflops"), false},
    {STR_INIT("mfu"), false},
    {STR_INIT("fps"), false},
    {STR_INIT("step_time"), true},
    {STR_INIT("step time"), true},
    {STR_INIT("iter_time"), true},
    {STR_INIT("iteration time"), true},
    {STR_INIT("time_per_step"), true},
    {STR_INIT("time per step"), true},
    {STR_INIT("time per iteration"), true},
    {STR_INIT("batch_time"), true},
    {STR_INIT("s/it"), true},
    {STR_INIT("ms/it"), true},
    {STR_INIT("s/step"), true},
    {STR_INIT("ms/step"), true},
    {STR_INIT("sec/step"), true},
    {STR_INIT("ms/iter"), true},
};

enum { RATES = sizeof rates / sizeof *rates };

struct point {
    double value;
    struct str shown, line;
};

struct rate_series {
    struct point *v;
    size_t n;
};

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static bool is_number_char(char c)
{
    return str_is_digit(c) || c == '.' || c == ',';
}

/* "9,871" and "0.81", of which a comma behind the number is no part. */
static struct str number_at(struct str s)
{
    size_t n = 0;

    while (n < s.n && n < DIGITS_MAX && is_number_char(s.p[n]))
        n++;
    while (n > 0 && !str_is_digit(s.p[n - 1]))
        n--;
    return n && str_is_digit(*s.p) ? str_take(s, n) : (struct str){0};
}

static double value_of(struct str number)
{
    char room[DIGITS_MAX + 1];
    size_t n = 0;

    for (size_t i = 0; i < number.n; i++)
        if (number.p[i] != ',')
            room[n++] = number.p[i];
    room[n] = '\0';
    return strtod(room, NULL);
}

/* Behind a name: "tokens_per_second=9,871", "throughput per GPU (TFLOP/s): 412.1", "| step_time 0.81". */
static struct str number_behind(struct str rest)
{
    bool sign = false;

    for (size_t i = 0; i < rest.n && i < GAP_MAX; i++) {
        char c = rest.p[i];

        if (str_is_digit(c))
            return sign || i == 1 ? number_at(str_skip(rest, i)) : (struct str){0};
        if (strchr("|;,", c))
            break;
        sign |= c == ':' || c == '=';
    }
    return (struct str){0};
}

/* Before a unit: "9871 tok/s", "5.21it/s". */
static struct str number_before(struct str before)
{
    size_t begin;

    if (str_ends(before, STR(" ")))
        before = str_drop(before, 1);
    begin = before.n;
    while (begin > 0 && is_number_char(before.p[begin - 1]))
        begin--;
    while (begin < before.n && !str_is_digit(before.p[begin]))
        begin++;
    return number_at(str_skip(before, begin));
}

/* Whether the name stands there alone, behind a number or another sign. */
static bool is_name(struct str before, struct str behind)
{
    bool begins = !before.n || !str_is_word_char(before.p[before.n - 1]) || str_is_digit(before.p[before.n - 1]);

    return begins && !(behind.n && (str_is_word_char(*behind.p) || *behind.p == '/'));
}

/* "912 tok/s | loss: 3.1", but "step 7 step_time: 0.81" */
static bool is_unit(struct str name)
{
    return str_chr(name, '/') >= 0 || str_ends(name, STR("ps")) || str_has(name, STR(" per second"));
}

static struct str rate_in(struct str line, struct str lower, struct str name)
{
    size_t from = 0;

    for (ptrdiff_t at; (at = str_find(str_skip(lower, from), name)) >= 0;) {
        size_t begin = from + (size_t)at, end = begin + name.n;
        struct str before = str_take(line, begin), behind = str_skip(line, end), number;

        from = end;
        if (!is_name(before, behind))
            continue;
        number = is_unit(name) ? number_before(before) : number_behind(behind);
        if (number.n == 0)
            number = is_unit(name) ? number_behind(behind) : number_before(before);
        if (number.n)
            return number;
    }
    return (struct str){0};
}

static void add(struct arena *a, struct rate_series *s, struct str line, struct str number)
{
    if (!s->v)
        s->v = ARENA_ARRAY(a, struct point, POINTS_MAX);
    if (s->n < POINTS_MAX)
        s->v[s->n++] = (struct point){value_of(number), number, line};
}

/* A line counts for the first name that it has. */
static void read_lines(struct arena *a, struct str text, struct rate_series all[RATES])
{
    char room[LOOKED_AT];
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str looked = str_take(line, LOOKED_AT), lower = str_lower(looked, room, sizeof room);

        for (size_t i = 0; i < RATES; i++) {
            struct str number = rate_in(looked, lower, rates[i].name);

            if (number.n) {
                add(a, &all[i], line, number);
                break;
            }
        }
    }
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

struct level_range {
    double least, most;
};

static struct level_range range_of(const struct rate_series *s, size_t begin, size_t end)
{
    struct level_range r = {s->v[begin].value, s->v[begin].value};

    for (size_t i = begin; i < end; i++) {
        r.least = s->v[i].value < r.least ? s->v[i].value : r.least;
        r.most = s->v[i].value > r.most ? s->v[i].value : r.most;
    }
    return r;
}

static bool is_level(struct level_range r)
{
    static const double noise = 1.1;

    return r.least > 0 && r.most <= noise * r.least;
}

static bool is_worse(struct level_range before, struct level_range after, bool time)
{
    static const double worse = 0.85;

    return time ? before.most < worse * after.least : after.most < worse * before.least;
}

/* Where the last level begins, and the one before it; the number between may have the time of what was done there. */
static bool find_fall(const struct rate_series *s, bool time, size_t *begin, size_t *end, size_t *after)
{
    size_t last = s->n, first;

    while (last > 0 && is_level(range_of(s, last - 1, s->n)))
        last--;
    if (s->n - last < LEVEL_MIN)
        return false;
    for (size_t skipped = 0; skipped <= 1 && skipped + LEVEL_MIN <= last; skipped++) {
        size_t stop = last - skipped;

        for (first = stop; first > 0 && is_level(range_of(s, first - 1, stop));)
            first--;
        if (stop - first < LEVEL_MIN || !is_worse(range_of(s, first, stop), range_of(s, last, s->n), time))
            continue;
        *begin = first;
        *end = stop;
        *after = last;
        return true;
    }
    return false;
}

/* --- what is between ---------------------------------------------------------------------------------------------- */

/* "eval" of "Running evaluation", and not of "retrieval". */
static bool begins_word(struct str lower, struct str word)
{
    for (ptrdiff_t at; (at = str_find(lower, word)) >= 0; lower = str_skip(lower, (size_t)at + word.n))
        if (at == 0 || lower.p[at - 1] < 'a' || lower.p[at - 1] > 'z')
            return true;
    return false;
}

static bool is_of_evaluation(struct str lower)
{
    static const struct str words[] = {STR_INIT("eval"),     STR_INIT("validat"),    STR_INIT("val_loss"),
                                       STR_INIT("val loss"), STR_INIT("generating"), STR_INIT("sampling"),
                                       STR_INIT("testing"),  STR_INIT("inference")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins_word(lower, words[i]))
            return true;
    return false;
}

/* A heading, a command, a fence of Markdown or a blank line: what follows is another run. */
static bool begins_run(struct str line, struct str lower)
{
    static const struct str begins[] = {STR_INIT("$"),  STR_INIT("#"),      STR_INIT("```"),
                                        STR_INIT("+ "), STR_INIT("python"), STR_INIT("**")};

    return line.n == 0 || STR_STARTS_ANY(line, begins) || str_ends(line, STR(":")) ||
           str_has_any_line(lower, STR("compile=\ncompile =\n--compile\nwithout compil\nwith compil\neager\nbaseline"));
}

/* A logger's prefix says nothing here. */
static struct str without_prefix(struct str line)
{
    static const struct str levels[] = {STR_INIT(" INFO "), STR_INIT(" WARNING "), STR_INIT(" DEBUG "),
                                        STR_INIT("INFO:"),  STR_INIT("[INFO]"),    STR_INIT("INFO - ")};

    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        ptrdiff_t at = str_find(line, levels[i]);

        if (at >= 0)
            return str_trim(str_skip(line, (size_t)at + levels[i].n));
    }
    return line;
}

struct between {
    struct str line; /* what the program did; empty if no line says so */
    bool evaluates, other_run;
};

static struct between look_between(struct str lines)
{
    struct between b = {.line = {0}};
    char room[LOOKED_AT];
    bool blank = false;
    struct str line;

    while (str_next_line(&lines, &line)) {
        struct str bare = str_trim(str_take(line, LOOKED_AT)), lower = str_lower(bare, room, sizeof room);

        if (bare.n == 0)
            blank = true;
        else if (begins_run(bare, lower))
            b.other_run = true;
        if (!b.evaluates && is_of_evaluation(lower)) {
            b.line = bare;
            b.evaluates = true;
        } else if (!b.line.n && str_has_any_line(lower, STR("saving\nsaved\ncheckpoint\nepoch "))) {
            b.line = bare;
        }
    }
    b.other_run |= blank && !b.line.n;
    return b;
}

static struct str shown_level(struct arena *a, const struct rate_series *s, size_t begin, size_t end)
{
    if (s->v[begin].value == s->v[end - 1].value)
        return s->v[begin].shown;
    return arena_printf(a, "%.*s to %.*s", STR_ARG(s->v[begin].shown), STR_ARG(s->v[end - 1].shown));
}

struct series_found levels_fallen(struct arena *a, struct str text)
{
    struct rate_series all[RATES] = {0};

    read_lines(a, text, all);
    for (size_t i = 0; i < RATES; i++) {
        const struct rate_series *s = &all[i];
        struct between between;
        size_t begin, end, after;

        if (s->n < 2 * LEVEL_MIN || !find_fall(s, rates[i].time, &begin, &end, &after))
            continue;
        between = look_between(str_range(s->v[end - 1].line.p + s->v[end - 1].line.n, s->v[after].line.p));
        if (between.other_run)
            continue;
        return (struct series_found){
            arena_printf(a, "%s: %.*s %.*s in %zu lines, then %.*s in %zu%s%.*s%s",
                         between.evaluates ? ", since an evaluation" : "", STR_ARG(rates[i].name),
                         STR_ARG(shown_level(a, s, begin, end)), end - begin, STR_ARG(shown_level(a, s, after, s->n)),
                         s->n - after, between.line.n ? ", behind \"" : "",
                         STR_ARG(utf8_shorten(a, without_prefix(between.line), SHOWN_MAX)), between.line.n ? "\"" : ""),
            s->v[after].line,
        };
    }
    return (struct series_found){.line = {0}};
}
