#include "text/messages/shape_expression.h"

#include "text/guards/guard_name.h"
#include "text/python/python_code.h"
#include "util/buf.h"


/* --- from sympy to Python ----------------------------------------------------------------------------------------- */

enum { DEPTH_MAX = 32 };

/* torch/utils/_sympy/functions.py prints these operators as calls. */
static const struct {
    struct str name;
    const char *infix;
} infixes[] = {
    {STR_INIT("Eq"), "=="},       {STR_INIT("Ne"), "!="},       {STR_INIT("Mod"), "%"},
    {STR_INIT("PythonMod"), "%"}, {STR_INIT("FloorDiv"), "//"},
};

struct expression_writer {
    struct arena *arena;
    struct str names;
    struct buf out;
    bool is_python, has_symbols;
};

/* s77, u0, zuf1: the compiler's names for sizes and values. */
static bool is_symbol(struct str word)
{
    struct str digits = word;
    uint64_t n;

    if (!str_consume(&digits, STR("zuf")) && !str_consume(&digits, STR("u")) && !str_consume(&digits, STR("s")))
        return false;
    return str_u64(digits, &n);
}

/* What a symbol stands for; empty if unknown. */
static struct str name_of(struct expression_writer *w, struct str symbol)
{
    struct str rest = w->names, entry;

    while (rest.n) {
        ptrdiff_t end = python_find(rest, STR(", "), PYTHON_TOP_LEVEL);

        entry = end < 0 ? rest : str_take(rest, (size_t)end);
        rest = end < 0 ? (struct str){0} : str_skip(rest, (size_t)end + 2);
        if (str_consume(&entry, symbol) && str_consume(&entry, STR(" = ")))
            return guard_name(w->arena, entry);
    }
    return (struct str){0};
}

/* x.size()[0] is written as x.shape[0], as people do. */
static void write_name(struct expression_writer *w, struct str name)
{
    ptrdiff_t at = str_find(name, STR(".size()["));

    if (at < 0)
        buf_str(&w->out, name);
    else
        buf_printf(&w->out, "%.*s.shape%.*s", (int)at, name.p, STR_ARG(str_skip(name, (size_t)at + 7)));
}

static void write_expression(struct expression_writer *w, struct str s, int depth);

/* The length of "(a, b)" at the beginning of s; 0 if it does not begin with a bracket, or the bracket is not closed. */
static size_t bracket_length(struct str s)
{
    size_t depth = 0;

    for (size_t i = 0; i < s.n; i++) {
        depth += s.p[i] == '(';
        if (s.p[i] == ')' && depth > 0)
            depth--;
        if (depth == 0)
            return i ? i + 1 : 0;
    }
    return 0;
}

/* Writes Eq(a, b) as "a == b", in brackets if it is part of a larger expression. False for other calls. */
static bool write_infix(struct expression_writer *w, struct str word, struct str arguments, bool part, int depth)
{
    ptrdiff_t comma = python_find(arguments, STR(", "), PYTHON_TOP_LEVEL);

    for (size_t i = 0; comma > 0 && i < sizeof infixes / sizeof *infixes; i++) {
        if (!str_eq(word, infixes[i].name))
            continue;
        buf_str(&w->out, part ? STR("(") : STR(""));
        write_expression(w, str_take(arguments, (size_t)comma), depth + 1);
        buf_printf(&w->out, " %s ", infixes[i].infix);
        write_expression(w, str_skip(arguments, (size_t)comma + 2), depth + 1);
        buf_str(&w->out, part ? STR(")") : STR(""));
        return true;
    }
    return false;
}

/* Handles a word, and the brackets after it if it is called; returns the bytes taken. */
static size_t write_word(struct expression_writer *w, struct str s, bool first, int depth)
{
    struct str word = str_word(s), rest = str_skip(s, word.n), name = name_of(w, word);
    size_t brackets = depth < DEPTH_MAX ? bracket_length(rest) : 0;
    bool part = depth > 0 || !first || word.n + brackets < s.n;

    if (brackets && write_infix(w, word, str_take(str_skip(rest, 1), brackets - 2), part, depth))
        return word.n + brackets;
    w->is_python = w->is_python && !(rest.n && rest.p[0] == '(');
    w->has_symbols = w->has_symbols || (name.n == 0 && is_symbol(word));
    write_name(w, name.n ? name : word);
    return word.n;
}

