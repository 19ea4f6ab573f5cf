#include "util/utf8.h"

/*
 * The length of the well-formed sequence at p (1..4), or minus the length of the ill-formed one. Table 3-7 of the
 * Unicode Standard: only the second byte has a range of its own.
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

/* The number of bytes at the start that are ASCII and not NUL, eight at a time. */
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

/* The length of the valid prefix; *bad is the length of the ill-formed sequence after it, 0 at the end. */
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

/*
 * Characters that a terminal or a reader does not take as plain text: C1 controls, which terminals obey; marks that
 * change the direction of text; separators that few programs take for the end of a line; and invisible tags.
 */
static const struct {
    uint32_t first, last;
} harmful[] = {
    {0x80, 0x9f}, {0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}, {0xe0000, 0xe007f},
};

static uint32_t next_character(struct str *s);

static bool is_harmful(uint32_t c)
{
    for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++)
        if (c >= harmful[i].first && c <= harmful[i].last)
            return true;
    return false;
}

void utf8_make_harmless(char *p, size_t n, bool lines)
{
    struct str rest = {p, n};

    while (rest.n) {
        char *at = p + n - rest.n;
        int k = sequence((const unsigned char *)at, rest.n);

        if (k > 1) {
            if (is_harmful(next_character(&rest)))
                memset(at, '?', (size_t)k);
            continue;
        }
        rest = str_skip(rest, 1);
        if (*at == '\t' || *at == '\n' || *at == '\r')
            *at = lines && *at != '\r' ? *at : ' ';
        else if ((unsigned char)*at < 0x20 || *at == 0x7f || (*at & 0x80))
            *at = '?';
    }
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

struct str utf8_shorten(struct arena *a, struct str s, size_t max)
{
    struct str cut = utf8_cut(s, max);
    size_t n = cut.n;

    if (cut.n == s.n)
        return s;
    while (n > max - max / 4 && s.p[n] != ' ')
        n--;
    if (n < s.n && s.p[n] == ' ')
        cut = str_take(s, n);
    return arena_printf(a, "%.*s \xe2\x80\xa6", STR_ARG(str_trim(cut)));
}

/* Ranges of characters that take two columns, and of those that take none, in the blocks that names are written in. */
static const struct range {
    uint32_t first, last;
    unsigned columns;
} ranges[] = {
    {0x0300, 0x036f, 0},   {0x1100, 0x115f, 2},   {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0}, {0x2e80, 0x303e, 2},
    {0x3041, 0x33ff, 2},   {0x3400, 0x4dbf, 2},   {0x4e00, 0x9fff, 2},   {0xa000, 0xa4cf, 2}, {0xac00, 0xd7a3, 2},
    {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2},
    {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
};

static unsigned columns_of(uint32_t c)
{
    for (size_t i = 0; c >= ranges[0].first && i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].columns;
    return 1;
}

/* Takes one character off s; if the bytes are not UTF-8, one byte. */
static uint32_t next_character(struct str *s)
{
    unsigned char lead = (unsigned char)s->p[0];
    size_t n = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint32_t c = n == 1 ? lead : lead & (0x7fu >> n);

    for (size_t i = 1; i < n && i < s->n; i++)
        c = c << 6 | ((unsigned char)s->p[i] & 0x3fu);
    *s = str_skip(*s, n);
    return c;
}

size_t utf8_columns(struct str s)
{
    size_t n = 0;

    while (s.n)
        n += columns_of(next_character(&s));
    return n;
}

struct str utf8_fitting(struct str s, size_t columns)
{
    struct str rest = s;
    size_t used = 0;

    while (rest.n) {
        struct str before = rest;

        used += columns_of(next_character(&rest));
        if (used > columns)
            return str_drop(s, before.n);
    }
    return s;
}

void utf8_put(struct buf *out, unsigned c)
{
    char bytes[4];
    size_t n = 0;

    if (c < 0x80) {
        bytes[n++] = (char)c;
    } else if (c < 0x800) {
        bytes[n++] = (char)(0xc0 | c >> 6);
        bytes[n++] = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        bytes[n++] = (char)(0xe0 | c >> 12);
        bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
        bytes[n++] = (char)(0x80 | (c & 0x3f));
    } else {
        bytes[n++] = (char)(0xf0 | c >> 18);
        bytes[n++] = (char)(0x80 | (c >> 12 & 0x3f));
        bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
        bytes[n++] = (char)(0x80 | (c & 0x3f));
    }
    buf_add(out, bytes, n);
}
