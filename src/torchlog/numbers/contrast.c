#include "torchlog/numbers/contrast.h"

#include <math.h>

#include "torchlog/numbers/table.h"

enum { LINE_MAX = 240, NAME_MAX = 60, PAIRS = 32, SHOWN = 4, SHOWN_FASTER = 1 };
enum timed_side { SIDE_NONE, SIDE_EAGER, SIDE_COMPILED };

struct timed_pair {
    struct str name, line;
    struct str eager, compiled; /* as printed */
    double factor;              /* compiled / eager */
    bool timed;                 /* with a unit of time */
};

struct timed_pairs {
    struct timed_pair v[PAIRS];
    size_t n;
    size_t rows, forwards; /* of tables with times of the forward, too; those in which these are alike */
    struct str setting, number; /* the fastest of settings that only compiled code was timed with */
};

static const struct str eager_words[] = {STR_INIT("eager"), STR_INIT("uncompiled"), STR_INIT("baseline"),
                                         STR_INIT("not compiled")};
static const struct str compiled_words[] = {STR_INIT("compiled"), STR_INIT("inductor"), STR_INIT("torch.compile"),
                                            STR_INIT("compile")};

/* What a label or a column's head begins with; "compile time" is another matter. */
static enum timed_side side_of(struct str label)
{
    static const char others[] = "mem\ngb\ngib\nmib\ndiff\nerr\nspeedup\n/s\nloss\nacc\nfps\nflop\nratio\nfirst\ncold\n"
                                 "compile time\ncompile s";
    char room[NAME_MAX];
    struct str s = str_lower(str_trim(label), room, sizeof room);

    if (label.n > NAME_MAX || str_has_any_line(s, str_of(others)))
        return SIDE_NONE;
    return STR_STARTS_ANY(s, eager_words) ? SIDE_EAGER : STR_STARTS_ANY(s, compiled_words) ? SIDE_COMPILED : SIDE_NONE;
}

/* Whether what follows a number is a unit of time, or nothing. */
static bool is_time(struct str behind, bool *unit)
{
    static const struct str units[] = {STR_INIT("ms"), STR_INIT("us"),  STR_INIT("\xc2\xb5s"), STR_INIT("ns"),
                                       STR_INIT("s"),  STR_INIT("sec"), STR_INIT("seconds")};
    size_t n = 0;

    behind = str_trim(behind);
    while (n < behind.n && (str_is_name_char(behind.p[n]) || behind.p[n] == '/' || behind.p[n] == '%'))
        n++;
    *unit = str_is_any(str_take(behind, n), units, sizeof units / sizeof *units);
    return n == 0 || *unit;
}

static void add(struct timed_pairs *p, struct timed_pair pair, double eager, double compiled)
{
    if (p->n == PAIRS || eager <= 0 || compiled <= 0 || pair.name.n == 0)
        return;
    for (size_t i = 0; i < p->n; i++)
        if (str_eq(p->v[i].name, pair.name)) /* measured again */
            return;
    pair.factor = compiled / eager;
    p->v[p->n++] = pair;
}

/* --- one below the other ------------------------------------------------------------------------------------------ */

/* "eager:    368.84 us" and "compiled = 616.8": nothing else is in the line. */
static enum timed_side labeled(struct str line, struct str *number, double *value, bool *unit)
{
    ptrdiff_t at = str_chr(line, ':');
    struct str label, rest;
    enum timed_side side;

    at = at < 0 ? str_chr(line, '=') : at;
    label = str_trim(str_take(line, at < 0 ? 0 : (size_t)at));
    rest = str_trim(str_skip(line, (size_t)(at + 1)));
    side = str_chr(label, ' ') < 0 ? side_of(label) : SIDE_NONE;
    *number = side ? table_number(rest, value) : (struct str){0};
    rest = str_trim(str_skip(rest, number->n));
    return number->n && is_time(rest, unit) && str_chr(rest, ' ') < 0 ? side : SIDE_NONE;
}

/* "log", "## sigmoid:", "relu(x*2+1)": a line before the pair. */
static struct str name_in(struct str line)
{
    line = str_skip_any(line, "#-*=> ");
    line = str_drop_any(line, ":-*= ");
    return line.n <= NAME_MAX ? line : (struct str){0};
}

