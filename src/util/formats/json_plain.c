#include "util/formats/json_plain.h"

#include "util/buf.h"

#include <math.h>
#include <stdlib.h>

enum { DEPTH_MAX = 100, NUMBER_MAX = 40, DIGITS_MAX = 18, KEY_MAX = 200 };

struct plain_parser {
    const char *p, *end;
    unsigned depth;
    struct buf text; /* the current string, if it has escapes */
};

static json_t *parse_value(struct plain_parser *x);

/* The next byte; 0 at the end, and for a NUL byte, which JSON does not allow. */
static char next(const struct plain_parser *x)
{
    return x->p < x->end ? *x->p : '\0';
}

static void skip_blanks(struct plain_parser *x)
{
    while (x->p < x->end && (*x->p == ' ' || *x->p == '\n' || *x->p == '\t' || *x->p == '\r'))
        x->p++;
}

static bool take(struct plain_parser *x, char c)
{
    if (next(x) != c)
        return false;
    x->p++;
    return true;
}

/* --- strings ------------------------------------------------------------------------------------------------------ */

/* Whether a character in a string stands for itself. */
static bool is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

/* "u001b" and the like; ASCII only, and not NUL. */
static char take_code(struct plain_parser *x)
{
    static const char digits[] = "0123456789abcdef";
    const char *high, *low;

    if (x->end - x->p < 4 || x->p[0] != '0' || x->p[1] != '0' || !x->p[2] || !x->p[3])
        return '\0';
    high = strchr(digits, x->p[2]);
    low = strchr(digits, x->p[3]);
    x->p += 4;
    return high && low && high - digits < 8 ? (char)((high - digits) * 16 + (low - digits)) : '\0';
}

/* The character after a backslash; NUL if this parser does not handle it. */
static char take_escape(struct plain_parser *x)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = next(x);
    const char *found;

    if (c == '\0')
        return '\0';
    found = strchr(names, c);
    x->p++;
    return found ? values[found - names] : c == 'u' ? take_code(x) : '\0';
}

/* Valid until the next string. */
static bool take_string(struct plain_parser *x, struct str *out)
{
    const char *begin;

    if (!take(x, '"'))
        return false;
    x->text.n = 0;
    for (;;) {
        char c;

        for (begin = x->p; x->p < x->end && is_plain(*x->p);)
            x->p++;
        *out = (struct str){begin, (size_t)(x->p - begin)};
        if (next(x) == '"')
            break;
        buf_str(&x->text, *out);
        if (!take(x, '\\') || (c = take_escape(x)) == '\0')
            return false;
        buf_char(&x->text, c);
    }
    x->p++;
    if (x->text.n) {
        buf_str(&x->text, *out);
        *out = buf_view(&x->text);
    }
    return true;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static size_t skip_digits(struct plain_parser *x)
{
    const char *begin = x->p;

    while (str_is_digit(next(x)))
        x->p++;
    return (size_t)(x->p - begin);
}

static json_t *make_real(const char *begin, size_t n)
{
    char text[NUMBER_MAX + 1];
    double value;

    if (!str_terminate((struct str){begin, n}, text, sizeof text))
        return NULL;
    value = strtod(text, NULL);
    return isfinite(value) ? json_real(value) : NULL;
}

static json_t *parse_number(struct plain_parser *x)
{
    const char *begin = x->p;
    bool negative = take(x, '-'), real = false;
    const char *first = x->p;
    size_t digits = skip_digits(x);
    int64_t value = 0;

    if (digits == 0 || digits > DIGITS_MAX || (*first == '0' && digits > 1))
        return NULL;
    if (take(x, '.')) {
        real = true;
        if (skip_digits(x) == 0)
            return NULL;
    }
    if (next(x) == 'e' || next(x) == 'E') {
        real = true;
        x->p++;
        if (next(x) == '+' || next(x) == '-')
            x->p++;
        if (skip_digits(x) == 0)
            return NULL;
    }
    if (real)
        return make_real(begin, (size_t)(x->p - begin));
    for (; digits > 0; digits--)
        value = value * 10 + (*first++ - '0');
    return json_integer(negative ? -value : value);
}

/* --- lists and objects -------------------------------------------------------------------------------------------- */

static bool fill_array(struct plain_parser *x, json_t *array)
{
    x->p++;
    skip_blanks(x);
    if (take(x, ']'))
        return true;
    do {
        json_t *value = parse_value(x);

        if (!value || json_array_append_new(array, value) != 0)
            return false;
        skip_blanks(x);
    } while (take(x, ','));
    return take(x, ']');
}

static bool take_member(struct plain_parser *x, json_t *object)
{
    char name[KEY_MAX + 1];
    struct str key;
    json_t *value;

    skip_blanks(x);
    if (!take_string(x, &key) || !str_terminate(key, name, sizeof name))
        return false;
    skip_blanks(x);
    if (!take(x, ':'))
        return false;
    value = parse_value(x);
    return value && json_object_set_new_nocheck(object, name, value) == 0;
}

static bool fill_object(struct plain_parser *x, json_t *object)
{
    x->p++;
    skip_blanks(x);
    if (take(x, '}'))
        return true;
    do {
        if (!take_member(x, object))
            return false;
        skip_blanks(x);
    } while (take(x, ','));
    return take(x, '}');
}

static json_t *parse_container(struct plain_parser *x, json_t *v, bool (*fill)(struct plain_parser *, json_t *))
{
    bool good = v && ++x->depth <= DEPTH_MAX && fill(x, v);

    x->depth--;
    if (good)
        return v;
    json_decref(v);
    return NULL;
}

static json_t *parse_word(struct plain_parser *x, struct str word, json_t *value)
{
    if ((size_t)(x->end - x->p) < word.n || memcmp(x->p, word.p, word.n) != 0)
        return NULL;
    x->p += word.n;
    return value;
}

static json_t *parse_value(struct plain_parser *x)
{
    struct str s;

    skip_blanks(x);
    switch (next(x)) {
    case '{':
        return parse_container(x, json_object(), fill_object);
    case '[':
        return parse_container(x, json_array(), fill_array);
    case '"':
        return take_string(x, &s) ? json_stringn_nocheck(s.p, s.n) : NULL;
    case 't':
        return parse_word(x, STR("true"), json_true());
    case 'f':
        return parse_word(x, STR("false"), json_false());
    case 'n':
        return parse_word(x, STR("null"), json_null());
    default:
        return parse_number(x);
    }
}

json_t *json_plain_load(struct str text)
{
    const char *p = text.n ? text.p : ""; /* the pointer of an empty text may be NULL */
    struct plain_parser x = {.p = p, .end = p + text.n};
    json_t *root = text.n ? parse_value(&x) : NULL;

    skip_blanks(&x);
    if (x.p < x.end) {
        json_decref(root);
        root = NULL;
    }
    buf_free(&x.text);
    return root;
}
