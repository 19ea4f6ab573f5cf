#include "torchlog/numbers/series.h"

#include <math.h>

#include "torchlog/numbers/table.h"
#include "util/utf8.h"

/* In the order of the compiler's stages: a backend does what those before it do, and one stage more. */
enum backend { NO_BACKEND, UNCOMPILED, EAGER, AOT_EAGER, DECOMPOSED, CUDAGRAPHS, INDUCTOR, BACKENDS };

static const struct {
    struct str word;
    enum backend backend;
} names[] = {
    {STR_INIT("none"), UNCOMPILED},       {STR_INIT("uncompiled"), UNCOMPILED},
    {STR_INIT("eager"), EAGER},           {STR_INIT("aot_eager"), AOT_EAGER},
    {STR_INIT("cudagraphs"), CUDAGRAPHS}, {STR_INIT("aot_eager_decomp_partition"), DECOMPOSED},
    {STR_INIT("inductor"), INDUCTOR},
};

static const char *const shown[BACKENDS] = {
    [UNCOMPILED] = "no compiler", [EAGER] = "eager",
    [AOT_EAGER] = "aot_eager",    [DECOMPOSED] = "aot_eager_decomp_partition",
    [CUDAGRAPHS] = "cudagraphs",  [INDUCTOR] = "inductor",
};

enum { LINE_MAX = 200, KEY_MAX = 64, GROUPS = 24, LINES_MIN = 3, DIGITS_MAX = 24, HEADING_MAX = 60, LABEL_MAX = 80 };

/* The numbers that stand behind the same words. */
struct series {
    struct str line;        /* of the first number */
    struct str first, last; /* as printed */
    struct str label;
    double values[LINES_MIN]; /* the last ones, the newest first */
    size_t n, rises, falls;
    bool uneven; /* the steps between the last numbers are not equal */
};

static void add(struct series *s, struct str line, struct str number, double value)
{
    if (s->n++ == 0)
        *s = (struct series){.line = line, .first = number, .label = s->label, .n = 1};
    else {
        s->rises += value > s->values[0];
        s->falls += value < s->values[0];
    }
    s->last = number;
    for (size_t i = LINES_MIN - 1; i > 0; i--)
        s->values[i] = s->values[i - 1];
    s->values[0] = value;
}

/* What a program needs for its first steps rises and then stays. */
static bool rises(const struct series *s)
{
    return s->n >= LINES_MIN && s->falls == 0 && s->rises + 1 >= LINES_MIN && 2 * s->rises + 1 >= s->n;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static size_t number_length(struct str s)
{
    size_t n = 0;

    while (n < s.n && n < DIGITS_MAX && (str_is_digit(s.p[n]) || (s.p[n] == '.' && n > 0)))
        n++;
    return n;
}

static double value_of(struct str number)
{
    double value;

    str_number(number, &value);
    return value;
}

/* The first number that no letter touches. */
static struct str first_number(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!str_is_digit(s.p[i]))
            continue;
        if (i == 0 || !(str_is_word_char(s.p[i - 1]) || s.p[i - 1] == '.'))
            return str_take(str_skip(s, i), number_length(str_skip(s, i)));
        while (i + 1 < s.n && str_is_word_char(s.p[i + 1]))
            i++;
    }
    return (struct str){0};
}

/* Of a line that has nothing but up to three numbers, the last: those before it count the steps. */
static struct str bare_number(struct str line)
{
    enum { NUMBERS_MAX = 3 };
    struct str number = {0};

    for (size_t i = 0; i < NUMBERS_MAX && line.n; i++) {
        number = str_take(line, number_length(line));
        line = str_skip(line, number.n);
        if (number.n == 0 || (line.n && !strchr(" \t,:|", *line.p)))
            return (struct str){0};
        line = str_skip_any(line, " \t,:|");
    }
    return line.n ? (struct str){0} : number;
}

/* "## compile_fn inductor", "Compile+aot_eager:", and "inductor" of "inductor: 40.3 s". */
static enum backend backend_named(struct str line)
{
    static const struct str compiles[] = {STR_INIT("compil"), STR_INIT("backend"), STR_INIT("dynamo")};
    char room[HEADING_MAX];
    struct str word, all = str_trim(line);
    size_t n = all.n, words = 1;

    if (n == 0 || n > HEADING_MAX || str_has_any_line(all, STR("(\n)\n[\n{\n;\n\"\n'\n, ")))
        return NO_BACKEND;
    all = str_lower(all, room, sizeof room);
    while (n > 0 && strchr("#=-*: \t|`", all.p[n - 1]))
        n--;
    all = str_take(all, n);
    for (size_t i = 0; i < n; i++)
        words += all.p[i] == ' ';
    while (n > 0 && (str_is_word_char(all.p[n - 1])))
        n--;
    word = str_skip(all, n);
    for (size_t i = 0; words <= 4 && i < sizeof names / sizeof *names; i++)
        if (str_eq(word, names[i].word))
            return names[i].backend == EAGER && !STR_HAS_ANY(all, compiles) ? UNCOMPILED : names[i].backend;
    return NO_BACKEND;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* Lines with the same words have the same numbers in other places: "step 3 | mem 12.1". */
struct groups {
    struct {
        char key[KEY_MAX];
        size_t key_n;
        struct series series;
    } v[GROUPS];
    size_t n;
};

static struct series *group_of(struct groups *g, struct str label)
{
    char key[KEY_MAX];
    size_t n = 0;

