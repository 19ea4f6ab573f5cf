#include "text/graphs/kernel_name.h"

/* "2at6native…" (Itanium C++ ABI, <source-name>): takes one identifier off. */
static bool take_identifier(struct str *s, struct str *out)
{
    uint64_t n;

    if (!str_take_u64(s, &n) || n == 0 || n > s->n)
        return false;
    *out = str_take(*s, (size_t)n);
    *s = str_skip(*s, (size_t)n);
    return true;
}

/* "12_GLOBAL__N_1": the name of an anonymous namespace carries no information. */
static bool is_unnamed(struct str identifier)
{
    return str_starts(identifier, STR("_GLOBAL__N_"));
}

static struct str of_mangled(struct arena *a, struct str s)
{
    struct str out = {"", 0}, identifier;

    if (str_consume(&s, STR("N")))
        while (s.n && (s.p[0] == 'K' || s.p[0] == 'V'))
            s = str_skip(s, 1);
    while (take_identifier(&s, &identifier))
        if (!is_unnamed(identifier))
            out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), out.n ? "::" : "", STR_ARG(identifier));
    return out;
}

/* Up to the first bracket, without the return type. A lambda's name contains brackets. */
static struct str of_plain(struct str s)
{
    size_t begin = 0, end = 0;

    while (end < s.n && s.p[end] != '<' && s.p[end] != '(') {
        if (s.p[end] == ' ')
            begin = end + 1;
        end++;
    }
    return begin < end ? str_take(str_skip(s, begin), end - begin) : s;
}

struct str kernel_name_short(struct arena *a, struct str name)
{
    struct str rest = name, out;

    if (!str_consume(&rest, STR("_Z")))
        return of_plain(name);
    out = of_mangled(a, rest);
    return out.n ? out : name;
}
