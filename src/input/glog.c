#include "input/glog.h"

enum { FILE_MAX = 4096 }; /* PATH_MAX; in a hostile line the end of a path is searched no further */

/* Exactly n digits. */
static bool take_digits(struct str *s, size_t n, unsigned *out)
{
    unsigned v = 0;

    if (s->n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (s->p[i] < '0' || s->p[i] > '9')
            return false;
        v = v * 10 + (unsigned)(s->p[i] - '0');
    }
    *s = str_skip(*s, n);
    *out = v;
    return true;
}

static bool take_char(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_skip(*s, 1);
    return true;
}

/* "07:52:52.363000" or "19:34:50,591". */
static bool take_time(struct str *s, int64_t *out_us)
{
    unsigned h, m, sec, us = 0, digit;
    size_t digits = 0;

    if (!take_digits(s, 2, &h) || !take_char(s, ':') || !take_digits(s, 2, &m) || !take_char(s, ':') ||
        !take_digits(s, 2, &sec) || (!take_char(s, '.') && !take_char(s, ',')))
        return false;
    for (; digits < 6 && take_digits(s, 1, &digit); digits++)
        us = us * 10 + digit;
    if (digits == 0 || h > 23 || m > 59 || sec > 60)
        return false;
    for (; digits < 6; digits++)
        us *= 10;
    *out_us = ((int64_t)h * 3600 + m * 60 + sec) * 1000000 + us;
    return true;
}

static bool valid_date(unsigned month, unsigned day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* "path:line]" or "path:line ": the path ends at the first colon that is followed by digits and one of these two. */
static bool take_place(struct str *s, struct glog *g)
{
    struct str window = str_take(*s, FILE_MAX);

    for (size_t at = 0;;) {
        ptrdiff_t colon = str_chr(str_skip(window, at), ':');
        struct str rest;
        uint64_t line;

        if (colon < 0)
            return false;
        at += (size_t)colon;
        rest = str_skip(*s, at + 1);
        if (str_take_u64(&rest, &line) && line <= UINT32_MAX && (take_char(&rest, ']') || str_starts(rest, STR(" ")))) {
            g->file = str_take(*s, at);
            g->line = (uint32_t)line;
            take_char(&rest, ' ');
            *s = rest;
            return true;
        }
        at++;
    }
}

static bool parse_glog(struct str s, struct glog *g)
{
    unsigned month, day;

    g->level = s.p[0];
    s = str_skip(s, 1);
    if (!take_digits(&s, 2, &month) || !take_digits(&s, 2, &day) || !valid_date(month, day) || !take_char(&s, ' ') ||
        !take_time(&s, &g->time_us) || !take_char(&s, ' ') || !str_take_u64(&s, &g->number) || !take_char(&s, ' ') ||
        !take_place(&s, g))
        return false;
    g->month = (uint8_t)month;
    g->day = (uint8_t)day;
    g->text = s;
    return true;
}

bool glog_level_of(struct str word, char *out)
{
    static const struct {
        struct str word;
        char level;
    } levels[] = {
        {STR_INIT("DEBUG"), 'V'},   {STR_INIT("INFO"), 'I'},     {STR_INIT("WARNING"), 'W'},
        {STR_INIT("ERROR"), 'E'},   {STR_INIT("CRITICAL"), 'C'},
    };

    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (str_eq(levels[i].word, word)) {
            *out = levels[i].level;
            return true;
        }
    return false;
}

bool glog_take_level(struct str *text, char *out)
{
    enum { LONGEST = sizeof "CRITICAL]" };
    ptrdiff_t end = str_chr(str_take(*text, LONGEST), ']');

    if (end < 0 || !glog_level_of(str_take(*text, (size_t)end), out))
        return false;
    *text = str_skip(*text, (size_t)end + 1);
    str_consume(text, STR(" "));
    return true;
}

/* "[2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards.__guards: [DEBUG] text"; the id is optional. */
static bool parse_bracketed(struct str s, struct glog *g)
{
    unsigned year, month, day;
    ptrdiff_t at;

    if (!take_char(&s, '[') || !take_digits(&s, 4, &year) || !take_char(&s, '-') || !take_digits(&s, 2, &month) ||
        !take_char(&s, '-') || !take_digits(&s, 2, &day) || !valid_date(month, day) || !take_char(&s, ' ') ||
        !take_time(&s, &g->time_us) || !str_consume(&s, STR("] ")))
        return false;
    at = str_find(str_take(s, FILE_MAX), STR(": ["));
    if (at < 0)
        return false;
    g->file = str_take(s, (size_t)at);
    s = str_skip(s, (size_t)at + 3);
    if (!glog_take_level(&s, &g->level))
        return false;
    g->year = (uint16_t)year;
    g->month = (uint8_t)month;
    g->day = (uint8_t)day;
    g->text = s;
    return true;
}

static bool is_level(char c)
{
    return c == 'V' || c == 'I' || c == 'W' || c == 'E' || c == 'C';
}

bool glog_parse(struct str line, struct glog *out)
{
    *out = (struct glog){0};
    if (line.n && is_level(line.p[0]))
        return parse_glog(line, out);
    return line.n && line.p[0] == '[' && parse_bracketed(line, out);
}

ptrdiff_t glog_find(struct str text, size_t from)
{
    /* In "V1121 07:52:52.363000" the blank before the time is five bytes after the level. */
    for (size_t at = from; at < text.n;) {
        ptrdiff_t blank = str_chr(str_skip(text, at), ' ');
        struct glog g;

        if (blank < 0)
            return -1;
        at += (size_t)blank;
        if (at >= from + 5 && is_level(text.p[at - 5]) && parse_glog(str_skip(text, at - 5), &g))
            return (ptrdiff_t)at - 5;
        at++;
    }
    return -1;
}
