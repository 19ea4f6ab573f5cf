#include "torchlog/crash/measured.h"

#include <stdlib.h>

enum { LOOKED_AT = 256 };

static bool begins_number(struct str s)
{
    static const struct str words[] = {STR_INIT("nan"), STR_INIT("inf"), STR_INIT("tensor(")};

    if (str_starts(s, STR("-")) || str_starts(s, STR("+")) || str_starts(s, STR(".")))
        s = str_skip(s, 1);
    return (s.n && str_is_digit(*s.p)) || STR_STARTS_ANY(s, words);
}

/* "max abs diff" of a number, "allclose" of a truth value: an error of a compiler has other words before its colon. */
static bool is_difference(struct str label, struct str value)
{
    static const struct str differences[] = {STR_INIT("diff"), STR_INIT("err"), STR_INIT("deviation"),
                                             STR_INIT("mismatch")};
    static const struct str statistics[] = {STR_INIT("max"), STR_INIT("mean"), STR_INIT("abs"), STR_INIT("rel"),
                                            STR_INIT("avg"), STR_INIT("l2")};
    static const struct str names[] = {STR_INIT("rmse"), STR_INIT("mse"), STR_INIT("cosine"), STR_INIT("cos_sim"),
                                       STR_INIT("snr"), STR_INIT("mismatched elements")};
    static const struct str tests[] = {STR_INIT("close"), STR_INIT("equal"), STR_INIT("identical"), STR_INIT("match")};

    static const struct str alone[] = {STR_INIT("max abs"), STR_INIT("mean abs"), STR_INIT("max rel"),
                                       STR_INIT("mean rel"), STR_INIT("max_abs"), STR_INIT("max_rel")};

    if (begins_number(value))
        return (STR_HAS_ANY(label, differences) && STR_HAS_ANY(label, statistics)) || STR_HAS_ANY(label, names) ||
               STR_IS_ANY(str_trim(label), alone);
    if (str_ends(label, STR("equal_nan"))) /* an argument of the comparison, and not its result */
        return false;
    return (str_starts(value, STR("false")) || str_starts(value, STR("true"))) && STR_HAS_ANY(label, tests);
}

static bool has_difference(struct str line)
{
    size_t begin = 0;

    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        struct str label = str_range(line.p + begin, line.p + i), value = str_trim(str_skip(line, i + 1));

        if ((c == ':' || c == '=' || c == '|') && is_difference(label, value))
            return true;
        if (c == '|' || c == ';')
            begin = i + 1;
    }
    return false;
}

/* Whether a number is followed by one of the units, with or without a blank between them. */
static bool has_unit(struct str line, const struct str *units, size_t n)
{
    for (size_t i = 0; i + 1 < line.n; i++) {
        struct str rest = str_skip(line, i + 1);

        if (!str_is_digit(line.p[i]) || (i > 0 && str_is_word_char(line.p[i - 1]) && !str_is_digit(line.p[i - 1])))
            continue;
        str_consume(&rest, STR(" "));
        for (size_t k = 0; k < n; k++)
            if (str_starts(rest, units[k]) && (rest.n == units[k].n || !str_is_word_char(rest.p[units[k].n])))
                return true;
    }
    return false;
}

static bool has_nan(struct str line)
{
    static const struct str nan = STR_INIT("nan");
    size_t from = 0;

    for (ptrdiff_t at; (at = str_find(str_skip(line, from), nan)) >= 0; from += (size_t)at + nan.n) {
        size_t begin = from + (size_t)at, end = begin + nan.n;

        if ((begin == 0 || !str_is_word_char(line.p[begin - 1])) && (end == line.n || !str_is_word_char(line.p[end])))
            return true;
    }
    return false;
}

