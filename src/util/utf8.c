#include "util/utf8.h"

/*
 * Length of the well-formed sequence at p (1..4), or minus the number of bytes of the ill-formed one. Table 3-7 of
 * the Unicode Standard: only the second byte has a range of its own.
 */
static int sequence(const unsigned char *p, size_t n)
{
    unsigned char lo = 0x80, hi = 0xbf;
    int need;

    if (p[0] < 0x80)
        return p[0] ? 1 : -1;
    if (p[0] >= 0xc2 && p[0] <= 0xdf)
        need = 1;
    else if (p[0] >= 0xe0 && p[0] <= 0xef)
        need = 2;
    else if (p[0] >= 0xf0 && p[0] <= 0xf4)
        need = 3;
    else
        return -1;
    if (p[0] == 0xe0)
        lo = 0xa0;
    else if (p[0] == 0xed)
        hi = 0x9f;
    else if (p[0] == 0xf0)
        lo = 0x90;
    else if (p[0] == 0xf4)
        hi = 0x8f;
    for (int i = 1; i <= need; i++) {
        if ((size_t)i >= n || p[i] < lo || p[i] > hi)
            return -i;
        lo = 0x80;
        hi = 0xbf;
    }
    return need + 1;
}

/* Number of bytes at the start that are ASCII without NUL, eight at a time. */
static size_t ascii_run(const unsigned char *p, size_t n)
{
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t w;

        memcpy(&w, p + i, 8);
        /* A byte over 0x7f; or a zero byte, from which the subtraction borrows. */
        if ((w & 0x8080808080808080u) || ((w - 0x0101010101010101u) & ~w & 0x8080808080808080u))
            break;
    }
    while (i < n && p[i] && p[i] < 0x80)
        i++;
    return i;
}

/* Length of the valid prefix; *bad is the length of the ill-formed sequence behind it, 0 at the end. */
static size_t valid_run(struct str s, size_t *bad)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = 0;

    *bad = 0;
    while (i < s.n) {
        int k;

        i += ascii_run(p + i, s.n - i);
        if (i == s.n)
            break;
        k = sequence(p + i, s.n - i);
        if (k < 0) {
            *bad = (size_t)-k;
            break;
        }
        i += (size_t)k;
    }
    return i;
}

bool utf8_valid(struct str s)
{
    size_t bad;

    return valid_run(s, &bad) == s.n;
}

size_t utf8_repair(struct buf *out, struct str s)
{
    size_t count = 0, bad;

    while (s.n) {
        size_t ok = valid_run(s, &bad);

        buf_add(out, s.p, ok);
        s = str_skip(s, ok + bad);
        if (bad) {
            buf_str(out, STR("\xef\xbf\xbd"));
            count++;
        }
    }
    return count;
}

struct str utf8_clean(struct arena *a, struct str s)
{
    struct buf b = {0};
    struct str out;

    if (utf8_valid(s))
        return s;
    utf8_repair(&b, s);
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

struct str utf8_cut(struct str s, size_t max)
{
    size_t back = 0;

    if (s.n <= max)
        return s;
    while (back < 4 && back < max && ((unsigned char)s.p[max - back] & 0xc0) == 0x80)
        back++;
    return str_take(s, back < 4 ? max - back : max);
}

size_t utf8_columns(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return n;
}
