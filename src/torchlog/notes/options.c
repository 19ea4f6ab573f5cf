#include "torchlog/notes/options.h"

#include "text/stated/prose.h"
#include "text/versions/names.h"
#include "util/utf8.h"

enum { LINE_MAX = 400, SHOWN_MAX = 100 };

/* --- settings ----------------------------------------------------------------------------------------------------- */

/* "torch._dynamo.config.verbose", at or behind `*at`, which is moved behind it; empty if none is left. */
static struct str next_name(struct str line, size_t *at)
{
    static const struct str begin = STR_INIT("torch.");

    for (ptrdiff_t found; (found = str_find(str_skip(line, *at), begin)) >= 0;) {
        size_t from = *at + (size_t)found, n = from;

        while (n < line.n && (str_is_word_char(line.p[n]) || line.p[n] == '.'))
            n++;
        *at = n;
        if (from == 0 || (!str_is_word_char(line.p[from - 1]) && line.p[from - 1] != '.'))
            return str_drop_any(str_range(line.p + from, line.p + n), ".");
    }
    return (struct str){0};
}

/* "= 0.5", and not "== 0.5" */
static bool is_assigned(struct str behind)
{
    behind = str_skip_any(behind, " ");
    return str_consume(&behind, STR("=")) && !str_starts(behind, STR("="));
}

/* Anything may be assigned to a module that is no config; a config raises for a name that it does not have. */
static bool is_misplaced(struct str name, bool assigned, struct str *meant)
{
    static const struct str modules[] = {STR_INIT("torch._dynamo"),   STR_INIT("torch._inductor"),
                                         STR_INIT("torch._functorch"), STR_INIT("torch.compile"),
                                         STR_INIT("torch.compiler"),  STR_INIT("torch")};
    ptrdiff_t dot = str_rchr(name, '.');
    struct str module = str_take(name, dot < 0 ? 0 : (size_t)dot), option = str_skip(name, (size_t)(dot + 1));

    /* a function may be replaced */
    if (!assigned || !STR_IS_ANY(module, modules) || names_has(NAME_API, name, names_newest()) != NAME_UNKNOWN)
        return false;
    return option.n > 3 && names_setting_of(option, module, meant);
}

struct series_found options_misplaced(struct arena *a, struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str own = str_take(line, LINE_MAX), name, meant;

        for (size_t at = 0; (name = next_name(own, &at)).n;)
            if (!str_starts(str_trim(own), STR("#")) && is_misplaced(name, is_assigned(str_skip(own, at)), &meant))
                return (struct series_found){
                    .message = arena_printf(a, ": `%.*s` is not `%.*s`", STR_ARG(name), STR_ARG(meant)),
                    .line = line,
                };
    }
    return (struct series_found){.line = {0}};
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

static bool is_of_variable(char c)
{
    return (c >= 'A' && c <= 'Z') || str_is_digit(c) || c == '_';
}

/* "TORCHINDUCTOR_FREEZING" that a line sets at or behind `*at`: `X=1`, `X: 1`, `environ["X"] = "1"`. */
static struct str next_variable(struct str line, size_t *at)
{
    static const struct str begin = STR_INIT("TORCH");

    for (ptrdiff_t found; (found = str_find(str_skip(line, *at), begin)) >= 0;) {
        size_t from = *at + (size_t)found, n = from;
        struct str behind;

        while (n < line.n && is_of_variable(line.p[n]))
            n++;
        *at = n;
        behind = str_skip_any(str_skip(line, n), "\"'] ");
        if ((from == 0 || !str_is_word_char(line.p[from - 1])) && (n == line.n || !str_is_word_char(line.p[n])) &&
            (str_starts(behind, STR("=")) || str_starts(behind, STR(": "))))
            return str_range(line.p + from, line.p + n);
    }
    return (struct str){0};
}

struct series_found options_misspelled(struct arena *a, struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str own = str_take(line, LINE_MAX), name, meant;

        for (size_t at = 0; (name = next_variable(own, &at)).n;)
            if (names_variable_near(name, &meant))
                return (struct series_found){
                    .message = arena_printf(a, ": `%.*s` is not `%.*s`", STR_ARG(name), STR_ARG(meant)),
                    .line = line,
                };
    }
    return (struct series_found){.line = {0}};
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* The options of a library's class, or a dict of them. */
static bool prints_fixed_sizes(struct str line)
{
    return str_has_any_line(line, STR("(dynamic=False\n dynamic=False\n'dynamic': False\n\"dynamic\": False\n"
                                      "\"dynamic\": false\nDYNAMO_USE_DYNAMIC=false\nDYNAMO_USE_DYNAMIC=False\n"
                                      "DYNAMO_USE_DYNAMIC=0\ndynamo_use_dynamic: false")) &&
           str_has_any_line(line, STR("ynamo\nPlugin\nConfig\nompile_config\nompile_kwargs\nompileKwargs\n"
                                      "ompileArg\nompileSetting")) &&
           !str_has(line, STR("torch.compile("));
}

struct series_found options_fixed_sizes(struct arena *a, struct str text)
{
    struct str rest = text, line;

    if (!prose_has_line(text, "never goes dynamic\nnot go dynamic\nn't go dynamic\nnew graph\neach new \nevery new \n"
                              "each length\nevery length\neach size\nevery size\neach shape\nevery shape\n"
                              "each resolution\nevery resolution\nper length\nper shape\nper size\nrecompil\n"
                              "compiles again\ncompiled again"))
        return (struct series_found){.line = {0}};
    while (str_next_line(&rest, &line))
        if (prints_fixed_sizes(str_take(line, LINE_MAX)))
            return (struct series_found){
                .message =
                    arena_printf(a, ": %.*s", STR_ARG(utf8_shorten(a, str_trim(str_take(line, LINE_MAX)), SHOWN_MAX))),
                .line = line,
            };
    return (struct series_found){.line = {0}};
}
