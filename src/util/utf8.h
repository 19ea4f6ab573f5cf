/*
 * utf8: makes any bytes safe for JSON and HTML. Bytes that are not UTF-8 are never dropped: each maximal ill-formed
 * sequence becomes U+FFFD, the practice of the WHATWG Encoding Standard. Any thread.
 */
#pragma once

#include "util/arena.h"
#include "util/buf.h"

/* True if all of s is well-formed UTF-8 (no surrogates, nothing beyond U+10FFFF) without NUL. */
bool utf8_valid(struct str s);

/* Appends s with every ill-formed sequence, and NUL, replaced by U+FFFD. Returns how many were replaced. */
size_t utf8_repair(struct buf *out, struct str s);

/* s itself if it is valid, else a repaired copy in the arena. */
struct str utf8_clean(struct arena *a, struct str s);

/*
 * Changes in place what a terminal would obey instead of showing: tabs and line ends become blanks (unless the text
 * has several `lines`), and other control characters, direction marks and bytes that are not UTF-8 become '?'.
 */
void utf8_make_harmless(char *p, size_t n, bool lines);

/*
 * The longest prefix of s that has at most max bytes and does not cut a character in two. If the bytes are not UTF-8,
 * it may be a few bytes shorter than necessary.
 */
struct str utf8_cut(struct str s, size_t max);

/*
 * s itself if it has at most max bytes, else its beginning, cut between two words where that loses little, and " …", in
 * the arena.
 */
struct str utf8_shorten(struct arena *a, struct str s, size_t max);

/*
 * The width of well-formed UTF-8 in terminal columns: two for East Asian characters and emoji, none for combining
 * marks.
 */
size_t utf8_columns(struct str s);

/* The longest prefix of s that takes at most that many columns. */
struct str utf8_fitting(struct str s, size_t columns);

/* Adds the character c, which is below 0x110000. */
void utf8_put(struct buf *out, unsigned c);
