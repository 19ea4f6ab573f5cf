/*
 * redaction: what was taken out of a run before anything was made of it, for reports to say. Plain data.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum redaction_mode { REDACTION_NONE, REDACTION_NAMES, REDACTION_SKELETON };

/* Sorts of placeholders, with what they stand for. */
enum redaction_sort {
    REDACTION_NAME,      /* name7: a word that is neither Python's nor PyTorch's */
    REDACTION_DIRECTORY, /* dir3: all directories of a path */
    REDACTION_URL,       /* url2 */
    REDACTION_KEY,       /* key5: a cache key */
    REDACTION_ADDRESS,   /* host1: an address, a host or an id of a cloud: redact/address.h */
    REDACTION_NUMBER,    /* n4: a number in a guard, in a skeleton */
    REDACTION_SORTS
};

/* Reading a payload back may add to the counts. */
struct redaction {
    enum redaction_mode mode;
    const size_t *counts[REDACTION_SORTS]; /* of different originals, as many as were met so far */
};

static inline uint64_t redaction_count(const struct redaction *r, enum redaction_sort s)
{
    return r->mode == REDACTION_NONE ? 0 : *r->counts[s];
}

/* "redact" and "skeleton", as the options that ask for them; NULL for none. */
const char *redaction_mode_name(enum redaction_mode m);
/* "name", of which placeholders are made. */
const char *redaction_sort_prefix(enum redaction_sort s);
