#include "text/python/python_value.h"

#include "util/vec.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { DEPTH_MAX = 32, NUMBER_MAX = 64, VALUE_MAX = 64 * 1024 };

/* --- one form for both ways of writing ---------------------------------------------------------------------------- */

struct value_reader {
    struct arena *arena;
    struct str rest;
    bool unordered; /* the order of lists does not count either */
    bool is_set;    /* the last value read was a set */
    bool failed;
};

static struct str failed(struct value_reader *r)
{
    r->failed = true;
    return (struct str){0};
}

static char next_char(struct value_reader *r)
{
    while (r->rest.n && isspace((unsigned char)r->rest.p[0]))
        r->rest = str_skip(r->rest, 1);
    return r->rest.n ? r->rest.p[0] : '\0';
}

static bool take_char(struct value_reader *r, char c)
{
    if (next_char(r) != c)
        return false;
    r->rest = str_skip(r->rest, 1);
    return true;
}

/*
 * Rewrites the string with double quotes, and resolves
 * , \t, \\ and escaped quotes.
 */
static struct str read_string(struct value_reader *r)
{
    static const char names[] = "ntr\\'\"", meanings[] = "\n\t\r\\'\"";
    char quote = r->rest.p[0], *made = arena_alloc(r->arena, r->rest.n + 2);
    struct str s = str_skip(r->rest, 1);
    size_t n = 1;

    for (made[0] = '"'; s.n && s.p[0] != quote; s = str_skip(s, 1)) {
        const char *name = s.p[0] == '\\' && s.n > 1 ? memchr(names, s.p[1], sizeof names - 1) : NULL;

        made[n++] = name ? meanings[name - names] : s.p[0];
        if (name)
            s = str_skip(s, 1);
    }
    if (s.n == 0)
        return failed(r);
    made[n++] = '"';
    r->rest = str_skip(s, 1);
    return (struct str){made, n};
}

static struct str read_number(struct value_reader *r)
{
    char text[NUMBER_MAX], *end;
    size_t n = 0;
    double value;

    while (n < r->rest.n && n < sizeof text - 1 &&
           (isdigit((unsigned char)r->rest.p[n]) || strchr("+-.eE", r->rest.p[n]))) {
        text[n] = r->rest.p[n];
        n++;
    }
    text[n] = '\0';
    value = strtod(text, &end);
    if (n == 0 || *end || !isfinite(value))
        return failed(r);
    r->rest = str_skip(r->rest, n);
    return arena_printf(r->arena, "%.17g", value);
}

static struct str read_word(struct value_reader *r)
{
    static const char *const words[][2] = {{"None", "null"}, {"True", "true"},     {"False", "false"},
                                           {"null", "null"}, {"true", "true"},     {"false", "false"},
                                           {"set()", "[]"},  {"frozenset()", "[]"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_consume(&r->rest, str_of(words[i][0])))
            return str_of(words[i][1]);
    return failed(r);
}

static struct str read_value(struct value_reader *r, int depth);

/* An item of a list or set, or a key with its value. */
static struct str read_item(struct value_reader *r, int depth, bool *pairs)
{
    struct str key = read_value(r, depth), value;

