#include "analysis/rank_same.h"

static struct str key_of(const struct rank_sign *sign, char bytes[sizeof sign->facets + sizeof sign->counts])
{
    memcpy(bytes, sign->facets, sizeof sign->facets);
    memcpy(bytes + sizeof sign->facets, sign->counts, sizeof sign->counts);
    return (struct str){bytes, sizeof sign->facets + sizeof sign->counts};
}

static void find_in_row(const struct rank_row *row, struct arena *scratch, struct map *out)
{
    char bytes[sizeof row->cells.v[0]->sign.facets + sizeof row->cells.v[0]->sign.counts];
    struct map firsts;

    map_init(&firsts, scratch);
    for (size_t i = 0; i < row->cells.n; i++) {
        const struct compile *c = row->cells.v[i]->compile;
        void **first = map_at_copy(&firsts, key_of(&row->cells.v[i]->sign, bytes));

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
