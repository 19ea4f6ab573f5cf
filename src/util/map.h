/*
 * map: a hash map from byte strings to pointers or to numbers, and an intern table on top of it. All live in an arena,
 * keep insertion order (so that output never depends on hash values) and never shrink. One thread, the arena's.
 */
#pragma once

#include "util/arena.h"

struct map_entry {
    struct str key; /* as given: the caller keeps the bytes alive */
    union {
        void *value;
        uint64_t number; /* of a map of numbers */
    };
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

/* Puts a pointer to a constant where map_at says. Nothing is changed through the map. */
static inline void map_put_const(void **slot, const void *value)
{
    memcpy(slot, &value, sizeof value);
}

/* A key made of the bytes of a plain struct or number. The struct must have no padding. */
#define MAP_KEY(lvalue) ((struct str){(const char *)&(lvalue), sizeof(lvalue)})

/* As map_at, with a copy of the key's bytes in the arena when it is new: for keys on the stack. */
void **map_at_copy(struct map *m, struct str key);

/* The object of a key: when the key is new, a zeroed one in the map's arena, with a copy of the key's bytes. */
void *map_object(struct map *m, struct str key, size_t size);
#define MAP_OBJECT(m, key, T) ((T *)map_object((m), (key), sizeof(T)))

/* Of a map of numbers: where the number of key stands, 0 when the key is new, whose bytes are then copied. */
uint64_t *map_number_at(struct map *m, struct str key);
/* ... and the number, 0 when the key is not there. */
uint64_t map_number(const struct map *m, struct str key);

/* The one copy of s in the table's arena: equal strings give equal pointers. NUL-terminated, rank lifetime. */
struct str intern(struct map *table, struct str s);
