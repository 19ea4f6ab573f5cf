#include "redact/placeholder.h"

enum { PLACEHOLDERS_MAX = 1000000 };

void placeholders_init(struct placeholders *p, struct arena *a)
{
    *p = (struct placeholders){.arena = a};
    for (int i = 0; i < REDACTION_SORTS; i++)
        map_init(&p->sorts[i], a);
}

struct placeholder *placeholder_find(const struct placeholders *p, enum redaction_sort sort, struct str original)
{
    return map_get(&p->sorts[sort], original);
}

struct placeholder *placeholder_of(struct placeholders *p, enum redaction_sort sort, struct str original)
{
    struct map *m = &p->sorts[sort];
    void **slot;
    struct placeholder *new;

    if (m->n >= PLACEHOLDERS_MAX && !map_get(m, original))
        original = STR("");
    slot = map_at_copy(m, original);
    if (*slot)
        return *slot;
    *slot = new = ARENA_NEW(p->arena, struct placeholder);
    new->text = arena_printf(p->arena, "%s%zu", redaction_sort_prefix(sort), m->n);
    return new;
}
