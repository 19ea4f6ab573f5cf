#include "text/python/python_code.h"

/* The offset after the literal that begins at `at`, or 0 if it is not closed. */
static size_t literal_end(struct str code, size_t at)
{
    char quote = code.p[at];

    for (size_t i = at + 1; i < code.n; i++) {
        if (code.p[i] == '\\')
            i++;
        else if (code.p[i] == quote)
            return i + 1;
    }
    return 0;
}

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

static unsigned depth_after(unsigned depth, char c)
{
    if (c == '(' || c == '[' || c == '{')
        return depth + 1;
    if ((c == ')' || c == ']' || c == '}') && depth > 0)
        return depth - 1;
    return depth;
}

ptrdiff_t python_find(struct str code, struct str mark, enum python_place place)
{
    /* For each quote character: whether an unclosed one was found. Then no later one is closed either. */
    bool unclosed[2] = {false, false};
    unsigned depth = 0;

    for (size_t i = 0; i < code.n; i++) {
        char c = code.p[i];

        if (c == mark.p[0] && (place == PYTHON_NOT_IN_STRING || depth == 0) && str_starts(str_skip(code, i), mark))
            return (ptrdiff_t)i;
        if (is_quote(c) && !unclosed[c == '"']) {
            size_t end = literal_end(code, i);

            unclosed[c == '"'] = end == 0;
            i = end ? end - 1 : i;
        } else {
            depth = depth_after(depth, c);
        }
    }
    return -1;
}

bool python_is_dotted(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!str_is_name_char(s.p[i]) && s.p[i] != '.')
            return false;
    return true;
}

bool python_branches(struct str statement)
{
    static const struct str words[] = {STR_INIT("if "), STR_INIT("elif "), STR_INIT("while ")};

    return STR_STARTS_ANY(statement, words);
}

bool python_asks(struct str statement)
{
    return python_branches(statement) || str_starts(statement, STR("assert "));
}
