#include "analysis/known_errors/moved_option.h"

#include "text/versions/names.h"

/* "x" and "y" of "an option at the wrong place: `x` is not `y`"; see torchlog/notes/options.c */
static struct str of_note(struct arena *a, struct str message)
{
    bool variable = str_consume(&message, STR("a variable that PyTorch does not read: `"));
    struct str name, meant;
    ptrdiff_t end;

    if (!variable && !str_consume(&message, STR("an option at the wrong place: `")))
        return (struct str){0};
    end = str_chr(message, '`');
    name = str_take(message, end < 0 ? 0 : (size_t)end);
    if (!str_between(str_skip(message, name.n + 1), STR("`"), STR("`"), &meant))
        return (struct str){0};
    if (variable)
        return arena_printf(a,
                            "No version of PyTorch reads `%.*s`, and nothing warns of it: the setting keeps its "
                            "default. Most likely `%.*s` is meant: set that before Python starts.",
                            STR_ARG(name), STR_ARG(meant));
    return arena_printf(a,
                        "The setting never reaches the compiler. `%.*s` is only a new attribute, which nobody reads "
                        "and nothing warns of: so the default stays, whatever the value. The option is `%.*s`: set "
                        "that, before the first compiled call.",
                        STR_ARG(name), STR_ARG(meant));
}

/* "torch._dynamo.config", "max_autotune" of "torch._dynamo.config.max_autotune does not exist". */
static bool is_of_other_config(struct str message, struct str *option, struct str *module)
{
    struct str first = str_first_line(message), name;
    ptrdiff_t dot;

    if (str_consume(&first, STR("Unexpected optimization option "))) {
        *module = STR("torch._inductor.config");
        *option = str_word(first);
        return option->n > 0;
    }
    name = str_split(&first, ' ');
    dot = str_rchr(name, '.');
    if (!str_eq(str_trim(first), STR("does not exist")) || dot <= 0 || !str_starts(name, STR("torch.")))
        return false;
    *module = str_take(name, (size_t)dot);
    *option = str_skip(name, (size_t)dot + 1);
    return true;
}

struct str moved_option_answer(struct arena *a, const struct error *e)
{
    struct str option, module, meant;

    if (str_eq(e->failure->type, STR(NOTE_TYPE)))
        return of_note(a, e->failure->message);
    if (!is_of_other_config(e->failure->message, &option, &module) || !names_setting_of(option, module, &meant))
        return (struct str){0};
    return arena_printf(a,
                        "`%.*s` has no option of that name, but another config has: `%.*s`. Set that, before the first "
                        "compiled call.",
                        STR_ARG(module), STR_ARG(meant));
}