static bool has_memory(struct str line)
{
    static const struct str units[] = {STR_INIT("gb"), STR_INIT("gib"), STR_INIT("mb"), STR_INIT("mib")};
    static const struct str words[] = {STR_INIT("mem"), STR_INIT("rss"), STR_INIT("alloc"), STR_INIT("reserv"),
                                       STR_INIT("vram"), STR_INIT("peak")};

    return STR_HAS_ANY(line, words) && has_unit(line, units, sizeof units / sizeof *units);
}

static bool has_time(struct str line)
{
    static const struct str units[] = {
        STR_INIT("ms"),       STR_INIT("us"),        STR_INIT("\xc2\xb5s"), STR_INIT("s"),     STR_INIT("sec"),
        STR_INIT("secs"),     STR_INIT("second"),    STR_INIT("seconds"),   STR_INIT("min"),   STR_INIT("minutes"),
        STR_INIT("s/it"),     STR_INIT("it/s"),      STR_INIT("tok/s"),     STR_INIT("tps"),   STR_INIT("tokens/s"),
        STR_INIT("tokens/sec"), STR_INIT("img/s"),   STR_INIT("images/s"),  STR_INIT("fps"),   STR_INIT("tflops"),
        STR_INIT("gb/s"),     STR_INIT("samples/s"), STR_INIT("steps/s"),   STR_INIT("iter/s"), STR_INIT("x faster"),
        STR_INIT("x slower"),
    };

    return has_unit(line, units, sizeof units / sizeof *units);
}

/* As str() writes the difference of two time.time(): at the end of a line that names it. */
static bool ends_in_seconds(struct str line)
{
    enum { DIGITS = 6 };
    static const struct str no_times[] = {STR_INIT("loss"), STR_INIT("acc"), STR_INIT("norm"), STR_INIT("grad"),
                                          STR_INIT("lr"), STR_INIT("perplexity"), STR_INIT("score")};
    ptrdiff_t dot = str_rchr(line, '.');
    struct str digits = str_skip(line, (size_t)(dot + 1));
    size_t n = 0;

    while (n < digits.n && str_is_digit(digits.p[n]))
        n++;
    return dot > 1 && n >= DIGITS && n == digits.n && str_is_digit(line.p[dot - 1]) && !begins_number(line) &&
           !STR_HAS_ANY(line, no_times);
}

/* The first number behind the label, which ends with a colon, an equals sign or a bar. */
static bool is_rounding(struct str line)
{
    enum { DIGITS_MAX = 24 };
    char text[DIGITS_MAX], *end;
    double n = 1;

    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] != ':' && line.p[i] != '=' && line.p[i] != '|')
            continue;
        str_terminate(str_take(str_trim(str_skip(line, i + 1)), sizeof text - 1), text, sizeof text);
        n = strtod(text, &end);
        if (str_starts(str_of(text), STR("True")))
            return true;
        if (end > text)
            return n < 1e-5 && n > -1e-5;
    }
    return false;
}

bool measured_rounding(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        line = str_take(line, LOOKED_AT);
        if (measured_in(line, false) == MEASURED_DIFFERENCE && !is_rounding(line))
            return false;
    }
    return true;
}

bool measured_times(struct str text)
{
    static const struct str clocks[] = {STR_INIT("time.time()"), STR_INIT("perf_counter"),
                                        STR_INIT("time.monotonic()")};

    return STR_HAS_ANY(text, clocks);
}

enum measured measured_in(struct str line, bool timed)
{
    char room[LOOKED_AT];

