#include "text/messages/time_line.h"

#include "input/limits.h"

/* How a line begins, and the name for its time; some names include the words up to the time. */
static const struct time_form {
    struct str begin, time, name; /* time: the text before the number, after `begin`; no name: a list, or no table */
    enum start_line_kind kind;    /* START_LINE_KINDS: none */
    bool prose;                   /* people use the same words */
} forms[] = {
    {STR_INIT("Dynamo bytecode transform time: "), STR_INIT(""), STR_INIT("vLLM: Dynamo"), START_LINE_DYNAMO, false},
    {STR_INIT("Compiling a graph for "), STR_INIT(" takes "), STR_INIT("vLLM: graph for "), START_LINE_GRAPH, true},
    {STR_INIT("torch.compile takes "), STR_INIT(""), STR_INIT("vLLM: torch.compile"), START_LINE_TOTAL, true},
    {STR_INIT("torch.compile took "), STR_INIT(""), STR_INIT("vLLM: torch.compile"), START_LINE_TOTAL, true},
    {STR_INIT("Directly load the compiled graph(s) for "), STR_INIT(", took "), STR_INIT("vLLM: cached graph for "),
     START_LINE_LOADED, false},
    {STR_INIT("dynamo guard evaluation: "), STR_INIT(""), STR_INIT("vLLM: guards"), START_LINE_KINDS, false},
    {STR_INIT("Compilation time (from dynamo_timed): "), STR_INIT(""), STR_INIT("dynamo_timed"), START_LINE_KINDS,
     false},
    {STR_INIT("TIMING: "), STR_INIT(""), STR_INIT(""), START_LINE_KINDS, false},
    {STR_INIT("Using cache directory: "), STR_INIT(""), STR_INIT(""), START_LINE_CACHE, false},
    {STR_INIT("init engine ("), STR_INIT(") took "), STR_INIT(""), START_LINE_ENGINE, false},
    {STR_INIT("Capture cuda graph end. Time elapsed: "), STR_INIT(""), STR_INIT(""), START_LINE_CAPTURED, false},
    {STR_INIT("Capturing batches (bs="), STR_INIT(""), STR_INIT(""), START_LINE_CAPTURING, false},
};

enum { SEARCHED = 2048 };

static const struct time_form *form_of(struct str text)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_starts(text, forms[i].begin))
            return &forms[i];
    return NULL;
}

struct str time_line_words(size_t i)
{
    return i < sizeof forms / sizeof *forms ? forms[i].begin : (struct str){0};
}

/* "34.79" in nanoseconds; digits after the ninth are dropped. */
static bool take_seconds(struct str *s, int64_t *ns)
{
    uint64_t whole, part;
    struct str digits;

    if (!str_take_u64(s, &whole) || whole > 1000000000)
        return false;
    *ns = (int64_t)whole * 1000000000;
    if (!str_consume(s, STR(".")))
        return true;
    digits = str_take(*s, 9);
    if (!str_take_u64(s, &part))
        return false;
    for (int64_t unit = 100000000; digits.n && str_is_digit(digits.p[0]); unit /= 10) {
        *ns += (digits.p[0] - '0') * unit;
        digits = str_skip(digits, 1);
    }
    return true;
}

/* "14.2 s" is what most lines have, "0.31 (ms)" some. */
static bool take_time(struct str text, int64_t *ns)
{
    if (!take_seconds(&text, ns))
        return false;
    if (str_starts(str_trim(text), STR("(ms)")) || str_starts(str_trim(text), STR("ms")))
        *ns /= 1000;
    return true;
}

static void add(struct arena *a, struct str name, int64_t ns, struct times_text *out)
{
    struct times_row row = {.name = name};

    vec_push(a, &row.each_ns, ns);
    if (name.n && out->rows.n < LIMIT_LIST)
        vec_push(a, &out->rows, row);
}

/* "a:0.11 b:0.50"; entries that are not times are skipped. */
static void add_list(struct arena *a, struct str text, struct times_text *out)
{
    while (text.n) {
        struct str item = str_split(&text, ' ');
        ptrdiff_t colon = str_rchr(item, ':');
        struct str time = str_skip(item, (size_t)(colon + 1));
        int64_t ns;

        if (colon > 0 && take_seconds(&time, &ns) && time.n == 0)
            add(a, str_take(item, (size_t)colon), ns, out);
    }
}

