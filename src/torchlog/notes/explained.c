#include "torchlog/notes/explained.h"

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

/* A count behind one of the names that explain() gives it, in its text or as an attribute that a program prints. */
static bool count_in(struct str line, const char *names, uint64_t *count)
{
    struct str rest = str_of(names), name;

    while (str_next_line(&rest, &name)) {
        ptrdiff_t at = str_find(line, name);
        struct str behind = str_skip(line, at < 0 ? line.n : (size_t)at + name.n);

        if (at > 0 && str_is_word_char(line.p[at - 1]))
            continue;
        behind = str_skip_any(behind, " :=`*|\t");
        if (at >= 0 && str_take_u64(&behind, count) && !(behind.n && str_is_word_char(behind.p[0])))
            return true;
    }
    return false;
}

/* The reasons themselves are graph breaks of the report. */
static bool lists_reasons(struct str text)
{
    return str_has_any_line(text, STR("Break Reason 1\nBreak reasons:\nGraphCompileReason\nreason=\n"
                                      "Graph Break Reason\nGraph break from\nGraph break in user code\n"
                                      "[__graph_breaks]"));
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

static bool is_code(struct str line)
{
    struct str bare = str_trim(line);

    return bare.n && bare.n < LINE_MAX && !str_starts(bare, STR("#")) && !prose_is_paragraph(bare) &&
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

            if (str_has_any_line(sentence, STR("break\nreason\nBreak\nReason")))
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

struct series_found explained_breaks(struct arena *a, struct str text)
{
    struct series_found found = {.line = {0}};
    struct str rest = text, line, code = {0};
    uint64_t graphs = 0, breaks = 0;
    const struct reason *reason;

    if (lists_reasons(text))
        return found;
    while (str_next_line(&rest, &line)) {
        struct str taken = str_take(line, LINE_MAX);

        count_in(taken, "Graph Count\ngraph_count", &graphs);
        if (!breaks && count_in(taken, "Graph Break Count\ngraph_break_count", &breaks) && breaks)
            found.line = line;
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
