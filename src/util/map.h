/*
 * map: a hash map from byte strings to pointers, and an intern table on top of it. Both live in an arena, keep
 * insertion order (so that output never depends on hash values) and never shrink. One thread, the arena's.
 */
#pragma once

#include "util/arena.h"

struct map_entry {
    struct str key; /* as given: the caller keeps the bytes alive */
    void *value;
};

/* entries may be walked from outside; 2^32 - 1 keys are the most there can be. */
struct map {
    struct arena *arena;
    struct map_entry *entries; /* in order of insertion */
    size_t n, cap;
    uint32_t *slots; /* index + 1 into entries, 0 = free */
    size_t slot_count;
};

void map_init(struct map *m, struct arena *a);

/* The value, or NULL when the key is not there. */
void *map_get(const struct map *m, struct str key);

/* Where the value of key stands; a new entry has value NULL and keeps the key's bytes, which must outlive the map. */
void **map_at(struct map *m, struct str key);

/* A key made of the bytes of a plain struct or number. The struct must have no padding. */
#define MAP_KEY(lvalue) ((struct str){(const char *)&(lvalue), sizeof(lvalue)})

/* As map_at, with a copy of the key's bytes in the arena when it is new: for keys on the stack. */
void **map_at_copy(struct map *m, struct str key);

/* The one copy of s in the table's arena: equal strings give equal pointers. NUL-terminated, rank lifetime. */
struct str intern(struct map *table, struct str s);
