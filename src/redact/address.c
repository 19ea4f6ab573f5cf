#include "redact/address.h"

static bool is_hex(char c)
{
    return str_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static bool is_alnum(char c)
{
    return str_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static char at_or_blank(struct str s, size_t i)
{
    return i < s.n ? s.p[i] : ' ';
}

static size_t hex_run(struct str s, size_t at)
{
    size_t n = 0;

    while (is_hex(at_or_blank(s, at + n)))
        n++;
    return n;
}

/* --- IPv4 --------------------------------------------------------------------------------------------------------- */

enum { OCTETS = 4 };

/* A dot, which JSON or a regular expression may escape, or a dash or underscore: its length in bytes, or 0. */
static size_t separator(struct str s, size_t at, char *which)
{
    size_t n = 0;

    while (at_or_blank(s, at + n) == '\\')
        n++;
    *which = at_or_blank(s, at + n);
    return *which == '.' || (n == 0 && (*which == '-' || *which == '_')) ? n + 1 : 0;
}

/* A number of up to three digits, below 256: its length, or 0. */
static size_t octet(struct str s, size_t at, unsigned *value)
{
    size_t n = 0;

    for (*value = 0; n < 3 && str_is_digit(at_or_blank(s, at + n)); n++)
        *value = *value * 10 + (unsigned)(s.p[at + n] - '0');
    return *value < 256 && !str_is_digit(at_or_blank(s, at + n)) ? n : 0;
}

/* The private ranges of RFC 1918, 6598, 3927 and 1122. */
static bool is_private(const unsigned v[OCTETS])
{
    return v[0] == 10 || v[0] == 127 || (v[0] == 192 && v[1] == 168) || (v[0] == 172 && v[1] >= 16 && v[1] < 32) ||
           (v[0] == 100 && v[1] >= 64 && v[1] < 128) || (v[0] == 169 && v[1] == 254);
}

/*
 * Four numbers. If they are joined by underscores, only private addresses count, because PyTorch makes such names,
 * too.
 */
static size_t ipv4(struct str s, size_t at)
{
    unsigned value[OCTETS];
    size_t end = at, n;
    char first = 0, which;

    if (at && (str_is_digit(s.p[at - 1]) || (at > 1 && s.p[at - 1] == '.' && str_is_digit(s.p[at - 2]))))
        return 0;
    for (int i = 0; i < OCTETS; i++) {
        if (i) {
            n = separator(s, end, &which);
            first = first ? first : which;
            if (n == 0 || which != first)
                return 0;
            end += n;
        }
        if ((n = octet(s, end, &value[i])) == 0)
            return 0;
        end += n;
    }
    return first != '_' || is_private(value) ? end - at : 0;
}

/* --- groups of hexadecimal digits --------------------------------------------------------------------------------- */

/* At least `least` groups of `digits` digits with the same separator: the length in bytes, or 0. */
static size_t groups(struct str s, size_t at, size_t digits, const char *signs, size_t least)
{
    char sign = at_or_blank(s, at + digits);
    size_t n = 0, end = at;

    while (hex_run(s, end) == digits && !is_alnum(at_or_blank(s, end + digits))) {
        end += digits;
        n++;
        if (!sign || !strchr(signs, sign) || at_or_blank(s, end) != sign)
            break;
        end++;
    }
    return n >= least && is_hex(s.p[end - 1]) ? end - at : 0;
}

/* 00:1b:44:11:3a:b7, 00-1b-44-11-3a-b7, 001b.4411.3ab7, and the longer addresses of InfiniBand. */
static size_t hardware(struct str s, size_t at)
{
    size_t n = groups(s, at, 2, ":-", 6);

    return n ? n : groups(s, at, 4, ".", 3);
}

/* 5f2c1d9e-77aa-4b1c-9e0f-aabbccddeeff, the form of ids of GPUs and volumes. */
static size_t uuid(struct str s, size_t at)
{
    static const size_t digits[] = {8, 4, 4, 4, 12};
    size_t end = at;

    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        if (hex_run(s, end) != digits[i])
            return 0;
        end += digits[i];
        if (i + 1 < sizeof digits / sizeof *digits && at_or_blank(s, end++) != '-')
            return 0;
    }
    return is_alnum(at_or_blank(s, end)) ? 0 : end - at;
}

/*
 * Groups between colons: eight, or fewer with one "::". x[1::2] and a::b do not count: one of two groups must have
 * both a letter and digits.
 */
static size_t ipv6(struct str s, size_t at)
{
    size_t end = at, colons = 0, gaps = 0;
    bool mixed = false;

    while (is_hex(at_or_blank(s, end)) || at_or_blank(s, end) == ':') {
        size_t n = colons ? ipv4(s, end) : 0, letters = 0;

        if (n) { /* ::ffff:10.0.3.17 */
            end += n;
            break;
        }
        n = hex_run(s, end);

        for (size_t i = 0; i < n && i < 5; i++)
            letters += !str_is_digit(s.p[end + i]);
        mixed |= letters && letters < n;
        if (n > 4)
            return 0;
        end += n;
        if (at_or_blank(s, end) != ':' || colons == 8)
            break;
        colons++;
        gaps += at_or_blank(s, end + 1) == ':';
        end++;
    }
    if (is_alnum(at_or_blank(s, end)) || at_or_blank(s, end) == '_' || gaps > 1)
        return 0;
    while (end > at + 2 && s.p[end - 1] == ':' && s.p[end - 2] != ':')
        end--;
    return (gaps && (colons > 2 || mixed)) || (!gaps && colons == 7) ? end - at : 0;
}

/* --- names and ids of clouds -------------------------------------------------------------------------------------- */

enum { HOST_MAX = 253, CLOUD_ID = 17 };

/* Domains that clouds and private networks give to machines. No attribute of a Python object ends like this. */
static bool is_machine(struct str host)
{
    static const struct str ends[] = {
        STR_INIT(".internal"),       STR_INIT(".cluster.local"), STR_INIT(".localdomain"), STR_INIT(".intranet"),
        STR_INIT(".amazonaws.com"),  STR_INIT(".windows.net"),   STR_INIT(".azure.com"),   STR_INIT(".cloudapp.net"),
        STR_INIT(".googleapis.com"), STR_INIT(".run.app"),       STR_INIT(".azmk8s.io"),   STR_INIT(".oraclevcn.com"),
        STR_INIT(".aliyuncs.com"),   STR_INIT(".arpa"),          STR_INIT(".corp"),        STR_INIT(".lan"),
    };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(host, ends[i]) && host.n > ends[i].n)
            return true;
    return false;
}