static void read_stacked(struct str text, struct timed_pairs *p)
{
    struct timed_pair pair = {.factor = 0};
    struct str line, number, name = {0};
    double value, times[SIDE_COMPILED + 1] = {0};
    bool unit;

    while (str_next_line(&text, &line)) {
        enum timed_side side = labeled(line = str_trim(str_take(line, LINE_MAX)), &number, &value, &unit);

        if (side == SIDE_NONE) {
            name = line.n ? name_in(line) : name;
            pair = (struct timed_pair){.name = name};
            times[SIDE_EAGER] = times[SIDE_COMPILED] = 0;
            continue;
        }
        times[side] = value;
        pair.timed |= unit;
        pair.line = side == SIDE_COMPILED ? line : pair.line;
        *(side == SIDE_EAGER ? &pair.eager : &pair.compiled) = number;
        if (times[SIDE_EAGER] > 0 && times[SIDE_COMPILED] > 0)
            add(p, pair, times[SIDE_EAGER], times[SIDE_COMPILED]);
    }
}

/* --- in one line -------------------------------------------------------------------------------------------------- */

/* "368.8 us" behind one of the words, with ':' or '=' or nothing between them. */
static struct str number_behind(struct str line, const struct str *words, size_t n, double *value, bool *unit,
                                ptrdiff_t *at)
{
    for (size_t i = 0; i < n; i++) {
        struct str rest, number;

        *at = str_find(line, words[i]);
        rest = str_skip(line, *at < 0 ? line.n : (size_t)*at + words[i].n);
        rest = str_skip_any(rest, ":= ");
        number = table_number(rest, value);
        if (number.n && (*at == 0 || !str_is_word_char(line.p[*at - 1])) && is_time(str_skip(rest, number.n), unit))
            return number;
    }
    return (struct str){0};
}

/* "log: eager 368.8 us, compiled 616.8 us" */
static void read_lines(struct str text, struct timed_pairs *p)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        ptrdiff_t of_eager, of_compiled;
        double eager, compiled;
        bool unit, units;
        struct timed_pair pair = {.line = line = str_trim(str_take(line, LINE_MAX))};

        pair.eager =
            number_behind(line, eager_words, sizeof eager_words / sizeof *eager_words, &eager, &unit, &of_eager);
        if (pair.eager.n == 0)
            continue;
        pair.compiled = number_behind(line, compiled_words, sizeof compiled_words / sizeof *compiled_words, &compiled,
                                      &units, &of_compiled);
        if (pair.compiled.n == 0)
            continue;
        pair.timed = unit || units;
        pair.name = str_trim(str_take(line, (size_t)(of_eager < of_compiled ? of_eager : of_compiled)));
        while (pair.name.n && strchr(":-,|(", pair.name.p[pair.name.n - 1]))
            pair.name = str_trim(str_drop(pair.name, 1));
        pair.name = pair.name.n <= NAME_MAX ? pair.name : (struct str){0};
        add(p, pair, eager, compiled);
    }
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

struct timed_labels {
    struct {
        struct str name, line;
        struct str number[SIDE_COMPILED + 1];
        double value[SIDE_COMPILED + 1];
    } v[PAIRS];
    size_t n;
    bool named; /* one of them has a name */
};

/* "x.t() layout" of "x.t() layout, compiled" and of "compiled x.t() layout"; the side is what begins or ends it. */
static struct str name_of_label(struct str label, enum timed_side *side)
{
    static const struct str blank = STR_INIT(" ");
    ptrdiff_t at = str_rchr(label, ' ');
    struct str last = str_skip(label, (size_t)(at + 1)), first = label;

    *side = at > 0 ? side_of(last) : SIDE_NONE;
    if (*side)
        return str_drop_any(str_take(label, (size_t)at), ",: (");
    *side = side_of(label);
    at = str_find(first, blank);
    return str_skip_any(at < 0 ? (struct str){0} : str_skip(label, (size_t)at), ",: (");
}

