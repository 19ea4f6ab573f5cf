#include "text/python/value_error.h"

#include "text/python/python_code.h"

/* "self.mask" of "A += self.mask", of which the mark follows; empty behind a bracket, an operator or a literal. */
static struct str name_before(struct str code)
{
    size_t n = code.n;
    struct str name;

    while (n > 0 && (str_is_word_char(code.p[n - 1]) || code.p[n - 1] == '.'))
        n--;
    name = str_skip(code, n);
    return name.n && !str_is_digit(name.p[0]) && name.p[0] != '.' ? name : (struct str){0};
}

/* The one name of the line that the mark ("[", "(", ".price") follows; `self.a[0]` and `self.a[1]` are one. */
static struct str name_with(struct str line, struct str mark)
{
    bool bracket = mark.n == 1;
    struct str rest = line, found = {0};
    ptrdiff_t at;

    while ((at = python_find(rest, mark, PYTHON_NOT_IN_STRING)) >= 0) {
        struct str before = str_range(line.p, rest.p + at), name = name_before(before);

        rest = str_skip(rest, (size_t)at + mark.n);
        if (!bracket && rest.n && str_is_word_char(rest.p[0]))
            continue; /* `.prices` */
        if (bracket && name.n == 0 && !str_ends(before, STR("]")) && !str_ends(before, STR(")")))
            continue; /* a list, or a bracket around an expression */
        if (name.n == 0 || (found.n && !str_eq(found, name)))
            return (struct str){0};
        found = name;
    }
    return found;
}

/* The compiler's own objects, of which no program has one. */
static bool is_of_compiler(struct str type)
{
    static const struct str ends[] = {STR_INIT("Variable"), STR_INIT("Node"),   STR_INIT("Source"),
                                      STR_INIT("Proxy"),    STR_INIT("Tracker"), STR_INIT("Tensor")};

    return STR_ENDS_ANY(type, ends);
}

bool value_error_find(struct str message, struct str line, struct value_error *out)
{
    enum { ATTRIBUTE_MAX = 100 };
    static const struct str plain[] = {STR_INIT("bool"), STR_INIT("int"), STR_INIT("float")};
    struct str rest = str_first_line(message);
    char room[ATTRIBUTE_MAX + 1] = ".";

    *out = (struct value_error){0};
    if (!str_consume(&rest, STR("TypeError: ")))
        str_consume(&rest, STR("AttributeError: "));
    if (!str_consume(&rest, STR("'")))
        return false;
    out->type = str_split(&rest, '\'');
    out->plain = STR_IS_ANY(out->type, plain);
    if (out->type.n == 0 || is_of_compiler(out->type))
        return false;
    if (str_starts(rest, STR(" object is not subscriptable"))) {
        out->name = name_with(line, STR("["));
        out->asked = STR("[...]");
    } else if (str_starts(rest, STR(" object is not callable"))) {
        out->name = name_with(line, STR("("));
        out->asked = STR("(...)");
    } else if (str_between(rest, STR(" object has no attribute '"), STR("'"), &rest) && rest.n < ATTRIBUTE_MAX) {
        memcpy(room + 1, rest.p, rest.n);
        out->name = name_with(line, (struct str){room, rest.n + 1});
        if (out->name.n)
            out->asked = str_range(out->name.p + out->name.n, out->name.p + out->name.n + rest.n + 1);
    }
    return out->name.n > 0;
}
