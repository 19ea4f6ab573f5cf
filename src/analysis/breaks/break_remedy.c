#include "analysis/breaks/break_remedy.h"

enum { SEARCHED = 16384, NAMED_MAX = 2 };

/* What is said of a name, by a part of it, in other words; NULL: not at all. */
static const struct {
    struct str name;
    const char *words;
} known[] = {
    {STR_INIT(".set_stance"), "`torch.compiler.set_stance(\"force_eager\")` runs it without the compiler."},
    /* general hints, of other functions than most that they stand below: who logs gets the first by name */
    {STR_INIT(".reorderable_logging_functions"), NULL},
    /* it hides an error, and mends none */
    {STR_INIT(".suppress_errors"), NULL},
    /* they print more, and change nothing */
    {STR_INIT("_VERBOSE"), NULL},
    {STR_INIT("_EXTENDED_"), NULL},
    /* the break is one that the setting asks for */
    {STR_INIT(".debug_force_graph_break_on_leaf_return"), NULL},
    /* the same as capture_scalar_outputs, which the advice names */
    {STR_INIT("TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS"), NULL},
};

static bool is_of_name(char c)
{
    return str_is_name_char(c) || c == '.';
}

/* A setting or a variable: PyTorch adds functions such as allow_in_graph to breaks that they cannot mend, too. */
static bool is_remedy(struct str name)
{
    static const struct str parts[] = {STR_INIT("._dynamo.config."), STR_INIT(".set_stance")};

    return str_starts(name, STR("TORCH")) || STR_HAS_ANY(name, parts);
}

/* "torch._dynamo.config.till = True" of a hint; the name alone where no value follows. */
static size_t length_with_value(struct str text, size_t n)
{
    struct str rest = str_skip(text, n);
    size_t value = 0;

    if (!str_consume(&rest, STR(" = ")) && !str_consume(&rest, STR("=")))
        return n;
    while (value < rest.n && is_of_name(rest.p[value]))
        value++;
    while (value > 0 && rest.p[value - 1] == '.')
        value--;
    return value ? (size_t)(rest.p + value - text.p) : n;
}

static void say(struct arena *a, struct str setting, struct str name, struct str *out)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!str_has(name, known[i].name))
            continue;
        if (known[i].words)
            *out = arena_printf(a, "%.*s %s", STR_ARG(*out), known[i].words);
        return;
    }
    *out = arena_printf(a, "%.*s The message names another way: `%.*s`.", STR_ARG(*out), STR_ARG(setting));
}

struct str break_remedy(struct arena *a, struct str message, struct str said)
{
    struct str rest = str_take(message, SEARCHED), line, out = {0};
    bool hint = false;
    unsigned found = 0;

    if (str_has(said, STR("no setting helps"))) /* PyTorch's hint is of the operator, whatever reads its result */
        return out;
    while (str_next_line(&rest, &line) && found < NAMED_MAX) {
        struct str words = str_trim(line);

        hint = str_consume(&words, STR("Hint: ")) || (hint && words.n && !str_starts(words, STR("Developer debug")));
        for (size_t at = 0; hint && at < words.n && found < NAMED_MAX; at++) {
            struct str tail = str_skip(words, at);
            size_t n = 0, last;

            if ((at > 0 && is_of_name(words.p[at - 1])) ||
                !(str_starts(tail, STR("torch.")) || str_starts(tail, STR("TORCHDYNAMO_")) ||
                  str_starts(tail, STR("TORCHINDUCTOR_"))))
                continue;
            while (n < tail.n && is_of_name(tail.p[n]))
                n++;
            while (n > 0 && tail.p[n - 1] == '.')
                n--;
            last = (size_t)(str_rchr(str_take(tail, n), '.') + 1);
            at += n;
            if (n == last || !is_remedy(str_take(tail, n)) || str_has(said, str_range(tail.p + last, tail.p + n)) ||
                str_has(out, str_range(tail.p + last, tail.p + n)))
                continue;
            say(a, str_take(tail, length_with_value(tail, n)), str_take(tail, n), &out);
            found++;
        }
    }
    return out;
}
