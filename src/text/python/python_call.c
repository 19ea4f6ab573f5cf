#include "text/python/python_call.h"

#include "text/python/python_code.h"

enum { LINE_MAX_BYTES = 2000, CALLS_MAX = 32 };

/* --- characters --------------------------------------------------------------------------------------------------- */

static size_t name_length(struct str s)
{
    size_t n = 0;

    while (n < s.n && str_is_name_char(s.p[n]))
        n++;
    return n && str_is_digit(s.p[0]) ? 0 : n;
}

/* The line without a trailing comment, or as much as fits. */
static struct str code_of(struct str line)
{
    ptrdiff_t at;

    line = str_trim(str_take(line, LINE_MAX_BYTES));
    at = python_find(line, STR("#"), PYTHON_NOT_IN_STRING);
    return at < 0 ? line : str_trim(str_take(line, (size_t)at));
}

/* --- places ------------------------------------------------------------------------------------------------------- */

/* 'key', "key", 0 or -1, and nothing else. */
static bool is_key(struct str s)
{
    if (s.n >= 2 && (s.p[0] == '\'' || s.p[0] == '"'))
        return s.p[s.n - 1] == s.p[0] && str_chr(str_range(s.p + 1, s.p + s.n - 1), s.p[0]) < 0 && str_chr(s, '\\') < 0;
    str_consume(&s, STR("-"));
    for (size_t i = 0; i < s.n; i++)
        if (!str_is_digit(s.p[i]))
            return false;
    return s.n > 0;
}

static bool is_keyword(struct str s)
{
    static const struct str words[] = {
        STR_INIT("if"),     STR_INIT("elif"),  STR_INIT("while"),  STR_INIT("for"),   STR_INIT("in"),
        STR_INIT("not"),    STR_INIT("and"),   STR_INIT("or"),     STR_INIT("is"),    STR_INIT("else"),
        STR_INIT("return"), STR_INIT("yield"), STR_INIT("assert"), STR_INIT("await"), STR_INIT("lambda"),
        STR_INIT("with"),   STR_INIT("from"),  STR_INIT("def"),    STR_INIT("class"), STR_INIT("raise"),
        STR_INIT("True"),   STR_INIT("False"), STR_INIT("None"),   STR_INIT("del"),   STR_INIT("except"),
    };

    return STR_IS_ANY(s, words);
}

bool python_is_place(struct str s)
{
    size_t n = name_length(s);

    if (n == 0 || is_keyword(str_take(s, n)))
        return false;
    s = str_skip(s, n);
    while (s.n) {
        ptrdiff_t end;

        if (str_consume(&s, STR("."))) {
            n = name_length(s);
        } else if (str_consume(&s, STR("["))) {
            end = python_find(s, STR("]"), PYTHON_TOP_LEVEL);
            if (end < 0 || !is_key(str_take(s, (size_t)end)))
                return false;
            n = (size_t)end + 1;
        } else {
            return false;
        }
        if (n == 0)
            return false;
        s = str_skip(s, n);
    }
    return true;
}

/* --- statements --------------------------------------------------------------------------------------------------- */

/* Whether brackets are closed in the order in which they were opened, and literals are closed. */
static bool is_balanced(struct str s)
{
    char open[64];
    size_t depth = 0;

    for (size_t i = 0; i < s.n; i++) {
        static const char opening[] = "([{", closing[] = ")]}";
        char c = s.p[i];
        const char *kind;

        if (c == '\'' || c == '"') {
            for (i++; i < s.n && s.p[i] != c; i++)
                i += s.p[i] == '\\';
            if (i >= s.n)
                return false;
        } else if ((kind = memchr(opening, c, 3)) != NULL) {
            if (depth == sizeof open)
                return false;
            open[depth++] = closing[kind - opening];
        } else if (memchr(closing, c, 3)) {
            if (depth == 0 || open[--depth] != c)
                return false;
        }
    }
    return depth == 0;
}

static bool has(struct str line, const char *mark)
{
    return python_find(line, str_of(mark), PYTHON_NOT_IN_STRING) >= 0;
}

static bool begins_with_word(struct str line, const char *word)
{
    return str_eq(str_take(line, name_length(line)), str_of(word));
}

