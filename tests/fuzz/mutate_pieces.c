#include "mutate_pieces.h"

#include <stdlib.h>
#include <string.h>

enum { CHANGED_INPUTS = 4, ROOM = 65536 };

size_t mutate_any(struct mutation *m, size_t n)
{
    return n ? (size_t)rand_r(&m->seed) % n : 0;
}

struct piece *mutate_any_piece(struct mutation *m)
{
    return &m->pieces.v[mutate_any(m, m->pieces.n)];
}

void mutate_drop(struct mutation *m, size_t most)
{
    size_t at = mutate_any(m, m->pieces.n), n = 1 + mutate_any(m, most);

    n = n < m->pieces.n - at ? n : m->pieces.n - at;
    memmove(m->pieces.v + at, m->pieces.v + at + n, (m->pieces.n - at - n) * sizeof *m->pieces.v);
    m->pieces.n -= n;
}

void mutate_repeat(struct mutation *m)
{
    struct piece p = *mutate_any_piece(m);

    vec_push(m->arena, &m->pieces, p);
}

void mutate_swap(struct mutation *m)
{
    struct piece *a = mutate_any_piece(m), *b = mutate_any_piece(m), between = *a;

    *a = *b;
    *b = between;
}

static size_t write_pieces(struct mutation *m, uint8_t *data, size_t max)
{
    size_t n = 0;

    for (size_t i = 0; i < m->pieces.n; i++) {
        struct piece *p = &m->pieces.v[i];

        mutate_finish(m, p);
        for (size_t k = 0; k < PIECE_PARTS; k++) {
            if (n + p->parts[k].n > max)
                return n;
            if (p->parts[k].n)
                memcpy(data + n, p->parts[k].p, p->parts[k].n);
            n += p->parts[k].n;
        }
    }
    return n;
}

/* Returns the new size, `max` at most. The result depends on the bytes and the seed alone. */
static size_t mutate(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct mutation m = {.arena = arena_new(), .seed = seed};
    char *copy = arena_alloc(m.arena, size + 1);

    memcpy(copy, data, size);
    mutate_parse(&m, (struct str){copy, size});
    for (size_t i = 0; m.pieces.n && i <= mutate_any(&m, MUTATE_CHANGES_MAX); i++)
        mutate_change(&m);
    size = write_pieces(&m, data, max);
    arena_free(m.arena);
    return size;
}

/* From libFuzzer; absent in the program that runs each input once. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));
/* As libFuzzer declares it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    if (seed % 2)
        return LLVMFuzzerMutate(data, size, max);
    return mutate(data, size, max, seed);
}

void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    size_t max = 2 * size + ROOM;

    take((struct str){(const char *)data, size});
    for (unsigned seed = 0; seed < CHANGED_INPUTS; seed++) {
        uint8_t *copy = malloc(max);
        size_t n;

        fuzz_check(copy != NULL, "there is memory for a copy");
        memcpy(copy, data, size);
        n = mutate(copy, size, max, seed * 7919 + (unsigned)size);
        take((struct str){(const char *)copy, n});
        free(copy);
    }
}
