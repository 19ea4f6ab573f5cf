/*
 * utf8: what makes any bytes fit for JSON and HTML. Bytes that are not UTF-8 are never dropped: each maximal bad run
 * of a sequence becomes U+FFFD, the practice of the WHATWG Encoding Standard. Any thread.
 */
#pragma once

#include "util/arena.h"
#include "util/buf.h"

/* True when all of s is well-formed UTF-8 (no surrogates, nothing beyond U+10FFFF) without NUL. */
bool utf8_valid(struct str s);

/* Appends s with every bad sequence, and NUL, as U+FFFD. Returns how many were replaced. */
size_t utf8_repair(struct buf *out, struct str s);

/* s itself when valid, else a repaired copy in the arena. */
struct str utf8_clean(struct arena *a, struct str s);

/*
 * Makes in place what would be obeyed instead of shown visible: blanks for tabs and line ends (which stay when it is
 * text of several `lines`), '?' for other control characters, marks of direction and bytes that are not UTF-8.
 */
void utf8_make_harmless(char *p, size_t n, bool lines);

/* The longest prefix of s that has at most max bytes and does not cut a character in two. Of bytes that are not UTF-8
 * it may be a few bytes shorter than it could be. */
struct str utf8_cut(struct str s, size_t max);

/* Terminal columns of well-formed UTF-8: two for characters of East Asia and pictures, none for combining marks. */
size_t utf8_columns(struct str s);

/* The longest prefix of s that takes at most so many columns. */
struct str utf8_fitting(struct str s, size_t columns);

/* Adds the character c, which is below 0x110000. */
void utf8_put(struct buf *out, unsigned c);