/* "/srv/cache/torch_compile_cache/3b81f02c7d/rank_0_0/backbone for vLLM's torch.compile" */
static bool take_directory(struct str text, struct time_line *out)
{
    ptrdiff_t end = str_find(text, STR(" for vLLM's torch.compile"));

    if (end <= 0)
        return false;
    out->directory = str_take(text, (size_t)end);
    return true;
}

/*
 * "14 avail_mem=6.02 GB):  42%|####  | 10/24 [02:49<03:58, 17.02s/it]", the end of a line: what follows a bar has more
 * to say.
 */
static bool take_bar(struct str text, struct time_line *out)
{
    ptrdiff_t open = str_find(text, STR(" [")), comma;
    struct str counts = str_take(text, open < 0 ? 0 : (size_t)open), rate = str_skip(text, counts.n);

    counts = str_skip(counts, (size_t)(str_rchr(counts, ' ') + 1));
    comma = str_find(rate, STR(", "));
    rate = str_trim(str_skip(rate, comma < 0 ? rate.n : (size_t)comma + 2));
    if (!str_take_u64(&counts, &out->done) || !str_consume(&counts, STR("/")) || !str_take_u64(&counts, &out->all) ||
        counts.n || !take_seconds(&rate, &out->ns))
        return false;
    if (str_consume(&rate, STR("it/s")) && out->ns > 0)
        out->ns = 1000000000 * INT64_C(1000000000) / out->ns;
    else if (!str_consume(&rate, STR("s/it")))
        return false;
    return str_eq(rate, STR("]")) && out->done <= out->all;
}

/* "47.72 s in total" and nothing else: people go on with words of their own. */
static bool is_only_time(struct str text)
{
    int64_t ns;

    if (!take_seconds(&text, &ns))
        return false;
    text = str_trim(text);
    if (!str_consume(&text, STR("seconds")))
        str_consume(&text, STR("s"));
    text = str_trim(text);
    str_consume(&text, STR("in total"));
    return text.n == 0 || !(str_is_word_char(text.p[0]) || text.p[0] == ' ' || text.p[0] == ',');
}

static bool take_form(struct arena *a, const struct time_form *f, struct str text, bool printed, struct time_line *out)
{
    ptrdiff_t at = str_find(text, f->time);
    struct str what, time;

    if (f->kind == START_LINE_CACHE)
        return take_directory(text, out);
    if (f->kind == START_LINE_CAPTURING)
        return take_bar(text, out);
    if (f->kind == START_LINE_KINDS && f->name.n == 0) {
        add_list(a, text, &out->times);
        return out->times.rows.n > 0;
    }
    if (at < 0)
        return false;
    what = str_take(text, (size_t)at);
    time = str_skip(text, (size_t)at + f->time.n);
    if ((f->prose && !printed && !is_only_time(time)) || !take_time(time, &out->ns))
        return false;
    if (f->name.n)
        add(a, what.n ? arena_printf(a, "%.*s%.*s", STR_ARG(f->name), STR_ARG(what)) : f->name, out->ns, &out->times);
    return true;
}

static bool parse(struct arena *a, struct str text, bool printed, struct time_line *out)
{
    const struct time_form *f = form_of(text);

    out->kind = f ? f->kind : START_LINE_KINDS;
    return f && take_form(a, f, str_skip(text, f->begin.n), printed, out);
}

/* --- a logger's prefix -------------------------------------------------------------------------------------------- */

static bool take_number(struct str *s, char end, unsigned most, unsigned *out)
{
    if (s->n < 2 || !str_is_digit(s->p[0]) || !str_is_digit(s->p[1]))
        return false;
    *out = (unsigned)(s->p[0] - '0') * 10 + (unsigned)(s->p[1] - '0');
    *s = str_skip(*s, 2);
    return *out <= most && (end == 0 || (s->n && *s->p == end && (*s = str_skip(*s, 1), true)));
}