bool python_is_whole_statement(struct str line)
{
    static const char *const assigns[] = {" = ", " += ", " -= ", " *= ", " |= "};
    static const char *const simple[] = {"return", "assert"};
    static const char *const own_names[] = {" for ", "lambda", ":=", "; "};
    bool whole = false;

    line = code_of(line);
    if (line.n == 0 || !is_balanced(line) || memchr(",\\:;", line.p[line.n - 1], 4))
        return false;
    for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++)
        if (has(line, own_names[i]))
            return false;
    for (size_t i = 0; i < sizeof assigns / sizeof *assigns; i++)
        whole |= python_find(line, str_of(assigns[i]), PYTHON_TOP_LEVEL) >= 0;
    whole = whole && !is_keyword(str_take(line, name_length(line)));
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        whole |= begins_with_word(line, simple[i]);
    return whole;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* The name before the bracket at `at`, with its dotted prefix: "self.model"; empty if it is not a call. */
static struct str callee_before(struct str line, size_t at)
{
    size_t begin = at, word;

    while (begin > 0 && (str_is_name_char(line.p[begin - 1]) || line.p[begin - 1] == '.'))
        begin--;
    if (begin == at)
        return at > 0 && (line.p[at - 1] == ')' || line.p[at - 1] == ']') ? str_range(line.p + at - 1, line.p + at)
                                                                          : (struct str){0};
    word = at;
    while (word > begin && line.p[word - 1] != '.')
        word--;
    if (is_keyword(str_range(line.p + word, line.p + at)))
        return (struct str){0};
    return str_range(line.p + begin, line.p + at);
}

static void read_argument(struct arena *a, struct str text, struct python_call *out)
{
    struct python_argument *x = vec_add(a, &out->arguments);
    size_t n;

    text = str_trim(text);
    *x = (struct python_argument){.value = text};
    while (x->stars < 2 && str_consume(&x->value, STR("*")))
        x->stars++;
    n = name_length(text);
    if (x->stars || n == 0)
        return;
    text = str_trim(str_skip(text, n));
    if (str_starts(text, STR("==")) || !str_consume(&text, STR("=")))
        return;
    x->keyword = str_take(x->value, n);
    x->value = str_trim(text);
}

static void read_arguments(struct arena *a, struct str text, struct python_call *out)
{
    while (str_trim(text).n) {
        ptrdiff_t comma = python_find(text, STR(","), PYTHON_TOP_LEVEL);
        struct str first = comma < 0 ? text : str_take(text, (size_t)comma);

        read_argument(a, first, out);
        text = str_skip(text, first.n + 1);
    }
}

/* Whether something other than constants is passed to it. */
static bool takes_names(const struct python_call *c)
{
    vec_each(const struct python_argument, x, &c->arguments)
    {
        struct str first = str_take(x->value, name_length(x->value));

        if (x->stars || (first.n && !is_keyword(first)))
            return true;
    }
    return false;
}

/* Whether it only prints, converts or collects what another call returns. */
static bool passes_on(const struct python_call *c)
{
    static const struct str names[] = {
        STR_INIT("print"), STR_INIT("float"), STR_INIT("int"),  STR_INIT("len"),
        STR_INIT("list"),  STR_INIT("tuple"), STR_INIT("repr"), STR_INIT("append"),
    };
    struct str name = str_skip(c->callee, (size_t)(str_rchr(c->callee, '.') + 1));

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(name, names[i]))
            return c->arguments.n == 1 && str_chr(c->arguments.v[0].value, '(') > 0;
    return false;
}

/* The offset of the next bracket outside literals, or -1. */
static ptrdiff_t next_bracket(struct str line, size_t from)
{
    ptrdiff_t at = python_find(str_skip(line, from), STR("("), PYTHON_NOT_IN_STRING);

    return at < 0 ? -1 : at + (ptrdiff_t)from;
}

bool python_only_call(struct arena *a, struct str line, struct python_call *out)
{
    unsigned found = 0, looked_at = 0;
    ptrdiff_t at;

    line = code_of(line);
    for (size_t from = 0; (at = next_bracket(line, from)) >= 0; from = (size_t)at + 1) {
        struct python_call call = {.callee = callee_before(line, (size_t)at)};
        struct str rest = str_skip(line, (size_t)at + 1);
        ptrdiff_t end = python_find(rest, STR(")"), PYTHON_TOP_LEVEL);

        if (++looked_at > CALLS_MAX)
            return false;
        if (call.callee.n == 0 || end < 0)
            continue;
        read_arguments(a, str_take(rest, (size_t)end), &call);
        if (!takes_names(&call) || passes_on(&call))
            continue;
        *out = call;
        found++;
    }
    return found == 1;
}
