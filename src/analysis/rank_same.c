#include "analysis/rank_same.h"

/* Facets and counts, which stand side by side. */
static struct str key_of(const struct rank_sign *sign)
{
    _Static_assert(offsetof(struct rank_sign, cached) == sizeof sign->facets + sizeof sign->counts, "no padding");
    return (struct str){(const char *)sign, offsetof(struct rank_sign, cached)};
}

static void find_in_row(const struct rank_row *row, struct arena *scratch, struct map *out)
{
    struct map firsts;

    map_init(&firsts, scratch);
    for (size_t i = 0; i < row->cells.n; i++) {
        const struct compile *c = row->cells.v[i]->compile;
        void **first = map_at(&firsts, key_of(&row->cells.v[i]->sign));

        if (!*first)
            *first = (void *)c;
        else
            *map_at_copy(out, MAP_KEY(c)) = *first;
    }
}

void rank_same_find(const struct rank_set *set, struct map *out)
{
    struct arena *scratch = arena_new();

    for (const struct rank_row *row = set->first; row; row = row->next) {
        find_in_row(row, scratch, out);
        arena_reset(scratch);
    }
    arena_free(scratch);
}
