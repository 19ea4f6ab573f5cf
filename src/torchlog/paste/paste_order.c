#include "torchlog/paste/paste_order.h"

enum { SEARCHED = 48, DIGITS = 17, DAY = 8, LINES_MANY = 4 };

/* --- the newest first --------------------------------------------------------------------------------------------- */

static bool is_date(struct str s)
{
    return s.n > 10 && str_is_digit(s.p[0]) && str_is_digit(s.p[3]) && s.p[4] == '-' && str_is_digit(s.p[5]) &&
           s.p[7] == '-' && str_is_digit(s.p[8]) && (s.p[10] == ' ' || s.p[10] == 'T');
}

/* The digits of "2025-01-18 23:13:41.285", which sort as the times do; false if the line begins with no time. */
static bool time_of(struct str line, char out[DIGITS + 1])
{
    struct str s = str_take(line, SEARCHED);
    size_t n = 0;

    while (s.n && !is_date(s))
        s = str_skip(s, 1);
    for (size_t i = 0; i < s.n && n < DIGITS; i++) {
        if (str_is_digit(s.p[i]))
            out[n++] = s.p[i];
        else if (!strchr("-: T.,", s.p[i]))
            break;
    }
    while (n > DAY && n < DIGITS)
        out[n++] = '0';
    out[n] = '\0';
    return n == DIGITS;
}

/* From the first line with a time to the last, when almost all have one and no time is later than the one above. */
static bool find_reversed(const struct paste_text *t, size_t *first, size_t *last)
{
    char time[DIGITS + 1], before[DIGITS + 1] = "";
    size_t timed = 0, steps = 0;

    *first = *last = t->n;
    for (size_t i = 0; i < t->n; i++) {
        int order;

        if (!time_of(t->v[i], time))
            continue;
        order = timed ? strcmp(time, before) : 0;
        if (order > 0)
            return false;
        steps += order < 0;
        *first = timed++ ? *first : i;
        *last = i;
        memcpy(before, time, sizeof before);
    }
    return timed >= LINES_MANY && steps >= 2 && timed * 10 >= (*last - *first + 1) * 9;
}

bool paste_unreverse(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t first, last;

    if (!find_reversed(from, &first, &last))
        return false;
    *out = paste_copy(a, from);
    for (size_t i = first; i <= last; i++) {
        out->v[i] = from->v[first + last - i];
        out->numbers[i] = from->numbers[first + last - i];
    }
    return true;
}

/* --- ends of lines ------------------------------------------------------------------------------------------------ */

static const struct str end = STR_INIT("\\n");

bool paste_unend(struct arena *a, const struct paste_text *from, struct paste_text *out)
{
    size_t ended = 0, lines = 0;

    for (size_t i = 0; i < from->n; i++) {
        ended += str_ends(str_trim(from->v[i]), end);
        lines += str_trim(from->v[i]).n > 0;
    }
    if (ended < LINES_MANY || ended * 2 < lines)
        return false;
    *out = paste_copy(a, from);
    for (size_t i = 0; i < out->n; i++)
        if (str_ends(str_trim(out->v[i]), end))
            out->v[i] = str_take(out->v[i], (size_t)str_rchr(out->v[i], '\\'));
    return true;
}
