#include "text/messages/times_text.h"

#include "input/limits.h"

/* "0.1553" in nanoseconds. */
static bool take_time(struct str *s, int64_t *ns)
{
    uint64_t whole, part;
    struct str digits;
    int64_t unit = 1000000000;

    if (!str_take_u64(s, &whole) || whole > 1000000000 || !str_consume(s, STR(".")))
        return false;
    digits = *s;
    if (!str_take_u64(s, &part) || digits.n - s->n > 9)
        return false;
    for (size_t n = digits.n - s->n; n > 0; n--)
        unit /= 10;
    *ns = (int64_t)whole * 1000000000 + (int64_t)part * unit;
    return true;
}

/* Where the times begin after a name: after ", " or after two blanks. */
static size_t end_of_name(struct str line, size_t *times)
{
    ptrdiff_t comma = str_find(line, STR(", ")), blanks = str_find(line, STR("  "));
    ptrdiff_t end = blanks > 0 && (comma < 0 || blanks < comma) ? blanks : comma;

    if (end <= 0)
        return 0;
    *times = (size_t)end + 1;
    while (*times < line.n && line.p[*times] == ' ')
        ++*times;
    return (size_t)end;
}

/* Development versions of 2.1 print the module before the name that all others print. */
static struct str without_module(struct str name)
{
    static const struct str modules[] = {
        STR_INIT("torch._dynamo.convert_frame."), STR_INIT("torch._dynamo.output_graph."),
        STR_INIT("torch._functorch.aot_autograd."), STR_INIT("torch._inductor.compile_fx."),
        STR_INIT("torch._inductor.graph."), STR_INIT("torch._inductor.scheduler."),
        STR_INIT("torch._inductor.codegen.wrapper."), STR_INIT("torch._inductor.codecache.")};

    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (str_consume(&name, modules[i]))
            return name;
    return name;
}

static bool take_row(struct arena *a, struct str line, struct times_row *row)
{
    size_t at, end = end_of_name(line, &at);
    struct str times = str_trim(str_skip(line, at = end ? at : line.n));
    int64_t ns;

    row->name = without_module(str_take(line, end));
    if (times.n == 0)
        return false;
    do {
        if (!take_time(&times, &ns))
            return false;
        if (row->each_ns.n < LIMIT_LIST)
            vec_push(a, &row->each_ns, ns);
    } while (str_consume(&times, STR(", ")));
    return times.n == 0;
}

void times_text_parse(struct arena *a, struct str text, struct times_text *out)
{
    struct str line;

    *out = (struct times_text){0};
    while (str_next_line(&text, &line)) {
        struct times_row row = {0};

        if (take_row(a, line, &row))
            vec_push(a, &out->rows, row);
    }
}

/* State of reading the lines: none yet, after the first, after the second, or with blank lines between all lines. */
enum { BEGINS, AT_TITLE, BEHIND_TITLE, DOUBLED };

bool times_text_goes_on(unsigned *state, struct str line)
{
    struct arena *scratch;
    struct times_row row = {0};
    bool is_row;

    line = str_trim(line);
    if (line.n == 0) { /* a web page may have put a blank line after each line, including the first */
        *state = *state == AT_TITLE ? DOUBLED : *state;
        return *state == DOUBLED;
    }
    *state += *state < BEHIND_TITLE;
    if (str_starts(line, STR("Function")) && str_ends(line, STR("Runtimes (s)")))
        return true;
    if (str_starts(line, STR("-----")))
        return true;
    scratch = arena_new();
    is_row = take_row(scratch, line, &row);
    arena_free(scratch);
    return is_row;
}
