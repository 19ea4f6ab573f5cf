#include "text/messages/metrics_text.h"

#include "util/buf.h"

enum { TEXT_MAX = 64 << 10 };

const struct str metrics_text_begin = STR_INIT("CompilationMetrics(");

/* Behind the text in quotation marks that begins here. */
static size_t quoted_length(struct str s)
{
    size_t n = 1;

    while (n < s.n && s.p[n] != s.p[0])
        n += s.p[n] == '\\' ? 2 : 1;
    return n < s.n ? n + 1 : s.n;
}

/* Up to the comma or bracket behind the value. */
static size_t value_length(struct str s)
{
    size_t n = 0;
    int depth = 0;

    while (n < s.n) {
        if (s.p[n] == '\'' || s.p[n] == '"') {
            n += quoted_length(str_skip(s, n));
            continue;
        }
        if (depth == 0 && (s.p[n] == ',' || s.p[n] == ')'))
            break;
        depth += (s.p[n] == '(' || s.p[n] == '[' || s.p[n] == '{') - (s.p[n] == ')' || s.p[n] == ']' || s.p[n] == '}');
        n++;
    }
    return n < s.n ? n : s.n;
}

static void put_text(struct buf *out, struct str s)
{
    buf_char(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        bool escape = s.p[i] == '\\' && i + 1 < s.n;
        char c = s.p[escape ? ++i : i];

        if ((escape && strchr("ntr\\", c)) || (!escape && c == '\\'))
            buf_printf(out, "\\%c", c);
        else if (c == '"')
            buf_printf(out, "\\\"");
        else
            buf_char(out, (unsigned char)c < 0x20 ? ' ' : c);
    }
    buf_char(out, '"');
}

/* The texts in a set or a list. */
static void put_list(struct buf *out, struct str s)
{
    bool any = false;

    buf_char(out, '[');
    for (size_t i = 1; i < s.n; i++) {
        size_t n;

        if (s.p[i] != '\'' && s.p[i] != '"')
            continue;
        n = quoted_length(str_skip(s, i));
        if (any)
            buf_char(out, ',');
        put_text(out, str_take(str_skip(s, i + 1), n > 2 ? n - 2 : 0));
        any = true;
        i += n - 1;
    }
    buf_char(out, ']');
}

static bool is_number(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!str_is_digit(s.p[i]) && !strchr(".eE+-", s.p[i]))
            return false;
    return s.n && str_is_digit(s.p[s.p[0] == '-' && s.n > 1]);
}

static void put_value(struct buf *out, struct str s)
{
    static const char *const words[][2] = {{"None", "null"}, {"True", "true"}, {"False", "false"}, {"set()", "[]"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(s, str_of(words[i][0]))) {
            buf_str(out, str_of(words[i][1]));
            return;
        }
    if (s.n >= 2 && (s.p[0] == '\'' || s.p[0] == '"'))
        put_text(out, str_drop(str_skip(s, 1), 1));
    else if (s.n >= 2 && (s.p[0] == '{' || s.p[0] == '['))
        put_list(out, s);
    else if (is_number(s))
        buf_str(out, s);
    else
        put_text(out, s);
}

struct str metrics_text_json(struct arena *a, struct str text)
{
    struct buf out = {0};
    struct str rest = str_take(text, TEXT_MAX), json;

    str_consume(&rest, metrics_text_begin);
    buf_char(&out, '{');
    for (bool any = false; rest.n; any = true) {
        ptrdiff_t equals = str_chr(rest, '=');
        struct str name = str_trim(str_take(rest, equals < 0 ? 0 : (size_t)equals));
        size_t n;

        if (equals <= 0 || name.n == 0)
            break;
        rest = str_skip(rest, (size_t)equals + 1);
        n = value_length(rest);
        if (any)
            buf_char(&out, ',');
        put_text(&out, name);
        buf_char(&out, ':');
        put_value(&out, str_trim(str_take(rest, n)));
        if (n == rest.n || rest.p[n] == ')')
            break;
        rest = str_skip(rest, n + 1);
    }
    buf_char(&out, '}');
    json = arena_str(a, buf_view(&out));
    buf_free(&out);
    return json;
}

struct str metrics_text_id(struct str text)
{
    struct str id = {0};

    if (str_starts(text, metrics_text_begin) && str_between(str_first_line(text), STR("compile_id='"), STR("'"), &id))
        return id;
    return (struct str){0};
}
