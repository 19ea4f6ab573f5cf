/* redaction: counts of what was taken out of a run, for reports to mention. Plain data. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum redaction_mode { REDACTION_NONE, REDACTION_NAMES, REDACTION_SKELETON };

/* Kinds of placeholders, and what they stand for. */
enum redaction_sort {
    REDACTION_NAME,      /* name7: a word that is neither Python's nor PyTorch's */
    REDACTION_DIRECTORY, /* dir3: all directories of a path */
    REDACTION_URL,       /* url2 */
    REDACTION_KEY,       /* key5: a cache key */
    REDACTION_ADDRESS,   /* host1: an address, a host, or a cloud id: redact/address.h */
    REDACTION_NUMBER,    /* n4: a number in a guard, in a skeleton */
    REDACTION_SORTS
};

/* Reading a payload back may increase the counts. */
struct redaction {
    enum redaction_mode mode;
    const size_t *counts[REDACTION_SORTS]; /* the number of different originals so far */
};

static inline uint64_t redaction_count(const struct redaction *r, enum redaction_sort s)
{
    return r->mode == REDACTION_NONE ? 0 : *r->counts[s];
}

/* "redact" and "skeleton", as the options are called; NULL if neither. */
const char *redaction_mode_name(enum redaction_mode m);
/* The first part of placeholders: "name". */
const char *redaction_sort_prefix(enum redaction_sort s);
