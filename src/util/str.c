#include "util/str.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/types.h>

bool str_terminate(struct str s, char *room, size_t size)
{
    size_t n = s.n < size ? s.n : 0;

    if (n) /* memcpy takes no NULL, which an empty view may be */
        memcpy(room, s.p, n);
    room[n] = '\0';
    return n == s.n;
}

struct str str_skip_any(struct str s, const char *chars)
{
    while (s.n && strchr(chars, s.p[0]))
        s = str_skip(s, 1);
    return s;
}

struct str str_drop_any(struct str s, const char *chars)
{
    while (s.n && strchr(chars, s.p[s.n - 1]))
        s = str_drop(s, 1);
    return s;
}

size_t str_number(struct str s, double *out)
{
    char room[STR_NUMBER_MAX + 1], *end;

    str_terminate(str_take(s, STR_NUMBER_MAX), room, sizeof room);
    *out = strtod(room, &end);
    return (size_t)(end - room);
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;

    return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* How many of a thousand bytes of traces, logs and pasted texts are that one; of others fewer than two are. */
static const unsigned char share[256] = {
    [' '] = 95, ['e'] = 58, ['a'] = 43, ['t'] = 43, ['"'] = 43, ['_'] = 43, ['o'] = 39, ['r'] = 38, ['i'] = 36,
    ['n'] = 35, ['s'] = 32, ['c'] = 31, ['l'] = 27, ['d'] = 24, ['p'] = 24, [':'] = 23, ['u'] = 23, ['m'] = 22,
    [','] = 20, ['1'] = 17, ['0'] = 17, ['f'] = 16, ['^'] = 15, ['h'] = 14, ['/'] = 12, ['2'] = 12, ['y'] = 12,
    ['\\'] = 12, ['.'] = 11, ['\n'] = 11, ['g'] = 11, ['3'] = 10, ['b'] = 8, ['5'] = 8, ['\t'] = 8, ['k'] = 7,
    ['7'] = 7, [']'] = 7, ['4'] = 6, ['v'] = 6, ['6'] = 5, ['['] = 5, ['8'] = 5, ['9'] = 5, ['w'] = 5, ['x'] = 5,
    ['('] = 4, [')'] = 4, ['='] = 4, ['{'] = 4, ['}'] = 4, ['z'] = 3, ['j'] = 2, ['\''] = 2, ['F'] = 2, ['-'] = 2,
    ['T'] = 2, ['V'] = 2, ['N'] = 2, ['E'] = 2,
};

enum { MISSES = 16, BYTES_PER_MISS = 32 };

/*
 * Looks for the byte of the needle that most texts have least, which takes a fraction of memmem's time. Where a text
 * has many of it, memmem looks through the rest, so that the time stays linear.
 */
ptrdiff_t str_find(struct str s, struct str needle)
{
    const char *end, *at = s.p;
    size_t rare = 0;

    if (needle.n == 0)
        return 0;
    if (needle.n > s.n)
        return -1;
    end = s.p + s.n;
    for (size_t i = 1; i < needle.n && share[(unsigned char)needle.p[rare]]; i++)
        if (share[(unsigned char)needle.p[i]] < share[(unsigned char)needle.p[rare]])
            rare = i;
    for (size_t misses = 0; misses < MISSES + (size_t)(at - s.p) / BYTES_PER_MISS; misses++, at++) {
        const char *found = memchr(at + rare, needle.p[rare], (size_t)(end - at) - needle.n + 1);

        if (!found)
            return -1;
        at = found - rare;
        if (memcmp(at, needle.p, needle.n) == 0)
            return at - s.p;
        if ((size_t)(end - at) == needle.n)
            return -1;
    }
    at = memmem(at, (size_t)(end - at), needle.p, needle.n);
    return at ? at - s.p : -1;
}

bool str_is_any(struct str s, const struct str *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(s, list[i]))
            return true;
    return false;
}

bool str_starts_any(struct str s, const struct str *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_starts(s, list[i]))
            return true;
    return false;
}

bool str_ends_any(struct str s, const struct str *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_ends(s, list[i]))
            return true;
    return false;
}

bool str_has_any(struct str s, const struct str *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_has(s, list[i]))
            return true;
    return false;
}

bool str_has_any_line(struct str s, struct str alternatives)
{
    struct str line;

    while (str_next_line(&alternatives, &line))
        if (str_has(s, line))
            return true;
    return false;
}

ptrdiff_t str_chr(struct str s, char c)
{
    const char *at = s.n ? memchr(s.p, c, s.n) : NULL;

    return at ? at - s.p : -1;
}

ptrdiff_t str_rchr(struct str s, char c)
{
    const char *at = s.n ? memrchr(s.p, c, s.n) : NULL;

    return at ? at - s.p : -1;
}

struct str str_file_name(struct str path)
{
    return str_skip(path, (size_t)(str_rchr(path, '/') + 1));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Not isspace: the result must not depend on the locale, and a form feed in a payload is text. */
struct str str_trim(struct str s)
{
    while (s.n && is_blank(s.p[0]))
        s = str_skip(s, 1);
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

/* Whether s begins with the words. */
static bool begins_with_words(struct str s, struct str words)
{
    size_t i = 0;

    for (size_t w = 0; w < words.n; w++) {
        if (w > 0 && words.p[w] == ' ' && words.p[w - 1] == ' ')
            continue;
        if (i >= s.n || (words.p[w] == ' ' ? !is_blank(s.p[i]) : words.p[w] != s.p[i]))
            return false;
        i++;
        while (words.p[w] == ' ' && i < s.n && is_blank(s.p[i]))
            i++;
    }
    return true;
}

bool str_has_words(struct str s, struct str words)
{
    bool blank = str_consume(&words, STR(" "));
    struct str rest = words, first = str_split(&rest, ' ');
    ptrdiff_t at;

    for (size_t from = blank; from < s.n && (at = str_find(str_skip(s, from), first)) >= 0; from++) {
        from += (size_t)at;
        if ((!blank || is_blank(s.p[from - 1])) && begins_with_words(str_skip(s, from), words))
            return true;
    }
    return false;
}

struct str str_word(struct str s)
{
    size_t n = 0;

