#include "util/str.h"

#include <sys/random.h>
#include <sys/types.h>

int str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;

    return c ? c : (a.n > b.n) - (a.n < b.n);
}

ptrdiff_t str_find(struct str s, struct str needle)
{
    const char *at;

    if (needle.n == 0)
        return 0;
    at = s.n ? memmem(s.p, s.n, needle.p, needle.n) : NULL;
    return at ? at - s.p : -1;
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

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_trim(struct str s)
{
    while (s.n && is_blank(s.p[0]))
        s = str_skip(s, 1);
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
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

bool str_next_line(struct str *s, struct str *line)
{
    if (s->n == 0)
        return false;
    *line = str_split(s, '\n');
    return true;
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

    for (; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(s->p[i] - '0'), &v))
            return false;
    if (i == 0)
        return false;
    *s = str_skip(*s, i);
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
    *out = (int64_t)(negative ? 0 - v : v);
    return true;
}

/*
 * Where hashing starts. Random, so that a forged trace cannot be full of colliding keys; no output depends on hash
 * values, because every map keeps insertion order.
 */
static uint64_t hash_seed(void)
{
    static uint64_t seed;
    uint64_t s = __atomic_load_n(&seed, __ATOMIC_RELAXED), none = 0;

    if (s == 0) {
        if (getrandom(&s, sizeof s, GRND_NONBLOCK) != (ssize_t)sizeof s)
            s = 0xcbf29ce484222325u;
        s |= 1;
        if (!__atomic_compare_exchange_n(&seed, &none, s, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            s = none;
    }
    return s;
}

uint64_t str_hash(struct str s)
{
    /* FNV-1a, then the finaliser of MurmurHash3: tables here are small and keys short, spread matters more. */
    uint64_t h = hash_seed();

    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    return h ^ (h >> 33);
}
