#include "util/map.h"

#include "util/vec.h"

void map_init(struct map *m, struct arena *a)
{
    *m = (struct map){.arena = a};
}

/*
 * The slot of a key, or the free one where it would go: open addressing, one slot after the other. A quarter of the
 * slots stays free, so the search ends, and their number is a power of two, so a mask does for the remainder.
 */
static uint32_t *find_slot(const struct map *m, struct str key)
{
    size_t mask = m->slot_count - 1, i = str_hash(key) & mask;

    while (m->slots[i] && !str_eq(m->entries[m->slots[i] - 1].key, key))
        i = (i + 1) & mask;
    return &m->slots[i];
}

void *map_get(const struct map *m, struct str key)
{
    uint32_t *slot;

    if (m->slot_count == 0)
        return NULL;
    slot = find_slot(m, key);
    return *slot ? m->entries[*slot - 1].value : NULL;
}

/* Entries stay where they are; only the slots are made anew. The old ones remain in the arena, half the size. */
static void grow(struct map *m)
{
    m->slot_count = m->slot_count ? m->slot_count * 2 : 16;
    m->slots = ARENA_ARRAY(m->arena, uint32_t, m->slot_count);
    for (size_t i = 0; i < m->n; i++)
        *find_slot(m, m->entries[i].key) = (uint32_t)i + 1;
}

static void **insert(struct map *m, struct str key, bool copy)
{
    uint32_t *slot;

    if ((m->n + 1) * 4 > m->slot_count * 3)
        grow(m);
    slot = find_slot(m, key);
    if (!*slot) {
        if (m->n == m->cap)
            m->entries = vec_more(m->arena, m->entries, &m->cap, sizeof *m->entries);
        m->entries[m->n] = (struct map_entry){copy ? arena_str(m->arena, key) : key, NULL};
        *slot = (uint32_t)++m->n;
    }
    return &m->entries[*slot - 1].value;
}

void **map_at(struct map *m, struct str key)
{
    return insert(m, key, false);
}

void **map_at_copy(struct map *m, struct str key)
{
    return insert(m, key, true);
}

struct str intern(struct map *table, struct str s)
{
    void **value = insert(table, s, true);
    /* Nobody needs the value of an interned string, but it leads to the key beside it. */
    struct map_entry *entry = (struct map_entry *)((char *)value - offsetof(struct map_entry, value));

    return entry->key;
}