    line = str_lower(line, room, sizeof room);
    if (has_difference(line))
        return MEASURED_DIFFERENCE;
    if (has_nan(line))
        return MEASURED_NAN;
    if (has_memory(line))
        return MEASURED_MEMORY;
    return has_time(line) || (timed && ends_in_seconds(str_trim(line))) ? MEASURED_TIME : MEASURED_NOTHING;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* "1.94 ms" at its place in the line, in seconds; 0 if there is no time. */
static double seconds_at(struct str rest, bool timed)
{
    char text[24], *end;
    double n;

    str_terminate(str_take(rest, sizeof text - 1), text, sizeof text);
    n = strtod(text, &end);
    rest = str_skip(rest, (size_t)(end - text));
    if (rest.n == 0)
        return timed ? n : 0;
    str_consume(&rest, STR(" "));
    if (str_consume(&rest, STR("ms")))
        n /= 1000;
    else if (!str_consume(&rest, STR("seconds")) && !str_consume(&rest, STR("sec")) && !str_consume(&rest, STR("s")))
        return 0;
    return rest.n == 0 || !str_is_word_char(rest.p[0]) ? n : 0;
}

/* The time that ends a line, and the words before it. */
static double last_time(struct str line, bool timed, struct str *label)
{
    size_t at = line.n;

    while (at > 0 && !str_is_digit(line.p[at - 1]))
        at--;
    while (at > 0 && (str_is_digit(line.p[at - 1]) || line.p[at - 1] == '.'))
        at--;
    *label = str_take(line, at);
    return at < line.n ? seconds_at(str_skip(line, at), timed) : 0;
}

bool measured_again(struct str text, bool timed)
{
    enum { TIMES = 20 };
    static const struct str eager[] = {STR_INIT("eager"), STR_INIT("original"), STR_INIT("uncompiled"),
                                       STR_INIT("without"), STR_INIT("baseline")};
    char room[LOOKED_AT];
    double of_eager = 0, later = 0;
    size_t compiled = 0;
    struct str line, label;

    while (str_next_line(&text, &line)) {
        double time;

        line = str_trim(line);
        if (line.n >= LOOKED_AT || measured_in(line, timed) != MEASURED_TIME)
            continue;
        line = str_lower(line, room, sizeof room);
        time = last_time(line, timed, &label);
        if (STR_HAS_ANY(label, eager))
            of_eager = time > of_eager ? time : of_eager;
        else if (time > 0 && str_has(label, STR("compil")) && compiled++)
            later = time > later ? time : later;
    }
    return of_eager > 0 && later > 1 && later > TIMES * of_eager;
}

/* Whether two labels have the same words; their numbers count the calls. */
static bool is_same_label(struct str x, struct str y)
{
    size_t i = 0, k = 0;

    for (;;) {
        while (i < x.n && str_is_digit(x.p[i]))
            i++;
        while (k < y.n && str_is_digit(y.p[k]))
            k++;
        if (i == x.n || k == y.n)
            return i == x.n && k == y.n;
        if (x.p[i++] != y.p[k++])
            return false;
    }
}

/* Compiled code for other devices has no such graphs, and max-autotune-no-cudagraphs has none either. */
static bool names_cuda_graphs(struct str text)
{
    return str_has_any_line(text, STR("reduce-overhead\n\"max-autotune\"\n'max-autotune'\ntriton.cudagraphs"));
}

bool measured_recording(struct str text, bool timed)
{
    enum { TIMES = 10, CALLS = 3 };
    static const double least = 0.05; /* of the recording, in seconds */
    char room[LOOKED_AT];
    double times[CALLS] = {0};
    size_t n = 0;
    struct str line, label, before = {0};

    if (!names_cuda_graphs(text))
        return false;
    while (str_next_line(&text, &line)) {
        struct str lower = str_lower(str_trim(line), room, sizeof room);
        double time;

        if (line.n >= LOOKED_AT || measured_in(line, timed) != MEASURED_TIME)
            continue;
        time = last_time(lower, timed, &label);
        if (time <= 0)
            continue;
        label = str_take(str_trim(line), label.n);
        n = n && label.n && is_same_label(label, before) ? n + 1 : 1;
        before = label;
        if (n <= CALLS)
            times[n - 1] = time;
        if (n == CALLS && times[0] > times[1] && times[1] > least && times[1] > TIMES * times[2])
            return true;
    }
    return false;
}
