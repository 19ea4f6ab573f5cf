/*
 * str: a string view by value, (pointer, length), not NUL-terminated.
 *
 * A view owns nothing. Whoever makes a view decides how long its bytes live; a header that returns one names its
 * lifetime: "line" (until the next line is read), "batch" (until the records that were decoded together are applied),
 * "rank" (as long as the model of its input file, in arena memory) or "static". All functions are pure and may be
 * called from any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

/* A static view of a literal. */
#define STR(lit) ((struct str){"" lit, sizeof(lit) - 1})
/* The same as an initializer of static data. */
#define STR_INIT(lit) {"" lit, sizeof(lit) - 1}
/* For printf: printf(STR_FMT, STR_ARG(s)). `s` is evaluated twice, so it must have no side effects. */
#define STR_FMT "%.*s"
#define STR_ARG(s) (int)(s).n, (s).p

static inline struct str str_of(const char *z)
{
    return (struct str){z, z ? strlen(z) : 0};
}

static inline struct str str_range(const char *begin, const char *end)
{
    return (struct str){begin, (size_t)(end - begin)};
}

/* An ASCII digit, whatever the locale. */
static inline bool str_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The value of a hex digit in either case; -1 for any other character. */
static inline int str_hex_digit(char c)
{
    return str_is_digit(c) ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* The value of the first four characters as hex digits, as they follow a "\u". False if they are not hex digits. */
bool str_hex4(struct str s, unsigned *out);

/* An ASCII letter, a digit or an underscore, whatever the locale. */
static inline bool str_is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c) || c == '_';
}

/* The same, or a byte of a letter beyond ASCII: the characters of a Python name. */
static inline bool str_is_name_char(char c)
{
    return str_is_word_char(c) || (unsigned char)c >= 0x80;
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

static inline bool str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n && (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

/* The view without its first (or last) n bytes; empty if it is shorter. */
static inline struct str str_skip(struct str s, size_t n)
{
    if (n > s.n)
        n = s.n;
    return n ? (struct str){s.p + n, s.n - n} : s; /* NULL + 0 is not C */
}

static inline struct str str_drop(struct str s, size_t n)
{
    return (struct str){s.p, n >= s.n ? 0 : s.n - n};
}

/* At most the first n bytes. */
static inline struct str str_take(struct str s, size_t n)
{
    return (struct str){s.p, n < s.n ? n : s.n};
}

/* Copies s and a final NUL into `room` of `size` > 0 bytes; false, with "" in room, where they do not fit. */
bool str_terminate(struct str s, char *room, size_t size);

/* Compares byte by byte, shorter first on a tie; for qsort and stable output. */
int str_cmp(struct str a, struct str b);

/* Offset of the first (last) occurrence, or -1. */
ptrdiff_t str_find(struct str s, struct str needle);
ptrdiff_t str_chr(struct str s, char c);
ptrdiff_t str_rchr(struct str s, char c);
/* The last part of a path: "b.py" of "/a/b.py"; empty after a final slash. A view of path. */
struct str str_file_name(struct str path);
static inline bool str_has(struct str s, struct str needle)
{
    return str_find(s, needle) >= 0;
}

/* Whether s is, begins with, ends with or contains one of n texts. */
bool str_is_any(struct str s, const struct str *list, size_t n);
bool str_starts_any(struct str s, const struct str *list, size_t n);
bool str_ends_any(struct str s, const struct str *list, size_t n);
bool str_has_any(struct str s, const struct str *list, size_t n);
/* Whether s contains one of the lines of `alternatives`, which '\n' separates. */
bool str_has_any_line(struct str s, struct str alternatives);
/* Whether s contains the words, with any blanks and line ends where `words` has a space: texts are wrapped. */
bool str_has_words(struct str s, struct str words);
/* The same with an array. */
#define STR_IS_ANY(s, array) str_is_any((s), (array), sizeof(array) / sizeof *(array))
#define STR_STARTS_ANY(s, array) str_starts_any((s), (array), sizeof(array) / sizeof *(array))
#define STR_ENDS_ANY(s, array) str_ends_any((s), (array), sizeof(array) / sizeof *(array))
#define STR_HAS_ANY(s, array) str_has_any((s), (array), sizeof(array) / sizeof *(array))

/* Without blanks, tabs, CR and LF at both ends. */
struct str str_trim(struct str s);

/* Without the characters at its beginning, or at its end, that are among these. */
struct str str_skip_any(struct str s, const char *chars);
struct str str_drop_any(struct str s, const char *chars);

/* The letters, digits and underscores that s begins with. */
struct str str_word(struct str s);

/* If s begins with prefix, moves s past it and returns true. */
bool str_consume(struct str *s, struct str prefix);

/* Takes the part before the first sep off s and moves s past the sep; all of s if there is none. */
struct str str_split(struct str *s, char sep);

/* The first line, without the blanks around it. */
struct str str_first_line(struct str s);

/* The first `size` bytes of s, with small letters for the capitals of ASCII, in `room`, which has that size. */
struct str str_lower(struct str s, char *room, size_t size);

/* The first line that contains the words, without the blanks around it; empty if there is none. */
struct str str_line_with(struct str s, struct str words);

/*
 * Like str_split at '
 * ', but false once s is used up. A last line without '
 * ' counts, an empty rest does not.
 */
bool str_next_line(struct str *s, struct str *line);

/* Takes the first sentence of a paragraph: up to a full stop and a blank, with the stop, or the rest. */
struct str str_next_sentence(struct str *paragraph);

/* The text between the first `open` and the next `close` after it; false if either is missing. */
bool str_between(struct str s, struct str open, struct str close, struct str *out);

/* Takes leading decimal digits off s (at least one); false, with s unchanged, if there are none or on overflow. */
bool str_take_u64(struct str *s, uint64_t *out);

/*
 * How many bytes of s, of at most STR_NUMBER_MAX, strtod() takes for a number, which it puts into *out; 0 if there is
 * none. Blanks before it count; "nan" and "inf" are numbers.
 */
enum { STR_NUMBER_MAX = 32 };
size_t str_number(struct str s, double *out);

/* All of s as a number (a sign is allowed for i64); false on anything else or overflow. */
bool str_u64(struct str s, uint64_t *out);
bool str_i64(struct str s, int64_t *out);

/* A hash with a random key for each run of the program, see str.c. */
uint64_t str_hash(struct str s);
