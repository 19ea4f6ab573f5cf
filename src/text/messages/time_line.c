#include "text/messages/time_line.h"

#include "input/limits.h"

/* How a line begins, and the name for its time; some names include the words up to the time. */
static const struct time_form {
    struct str begin, time, name; /* time: the text before the number, after `begin` */
} forms[] = {
    {STR_INIT("Dynamo bytecode transform time: "), STR_INIT(""), STR_INIT("vLLM: Dynamo")},
    {STR_INIT("Compiling a graph for "), STR_INIT(" takes "), STR_INIT("vLLM: graph for ")},
    {STR_INIT("torch.compile takes "), STR_INIT(""), STR_INIT("vLLM: torch.compile")},
    {STR_INIT("torch.compile took "), STR_INIT(""), STR_INIT("vLLM: torch.compile")},
    {STR_INIT("Directly load the compiled graph(s) for "), STR_INIT(", took "), STR_INIT("vLLM: cached graph for ")},
    {STR_INIT("dynamo guard evaluation: "), STR_INIT(""), STR_INIT("vLLM: guards")},
    {STR_INIT("Compilation time (from dynamo_timed): "), STR_INIT(""), STR_INIT("dynamo_timed")},
    {STR_INIT("TIMING: "), STR_INIT(""), STR_INIT("")},
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

static bool parse(struct arena *a, struct str text, struct times_text *out)
{
    const struct time_form *f = form_of(text);
    struct str what;
    ptrdiff_t at;
    int64_t ns;

    if (!f)
        return false;
    text = str_skip(text, f->begin.n);
    at = str_find(text, f->time);
    if (f->name.n == 0) {
        add_list(a, text, out);
    } else if (at >= 0) {
        what = str_take(text, (size_t)at);
        if (take_time(str_skip(text, (size_t)at + f->time.n), &ns))
            add(a, what.n ? arena_printf(a, "%.*s%.*s", STR_ARG(f->name), STR_ARG(what)) : f->name, ns, out);
    }
    return out->rows.n > 0;
}

/* A time must follow the word, because prose may contain the word, too. */
static bool has_time(struct str text)
{
    struct arena *scratch = arena_new();
    struct times_text t = {0};
    bool found = parse(scratch, text, &t);

    arena_free(scratch);
    return found;
}

ptrdiff_t time_line_find(struct str line)
{
    line = str_take(line, SEARCHED);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        ptrdiff_t at = str_find(line, forms[i].begin);

        if (at >= 0 && has_time(str_skip(line, (size_t)at)))
            return at;
    }
    return -1;
}

void time_line_parse(struct arena *a, struct str text, struct times_text *out)
{
    *out = (struct times_text){0};
    parse(a, str_take(text, SEARCHED), out);
}
