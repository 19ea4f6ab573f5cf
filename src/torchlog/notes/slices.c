#include "torchlog/notes/slices.h"

#include "text/code/shown_code.h"
#include "text/stated/prose.h"
#include "text/stated/stated_version.h"

enum { LINE_MAX = 400, WRITERS = 8 };

/* --- code --------------------------------------------------------------------------------------------------------- */

/* A function that is compiled, or what torch.compile() made of one, and the argument into which it writes. */
struct inplace_function {
    struct str name;
    size_t argument;
};

struct inplace_functions {
    struct inplace_function v[WRITERS];
    size_t n;
};

/* Takes what stands before the next comma that is in no bracket; ends at a bracket that was not opened here. */
static struct str next_argument(struct str *s)
{
    size_t depth = 0, n = 0;

    for (; n < s->n; n++) {
        if (strchr("([{", s->p[n]))
            depth++;
        else if (strchr(")]}", s->p[n]) && depth-- == 0)
            break;
        else if (s->p[n] == ',' && depth == 0)
            break;
    }
    struct str argument = str_trim(str_take(*s, n));

    *s = n < s->n && s->p[n] == ',' ? str_skip(*s, n + 1) : (struct str){0};
    return argument;
}

/* The place of a name among "a, b: Tensor, c=None): ..."; `none` if it is not there. */
static size_t place_of(struct str parameters, struct str name, size_t none)
{
    for (size_t i = 0; parameters.n; i++) {
        struct str parameter = next_argument(&parameters);

        if (name.n && str_eq(str_word(parameter), name))
            return i;
    }
    return none;
}

/* "a" of "a.copy_(b)", "a[0] = b", "a += b"; empty if the line writes into no tensor. */
static struct str written(struct str line)
{
    static const struct str operators[] = {STR_INIT("+="), STR_INIT("-="), STR_INIT("*="), STR_INIT("/=")};
    struct str name = str_word(line), rest = str_trim(str_skip(line, name.n)), method;

    if (STR_STARTS_ANY(rest, operators))
        return name;
    if (str_consume(&rest, STR("."))) {
        method = str_word(rest);
        rest = str_skip(rest, method.n);
        return str_ends(method, STR("_")) && !str_ends(method, STR("__")) && str_starts(rest, STR("("))
                   ? name
                   : (struct str){0};
    }
    if (str_consume(&rest, STR("["))) {
        ptrdiff_t end = str_find(rest, STR("] "));

        rest = str_trim(str_skip(rest, end < 0 ? rest.n : (size_t)end + 2));
        if (str_starts(rest, STR("= ")) || STR_STARTS_ANY(rest, operators))
            return name;
    }
    return (struct str){0};
}

/* What the compiled functions write into. */
static void find_writers(struct str text, struct inplace_functions *w)
{
    static const size_t none = SIZE_MAX;
    struct shown_code code;
    struct str line;

    shown_code_read(text, &code);
    for (size_t i = 0; i < code.n; i++) {
        struct str body = code.compiled[i].body;

        while (w->n < WRITERS && str_next_line(&body, &line)) {
            size_t argument = place_of(code.compiled[i].parameters, written(str_trim(str_take(line, LINE_MAX))), none);

            if (argument != none)
                w->v[w->n++] = (struct inplace_function){code.compiled[i].called, argument};
        }
    }
}

/* "a[..., 1, :]" that the call passes for the argument; empty if it passes something else. */
static struct str slice_passed(struct str line, const struct inplace_function *w)
{
    struct str rest = line, argument = {0}, index;
    ptrdiff_t at = str_find(rest, w->name);

    if (at < 0 || (at > 0 && (str_is_word_char(line.p[at - 1]) || str_ends(str_take(line, (size_t)at), STR("def ")))))
        return (struct str){0};
    rest = str_skip(rest, (size_t)at + w->name.n);
    if (!str_consume(&rest, STR("(")))
        return (struct str){0};
    for (size_t i = 0; i <= w->argument; i++)
        argument = next_argument(&rest);
    index = str_skip(argument, str_word(argument).n);
    return str_word(argument).n && str_starts(index, STR("[")) && str_ends(index, STR("]")) &&
                   str_has_any_line(index, STR(":\n..."))
               ? argument
               : (struct str){0};
}

/* --- what the text says ------------------------------------------------------------------------------------------- */

static bool says_lost(struct str text)
{
    static const char lost[] = "unchanged\nnot change\nn't change\nleft alone\nnot updated\nn't updated\nnot modified\n"
                               "n't modified\nnot executed\nnot to be executed\nnot written\nn't written\nis lost\n"
                               "are lost\nno effect\nwrong\nincorrect\ndiffer\nmismatch\nkeeps its old\nstays as it";
    static const char depends[] = "multiple of\ndivisible\naligned\nalignment\n% 4 \nodd size\nodd length\nodd number\n"
                                  "some sizes\ncertain sizes\nother sizes\ndepends on the size\nonly on cuda\n"
                                  "only on gpu\nonly on the gpu\ncpu is fine\ncpu works\ncpu is right\ncpu it works\n"
                                  "cpu it is right\ncpu all is right";

    return str_has_any_line(text, STR("cuda\nCUDA")) && prose_has_line(text, lost) && prose_has_line(text, depends);
}

/* 2.8 and later copy back what was written. */
static bool copies_back(struct str version)
{
    enum { COPIES_SINCE = 8 };
    uint64_t minor;

    return str_consume(&version, STR("2.")) && str_take_u64(&version, &minor) && minor >= COPIES_SINCE;
}

struct series_found slices_lost(struct arena *a, struct str text)
{
    struct inplace_functions writers = {.n = 0};
    struct str line;

    if (!says_lost(text) || copies_back(version_stated(text)))
        return (struct series_found){.line = {0}};
    find_writers(text, &writers);
    while (str_next_line(&text, &line))
        for (size_t i = 0; i < writers.n; i++) {
            struct str slice = slice_passed(str_take(line, LINE_MAX), &writers.v[i]);

            if (slice.n)
                return (struct series_found){
                    .message = arena_printf(a, ": `%.*s`, into which `%.*s` writes", STR_ARG(slice),
                                            STR_ARG(writers.v[i].name)),
                    .line = line,
                };
        }
    return (struct series_found){.line = {0}};
}