    for (size_t i = 0; i < label.n && n < KEY_MAX; i++)
        if (!str_is_digit(label.p[i]))
            key[n++] = label.p[i];
    for (size_t i = 0; i < g->n; i++)
        if (g->v[i].key_n == n && memcmp(g->v[i].key, key, n) == 0)
            return &g->v[i].series;
    if (g->n == GROUPS)
        return NULL;
    memcpy(g->v[g->n].key, key, n);
    g->v[g->n].key_n = n;
    g->v[g->n].series = (struct series){.label = str_trim(label)};
    return &g->v[g->n++].series;
}

/* "[after delete] alloc: 57.0, reserved: 92.0": the number behind the first word of memory. */
static void add_labeled(struct groups *g, struct str line)
{
    static const struct str words[] = {STR_INIT("alloc"), STR_INIT("memory"), STR_INIT("mem "),   STR_INIT("mem:"),
                                       STR_INIT("mem="),  STR_INIT("rss"),    STR_INIT("reserv"), STR_INIT("vram")};
    char room[LINE_MAX];
    struct str low = str_lower(line, room, sizeof room), number;
    ptrdiff_t at = -1;
    struct series *s;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ptrdiff_t found = str_find(low, words[i]);

        at = found >= 0 && (at < 0 || found < at) ? found : at;
    }
    number = at < 0 ? (struct str){0} : first_number(str_skip(line, (size_t)at));
    s = number.n ? group_of(g, str_range(line.p, number.p)) : NULL;
    if (s)
        add(s, line, number, value_of(number));
}

static bool is_of_memory(struct str text)
{
    return str_has_any_line(text, STR("memory_allocated\nmemory_reserved\nmemory_info\nru_maxrss\n rss\nRSS"));
}

/* Numbers without words are bytes where the text asks for memory, and they are large. */
static bool is_of_bytes(struct str number)
{
    enum { DIGITS_OF_BYTES = 6 };

    return number.n >= DIGITS_OF_BYTES && str_chr(number, '.') < 0;
}

static struct str listed(struct arena *a, struct str out, const char *name)
{
    return arena_printf(a, "%.*s%s%s", STR_ARG(out), out.n ? ", " : "", name);
}

static struct str from_to(struct arena *a, const struct series *s)
{
    return arena_printf(a, "%.*s to %.*s in %zu lines", STR_ARG(s->first), STR_ARG(s->last), s->n);
}

static struct series_found rising_under(struct arena *a, const struct series under[BACKENDS])
{
    const struct series *first = NULL;
    struct str with = {0}, without = {0};

    for (size_t i = UNCOMPILED; i < BACKENDS; i++) {
        if (rises(&under[i])) {
            with = listed(a, with, shown[i]);
            first = first ? first : &under[i];
        } else if (under[i].n >= LINES_MIN)
            without = listed(a, without, shown[i]);
    }
    if (!first)
        return (struct series_found){0};
    return (struct series_found){arena_printf(a, " with %.*s: %.*s%s%.*s", STR_ARG(with), STR_ARG(from_to(a, first)),
                                              without.n ? "; not with " : "", STR_ARG(without)),
                                 first->line};
}

static struct series_found rising_group(struct arena *a, const struct groups *g)
{
    const struct series *best = NULL;

    for (size_t i = 0; i < g->n; i++)
        if (rises(&g->v[i].series) && (!best || g->v[i].series.n >= best->n))
            best = &g->v[i].series;
    if (!best)
        return (struct series_found){0};
    return (struct series_found){arena_printf(a, ": %.*s%s%.*s", STR_ARG(utf8_shorten(a, best->label, LABEL_MAX)),
                                              best->label.n ? " " : "", STR_ARG(from_to(a, best))),
                                 best->line};
}

struct series_found series_of_memory(struct arena *a, struct str text)
{
    struct series under[BACKENDS] = {0};
    struct groups groups = {.n = 0};
    enum backend backend = NO_BACKEND;
    bool memory = is_of_memory(text);
    struct series_found found;
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str words = str_trim(str_take(line, LINE_MAX)), number = bare_number(words);
        enum backend named = backend_named(words);

        if (named)
            backend = named;
        else if (number.n && memory && is_of_bytes(number))
            add(backend ? &under[backend] : group_of(&groups, STR("")), words, number, value_of(number));
        else if (!number.n)
            add_labeled(&groups, words);
    }
    found = rising_under(a, under);
    return found.message.n ? found : rising_group(a, &groups);
}

/* --- stages of compiling ------------------------------------------------------------------------------------------ */

