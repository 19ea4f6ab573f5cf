/*
 * map: a hash map from byte strings to pointers or to numbers, and an intern table built on it. All live in an arena,
 * keep insertion order (so that output never depends on hash values) and never shrink. One thread, the arena's.
 */
#pragma once

#include "util/arena.h"

struct map_entry {
    struct str key; /* not copied: the caller keeps the bytes alive */
    union {
        void *value;
        uint64_t number; /* in a map of numbers */
    };
};

/* Other code may walk the entries. At most 2^32 - 1 keys. */
struct map {
    struct arena *arena;
    struct map_entry *entries; /* in order of insertion */
    size_t n, cap;
    uint32_t *slots; /* index + 1 into entries, 0 = free */
    size_t slot_count;
};

void map_init(struct map *m, struct arena *a);

/* The value, or NULL if the key is missing. */
void *map_get(const struct map *m, struct str key);

/*
 * The slot of the key's value. A new entry has the value NULL and refers to the key's bytes, which must outlive the
 * map.
 */
void **map_at(struct map *m, struct str key);

/* Stores a pointer to a constant in a slot. Nothing is changed through the map. */
static inline void map_put_const(void **slot, const void *value)
{
    memcpy(slot, &value, sizeof value);
}

/* A key made of the bytes of a plain struct or number. The struct must have no padding. */
#define MAP_KEY(lvalue) ((struct str){(const char *)&(lvalue), sizeof(lvalue)})

/* Like map_at, but copies the bytes of a new key into the arena: for keys on the stack. */
void **map_at_copy(struct map *m, struct str key);

/* The object of a key. For a new key, a zeroed object in the map's arena, with a copy of the key's bytes. */
void *map_object(struct map *m, struct str key, size_t size);
#define MAP_OBJECT(m, key, T) ((T *)map_object((m), (key), sizeof(T)))

/* In a map of numbers: the place of the key's number. For a new key the number is 0, and the key's bytes are copied. */
uint64_t *map_number_at(struct map *m, struct str key);
/* ... where the key's bytes are not copied and must outlive the map. */
uint64_t *map_number_at_kept(struct map *m, struct str key);
/* ... and the number itself; 0 if the key is missing. */
uint64_t map_number(const struct map *m, struct str key);

/* The one copy of s in the table's arena: equal strings give equal pointers. NUL-terminated, rank lifetime. */
struct str intern(struct map *table, struct str s);