    while (n < s.n && str_is_word_char(s.p[n]))
        n++;
    return str_take(s, n);
}

bool str_consume(struct str *s, struct str prefix)
{
    if (!str_starts(*s, prefix))
        return false;
    *s = str_skip(*s, prefix.n);
    return true;
}

struct str str_split(struct str *s, char sep)
{
    ptrdiff_t at = str_chr(*s, sep);
    struct str head = *s;

    if (at < 0) {
        *s = str_skip(*s, s->n);
        return head;
    }
    head.n = (size_t)at;
    *s = str_skip(*s, head.n + 1);
    return head;
}

struct str str_first_line(struct str s)
{
    return str_trim(str_split(&s, '\n'));
}

bool str_next_line(struct str *s, struct str *line)
{
    if (s->n == 0)
        return false;
    *line = str_split(s, '\n');
    return true;
}

struct str str_next_sentence(struct str *paragraph)
{
    ptrdiff_t end = str_find(*paragraph, STR(". "));
    struct str sentence = end < 0 ? *paragraph : str_take(*paragraph, (size_t)end + 1);

    *paragraph = end < 0 ? (struct str){0} : str_skip(*paragraph, (size_t)end + 2);
    return sentence;
}

struct str str_lower(struct str s, char *room, size_t size)
{
    s = str_take(s, size);
    for (size_t i = 0; i < s.n; i++)
        room[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] | 0x20) : s.p[i];
    return (struct str){room, s.n};
}

struct str str_line_with(struct str s, struct str words)
{
    struct str line;

    while (str_next_line(&s, &line))
        if (str_has(line, words))
            return str_trim(line);
    return (struct str){0};
}

bool str_between(struct str s, struct str open, struct str close, struct str *out)
{
    ptrdiff_t at = str_find(s, open), end;

    if (at < 0)
        return false;
    s = str_skip(s, (size_t)at + open.n);
    end = str_find(s, close);
    if (end < 0)
        return false;
    *out = str_take(s, (size_t)end);
    return true;
}

bool str_take_u64(struct str *s, uint64_t *out)
{
    uint64_t v = 0;
    size_t i = 0;

    for (; i < s->n && str_is_digit(s->p[i]); i++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(s->p[i] - '0'), &v))
            return false;
    if (i == 0)
        return false;
    *s = str_skip(*s, i);
    *out = v;
    return true;
}

bool str_hex4(struct str s, unsigned *out)
{
    unsigned v = 0;

    for (size_t i = 0; i < 4; i++) {
        int digit = i < s.n ? str_hex_digit(s.p[i]) : -1;

        if (digit < 0)
            return false;
        v = v << 4 | (unsigned)digit;
    }
    *out = v;
    return true;
}

bool str_u64(struct str s, uint64_t *out)
{
    return str_take_u64(&s, out) && s.n == 0;
}

bool str_i64(struct str s, int64_t *out)
{
    bool negative = str_consume(&s, STR("-"));
    uint64_t v;

    if (!str_u64(s, &v) || v > (uint64_t)INT64_MAX + negative)
        return false;
    *out = (int64_t)(negative ? 0 - v : v); /* computed as unsigned, so that the lowest number does not overflow */
    return true;
}

/*
 * SipHash-1-3 (Aumasson and Bernstein) under a random key, so that a forged trace cannot be full of colliding keys:
 * simpler hashes have keys that collide under any seed. No output depends on hash values, because every map keeps
 * insertion order.
 */
static uint64_t hash_key[2] = {0x736f6d6570736575u, 0x646f72616e646f6du};
static pthread_once_t hash_key_once = PTHREAD_ONCE_INIT;

static void make_hash_key(void)
{
    uint64_t key[2];

    /* Without random numbers (very early in a boot) the fixed key has to do. */
    if (getrandom(key, sizeof key, GRND_NONBLOCK) == (ssize_t)sizeof key)
        memcpy(hash_key, key, sizeof key);
}

static uint64_t rotate(uint64_t v, unsigned by)
{
    return v << by | v >> (64 - by);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

uint64_t str_hash(struct str s)
{
    uint64_t v[4], word, last = (uint64_t)s.n << 56;
    size_t i = 0;

    pthread_once(&hash_key_once, make_hash_key);
    v[0] = hash_key[0] ^ 0x736f6d6570736575u;
    v[1] = hash_key[1] ^ 0x646f72616e646f6du;
    v[2] = hash_key[0] ^ 0x6c7967656e657261u;
    v[3] = hash_key[1] ^ 0x7465646279746573u;
    for (; i + 8 <= s.n; i += 8) {
        memcpy(&word, s.p + i, 8);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    for (unsigned shift = 0; i < s.n; i++, shift += 8)
        last |= (uint64_t)(unsigned char)s.p[i] << shift;
    v[3] ^= last;
    sip_round(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    for (int k = 0; k < 3; k++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