/* In seconds; a unit decides where there is one. */
static double seconds_of(struct str number, struct str behind)
{
    double value = value_of(number);

    str_consume(&behind, STR(" "));
    return str_starts(behind, STR("ms")) ? value / 1000 : str_starts(behind, STR("min")) ? value * 60 : value;
}

static void read_stages(struct str text, struct series under[BACKENDS])
{
    enum backend backend = NO_BACKEND;
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str words = str_trim(str_take(line, LINE_MAX)), number = bare_number(words);
        enum backend named = backend_named(words), beside = backend;

        if (named) {
            backend = named;
            continue;
        }
        if (number.n == 0) {
            number = first_number(words);
            beside = number.n ? backend_named(str_range(words.p, number.p)) : NO_BACKEND;
        }
        if (beside && number.n)
            add(&under[beside], words, number, seconds_of(number, str_range(number.p + number.n, words.p + words.n)));
    }
}

/* "inductor" of the head `inductor (s)`. */
static enum backend backend_of_column(struct str head)
{
    char room[HEADING_MAX];
    struct str word = str_word(str_lower(str_take(head, HEADING_MAX), room, sizeof room));

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].backend != UNCOMPILED && str_eq(word, names[i].word))
            return names[i].backend;
    return NO_BACKEND;
}

static bool is_head_of_backends(const struct cells *head)
{
    size_t n = 0;

    for (size_t i = 0; i < head->n; i++)
        n += backend_of_column(head->v[i]) != NO_BACKEND;
    return n >= 2;
}

/* "ms" of "inductor (ms)" and of "inductor ms". */
static struct str unit_of_column(struct str head)
{
    while (head.n && str_is_word_char(head.p[0]))
        head = str_skip(head, 1);
    head = str_skip_any(head, " ([");
    return head;
}

static void add_row(const struct cells *head, const struct cells *row, struct str line, bool uneven,
                    struct series under[BACKENDS])
{
    for (size_t i = 0; i < row->n; i++) {
        enum backend of = backend_of_column(head->v[i]);
        double value;
        struct str number = table_number(row->v[i], &value), unit = str_skip(row->v[i], number.n);

        if (of == NO_BACKEND || number.n == 0)
            continue;
        unit = str_trim(unit).n ? unit : unit_of_column(head->v[i]);
        add(&under[of], line, number, seconds_of(number, unit));
        under[of].uneven = uneven;
    }
}

/* A table whose head names the backends; its first column may count the steps. */
static void read_columns(struct str text, struct series under[BACKENDS])
{
    struct cells head = {.n = 0}, row;
    double step = 0, before = 0, more = 0;
    struct str line;

    while (str_next_line(&text, &line)) {
        line = str_trim(str_take(line, LINE_MAX));
        if (table_is_rule(line))
            continue;
        if (head.n == 0 || !table_row(line, &head, &row)) {
            table_head(line, &head);
            head.n = is_head_of_backends(&head) ? head.n : 0;
            continue;
        }
        step = 0;
        if (backend_of_column(head.v[0]) == NO_BACKEND)
            table_number(row.v[0], &step);
        add_row(&head, &row, line, step - before > 1.1 * more || step - before < 0.9 * more, under);
        more = step - before;
        before = step;
    }
}

/* Whether the last steps take a multiple of the time of those before them, and which: 0 if they do not. */
static double factor_of(const struct series *s)
{
    static const double least = 1.7;

    if (s->n <= LINES_MIN || s->uneven || s->values[0] <= least * s->values[1] || s->values[1] <= least * s->values[2])
        return 0;
    return sqrt(s->values[0] / s->values[2]);
}

static struct str growth_of(struct arena *a, const struct series *s)
{
    double factor = factor_of(s);

    if (factor <= 0)
        return STR("");
    if (factor > 1.85 && factor < 2.15)
        return STR(", where each step doubles it");
    return arena_printf(a, ", where each step takes about %.2g times as long as the one before", factor);
}

struct series_found series_of_stages(struct arena *a, struct str text)
{
    struct series under[BACKENDS] = {0};
    size_t before = NO_BACKEND, stage = NO_BACKEND, n = 0;
    double most = 0, all = 0;
    struct str times = {0};

    read_columns(text, under);
    for (size_t i = UNCOMPILED; i < BACKENDS; i++)
        n += under[i].n > 0;
    if (n == 0)
        read_stages(text, under);
    n = 0;
    for (size_t i = UNCOMPILED; i < BACKENDS; i++) {
        double more = under[i].values[0] - (before ? under[before].values[0] : 0);

        if (under[i].n == 0)
            continue;
        if (before && more > most) {
            most = more;
            stage = i;
        }
        all = under[i].values[0] > all ? under[i].values[0] : all;
        before = i;
        times = arena_printf(a, "%.*s%s%s %.3g s", STR_ARG(times), n++ ? ", " : "", shown[i], under[i].values[0]);
    }
    if (n < 2 || most < 1 || 2 * most < all)
        return (struct series_found){0};
    return (struct series_found){arena_printf(a, " in %s%.*s: %.*s", shown[stage],
                                              STR_ARG(growth_of(a, &under[stage])), STR_ARG(times)),
                                 under[stage].line};
}