static void write_expression(struct expression_writer *w, struct str s, int depth)
{
    for (size_t i = 0; i < s.n;) {
        if (str_is_word_char(s.p[i]))
            i += write_word(w, str_skip(s, i), i == 0, depth);
        else
            buf_char(&w->out, s.p[i++]);
    }
}

enum { EXPRESSION_MAX = 2000 }; /* nobody reads longer ones */

struct shape_words shape_expression_words(struct arena *a, struct str expression, struct str names)
{
    struct expression_writer w = {
        .arena = a, .names = names, .is_python = expression.n > 0 && expression.n <= EXPRESSION_MAX};
    struct shape_words out;

    write_expression(&w, str_take(expression, EXPRESSION_MAX), 0);
    out = (struct shape_words){arena_str(a, buf_view(&w.out)), w.is_python, w.has_symbols};
    buf_free(&w.out);
    return out;
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

static const struct {
    struct str op;
    const char *opposite;
} comparisons[] = {
    {STR_INIT(" == "), "!="}, {STR_INIT(" != "), "=="}, {STR_INIT(" >= "), "<"},
    {STR_INIT(" <= "), ">"},  {STR_INIT(" > "), "<="},  {STR_INIT(" < "), ">="},
};

/* The only comparison outside brackets; -1 if there is none, or more than one. */
static int comparison_of(struct str condition, size_t *at)
{
    int found = -1;

    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        ptrdiff_t offset = python_find(condition, comparisons[i].op, PYTHON_TOP_LEVEL);

        if (offset < 0)
            continue;
        if (found >= 0 ||
            python_find(str_skip(condition, (size_t)offset + 2), comparisons[i].op, PYTHON_TOP_LEVEL) >= 0)
            return -1;
        found = (int)i;
        *at = (size_t)offset;
    }
    return found;
}

struct str shape_condition_opposite(struct arena *a, struct str condition)
{
    size_t at = 0;
    int i = comparison_of(condition, &at);

    if (i < 0)
        return (struct str){0};
    return arena_printf(a, "%.*s %s %.*s", (int)at, condition.p, comparisons[i].opposite,
                        STR_ARG(str_skip(condition, at + comparisons[i].op.n)));
}

/* A line may be only part of a statement. */
static bool is_balanced(struct str s)
{
    int depth = 0;

    for (size_t i = 0; i < s.n; i++)
        depth += (memchr("([{", s.p[i], 3) != NULL) - (memchr(")]}", s.p[i], 3) != NULL);
    return depth == 0;
}

/* Python evaluates the operands of these one after another, so none of the values stays symbolic. */
static bool is_compound(struct str condition)
{
    static const struct str words[] = {STR_INIT(" and "), STR_INIT(" or "), STR_INIT("not "), STR_INIT(" if "),
                                       STR_INIT(" is "),  STR_INIT(" in "), STR_INIT(":="),   STR_INIT("await ")};
    size_t at, comparisons_found = 0;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (python_find(condition, words[i], PYTHON_NOT_IN_STRING) >= 0)
            return true;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        comparisons_found += python_find(condition, comparisons[i].op, PYTHON_TOP_LEVEL) >= 0;
    return comparisons_found && comparison_of(condition, &at) < 0;
}

enum condition_form condition_form_of(struct str condition)
{
    size_t at;

    if (condition.n == 0 || !is_balanced(condition))
        return CONDITION_NONE;
    if (is_compound(condition))
        return CONDITION_OTHER;
    return comparison_of(condition, &at) >= 0 ? CONDITION_COMPARISON : CONDITION_VALUE;
}

static bool calls_something(struct str code)
{
    static const struct str reads[] = {STR_INIT(".numel"), STR_INIT(".size"), STR_INIT(".dim"), STR_INIT("len")};

    for (size_t i = 1; i < code.n; i++) {
        struct str before = str_take(code, i), name = before;

        if (code.p[i] != '(' || !(str_is_word_char(code.p[i - 1]) || code.p[i - 1] == ']' || code.p[i - 1] == ')'))
            continue;
        while (name.n && str_is_word_char(name.p[name.n - 1]))
            name.n--;
        name = str_skip(before, name.n && name.p[name.n - 1] == '.' ? name.n - 1 : name.n);
        if (!STR_IS_ANY(name, reads) || str_chr(code, '[') >= 0) /* "x[mask].numel()" is another number each time */
            return true;
    }
    return false;
}

