#include "torchlog/numbers/steps.h"

enum { HEADING_MAX = 40, LOOKED_AT = 400, STEPS_MIN = 3 };
enum steps_of { NO_HEADING, OF_EAGER, OF_COMPILED, HEADINGS };

/* What is logged in steps under one heading. */
struct log {
    double first, last;
    struct str shown_first, shown_last, unit;
    struct str line; /* the first one */
    size_t n;
};

/* "Eager:", "## compiled", "**with torch.compile**", and no sentence. */
static enum steps_of heading_of(struct str line)
{
    static const struct str eager[] = {STR_INIT("eager"), STR_INIT("eager mode"), STR_INIT("uncompiled"),
                                       STR_INIT("not compiled"), STR_INIT("no compile"), STR_INIT("without compile"),
                                       STR_INIT("without torch.compile"), STR_INIT("baseline")};
    static const struct str compiled[] = {STR_INIT("compile"), STR_INIT("compiled"), STR_INIT("torch.compile"),
                                          STR_INIT("with compile"), STR_INIT("with torch.compile"),
                                          STR_INIT("compiled mode"), STR_INIT("inductor")};
    char room[HEADING_MAX];

    line = str_trim(line);
    if (line.n > HEADING_MAX)
        return NO_HEADING;
    line = str_lower(line, room, sizeof room);
    line = str_skip_any(line, "#*-=:>` ");
    line = str_drop_any(line, "#*-=:` ");
    return STR_IS_ANY(line, eager) ? OF_EAGER : STR_IS_ANY(line, compiled) ? OF_COMPILED : NO_HEADING;
}

/* The number before a unit of speed: "15818" of "13707/15818 tok/s". */
static struct str speed_in(struct str line, struct str *unit)
{
    static const struct str units[] = {STR_INIT("tok/s"),     STR_INIT("tokens/s"), STR_INIT("it/s"),
                                       STR_INIT("samples/s"), STR_INIT("steps/s"),  STR_INIT("img/s"),
                                       STR_INIT("images/s"),  STR_INIT("sents/s"),  STR_INIT("iter/s")};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        ptrdiff_t at = str_find(line, units[i]);
        struct str before = str_take(line, at < 0 ? 0 : (size_t)at);
        size_t begin;

        if (str_ends(before, STR(" ")))
            before = str_drop(before, 1);
        begin = before.n;
        while (begin > 0 && (str_is_digit(before.p[begin - 1]) || before.p[begin - 1] == '.'))
            begin--;
        if (begin == before.n)
            continue;
        *unit = units[i];
        return str_skip(before, begin);
    }
    return (struct str){0};
}

static void add_step(struct log *log, struct str line)
{
    struct str unit, shown = speed_in(str_take(line, LOOKED_AT), &unit);
    double speed;

    if (str_number(shown, &speed) == 0 || (log->n && !str_eq(unit, log->unit)))
        return;
    if (log->n++ == 0)
        *log = (struct log){.first = speed, .shown_first = shown, .unit = unit, .line = line, .n = 1};
    log->last = speed;
    log->shown_last = shown;
}

/* Compiled code is slower only in the first lines: these have the time that compiling took. */
static bool is_slow_at_first(const struct log *eager, const struct log *compiled)
{
    static const double slower = 0.7, as_fast = 0.95;

    return eager->n >= STEPS_MIN && compiled->n >= STEPS_MIN && str_eq(eager->unit, compiled->unit) &&
           compiled->first < slower * eager->first && compiled->last >= as_fast * eager->last;
}

struct series_found steps_slow_at_first(struct arena *a, struct str text)
{
    struct log logs[HEADINGS] = {0};
    const struct log *eager = &logs[OF_EAGER], *compiled = &logs[OF_COMPILED];
    enum steps_of side = NO_HEADING;
    struct str line;

    while (str_next_line(&text, &line)) {
        enum steps_of begins = heading_of(line);

        side = begins ? begins : side;
        if (side && !begins)
            add_step(&logs[side], line);
    }
    if (!is_slow_at_first(eager, compiled))
        return (struct series_found){0};
    return (struct series_found){arena_printf(a, ": eager %.*s, then %.*s %.*s; compiled %.*s, then %.*s %.*s",
                                              STR_ARG(eager->shown_first), STR_ARG(eager->shown_last),
                                              STR_ARG(eager->unit), STR_ARG(compiled->shown_first),
                                              STR_ARG(compiled->shown_last), STR_ARG(compiled->unit)),
                                 compiled->line};
}
