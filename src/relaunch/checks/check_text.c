#include "relaunch/checks/check_text.h"

#include "relaunch/workload/pattern.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBER_MAX = 64, LINE_MAX_BYTES = 1 << 16 };

/* --- values ------------------------------------------------------------------------------------------------------- */

static bool is_number_byte(char c)
{
    return isdigit((unsigned char)c) || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+';
}

static bool is_named_number(struct str s)
{
    static const char *const names[] = {"nan", "inf", "infinity"};

    if (s.n && (s.p[0] == '-' || s.p[0] == '+'))
        s = str_skip(s, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (s.n == strlen(names[i]) && strncasecmp(s.p, names[i], s.n) == 0)
            return true;
    return false;
}

bool check_number(struct str text, double *out)
{
    char copy[NUMBER_MAX + 1], *end;

    if (text.n == 0 || text.n > NUMBER_MAX)
        return false;
    if (!is_named_number(text)) /* strtod accepts more: hexadecimal numbers, nan(...) */
        for (size_t i = 0; i < text.n; i++)
            if (!is_number_byte(text.p[i]))
                return false;
    str_terminate(text, copy, sizeof copy);
    *out = strtod(copy, &end);
    return *end == 0;
}

static void show(char *out, struct str s)
{
    bool cut = s.n >= CHECK_SHOWN;

    snprintf(out, CHECK_SHOWN, "%.*s%s", cut ? CHECK_SHOWN - 4 : (int)s.n, s.n ? s.p : "", cut ? "..." : "");
}

/* A missing tolerance is the one of float32, even if the other one is given. */
static double tolerance(double given)
{
    return given < 0 ? CHECK_TOLERANCE : given;
}

static void note_place(struct check_result *r, double excess, const char *what, uint64_t index, struct str then,
                       struct str now)
{
    r->worst = excess;
    snprintf(r->where, sizeof r->where, "%s %llu", what, (unsigned long long)index);
    show(r->then, then);
    show(r->now, now);
}

/* Text that cannot be compared as numbers: the result reports the first such difference. */
static void note_text(struct check_result *r, const char *why, const char *what, uint64_t index, struct str then,
                      struct str now)
{
    if (r->outcome == CHECK_DIFFERENT && isinf(r->worst))
        return;
    r->outcome = CHECK_DIFFERENT;
    snprintf(r->why, sizeof r->why, "%s", why);
    note_place(r, INFINITY, what, index, then, now);
}

static double difference(double then, double now)
{
    if (then == now || (isnan(then) && isnan(now)))
        return 0;
    return isfinite(then) && isfinite(now) ? fabs(now - then) : INFINITY;
}

/* How many times the tolerance the difference is. */
static double excess_of(const struct check *c, double then, double now, struct check_result *r)
{
    double off = difference(then, now), size = isfinite(then) ? fabs(then) : 0;
    double allowed = isfinite(off) ? tolerance(c->atol) + tolerance(c->rtol) * size : 0;

    if (off == 0)
        return 0;
    r->max_abs = fmax(r->max_abs, off);
    r->max_rel = fmax(r->max_rel, size > 0 ? off / size : INFINITY);
    return allowed > 0 ? off / allowed : INFINITY;
}

/* Compares one value: number `index` of the kind `what`. */
static void compare_value(const struct check *c, const char *what, uint64_t index, struct str then, struct str now,
                          struct check_result *r)
{
    double was, is, excess;

    r->values++;
    if (!check_number(then, &was) || !check_number(now, &is)) {
        if (!str_eq(then, now))
            note_text(r, "", what, index, then, now);
        return;
    }
    excess = excess_of(c, was, is, r);
    if (excess > r->worst)
        note_place(r, excess, what, index, then, now);
    if (excess > 1)
        r->outcome = CHECK_DIFFERENT;
}

/* --- lines of files ----------------------------------------------------------------------------------------------- */

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '+' || c == '-' || (unsigned char)c >= 0x80;
}

struct str check_piece(struct str *line)
{
    bool word = is_word_byte(line->p[0]);
    struct str piece = {line->p, 0};

    while (piece.n < line->n && is_word_byte(line->p[piece.n]) == word)
        piece.n++;
    *line = str_skip(*line, piece.n);
    return piece;
}

static bool is_whole(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!isdigit((unsigned char)s.p[i]) && s.p[i] != '-' && s.p[i] != '+')
            return false;
    return s.n > 0;
}

bool check_same_piece(struct str then, struct str now)
{
    const struct check usual = {.rtol = CHECK_TOLERANCE_UNSET, .atol = CHECK_TOLERANCE_UNSET};
    struct check_result r = {0};
    double was, is;

    if (str_eq(then, now))
        return true;
    if ((is_whole(then) && is_whole(now)) || !check_number(then, &was) || !check_number(now, &is))
        return false;
    return excess_of(&usual, was, is, &r) <= 1;
}