static void read_label(struct str line, struct timed_labels *l)
{
    ptrdiff_t end = str_find(line, STR("  "));
    struct str rest = str_trim(str_skip(line, end < 0 ? line.n : (size_t)end)), number, name;
    enum timed_side side;
    bool unit = false;
    double value;
    size_t i = 0;

    number = table_number(rest, &value);
    if (end <= 0 || number.n == 0 || !is_time(str_skip(rest, number.n), &unit) || !unit || value <= 0)
        return;
    name = name_of_label(str_drop_any(str_take(line, (size_t)end), ": "), &side);
    if (side == SIDE_NONE || name.n > NAME_MAX)
        return;
    while (i < l->n && !str_eq(l->v[i].name, name))
        i++;
    if (i == PAIRS || (i < l->n && l->v[i].number[side].n))
        return;
    if (i == l->n) {
        l->n++;
        l->v[i].name = name;
        l->v[i].line = line;
        memset(l->v[i].number, 0, sizeof l->v[i].number);
    }
    l->v[i].line = side == SIDE_COMPILED ? line : l->v[i].line;
    l->v[i].number[side] = number;
    l->v[i].value[side] = value;
    l->named |= name.n && l->v[i].number[SIDE_EAGER].n && l->v[i].number[SIDE_COMPILED].n;
}

