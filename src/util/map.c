#include "util/map.h"

#include "util/vec.h"

void map_init(struct map *m, struct arena *a)
{
    *m = (struct map){.arena = a};
}

/*
 * The slot of a key, or the free slot where it would go. Open addressing, one slot after another: a quarter of the
 * slots stays free, so the search ends, and their number is a power of two, so a mask replaces the remainder.
 */
static uint32_t *find_slot(const struct map *m, struct str key)
{
    size_t mask = m->slot_count - 1, i = str_hash(key) & mask;

    while (m->slots[i] && !str_eq(m->entries[m->slots[i] - 1].key, key))
        i = (i + 1) & mask;
    return &m->slots[i];
}

static const struct map_entry *find(const struct map *m, struct str key)
{
    uint32_t *slot;

    if (m->slot_count == 0)
        return NULL;
    slot = find_slot(m, key);
    return *slot ? &m->entries[*slot - 1] : NULL;
}

void *map_get(const struct map *m, struct str key)
{
    const struct map_entry *entry = find(m, key);

    return entry ? entry->value : NULL;
}

uint64_t map_number(const struct map *m, struct str key)
{
    const struct map_entry *entry = find(m, key);

    return entry ? entry->number : 0;
}

/* Entries stay where they are; only the slots are new. The old slots remain in the arena, at half the size. */
static void grow(struct map *m)
{
    m->slot_count = m->slot_count ? m->slot_count * 2 : 16;
    m->slots = ARENA_ARRAY(m->arena, uint32_t, m->slot_count);
    for (size_t i = 0; i < m->n; i++)
        *find_slot(m, m->entries[i].key) = (uint32_t)i + 1;
}

static struct map_entry *insert(struct map *m, struct str key, bool copy)
{
    uint32_t *slot;

    if ((m->n + 1) * 4 > m->slot_count * 3)
        grow(m);
    slot = find_slot(m, key);
    if (!*slot) {
        if (m->n == m->cap)
            m->entries = vec_more(m->arena, m->entries, &m->cap, sizeof *m->entries);
        m->entries[m->n] = (struct map_entry){.key = copy ? arena_str(m->arena, key) : key};
        *slot = (uint32_t)++m->n;
    }
    return &m->entries[*slot - 1];
}

void **map_at(struct map *m, struct str key)
{
    return &insert(m, key, false)->value;
}

void **map_at_copy(struct map *m, struct str key)
{
    return &insert(m, key, true)->value;
}

void *map_object(struct map *m, struct str key, size_t size)
{
    void **slot = map_at_copy(m, key);

    if (!*slot)
        *slot = arena_alloc(m->arena, size);
    return *slot;
}

uint64_t *map_number_at(struct map *m, struct str key)
{
    return &insert(m, key, true)->number;
}

uint64_t *map_number_at_kept(struct map *m, struct str key)
{
    return &insert(m, key, false)->number;
}

struct str intern(struct map *table, struct str s)
{
    return insert(table, s, true)->key;
}