struct line_condition line_condition_of(struct str line)
{
    static const struct {
        struct str word, end;
        bool stands_alone;
    } keywords[] = {
        {STR_INIT("if "), STR_INIT(":"), true},
        {STR_INIT("elif "), STR_INIT(":"), false},
        {STR_INIT("while "), STR_INIT(":"), false},
        {STR_INIT("assert "), STR_INIT(","), true},
    };
    struct line_condition out = {0};
    ptrdiff_t end;

    line = str_trim(line);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (!str_consume(&line, keywords[i].word))
            continue;
        end = python_find(line, keywords[i].end, PYTHON_TOP_LEVEL);
        if (end < 0 && i < 3)
            return out; /* it continues on the next line */
        if (end < 0 && (end = python_find(line, STR("#"), PYTHON_NOT_IN_STRING)) < 0)
            end = (ptrdiff_t)line.n;
        out.text = str_trim(str_take(line, (size_t)end));
        out.form = calls_something(out.text) ? CONDITION_OTHER : condition_form_of(out.text);
        out.stands_alone = keywords[i].stands_alone;
        return out;
    }
    return out;
}

struct str line_equality_of(struct arena *a, struct str line)
{
    static const struct str unequal = STR_INIT(" != ");
    struct line_condition condition = line_condition_of(line);
    ptrdiff_t at = python_find(condition.text, unequal, PYTHON_TOP_LEVEL);
    struct str left = str_trim(str_take(condition.text, at < 0 ? 0 : (size_t)at)),
               right = str_trim(str_skip(condition.text, at < 0 ? condition.text.n : (size_t)at + unequal.n));
    bool several = str_has_any_line(condition.text, STR(" and \n or \nnot ")) || str_has(right, unequal);

    if (!str_starts(str_trim(line), STR("if ")) || left.n == 0 || right.n == 0 || several ||
        str_is_digit(left.p[0]) || str_is_digit(right.p[0]) || right.p[0] == '-')
        return (struct str){0};
    return arena_printf(a, "%.*s == %.*s", STR_ARG(left), STR_ARG(right));
}

/* "12" of "Ne(u0, 12)" and of "Eq(u0, 12)". */
static bool take_comparison(struct str expression, struct str *left, struct str *right)
{
    if ((!str_consume(&expression, STR("Ne(")) && !str_consume(&expression, STR("Eq("))) ||
        !str_ends(expression, STR(")")))
        return false;
    expression = str_drop(expression, 1);
    *left = str_trim(str_split(&expression, ','));
    *right = str_trim(expression);
    return left->n > 1 && left->p[0] == 'u' && str_is_digit(left->p[1]);
}

bool hint_of_example(struct str message, struct str *number, struct str *symbol)
{
    struct str hinted, unhinted, left, same;
    uint64_t n;

    if (!str_between(message, STR("data-dependent expression "), STR(" (unhinted: "), &hinted) ||
        !str_between(message, STR(" (unhinted: "), STR(")."), &unhinted) || !take_comparison(hinted, &left, number) ||
        !take_comparison(unhinted, &same, symbol) || !str_eq(left, same))
        return false;
    hinted = *number;
    unhinted = *symbol;
    return str_take_u64(&hinted, &n) && hinted.n == 0 && str_consume(&unhinted, STR("s")) &&
           str_take_u64(&unhinted, &n) && unhinted.n == 0;
}

struct str line_whole_slice_of(struct arena *a, struct str line)
{
    ptrdiff_t open = str_chr(line, '['), close = str_find(line, STR("] = "));
    struct str tensor = str_take(line, open < 0 ? 0 : (size_t)open), end;
    ptrdiff_t last;

    if (open < 1 || close < open)
        return (struct str){0};
    end = str_take(str_skip(line, (size_t)open + 1), (size_t)(close - open - 1));
    last = str_rchr(end, ',');
    end = str_trim(str_skip(end, (size_t)(last + 1)));
    if (!str_consume(&end, STR(":")) || !str_ends(end, STR(".shape[-1]")) || str_chr(end, '(') >= 0 ||
        str_chr(tensor, ' ') >= 0 || str_chr(tensor, '(') >= 0 || str_has(line, STR("`")))
        return (struct str){0};
    return arena_printf(a, "%.*s == %.*s.shape[-1]", STR_ARG(end), STR_ARG(tensor));
}
