#include "torchlog/notes/explained.h"

#include "text/messages/explain_text.h"
#include "text/stated/prose.h"
#include "util/utf8.h"

enum { LINE_MAX = 400, SHOWN_MAX = 80 };

/* What breaks a graph, as code and writers name it. The first word that the text has counts. */
static const struct reason {
    const char *words, *name; /* words: alternatives, separated by '\n' */
} reasons[] = {
    {".item()\n.item(\nensor.item\n`item`\n item() ", "`.item()`"},
    {".tolist()\nensor.tolist", "`.tolist()`"},
    {".numpy()\nensor.numpy", "`.numpy()`"},
    {"bincount\nnonzero\nmasked_select\ntorch.unique\n.unique(", "sizes that depend on values"},
    {"data-dependent\ndata dependent\ngeneric_jump", "a branch on a tensor"},
    {"print(\n print \n`print`\nlogger.\nlogging", "printing"},
    {"autograd.Function", "a function of autograd"},
    {"skipfile\nC extension\nC++ extension\nbuiltin", "code that Dynamo cannot read"},
};

/* The reasons themselves are graph breaks of the report. A heading alone is no list: someone left the rest out. */
static bool lists_reasons(struct str text)
{
    static const struct str heading = STR_INIT("Break reasons:");
    static const struct str first[] = {STR_INIT("1. "), STR_INIT("['"), STR_INIT("[\"")};
    ptrdiff_t at = str_find(text, heading);
    struct str list = str_skip_any(str_skip(text, at < 0 ? text.n : (size_t)at + heading.n), " \n");

    return STR_STARTS_ANY(list, first) ||
           str_has_any_line(text, STR("Break Reason 1\nGraphCompileReason\nreason=\nGraph Break Reason\n"
                                      "Graph break from\nGraph break in user code\n[__graph_breaks]"));
}

static const struct reason *reason_in(struct str s)
{
    const struct reason *found = NULL;
    ptrdiff_t first = -1;

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        struct str words = str_of(reasons[i].words), word;

        while (str_next_line(&words, &word)) {
            ptrdiff_t at = str_find(s, word);

            if (at >= 0 && (first < 0 || at < first)) {
                first = at;
                found = &reasons[i];
            }
        }
    }
    return found;
}

/* A line of the program that asks explain(), or one of the guards that explain() lists: these break no graph. */
static bool is_of_explain(struct str line)
{
    return str_has_any_line(line, STR("explain(\nexplanation\ngraph_count\nbreak_count\nbreak_reasons\n"
                                      "G['\nL['\nbuiltin_function_or_method"));
}

static bool is_code(struct str line)
{
    struct str bare = str_trim(line);

    return bare.n && bare.n < LINE_MAX && !str_starts(bare, STR("#")) && !prose_is_paragraph(bare) &&
           !is_of_explain(bare) &&
           (str_has(bare, STR(" = ")) || str_starts(bare, STR("if ")) || str_starts(bare, STR("while ")) ||
            str_starts(bare, STR("return ")) || str_starts(bare, STR("for ")) || line.p[0] == ' ');
}

/* The reason of a line on breaks; else of code. */
static const struct reason *reason_of(struct str text, struct str *code)
{
    const struct reason *said = NULL, *shown = NULL;
    struct str line, rest = text;

    while (str_next_line(&rest, &line)) {
        struct str words = line;

        while (!said && words.n) {
            struct str sentence = str_next_sentence(&words);

            if (str_has_any_line(sentence, STR("break\nreason\nBreak\nReason")) && !is_of_explain(sentence))
                said = reason_in(sentence);
        }
    }
    while (str_next_line(&text, &line)) {
        const struct reason *r = is_code(line) ? reason_in(line) : NULL;

        if (r && (!said || r == said)) {
            shown = r;
            *code = str_trim(line);
            break;
        }
    }
    return said ? said : shown;
}

/* The number below a line that asks for a count, as Python shows it: "11", "Out[3]: 11". */
static bool take_answer(struct str asks, struct str attribute, struct str below, uint64_t *count)
{
    ptrdiff_t at;

    if (!str_ends(str_drop_any(asks, " )"), attribute))
        return false;
    below = str_trim(str_first_line(below));
    at = str_starts(below, STR("Out[")) ? str_find(below, STR("]: ")) : -1;
    return str_u64(at < 0 ? below : str_skip(below, (size_t)at + 3), count);
}

struct series_found explained_breaks(struct arena *a, struct str text)
{
    struct series_found found = {.line = {0}};
    struct str rest = text, line, code = {0};
    uint64_t graphs = 0, breaks = 0;
    const struct reason *reason;

    if (lists_reasons(text))
        return found;
    while (!(graphs && breaks) && str_next_line(&rest, &line)) {
        uint64_t counted = 0;

        if (!explain_counts_take(line, &graphs, &counted) && !take_answer(line, STR(".graph_count"), rest, &graphs))
            take_answer(line, STR(".graph_break_count"), rest, &counted);
        if (!breaks && counted) {
            breaks = counted;
            found.line = line;
        }
    }
    if (!breaks)
        return found;
    reason = reason_of(text, &code);
    found.message = arena_printf(a, ": %llu break%s", (unsigned long long)breaks, breaks == 1 ? "" : "s");
    if (graphs)
        found.message = arena_printf(a, "%.*s, %llu graph%s", STR_ARG(found.message), (unsigned long long)graphs,
                                     graphs == 1 ? "" : "s");
    if (reason)
        found.message = arena_printf(a, "%.*s, by %s%s%.*s", STR_ARG(found.message), reason->name, code.n ? ": " : "",
                                     STR_ARG(utf8_shorten(a, code, SHOWN_MAX)));
    return found;
}