    if (r->failed || !take_char(r, ':'))
        return key;
    *pairs = true;
    value = read_value(r, depth);
    return arena_printf(r->arena, "%.*s:%.*s", STR_ARG(key), STR_ARG(value));
}

static int by_bytes(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static struct str read_items(struct value_reader *r, char close, int depth)
{
    VEC(struct str) items = {0};
    struct buf text = {0};
    struct str made;
    bool pairs = close == '}' && next_char(r) == '}'; /* {} is a dict, not a set */

    while (!r->failed && !take_char(r, close)) {
        struct str item = read_item(r, depth, &pairs);

        vec_push(r->arena, &items, item);
        if (!take_char(r, ',') && next_char(r) != close)
            failed(r);
    }
    r->is_set = close == '}' && !pairs;
    if (items.n && (close == '}' || r->unordered))
        qsort(items.v, items.n, sizeof *items.v, by_bytes);
    vec_each(const struct str, item, &items) buf_printf(&text, "%s%.*s", text.n ? "," : "", STR_ARG(*item));
    made = arena_printf(r->arena, "%c%.*s%c", pairs ? '{' : '[', STR_ARG(buf_view(&text)), pairs ? '}' : ']');
    buf_free(&text);
    return made;
}

static struct str read_value(struct value_reader *r, int depth)
{
    char c = next_char(r);

    if (depth >= DEPTH_MAX)
        return failed(r);
    if (c == '\'' || c == '"')
        return read_string(r);
    if (take_char(r, '['))
        return read_items(r, ']', depth + 1);
    if (take_char(r, '('))
        return read_items(r, ')', depth + 1);
    if (take_char(r, '{'))
        return read_items(r, '}', depth + 1);
    return isalpha((unsigned char)c) ? read_word(r) : read_number(r);
}

/* Empty if it is not a value. */
static struct str one_form(struct arena *a, struct str text, bool unordered, bool *is_set)
{
    struct value_reader r = {.arena = a, .rest = text, .unordered = unordered};
    struct str made = text.n <= VALUE_MAX ? read_value(&r, 0) : failed(&r);

    *is_set = r.is_set || str_starts(text, STR("set(")) || str_starts(text, STR("frozenset("));
    return r.failed || next_char(&r) ? (struct str){0} : made;
}

bool python_values_equal(struct str a, struct str b)
{
    struct arena *arena;
    struct str x, y;
    bool x_set, y_set;

    if (str_eq(a, b))
        return true;
    arena = arena_new();
    x = one_form(arena, a, false, &x_set);
    y = one_form(arena, b, false, &y_set);
    if (x_set != y_set) {
        x = one_form(arena, a, true, &x_set);
        y = one_form(arena, b, true, &y_set);
    }
    x_set = x.n && str_eq(x, y);
    arena_free(arena);
    return x_set;
}

/* --- printing ----------------------------------------------------------------------------------------------------- */

static void print_string(struct buf *out, struct str s)
{
    bool has_single = str_chr(s, '\'') >= 0, has_double = str_chr(s, '"') >= 0;
    char quote = has_single && !has_double ? '"' : '\'';

    buf_char(out, quote);
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (c == '\n' || c == '\t' || c == '\r')
            buf_printf(out, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
        else if (c < ' ' || c == 0x7f)
            buf_printf(out, "\\x%02x", c);
        else
            buf_printf(out, "%s%c", c == (unsigned char)quote || c == '\\' ? "\\" : "", c);
    }
    buf_char(out, quote);
}

/* The shortest text for the same number, with an exponent only where Python uses one. */
static void print_real(struct buf *out, double value)
{
    char text[NUMBER_MAX];
    int digits = 0, exponent, decimals;

    do
        snprintf(text, sizeof text, "%.*e", digits, value);
    while (strtod(text, NULL) != value && ++digits < 17);
    exponent = atoi(strchr(text, 'e') + 1);
    decimals = digits > exponent ? digits - exponent : 1;
    if (exponent < -4 || exponent >= 16)
        buf_printf(out, "%s", text);
    else
        buf_printf(out, "%.*f", decimals, value);
}

static void print(struct buf *out, json_t *v, int depth)
{
    const char *key;
    json_t *item;
    size_t i;

    if (depth > DEPTH_MAX)
        buf_str(out, STR("..."));
    else if (json_is_string(v))
        print_string(out, json_str(v));
    else if (json_is_integer(v))
        buf_printf(out, "%lld", (long long)json_integer_value(v));
    else if (json_is_real(v))
        print_real(out, json_real_value(v));
    else if (json_is_array(v)) {
        json_array_foreach(v, i, item)
        {
            buf_str(out, i ? STR(", ") : STR("["));
            print(out, item, depth + 1);
        }
        buf_str(out, json_array_size(v) ? STR("]") : STR("[]"));
    } else if (json_is_object(v)) {
        i = 0;
        json_object_foreach(v, key, item)
        {
            buf_str(out, i++ ? STR(", ") : STR("{"));
            print_string(out, str_of(key));
            buf_str(out, STR(": "));
            print(out, item, depth + 1);
        }
        buf_str(out, i ? STR("}") : STR("{}"));
    } else {
        buf_str(out, json_is_true(v) ? STR("True") : json_is_false(v) ? STR("False") : STR("None"));
    }
}

struct str python_print(struct arena *a, json_t *value)
{
    struct buf text = {0};
    struct str made;

    print(&text, value, 0);
    made = arena_str(a, buf_view(&text));
    buf_free(&text);
    return made;
}
