#include "torchlog/notes/stale.h"

#include "text/code/shown_code.h"
#include "text/stated/prose.h"

enum { LINE_MAX = 400, CLASSES = 32 };

/* Whether the line calls compiled code, which is no head of a function. */
static bool calls_compiled(struct str line, const struct shown_code *code)
{
    bool called = false;

    for (size_t i = 0; i < code->n; i++)
        called |= shown_calls(line, code->compiled[i].called);
    for (size_t i = 0; i < code->wrappers_n; i++)
        called |= shown_calls(line, code->wrappers[i]);
    return called && !shown_defined(line).n;
}

/* The first classes of the text. */
struct classes {
    struct str names[CLASSES];
    size_t n;
};

static void find_classes(struct str text, struct classes *out)
{
    struct str line;

    while (out->n < CLASSES && str_next_line(&text, &line)) {
        line = str_trim(line);
        if (!str_consume(&line, STR("class ")))
            continue;
        out->names[out->n] = str_word(line);
        line = str_skip(line, out->names[out->n].n);
        if (out->names[out->n].n && line.n && strchr(":(", line.p[0]))
            out->n++;
    }
}

static bool is_class(const struct classes *classes, struct str name)
{
    for (size_t i = 0; i < classes->n; i++)
        if (str_eq(classes->names[i], name))
            return true;
    return false;
}

/* "Till.scale" and "5.0" of "Till.scale = 5.0", where Till is a class of the text. */
static bool sets_attribute(const struct classes *classes, struct str line, struct str *target, struct str *value)
{
    static const struct str sign = STR_INIT(" = ");
    ptrdiff_t at = str_find(line, sign), dot;

    *target = str_take(line, at < 0 ? 0 : (size_t)at);
    *value = str_trim(str_skip(line, at < 0 ? line.n : (size_t)at + sign.n));
    dot = str_chr(*target, '.');
    if (dot <= 0 || dot != str_rchr(*target, '.') || value->n == 0)
        return false;
    for (size_t i = 0; i < target->n; i++)
        if (!str_is_word_char(target->p[i]) && target->p[i] != '.')
            return false;
    return is_class(classes, str_take(*target, (size_t)dot));
}

/* A word on the old value, or a line with both results; and no log that says that it was compiled again. */
static bool shows_old_value(struct str text)
{
    static const char words[] = "old value\nold number\nold one\nold result\nstale\nprevious value\nfirst value\n"
                                "not see the\nn't see the\nnot notice\nn't notice\nnot pick up\nn't pick up\n"
                                "not updated\nignores the change\nignores the new\ndoes not change\ndoesn't change\n"
                                "still uses\nstill returns\nkeeps the";

    return !str_has_any_line(text, STR("[__recompiles]\nRecompiling function")) && prose_has_line(text, words);
}

struct series_found stale_attribute(struct arena *a, struct str text)
{
    struct str rest = text, line, target = {0}, value = {0}, set = {0};
    struct classes classes = {.n = 0};
    struct shown_code code;
    bool called = false;

    if (!str_has(text, STR("class ")) || !shows_old_value(text))
        return (struct series_found){.line = {0}};
    shown_code_read(text, &code);
    find_classes(text, &classes);
    while (str_next_line(&rest, &line)) {
        struct str own = str_trim(str_take(line, LINE_MAX)), new_target, new_value;

        if (str_starts(own, STR("#")))
            continue;
        if (called && sets_attribute(&classes, own, &new_target, &new_value)) {
            set = line;
            target = new_target;
            value = new_value;
        } else if (calls_compiled(own, &code)) {
            if (set.n)
                return (struct series_found){
                    .message = arena_printf(a, ": `%.*s` is %.*s when it is called again", STR_ARG(target),
                                            STR_ARG(value)),
                    .line = set,
                };
            called = true;
        }
    }
    return (struct series_found){.line = {0}};
}
