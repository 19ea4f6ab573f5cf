/* Trace health. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"

enum { MESSAGES_MAX = 1000 };

/* How often those beyond the first were reported. */
static uint64_t hidden_messages(const struct run *r)
{
    uint64_t n = 0;

    for (size_t i = MESSAGES_MAX; i < r->messages.n; i++)
        n += r->messages.v[i].count;
    return n;
}

struct record_kind {
    struct str name;
    struct kind_count count;
};

struct record_kinds {
    VEC(struct record_kind) list;
};

/* Over all inputs, in order of appearance. */
static struct record_kinds kinds_of(const struct view *v)
{
    struct record_kinds kinds = {.list = {0}};
    struct map numbers;

    map_init(&numbers, v->scratch);
    for (size_t i = 0; i < v->run->inputs.n; i++)
        for (size_t k = 0; k < v->run->inputs.v[i]->kinds.n; k++) {
            const struct map_entry *e = &v->run->inputs.v[i]->kinds.entries[k];
            const struct kind_count *from = e->value;
            uint64_t *number = map_number_at(&numbers, e->key);

            if (!*number) {
                vec_push(v->scratch, &kinds.list, (struct record_kind){.name = e->key});
                *number = kinds.list.n;
            }
            kinds.list.v[*number - 1].count.count += from->count;
            kinds.list.v[*number - 1].count.unknown = from->unknown;
        }
    return kinds;
}

/* Whether the digests of all inputs were. */
static bool are_checked(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->used && !r->inputs.v[i]->digests_checked)
            return false;
    return true;
}

static bool any_repeats(const struct run *r)
{
    vec_each(const struct message, m, &r->messages) if (m->count > 1) return true;
    return false;
}

static struct str bad_payloads(const struct view *v)
{
    uint64_t n = v->run->totals.bad_payloads;

    if (n == 0)
        return STR("all checksums OK");
    return arena_printf(v->scratch, "%.*s from %s digest",
                        STR_ARG(format_counted(v->scratch, n, "payload differs", "payloads differ")),
                        n == 1 ? "its" : "their");
}

#include "view/page_rows.h"

#include "view/sections/health.def"
