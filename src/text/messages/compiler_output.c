#include "text/messages/compiler_output.h"

enum { SEARCHED = 16384, CODE_DIGITS = 4 };

/* "19.44.35219" of the banner: three numbers at least, in any language. */
static struct str version_in(struct str line)
{
    while (line.n) {
        struct str word = str_split(&line, ' ');
        size_t dots = 0, digits = 0;

        for (size_t i = 0; i < word.n; i++) {
            dots += word.p[i] == '.';
            digits += str_is_digit(word.p[i]);
        }
        if (dots >= 2 && digits && dots + digits == word.n)
            return word;
    }
    return (struct str){0};
}

/* "C2065", "D8016" or "LNK1104": what MSVC writes in all languages. */
static bool is_code(struct str word)
{
    if (!str_consume(&word, STR("LNK")) && !str_consume(&word, STR("C")) && !str_consume(&word, STR("D")))
        return false;
    for (size_t i = 0; i < CODE_DIGITS; i++)
        if (i >= word.n || !str_is_digit(word.p[i]))
            return false;
    return word.n == CODE_DIGITS || (word.n == CODE_DIGITS + 1 && word.p[CODE_DIGITS] == ':');
}

static bool is_error(struct str line)
{
    static const struct str words[] = {STR_INIT("error"), STR_INIT("undefined "), STR_INIT("cannot find"),
                                       STR_INIT("not found"), STR_INIT("No such file")};

    if (STR_HAS_ANY(line, words))
        return true;
    if (str_has(line, STR("warning")))
        return false;
    while (line.n)
        if (is_code(str_split(&line, ' ')))
            return true;
    return false;
}

/* "c1.cpp": MSVC prints the name of each file that it compiles. */
static bool is_file_name(struct str line)
{
    return str_chr(line, ' ') < 0 && str_has(line, STR(".cpp"));
}

bool compiler_output_read(struct str message, struct compiler_output *out)
{
    static const struct str begin = STR_INIT("\nOutput:");
    struct str rest = str_take(message, SEARCHED), line;
    ptrdiff_t at;

    *out = (struct compiler_output){0};
    if (!str_has(rest, STR("C++ compile error")))
        return false;
    at = str_find(rest, begin);
    out->begins = at >= 0;
    rest = str_skip(rest, at < 0 ? rest.n : (size_t)at + begin.n);
    while (!out->has_error && str_next_line(&rest, &line)) {
        line = str_trim(line);
        if (str_has(line, STR("Microsoft (R) "))) {
            out->version = version_in(line);
            out->foreign = !str_has(line, STR("Version "));
        } else if (line.n && !str_has(line, STR("(C) ")) && !is_file_name(line)) {
            out->has_error = is_error(line);
            out->line = out->has_error || out->line.n == 0 ? line : out->line;
        }
    }
    return true;
}
