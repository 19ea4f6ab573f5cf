#include "text/stated/option.h"

enum { NAME_MIN = 4, COLUMNS_MAX = 12, DIGITS_MAX = 9 };

/* The digits that a text begins with, where no more of a word or number follows. */
static struct str number_at(struct str s)
{
    size_t n = 0;

    while (n < s.n && str_is_digit(s.p[n]))
        n++;
    if (n == 0 || n > DIGITS_MAX || (n < s.n && (str_is_word_char(s.p[n]) || s.p[n] == '.')))
        return (struct str){0};
    return str_take(s, n);
}

/* "num_tills" before `":7`, `=7`, ` 7`, `: 7`: a name with an underscore or a dash. */
static struct str name_before(struct str before)
{
    size_t n, begin;
    bool parted = false;

    before = str_drop_any(before, "\"'`:= ");
    n = begin = before.n;
    while (begin > 0 && (str_is_word_char(before.p[begin - 1]) || before.p[begin - 1] == '-'))
        begin--;
    before = str_range(before.p + begin, before.p + n);
    before = str_skip_any(before, "-");
    for (size_t i = 0; i < before.n; i++)
        parted |= strchr("_-", before.p[i]) != NULL;
    return parted && before.n >= NAME_MIN ? before : (struct str){0};
}

/* The name of an option whose value the number is somewhere. */
static struct str option_with(struct str text, struct str number)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        if (str_has_any_line(line, STR("assert_size_stride\nexpected size")))
            continue;
        for (size_t i = 1; i < line.n; i++) {
            struct str name;

            if (!str_is_digit(line.p[i]) || !strchr(":= ", line.p[i - 1]) ||
                !str_eq(number_at(str_skip(line, i)), number))
                continue;
            name = name_before(str_take(line, i));
            if (name.n)
                return name;
        }
    }
    return (struct str){0};
}

/* Whether a column of a table has both numbers. */
static bool has_column_of(struct str text, struct str one, struct str other)
{
    bool first[COLUMNS_MAX] = {false}, second[COLUMNS_MAX] = {false};
    struct str line;

    while (str_next_line(&text, &line)) {
        line = str_trim(line);
        if (!str_consume(&line, STR("|")))
            continue;
        for (size_t i = 0; line.n && i < COLUMNS_MAX; i++) {
            struct str cell = str_trim(str_split(&line, '|'));

            first[i] |= str_eq(cell, one);
            second[i] |= str_eq(cell, other);
        }
    }
    for (size_t i = 0; i < COLUMNS_MAX; i++)
        if (first[i] && second[i])
            return true;
    return false;
}

struct str option_of_sizes(struct str text)
{
    static const struct str lead = STR_INIT("expected size ");
    ptrdiff_t at = str_find(text, lead);
    struct str rest = str_skip(text, at < 0 ? text.n : (size_t)at + lead.n), is, was, name, other;
    uint64_t one, two;
    const char *begin = rest.p;

    if (!str_take_u64(&rest, &one))
        return (struct str){0};
    is = str_range(begin, rest.p);
    if (!str_consume(&rest, STR("==")))
        return (struct str){0};
    begin = rest.p;
    if (!str_take_u64(&rest, &two) || one == two)
        return (struct str){0};
    was = str_range(begin, rest.p);
    name = option_with(text, is);
    other = option_with(text, was);
    if (name.n && other.n)
        return str_eq(name, other) ? name : (struct str){0};
    name = name.n ? name : other;
    return name.n && has_column_of(text, is, was) ? name : (struct str){0};
}
