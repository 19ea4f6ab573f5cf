#include "model/string_table.h"

void string_table_init(struct string_table *t, struct arena *a)
{
    *t = (struct string_table){0};
    map_init(&t->by_number, a);
}

void string_table_set(struct string_table *t, uint64_t number, struct str s)
{
    struct str *entry = ARENA_NEW(t->by_number.arena, struct str);

    *entry = s;
    *map_at_copy(&t->by_number, MAP_KEY(number)) = entry;
    t->end = number >= t->end ? number + 1 : t->end;
}

bool string_table_get(const struct string_table *t, uint64_t number, struct str *out)
{
    const struct str *entry = number < t->end ? map_get(&t->by_number, MAP_KEY(number)) : NULL;

    if (entry)
        *out = *entry;
    return entry != NULL;
}