/* "06-20 14:31:22", the time since the year began, of which nobody knows whether it is a leap year; -1: none. */
static int64_t clock_of(struct str s)
{
    static const int days[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    unsigned month, day, h, m, sec;

    if (!take_number(&s, '-', 12, &month) || !take_number(&s, ' ', 31, &day) || !take_number(&s, ':', 23, &h) ||
        !take_number(&s, ':', 59, &m) || !take_number(&s, 0, 60, &sec) || month < 1 || day < 1)
        return -1;
    return (int64_t)(days[month - 1] + (int)day - 1) * 86400 + h * 3600 + m * 60 + sec;
}

/* Where "INFO 06-20 14:31:22 [backends.py:1016] ", with which a text ends, begins; -1 if it does not end so. */
static ptrdiff_t prefix_of(struct str text, int64_t *clock_s)
{
    enum { CLOCK = sizeof "06-20 14:31:22" - 1 };
    size_t n = text.n;
    ptrdiff_t blank;

    if (!str_ends(text, STR("] ")))
        return -1;
    blank = str_rchr(str_drop(text, 1), ' ');
    if (blank < CLOCK)
        return -1;
    *clock_s = clock_of(str_skip(str_take(text, (size_t)blank), (size_t)blank - CLOCK));
    n = (size_t)blank - CLOCK;
    while (n && text.p[n - 1] == ' ')
        n--;
    while (n && text.p[n - 1] >= 'A' && text.p[n - 1] <= 'Z')
        n--;
    return *clock_s < 0 ? -1 : (ptrdiff_t)n;
}

/* Whether a logger's prefix is before the words. */
static bool is_printed(struct str before)
{
    return str_ends(before, STR("] ")) || str_ends(before, STR("]: "));
}

/* --- a line ------------------------------------------------------------------------------------------------------- */

/* A time must follow the words, because prose may contain the words, too. */
static bool has_time(struct str text, struct str before)
{
    struct arena *scratch = arena_new();
    struct time_line t = {0};
    bool found = parse(scratch, text, is_printed(before), &t);

    arena_free(scratch);
    return found;
}

/* The words of people that stand before those of a line: "it says torch.compile takes 48 s". */
static bool is_quoted(const struct time_form *f, struct str before)
{
    before = str_trim(before);
    return f->prose && before.n && str_is_word_char(before.p[before.n - 1]);
}

/* They say nothing of compiling by themselves. */
static bool is_aside(const struct time_form *f)
{
    return f->kind == START_LINE_CACHE || f->kind == START_LINE_ENGINE || f->kind == START_LINE_CAPTURED ||
           f->kind == START_LINE_CAPTURING;
}

/* Where the words begin in a line; -1 if it has none. */
static ptrdiff_t words_find(struct str line, bool aside)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        ptrdiff_t at = is_aside(&forms[i]) == aside ? str_find(line, forms[i].begin) : -1;

        if (at >= 0 && !is_quoted(&forms[i], str_take(line, (size_t)at)) &&
            has_time(str_skip(line, (size_t)at), str_take(line, (size_t)at)))
            return at;
    }
    return -1;
}

/* With the prefix before the words. */
static ptrdiff_t line_find(struct str line, bool aside)
{
    ptrdiff_t at, begin;
    int64_t clock_s;

    line = str_take(line, SEARCHED);
    at = words_find(line, aside);
    begin = at < 0 ? -1 : prefix_of(str_take(line, (size_t)at), &clock_s);
    return begin >= 0 ? begin : at;
}

ptrdiff_t time_line_find(struct str line)
{
    return line_find(line, false);
}

ptrdiff_t time_line_aside_find(struct str line)
{
    return line_find(line, true);
}

void time_line_parse(struct arena *a, struct str text, struct time_line *out)
{
    struct str line = str_take(text, SEARCHED);
    ptrdiff_t at = words_find(line, false);

    *out = (struct time_line){.kind = START_LINE_KINDS, .ns = -1, .clock_s = -1};
    at = at < 0 ? words_find(line, true) : at;
    if (at < 0)
        return;
    prefix_of(str_take(line, (size_t)at), &out->clock_s);
    parse(a, str_skip(line, (size_t)at), true, out);
}