static bool are_numbers(struct str a, struct str b)
{
    double x;

    return check_number(a, &x) && check_number(b, &x);
}

static void compare_line(const struct check *c, uint64_t number, struct str then, struct str now,
                         struct check_result *r)
{
    struct str was = then, is = now;

    while (was.n && is.n) {
        struct str one = check_piece(&was), other = check_piece(&is);

        if (are_numbers(one, other))
            compare_value(c, "line", number, one, other, r);
        else if (!str_eq(one, other))
            was = (struct str){"", 0}, is = STR("differs");
    }
    r->values++;
    if ((was.n > 0) != (is.n > 0))
        note_text(r, "", "line", number, then, now);
}

static void compare_bytes(struct str then, struct str now, struct check_result *r)
{
    size_t at = 0, n = then.n < now.n ? then.n : now.n;
    char was[32], is[32];

    r->values = n;
    while (at < n && then.p[at] == now.p[at])
        at++;
    if (at == n && then.n == now.n)
        return;
    snprintf(was, sizeof was, "%zu bytes", then.n);
    snprintf(is, sizeof is, "%zu bytes", now.n);
    note_text(r, "the bytes differ", "byte", at, str_of(was), str_of(is));
}

void check_lines(const struct check *c, struct str then, struct str now, struct check_result *r)
{
    struct str one = {"", 0}, other = {"", 0};

    if (memchr(then.p ? then.p : "", 0, then.n) || memchr(now.p ? now.p : "", 0, now.n)) {
        compare_bytes(then, now, r);
        return;
    }
    for (uint64_t line = 1;; line++) {
        bool was = str_next_line(&then, &one), is = str_next_line(&now, &other);

        if (!was && !is)
            return;
        if (was != is) {
            note_text(r, was ? "it has fewer lines now" : "it has more lines now", "line", line, was ? one : STR(""),
                      is ? other : STR(""));
            return;
        }
        compare_line(c, line, one, other, r);
    }
}

/* --- matches of an expression ------------------------------------------------------------------------------------- */

struct matches {
    const regex_t *regex;
    struct str text, line; /* the unread rest, and the current line */
    bool inside;           /* the line was begun */
};

/*
 * The expression is applied to one line at a time, and to the beginning of a very long line, so it takes no longer
 * than reading.
 */
static bool next_match(struct matches *m, struct str *out)
{
    for (;;) {
        regmatch_t found[2] = {{0, (regoff_t)m->line.n}, {-1, -1}};
        int flags = REG_STARTEND | (m->inside ? REG_NOTBOL : 0);

        if (m->line.n && regexec(m->regex, m->line.p, 2, found, flags) == 0) {
            const regmatch_t *of = found[1].rm_so >= 0 ? &found[1] : &found[0];
            size_t end = (size_t)found[0].rm_eo;

            *out = str_trim((struct str){m->line.p + of->rm_so, (size_t)(of->rm_eo - of->rm_so)});
            m->line = str_skip(m->line, end > 0 ? end : 1);
            m->inside = true;
            return true;
        }
        m->inside = false;
        if (!str_next_line(&m->text, &m->line))
            return false;
        m->line = str_take(m->line, LINE_MAX_BYTES);
    }
}

static void compare_matches(const struct check *c, const regex_t *regex, struct str then, struct str now,
                            struct check_result *r)
{
    struct matches before = {.regex = regex, .text = then}, here = {.regex = regex, .text = now};
    struct str one = {"", 0}, other = {"", 0};

    for (uint64_t i = 1;; i++) {
        bool was = next_match(&before, &one), is = next_match(&here, &other);

        if (!was && !is)
            return;
        if (was != is) {
            note_text(r, was ? "it matches less often now" : "it matches more often now", "match", i,
                      was ? one : STR(""), is ? other : STR(""));
            return;
        }
        compare_value(c, "match", i, one, other, r);
    }
}

void check_matches(const struct check *c, struct str then, struct str now, struct check_result *r)
{
    regex_t regex;

    if (!pattern_compile(c->text, &regex, r->why, sizeof r->why)) {
        r->outcome = CHECK_NOT_COMPARED;
        return;
    }
    compare_matches(c, &regex, then, now, r);
    regfree(&regex);
    if (r->values == 0 && r->outcome == CHECK_SAME) {
        r->outcome = CHECK_NOT_COMPARED;
        snprintf(r->why, sizeof r->why, "the expression matches nothing, neither then nor now");
    }
}

uint64_t check_match_count(struct str pattern, struct str text)
{
    struct matches m = {.text = text};
    struct str match = {0};
    char why[512];
    regex_t regex;
    uint64_t n = 0;

    if (!pattern_compile(pattern, &regex, why, sizeof why))
        return UINT64_MAX;
    m.regex = &regex;
    while (next_match(&m, &match))
        n++;
    regfree(&regex);
    return n;
}
