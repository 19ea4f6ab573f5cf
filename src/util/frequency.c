#include "util/frequency.h"

#include <stdlib.h>

void frequency_add(struct map *names, struct str name)
{
    void **slot = map_at(names, name);
    struct frequency *f = *slot;

    if (!f) {
        *slot = f = ARENA_NEW(names->arena, struct frequency);
        f->name = name;
    }
    f->n++;
}

static int by_count(const void *pa, const void *pb)
{
    const struct frequency *a = *(struct frequency *const *)pa, *b = *(struct frequency *const *)pb;

    if (a->n != b->n)
        return a->n < b->n ? 1 : -1;
    return str_cmp(a->name, b->name);
}

const struct frequency **frequency_ranked(struct arena *a, const struct map *names)
{
    const struct frequency **list = ARENA_ARRAY(a, const struct frequency *, names->n + 1);

    for (size_t i = 0; i < names->n; i++)
        list[i] = names->entries[i].value;
    qsort(list, names->n, sizeof *list, by_count);
    return list;
}