/* "eager   5.4 us", "compiled   11.9 us", "x.t() layout, eager   5.3 us", each in a line of its own. */
static void read_labels(struct str text, struct timed_pairs *p)
{
    struct timed_labels l = {.n = 0};
    double best = 0;
    struct str line;

    while (str_next_line(&text, &line))
        read_label(str_trim(str_take(line, LINE_MAX)), &l);
    for (size_t i = 0; l.named && i < l.n; i++) {
        struct timed_pair pair = {.name = l.v[i].name.n ? l.v[i].name : STR("as it is"),
                                  .line = l.v[i].line,
                                  .eager = l.v[i].number[SIDE_EAGER],
                                  .compiled = l.v[i].number[SIDE_COMPILED],
                                  .timed = true};

        if (pair.eager.n && pair.compiled.n)
            add(p, pair, l.v[i].value[SIDE_EAGER], l.v[i].value[SIDE_COMPILED]);
        else if (pair.compiled.n && l.v[i].name.n && (!best || l.v[i].value[SIDE_COMPILED] < best)) {
            best = l.v[i].value[SIDE_COMPILED];
            p->setting = l.v[i].name;
            p->number = pair.compiled;
        }
    }
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static bool is_head(const struct cells *head, size_t *eager, size_t *compiled)
{
    *eager = *compiled = head->n;
    for (size_t i = head->n; i-- > 0;) {
        enum timed_side side = side_of(head->v[i]);

        if (side)
            *(side == SIDE_EAGER ? eager : compiled) = i;
    }
    /* a name, or a size, stands before them */
    return *eager != head->n && *compiled != head->n && *eager + *compiled > 1;
}

static bool is_of_backward(struct str head)
{
    return str_has_any_line(head, STR("bwd\nbackward\nBackward\ntrain\ngrad"));
}

/* The column of that side that has times of the forward alone; 0 if there is none, or the first is no sum of both. */
static size_t forward_column(const struct cells *head, size_t both, enum timed_side side)
{
    if (!is_of_backward(head->v[both]))
        return 0;
    for (size_t i = 1; i < head->n; i++)
        if (side_of(head->v[i]) == side && !is_of_backward(head->v[i]) &&
            str_has_any_line(head->v[i], STR("fwd\nforward\nForward\ninference\nno_grad")))
            return i;
    return 0;
}

static void count_forward(const struct cells *head, const struct cells *row, size_t eager, size_t compiled,
                          struct timed_pairs *p)
{
    static const double alike = 1.2;
    size_t of_eager = forward_column(head, eager, SIDE_EAGER),
           of_compiled = forward_column(head, compiled, SIDE_COMPILED);
    double times[2] = {0};

    if (!of_eager || !of_compiled || !table_number(row->v[of_eager], &times[0]).n ||
        !table_number(row->v[of_compiled], &times[1]).n)
        return;
    p->rows++;
    p->forwards += times[0] > 0 && times[1] <= alike * times[0];
}

/* "made under (none), run under inference_mode" of the cells before the times; a single one needs no head. */
static struct str name_of_row(struct arena *a, const struct cells *head, const struct cells *row, size_t columns)
{
    struct str out = {0};

    if (columns == 1 && row->v[0].n && !str_is_digit(row->v[0].p[0]))
        return row->v[0];
    for (size_t i = 0; i < columns; i++)
        out = arena_printf(a, "%.*s%s%.*s%s%.*s", STR_ARG(out), i ? ", " : "", STR_ARG(head->v[i]),
                           head->v[i].n ? " " : "", STR_ARG(row->v[i]));
    return out;
}

static void read_table(struct arena *a, struct str text, struct timed_pairs *p)
{
    struct cells head = {.n = 0}, row;
    size_t eager = 0, compiled = 0;
    struct str line;

    while (str_next_line(&text, &line)) {
        struct timed_pair pair = {.line = line = str_trim(str_take(line, LINE_MAX))};
        double times[2] = {0};
        bool unit, units;

        if (table_is_rule(line))
            continue;
        if (head.n == 0 || !table_row(line, &head, &row)) {
            table_head(line, &head);
            head.n = is_head(&head, &eager, &compiled) ? head.n : 0;
            continue;
        }
        pair.eager = table_number(row.v[eager], &times[0]);
        pair.compiled = table_number(row.v[compiled], &times[1]);
        if (!is_time(str_skip(row.v[eager], pair.eager.n), &unit) ||
            !is_time(str_skip(row.v[compiled], pair.compiled.n), &units))
            continue;
        pair.timed = unit || units;
        pair.name = name_of_row(a, &head, &row, eager < compiled ? eager : compiled);
        count_forward(&head, &row, eager, compiled, p);
        add(p, pair, times[0], times[1]);
    }
}

/* --- what the pairs have in common -------------------------------------------------------------------------------- */

static const double much = 1.05; /* less is noise */

/* "log", "torch.sigmoid(x)": one function of each element. */
static bool is_elementwise(struct str name)
{
    static const struct str functions[] = {
        STR_INIT("abs"),    STR_INIT("acos"), STR_INIT("asin"),     STR_INIT("atan"),  STR_INIT("atan2"),
        STR_INIT("cos"),    STR_INIT("cosh"), STR_INIT("digamma"),  STR_INIT("erf"),   STR_INIT("erfc"),
        STR_INIT("erfinv"), STR_INIT("exp"),  STR_INIT("exp2"),     STR_INIT("expm1"), STR_INIT("gelu"),
        STR_INIT("lgamma"), STR_INIT("log"),  STR_INIT("log10"),    STR_INIT("log1p"), STR_INIT("log2"),
        STR_INIT("logit"),  STR_INIT("pow"),  STR_INIT("rsqrt"),    STR_INIT("silu"),  STR_INIT("sigmoid"),
        STR_INIT("sin"),    STR_INIT("sinh"), STR_INIT("softplus"), STR_INIT("sqrt"),  STR_INIT("tan"),
        STR_INIT("tanh"),
    };
    ptrdiff_t end;

    str_consume(&name, STR("torch."));
    end = str_chr(name, '(');
    if (end >= 0 && str_has_any_line(name, STR("+\n-\n*\n/\n@\n),\n))")))
        return false;
    return STR_IS_ANY(str_take(name, end < 0 ? name.n : (size_t)end), functions);
}

static bool is_of_inference_mode(const struct timed_pair *pair)
{
    return str_has_any_line(pair->name, STR("inference_mode\ninference mode"));
}

static bool is_of_layout(const struct timed_pair *pair)
{
    return str_has_any_line(pair->name, STR("contiguous\nchannels_last\nchannels last\nlayout\nstride\ntranspos\n"
                                            ".t()\n.T\npermut\nNHWC\nNCHW"));
}

/* Pairs that are alike but for the layout, of which only one is slower. */
static bool differ_in_layout(const struct timed_pairs *p)
{
    size_t slower[2] = {0}, others[2] = {0}; /* without a word of it, and with one */

    for (size_t i = 0; i < p->n; i++)
        (p->v[i].factor < much ? others : slower)[is_of_layout(&p->v[i])]++;
    return (slower[0] && others[1] && !slower[1] && !others[0]) || (slower[1] && others[0] && !slower[0] && !others[1]);
}

/* What all slower pairs have, and no other has alone. */
static const char *kind_of(const struct timed_pairs *p)
{
    size_t slower = 0, functions = 0, inference = 0, others = 0;

    for (size_t i = 0; i < p->n; i++) {
        if (p->v[i].factor < much) {
            others += !is_of_inference_mode(&p->v[i]);
            continue;
        }
        slower++;
        functions += is_elementwise(p->v[i].name);
        inference += is_of_inference_mode(&p->v[i]);
    }
    if (p->rows && p->forwards == p->rows && slower == p->n)
        return ", in the backward alone";
    if (differ_in_layout(p))
        return ", in one memory layout";
    if (inference == slower && others)
        return ", with inference_mode";
    return functions == slower ? ", for single functions" : "";
}

/* The next in order of how far it is from the other time, worst first; `done` is what was taken. */
static struct timed_pair *next(struct timed_pairs *p, bool slower, bool done[PAIRS])
{
    struct timed_pair *best = NULL;

    for (size_t i = 0; i < p->n; i++) {
        double factor = slower ? p->v[i].factor : 1 / p->v[i].factor;

        if (!done[i] && factor >= much && (!best || factor > (slower ? best->factor : 1 / best->factor)))
            best = &p->v[i];
    }
    if (best)
        done[best - p->v] = true;
    return best;
}

/* Times are read, not compared digit by digit. */
static struct str rounded(struct arena *a, struct str number)
{
    double value = 0;

    table_number(number, &value);
    return number.n <= 4 ? number : arena_printf(a, "%.*g", value < 1000 ? 3 : 4, value);
}

static struct str listed(struct arena *a, struct timed_pairs *p, bool slower, size_t most)
{
    bool done[PAIRS] = {false};
    struct str out = {0};
    struct timed_pair *pair;

    for (size_t n = 0; n < most && (pair = next(p, slower, done)); n++)
        out = arena_printf(a, "%.*s%s%.*s %.*s to %.*s (%.2g times)", STR_ARG(out), n ? ", " : "", STR_ARG(pair->name),
                           STR_ARG(rounded(a, pair->eager)), STR_ARG(rounded(a, pair->compiled)),
                           slower ? pair->factor : 1 / pair->factor);
    return out;
}

static bool is_of_time(struct str text, const struct timed_pairs *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].timed)
            return true;
    return str_has_any_line(text, STR("us per\nms per\nin ms\nin us\n us \n us,\n us.\n ms \n ms,\n ms.\n"
                                      "(ms)\n(us)\n us|\n ms|\n"
                                      "us/iter\nms/iter\nmicrosec\nmillisec\nlatency\nseconds\nslower\n"
                                      "\xc2\xb5s"));
}

