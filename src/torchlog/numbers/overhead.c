#include "torchlog/numbers/overhead.h"

#include "text/stated/prose.h"

enum { LINE_MAX = 240 };

/* In microseconds: longer calls have work to do, or are compiled again. */
static const double eager_max = 100, compiled_max = 400;

/* The unit of a number, or of a table's column. */
static const struct {
    struct str unit;
    double us;
} units[] = {{STR_INIT("us"), 1},    {STR_INIT("\xc2\xb5s"), 1}, {STR_INIT("\xce\xbcs"), 1},
             {STR_INIT("usec"), 1},  {STR_INIT("ms"), 1e3},      {STR_INIT("msec"), 1e3}};

/* The times of both sides, in microseconds. */
struct overhead_sides {
    double eager, least, most; /* 0: none */
    struct str line;           /* the first compiled one's */
};

/* How many microseconds the unit at the beginning has; 0 if none is there. */
static double unit_at(struct str s)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct str rest = s;

        if (str_consume(&rest, units[i].unit) && (rest.n == 0 || !str_is_word_char(rest.p[0])))
            return units[i].us;
    }
    return 0;
}

/* "us" of a table's head "| mode | time (us) |"; 0 if it names none. */
static double unit_of_head(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] == '(' || line.p[i] == '[') {
            double us = unit_at(str_skip(line, i + 1));

            if (us > 0)
                return us;
        }
    return 0;
}

/* The first number of a part that a unit follows, or, in a table, that stands alone; 0 if there is none. */
static double time_in(struct str part, double unit)
{
    for (size_t i = 0; i < part.n; i++) {
        double n, us;
        size_t digits;
        struct str behind;

        if (!str_is_digit(part.p[i]) || (i && (str_is_word_char(part.p[i - 1]) || part.p[i - 1] == '.')))
            continue;
        digits = str_number(str_skip(part, i), &n);
        behind = str_trim(str_skip(part, i + digits));
        us = unit_at(behind);
        if (us > 0)
            return n * us;
        if (unit > 0 && (behind.n == 0 || behind.p[0] == '|'))
            return n * unit;
        i += digits ? digits - 1 : 0;
    }
    return 0;
}

static void read_part(struct str part, double unit, struct str line, struct overhead_sides *s)
{
    bool eager = str_has_any_line(part, STR("eager\nuncompiled\nwithout compil\nnot compiled"));
    bool compiled = str_has_any_line(part, STR("compile\nreduce-overhead\nmax-autotune\ninductor"));
    double us = time_in(part, unit);

    if (us <= 0 || str_has_any_line(part, STR("compile time\ncompilation\ncompiling\nfirst\ncold\nwarm")))
        return;
    if (eager) {
        s->eager = s->eager > 0 && s->eager < us ? s->eager : us;
        return;
    }
    if (!compiled)
        return;
    s->least = s->least > 0 && s->least < us ? s->least : us;
    s->most = s->most > us ? s->most : us;
    s->line = s->line.n ? s->line : line;
}

struct series_found overhead_of_calls(struct arena *a, struct str text)
{
    struct overhead_sides s = {0};
    double unit = 0;
    struct str line;

    while (str_next_line(&text, &line)) {
        char room[LINE_MAX];
        struct str lower = str_lower(str_trim(str_take(line, LINE_MAX)), room, sizeof room);

        if (str_starts(lower, STR("|"))) {
            unit = unit_of_head(lower) > 0 ? unit_of_head(lower) : unit;
            read_part(lower, unit, line, &s);
            continue;
        }
        unit = lower.n ? 0 : unit;
        while (lower.n)
            read_part(prose_next_part(&lower), 0, line, &s);
    }
    if (s.eager <= 0 || s.eager >= eager_max || s.least <= s.eager || s.most > compiled_max)
        return (struct series_found){.line = {0}};
    return (struct series_found){
        .message = s.most > s.least ? arena_printf(a, ": %.3g us in eager mode, %.3g to %.3g us compiled", s.eager,
                                                   s.least, s.most)
                                    : arena_printf(a, ": %.3g us in eager mode, %.3g us compiled", s.eager, s.least),
        .line = s.line,
    };
}
