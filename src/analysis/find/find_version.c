/* Advice may only use what the trace's PyTorch has: see find.h. */
#include "analysis/answers/versions.h"
#include "analysis/find/find.h"

#include "text/versions/names.h"

/* A name in the text that is missing, and the first version that has it (empty: unknown). */
struct missing {
    struct str name, since;
};

/* "torch.a.b.c(...)": some prefix of the path is a setting or a function; the rest belongs to it. */
static bool lacks_path(struct str path, struct str version, struct missing *out)
{
    static const enum name_kind kinds[] = {NAME_SETTING, NAME_API};
    ptrdiff_t dot;

    for (; (dot = str_rchr(path, '.')) > 0; path = str_take(path, (size_t)dot))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            enum name_known known = names_has(kinds[i], path, version);

            if (known == NAME_UNKNOWN)
                continue;
            *out = (struct missing){path, names_since(kinds[i], path)};
            return known == NAME_ABSENT;
        }
    return false;
}

/* The keyword arguments of torch.compile(model, dynamic=True). */
static bool lacks_keyword(struct str arguments, struct str version, struct missing *out)
{
    static const struct str function = STR_INIT("torch.compile");
    size_t depth = 1, begin = 0;

    for (size_t i = 0; i < arguments.n && depth > 0; i++) {
        char c = arguments.p[i];

        if (c == '(' || c == '{' || c == '[')
            depth++;
        else if (c == ')' || c == '}' || c == ']')
            depth--;
        if (c == '=' && depth == 1) {
            struct str word = str_take(str_skip(arguments, begin), i - begin);

            if (names_has_parameter(function, word, version) == NAME_ABSENT) {
                *out = (struct missing){word, names_parameter_since(function, word)};
                return true;
            }
        }
        begin = str_is_word_char(c) ? begin : i + 1;
    }
    return false;
}

/* NAME=VALUE, one per line. */
static bool lacks_variable(struct str text, struct str version, struct missing *out)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str name = str_split(&line, '=');

        *out = (struct missing){name, names_since(NAME_VARIABLE, name)};
        if (names_has(NAME_VARIABLE, name, version) == NAME_ABSENT)
            return true;
    }
    return false;
}

static bool lacks_name(struct str text, struct str version, struct missing *out)
{
    static const struct str compile = STR_INIT("torch.compile(");

    for (size_t i = 0; i < text.n; i++) {
        struct str rest = str_skip(text, i);
        size_t n = 0;

        if ((i && (str_is_word_char(text.p[i - 1]) || text.p[i - 1] == '.')) || !str_starts(rest, STR("torch.")))
            continue;
        while (n < rest.n && (str_is_word_char(rest.p[n]) || rest.p[n] == '.'))
            n++;
        if (lacks_path(str_take(rest, n), version, out) ||
            (str_starts(rest, compile) && lacks_keyword(str_skip(rest, compile.n), version, out)))
            return true;
    }
    return false;
}

static struct str version_of(const struct finder *f, const struct finding *x)
{
    return x->compiles.n ? process_pytorch(x->compiles.v[0]->process) : run_versions(f->run).pytorch;
}

void finding_check_version(struct finder *f, struct finding *x)
{
    struct str version = version_of(f, x);
    struct missing m = {0};

    if (!(x->paste.kind == PASTE_ENVIRONMENT ? lacks_variable(x->paste.text, version, &m)
                                             : lacks_name(x->paste.text, version, &m)))
        return;
    x->fix = arena_printf(f->arena, "%.*s%s`%.*s` would help, but PyTorch %.*s does not have it%s%.*s.",
                          STR_ARG(x->fix), x->fix.n ? " " : "", STR_ARG(m.name), STR_ARG(version),
                          m.since.n ? "; it was added in " : "", STR_ARG(m.since));
    finding_paste(x, PASTE_NONE, (struct str){0});
}