struct series_found contrast_pairs(struct arena *a, struct str text)
{
    enum { PAIRS_MIN = 2 };
    struct timed_pairs p = {.n = 0};
    bool done[PAIRS] = {false};
    struct timed_pair *worst;
    size_t slower = 0;
    struct str faster, rest;

    read_stacked(text, &p);
    read_lines(text, &p);
    read_labels(text, &p);
    read_table(a, text, &p);
    worst = next(&p, true, done);
    if (p.n < PAIRS_MIN || !worst || !is_of_time(text, &p))
        return (struct series_found){.line = {0}};
    for (size_t i = 0; i < p.n; i++)
        slower += p.v[i].factor >= much;
    faster = listed(a, &p, false, SHOWN_FASTER);
    rest = listed(a, &p, true, SHOWN);
    return (struct series_found){
        .message = arena_printf(a, "%s, in %zu of %zu pairs: %.*s%s%.*s%s%.*s%s%.*s", kind_of(&p), slower, p.n,
                                STR_ARG(rest), faster.n ? "; faster: " : "", STR_ARG(faster),
                                p.setting.n ? "; with " : "", STR_ARG(p.setting), p.setting.n ? " " : "",
                                STR_ARG(p.number)),
        .line = worst->line,
    };
}

/* --- no difference ------------------------------------------------------------------------------------------------ */

