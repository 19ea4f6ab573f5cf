#include "text/messages/autotune_text.h"

#include <stdlib.h>

enum { SHOWN = 3, NUMBER_MAX = 24 };

struct timed {
    struct str operator; /* "mm(8x8, 8x8)"; empty if the text does not say */
    struct str fastest;  /* "triton_mm_4 0.0199 ms", the first row of its table; may be empty */
    double seconds;
};

struct summary {
    struct timed longest[SHOWN];
    size_t n;
    double seconds;
    struct str line; /* the first one */
};

/* "2.5 seconds"; moves behind the number. */
static double take_seconds(struct str *s)
{
    char text[NUMBER_MAX];
    size_t n = 0;

    while (n < s->n && n < sizeof text - 1 && (str_is_digit(s->p[n]) || s->p[n] == '.')) {
        text[n] = s->p[n];
        n++;
    }
    text[n] = '\0';
    *s = str_skip(*s, n);
    return n ? strtod(text, NULL) : 0;
}

struct str autotune_text_takes(struct str line)
{
    static const struct str mark = STR_INIT("AUTOTUNE ");
    ptrdiff_t at = str_find(line, mark);

    line = str_skip(line, at < 0 ? line.n : (size_t)at + mark.n);
    str_consume(&line, STR("benchmarking "));
    return str_consume(&line, STR("takes ")) ? line : (struct str){0};
}

/* The time to compile the choices is not in the time to run them. */
static double seconds_of(struct str line)
{
    struct str rest = autotune_text_takes(line);
    double seconds = take_seconds(&rest);

    if (str_consume(&rest, STR(" seconds and ")))
        seconds += take_seconds(&rest);
    return seconds;
}

static void add(struct summary *s, struct str line, struct timed t)
{
    t.seconds = seconds_of(line);

    s->line = s->n++ ? s->line : str_trim(line);
    s->seconds += t.seconds;
    for (size_t i = 0; i < SHOWN; i++)
        if (t.seconds > s->longest[i].seconds) {
            struct timed shorter = s->longest[i];

            s->longest[i] = t;
            t = shorter;
        }
}

static struct str words(struct arena *a, const struct summary *s)
{
    struct str out = s->line;
    bool any = false;

    if (s->n == 1 && s->longest[0].operator.n)
        return arena_printf(a, "%.*s: %.*s%s%.*s", STR_ARG(out), STR_ARG(s->longest[0].fastest),
                            s->longest[0].fastest.n ? " is the fastest for " : "", STR_ARG(s->longest[0].operator));
    if (s->n < 2)
        return out;
    out = arena_printf(a, "AUTOTUNE benchmarking takes %.1f seconds for %zu operators", s->seconds, s->n);
    for (size_t i = 0; i < SHOWN; i++) {
        if (s->longest[i].operator.n == 0)
            continue;
        out = arena_printf(a, "%.*s%s %.*s %.1f", STR_ARG(out), any ? "," : ":", STR_ARG(s->longest[i].operator),
                           s->longest[i].seconds);
        any = true;
    }
    return out;
}

/* "AUTOTUNE mm(8x8, 8x8)" -> "mm(8x8, 8x8)"; empty if it is another line. */
static struct str operator_of(struct str line)
{
    static const struct str head = STR_INIT("AUTOTUNE ");
    ptrdiff_t at = str_find(line, head);
    struct str rest = str_trim(str_skip(line, at < 0 ? line.n : (size_t)at + head.n));

    return str_chr(rest, '(') > 0 ? rest : (struct str){0};
}

/* "triton_mm_4 0.0199 ms" of a row of the table; empty if it is another line. */
static struct str choice_of(struct str row)
{
    ptrdiff_t blank = str_chr(row, ' '), unit = str_find(row, STR(" ms"));

    return blank > 0 && unit > blank + 1 && str_is_digit(row.p[unit - 1]) ? str_take(row, (size_t)unit + 3)
                                                                          : (struct str){0};
}

struct str autotune_text_summary(struct arena *a, struct str text)
{
    struct summary s = {0};
    struct timed t = {0};
    struct str line;

    while (str_next_line(&text, &line)) {
        if (autotune_text_takes(line).n) {
            add(&s, line, t);
            t = (struct timed){0};
        } else if (operator_of(line).n) {
            t = (struct timed){.operator = operator_of(line)};
        } else if (t.operator.n && !t.fastest.n) {
            t.fastest = choice_of(str_trim(line));
        }
    }
    return words(a, &s);
}

struct str autotune_text_chosen(struct arena *a, struct str text)
{
    struct str line, out = {0}, choice;
    size_t operators = 0, choices = 0;

    while (str_next_line(&text, &line)) {
        struct str operator = operator_of(line);

        if (operator.n && !autotune_text_takes(line).n) {
            if (operators == SHOWN)
                break;
            out = arena_printf(a, "%.*s%s%.*s: ", STR_ARG(out), operators ? "; " : "", STR_ARG(operator));
            operators++;
            choices = 0;
        } else if (operators && choices < 2 && (choice = choice_of(str_trim(line))).n) {
            out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), choices ? ", then " : "", STR_ARG(choice));
            choices++;
        }
    }
    return out;
}

static bool is_none(struct str number)
{
    char text[NUMBER_MAX], *end;
    double n;

    str_terminate(str_take(number, sizeof text - 1), text, sizeof text);
    n = strtod(text, &end);
    return end > text && n <= 0;
}

/* "triton_mm_4 -0.0199 ms" of a row of the table */
static struct str row_without_time(struct str row)
{
    struct str choice = choice_of(row);

    return choice.n && is_none(str_trim(str_skip(choice, (size_t)str_chr(choice, ' ')))) ? choice : (struct str){0};
}

struct str autotune_text_no_time(struct arena *a, struct str text)
{
    static const struct str kernel = STR_INIT("\"best_kernel\": \""), time = STR_INIT("\"best_time\": ");
    struct str line, name, row;

    while (str_next_line(&text, &line)) {
        ptrdiff_t at = str_find(line, time);
        struct str number = str_skip(line, at < 0 ? line.n : (size_t)at + time.n);

        if (at >= 0 && is_none(number) && str_between(line, kernel, STR("\""), &name))
            return arena_printf(a, "%.*s %.*s ms", STR_ARG(name),
                                STR_ARG(str_take(number, (size_t)str_chr(number, ','))));
        row = row_without_time(str_trim(line));
        if (row.n)
            return row;
    }
    return (struct str){0};
}
