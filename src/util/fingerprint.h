/*
 * fingerprint: a fast 128-bit hash (XXH3), to tell whether a text is one that was seen before. Twenty times as fast as
 * MD5, and not safe against somebody who makes up collisions (nor is MD5). Two files with the same functions:
 * fingerprint_xxhash.c where the library is there, fingerprint_none.c otherwise; meson picks one. Any thread.
 */
#pragma once

#include "util/str.h"

struct fingerprint {
    uint64_t low, high;
};

/* False when there is no library: then texts can only be told apart in slower ways. */
bool fingerprint_of(struct str text, struct fingerprint *out);
