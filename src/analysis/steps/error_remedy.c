#include "analysis/steps/error_remedy.h"

#include "analysis/answers/errors.h"

/* What asks for a setting, right before it. */
static const struct str asking[] = {STR_INIT("un with "),    STR_INIT("tart with "), STR_INIT("aunch with "),
                                    STR_INIT("set "),        STR_INIT("Set "),       STR_INIT("setting "),
                                    STR_INIT("export "),     STR_INIT("pass "),      STR_INIT("Pass "),
                                    STR_INIT("passing "),    STR_INIT("use "),       STR_INIT("Use "),
                                    STR_INIT("using "),      STR_INIT("specify "),   STR_INIT("specifying "),
                                    STR_INIT("enable "),     STR_INIT("add "),       STR_INIT("environment variable "),
                                    STR_INIT("the option "), STR_INIT("the flag ")};

/* What makes of it a report of what was done, or a prohibition. */
static const char others[] = "not \nn't \nNever \nnever \nannot \nwithout \nyou \nwhen \nWhen \nif \nIf \nwas \nwere \n"
                             "is \nare \nhas \nhave \nwhile \nexpected \ncannot ";

/* They print more, wait for kernels, or hide what failed. */
static const char mends_nothing[] = "LOG\nDEBUG\nVERBOSE\nverbose\nBLOCKING\nTRACE\nREPRO\nDSA\nEXTENDED\nsuppress\n"
                                    "CPP=1\nBACKTRACE\nSHOW_\ndebug\nWARN\nFAULTHANDLER\nDUMP";

static bool is_quote(char c)
{
    return c == '`' || c == '"' || c == '\'';
}

/* The name at the beginning: of a variable, a setting with its module, or an option; empty for a plain word. */
static struct str setting_name(struct str text)
{
    bool option = str_starts(text, STR("--"));
    size_t n = option ? 2 : 0, parts = 0;

    while (n < text.n && (str_is_word_char(text.p[n]) || text.p[n] == '.' || (option && text.p[n] == '-')))
        parts += text.p[n] == '.' || text.p[n] == '_' || option, n++;
    while (n && (text.p[n - 1] == '.' || text.p[n - 1] == '-'))
        n--;
    return n > 3 && parts && (option || !str_is_digit(text.p[0])) ? str_take(text, n) : (struct str){0};
}

/* "0" of "=0 to disable it", of " = 0", and of "` to \"0\"." behind a name. */
static struct str setting_value(struct str rest, bool with_to)
{
    struct str equal = str_skip(rest, str_starts(rest, STR(" ")));
    size_t n = 0;
    bool quoted;

    if (str_consume(&equal, STR("="))) {
        rest = str_skip(equal, str_starts(equal, STR(" ")));
    } else {
        rest = str_skip(rest, rest.n && is_quote(rest.p[0]));
        if (!with_to || !str_consume(&rest, STR(" to ")))
            return (struct str){0};
    }
    quoted = rest.n && is_quote(rest.p[0]);
    rest = str_skip(rest, quoted);
    while (n < rest.n && (str_is_word_char(rest.p[n]) || rest.p[n] == '.' || rest.p[n] == ':' || rest.p[n] == '-'))
        n++;
    while (n && (rest.p[n - 1] == '.' || rest.p[n - 1] == ':'))
        n--;
    return str_take(rest, n);
}

/* A word behind "to" that is a value, and not the verb of what it is for. */
static bool is_value(struct str value)
{
    static const struct str words[] = {STR_INIT("True"), STR_INIT("False"), STR_INIT("None"),
                                       STR_INIT("true"), STR_INIT("false"), STR_INIT("none")};

    return value.n && (str_is_digit(value.p[0]) || STR_IS_ANY(value, words));
}

/* The setting that stands where the text begins; empty if none does. */
static struct str setting_at(struct arena *a, struct str text)
{
    struct str name, value, rest = str_skip(text, text.n && is_quote(text.p[0]));
    struct str with_name = rest;

    name = setting_name(rest);
    if (name.n == 0 || str_has_any_line(name, str_of(mends_nothing)))
        return (struct str){0};
    rest = str_skip(rest, name.n);
    value = setting_value(rest, false);
    if (value.n) /* as it is written, without what encloses it */
        return str_range(with_name.p, value.p + value.n);
    if (str_starts(name, STR("--")))
        return name;
    value = setting_value(rest, true);
    return is_value(value) ? arena_printf(a, "%.*s=%.*s", STR_ARG(name), STR_ARG(value)) : (struct str){0};
}

/* The words of the sentence before the asking word. */
static struct str clause_before(struct str message, size_t at)
{
    enum { LOOKED_AT = 24 };
    struct str before = str_take(message, at);
    size_t from = before.n > LOOKED_AT ? before.n - LOOKED_AT : 0;

    before = str_skip(before, from);
    for (size_t n = before.n; n > 0; n--)
        if (before.p[n - 1] == '.' || before.p[n - 1] == ',' || before.p[n - 1] == ';' || before.p[n - 1] == '\n' ||
            before.p[n - 1] == ':')
            return str_skip(before, n);
    return before;
}

struct str error_remedy_named(struct arena *a, struct str message)
{
    struct str found = {0};
    size_t first = ERROR_SEARCHED;

    message = str_take(message, ERROR_SEARCHED);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        for (size_t from = 0; from < message.n;) {
            ptrdiff_t at = str_find(str_skip(message, from), asking[i]);
            struct str setting;

            if (at < 0)
                break;
            at += (ptrdiff_t)from;
            from = (size_t)at + asking[i].n;
            if ((size_t)at >= first)
                break;
            setting = setting_at(a, str_skip(message, from));
            if (setting.n && !str_has_any_line(clause_before(message, (size_t)at), str_of(others))) {
                found = setting;
                first = (size_t)at;
            }
        }
    return found;
}