static const double noise = 0.02;

enum { PRECISE = 3 }; /* "1 s" and "1 s" say little */

struct timed_line {
    enum timed_side side;
    struct str line, number, unit;
    double value;
};

static size_t digits_in(struct str number)
{
    size_t n = 0;

    for (size_t i = 0; i < number.n; i++)
        n += str_is_digit(number.p[i]);
    return n;
}

/* "compiled, counted before    ms_per_iter 41.8     200.8 TF/s", "eager 12.41 ms": the first number of the line. */
static bool timed_line(struct str line, struct timed_line *out)
{
    char room[NAME_MAX];
    struct str label, behind, lower;
    size_t n = 0;
    bool unit;

    *out = (struct timed_line){.line = line};
    while (n < line.n && !(str_is_digit(line.p[n]) && n && strchr(" :=~", line.p[n - 1])))
        n++;
    label = str_take(line, n);
    out->side = n < line.n ? side_of(label) : SIDE_NONE;
    out->number = table_number(str_skip(line, n), &out->value);
    if (out->side == SIDE_NONE || digits_in(out->number) < PRECISE || out->value <= 0)
        return false;
    behind = str_trim(str_skip(line, n + out->number.n));
    lower = str_lower(label, room, sizeof room);
    is_time(behind, &unit);
    out->unit = unit ? str_split(&behind, ' ') : (struct str){0};
    return unit || str_has_any_line(lower, STR("ms_per\nms per\n(ms)\nms/\nlatency\n time"));
}

static bool is_equal(double a, double b)
{
    return fabs(a - b) <= noise * fmin(a, b);
}

/* Of a table, all rows must be: the message is the first one's. */
static struct series_found equal_rows(struct arena *a, struct str text)
{
    struct timed_pairs p = {.n = 0};

    read_table(a, text, &p);
    for (size_t i = 0; i < p.n; i++)
        if (fabs(p.v[i].factor - 1) > noise || digits_in(p.v[i].compiled) < PRECISE)
            return (struct series_found){.line = {0}};
    if (p.n == 0 || !is_of_time(text, &p))
        return (struct series_found){.line = {0}};
    return (struct series_found){
        .message = arena_printf(a, ": %.*s, and %.*s in eager mode", STR_ARG(p.v[0].compiled), STR_ARG(p.v[0].eager)),
        .line = p.v[0].line,
    };
}

struct series_found contrast_equal(struct arena *a, struct str text)
{
    static const char modes[] = "FlopCounterMode\nTorchDispatchMode\ndispatch mode\nDispatchMode(\nFakeTensorMode(";
    struct timed_line eager = {.side = SIDE_NONE}, first = {.side = SIDE_NONE}, now, equal = {.side = SIDE_NONE},
                      equal_to = {.side = SIDE_NONE};
    struct str line, rest = text;
    bool others = false, sizes = false;

    while (str_next_line(&rest, &line)) {
        if (!timed_line(str_trim(str_take(line, LINE_MAX)), &now))
            continue;
        if (now.side == SIDE_EAGER) {
            sizes |= first.side && !is_equal(first.value, now.value);
            first = first.side ? first : now;
            eager = now;
        } else if (eager.side && str_eq(eager.unit, now.unit)) {
            if (now.value > eager.value * (1 + noise))
                return (struct series_found){.line = {0}};
            others |= !is_equal(now.value, eager.value);
            if (is_equal(now.value, eager.value) && !equal.side) {
                equal = now;
                equal_to = eager;
            }
        }
    }
    if (!first.side)
        return equal_rows(a, text);
    if (!equal.side || (others && sizes)) /* of several functions one may gain nothing */
        return (struct series_found){.line = {0}};
    return (struct series_found){
        .message = arena_printf(a, "%s: %.*s, and %.*s in eager mode",
                                str_has_any_line(text, str_of(modes)) ? ", beside a dispatch mode" : "",
                                STR_ARG(equal.number), STR_ARG(equal_to.number)),
        .line = equal.line,
    };
}
