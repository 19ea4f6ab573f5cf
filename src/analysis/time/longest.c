#include "analysis/time/longest.h"

#include "util/map.h"

/* The same key for a compile on all ranks of one run of a job, a different key for any other compile. */
static struct str key_of(struct arena *a, const struct compile *c)
{
    const struct frame *f = c->frame;

    if (c->process->rank == RANK_UNKNOWN)
        return arena_printf(a, "%p", (const void *)c);
    return arena_printf(a, "%u %u %.*s %.*s:%lld %.*s", c->process->group, c->epoch,
                        STR_ARG(compile_id_print(a, c->id)), STR_ARG(f->file), (long long)f->line, STR_ARG(f->name));
}

/* Selects only a few, so a plain insertion sort is enough. */
static size_t insert(struct longest_compile x, struct longest_compile *out, size_t n, size_t max)
{
    size_t at = n < max ? n : max - 1;

    if (n == max && x.us <= out[at].us)
        return n;
    for (; at > 0 && out[at - 1].us < x.us; at--)
        out[at] = out[at - 1];
    out[at] = x;
    return n < max ? n + 1 : n;
}

size_t longest_compiles(const struct run *r, struct longest_compile *out, size_t max)
{
    struct arena *a = arena_new();
    const struct compile *c;
    struct map slowest; /* key_of -> struct longest_compile */
    size_t n = 0;

    map_init(&slowest, a);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        void **slot = c->frame ? map_at(&slowest, key_of(a, c)) : NULL;
        struct longest_compile *x;

        if (!slot)
            continue;
        if (!*slot)
            *slot = ARENA_NEW(a, struct longest_compile);
        x = *slot;
        if (!x->compile || compile_duration(c) > x->us)
            *x = (struct longest_compile){c, compile_duration(c)};
    }
    for (size_t i = 0; i < slowest.n; i++)
        n = insert(*(const struct longest_compile *)slowest.entries[i].value, out, n, max);
    arena_free(a);
    return n;
}