static size_t host(struct str s, size_t at)
{
    size_t n = 0, dots = 0;

    for (char c; n < HOST_MAX && (is_alnum(c = at_or_blank(s, at + n)) || c == '.' || c == '-'); n++)
        dots += c == '.';
    if (at_or_blank(s, at + n) == '_' || at_or_blank(s, at + n) == '(')
        return 0; /* an attribute */
    while (n && !is_alnum(s.p[at + n - 1]))
        n--;
    return dots && is_machine((struct str){s.p + at, n}) ? n : 0;
}

/* "i-0123456789abcdef0": a word, a dash and seventeen hexadecimal digits. */
static size_t cloud_id(struct str s, size_t at)
{
    size_t n = 0;

    while (at_or_blank(s, at + n) >= 'a' && at_or_blank(s, at + n) <= 'z')
        n++;
    if (n == 0 || at_or_blank(s, at + n) != '-' || hex_run(s, at + n + 1) != CLOUD_ID)
        return 0;
    n += 1 + CLOUD_ID;
    return is_alnum(at_or_blank(s, at + n)) ? 0 : n;
}

/* "arn:aws:iam::123456789012:role/train" */
static size_t resource(struct str s, size_t at)
{
    size_t n = 0;

    if (!str_starts(str_skip(s, at), STR("arn:")))
        return 0;
    while (n < s.n - at && (unsigned char)s.p[at + n] > ' ' && !strchr("\"'`,;()[]{}<>\\", s.p[at + n]))
        n++;
    return n;
}

static size_t longer(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

size_t address_length(struct str text, size_t at)
{
    char c = at_or_blank(text, at), before = at ? text.p[at - 1] : ' ';
    size_t n = 0;

    if (str_is_digit(c) && !is_alnum(before))
        n = longer(hardware(text, at), ipv4(text, at));
    else if (str_is_digit(c))
        n = ipv4(text, at);
    else if (is_hex(c) && !is_alnum(before))
        n = hardware(text, at);
    if (is_alnum(before) || before == '_' || before == '.')
        return n;
    if (is_hex(c) || c == ':')
        n = longer(n, longer(ipv6(text, at), uuid(text, at)));
    if (is_alnum(c) && before != '-')
        n = longer(n, longer(host(text, at), longer(cloud_id(text, at), resource(text, at))));
    return n;
}
