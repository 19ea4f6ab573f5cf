#include "util/arena.h"

#include "util/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ALIGN = 16,
    FIRST_BLOCK = 2 * 1024, /* each block is twice the one before: most arenas are of a file that is no trace */
    BLOCK = 64 * 1024,
    LARGE = 16 * 1024, /* from this size on a request gets a block of its own, which realloc can grow */
};

/*
 * `next` and `arena` are of use to large blocks alone: realloc moves one in the middle of the chain of its arena, and
 * both neighbours follow.
 */
struct block {
    struct block *prev, *next;
    struct arena *arena;
    size_t size, used;
    _Alignas(ALIGN) char data[];
};

struct arena {
    struct block *small; /* the block that small requests are cut from, newest first by prev */
    struct block *large; /* blocks with one object each */
    size_t bytes;
};

struct arena *arena_new(void)
{
    return xcalloc(1, sizeof(struct arena));
}

static void free_chain(struct block *b)
{
    while (b) {
        struct block *prev = b->prev;
        free(b);
        b = prev;
    }
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    free_chain(a->small);
    free_chain(a->large);
    free(a);
}

void arena_reset(struct arena *a)
{
    free_chain(a->large);
    a->large = NULL;
    a->bytes = 0;
    if (!a->small)
        return;
    free_chain(a->small->prev);
    a->small->prev = NULL;
    /* What was never handed out is still zero from calloc. */
    memset(a->small->data, 0, a->small->used);
    a->small->used = 0;
    a->bytes = a->small->size;
}

static size_t round_up(size_t n)
{
    return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static void *alloc_large(struct arena *a, size_t n)
{
    struct block *b = xcalloc(1, sizeof *b + n);

    b->size = b->used = n;
    b->arena = a;
    b->prev = a->large;
    if (b->prev)
        b->prev->next = b;
    a->large = b;
    a->bytes += n;
    return b->data;
}

/* A block that small requests are cut from, with room for n bytes at least. */
static void add_block(struct arena *a, size_t n)
{
    size_t size = a->small ? 2 * a->small->size : FIRST_BLOCK;
    struct block *b;

    size = size < BLOCK ? size : BLOCK;
    size = size > n ? size : n;
    b = xcalloc(1, sizeof *b + size);
    b->size = size;
    b->prev = a->small;
    a->small = b;
    a->bytes += size;
}

void *arena_alloc(struct arena *a, size_t n)
{
    void *p;

    n = round_up(n ? n : 1);
    if (n >= LARGE)
        return alloc_large(a, n);
    if (!a->small || a->small->size - a->small->used < n)
        add_block(a, n);
    p = a->small->data + a->small->used;
    a->small->used += n;
    return p;
}

static void *grow_large(void *p, size_t new_n)
{
    struct block *b = (struct block *)((char *)p - offsetof(struct block, data));
    struct arena *a = b->arena;
    size_t old_n = b->size;

    b = xrealloc(b, sizeof *b + new_n);
    memset(b->data + old_n, 0, new_n - old_n);
    b->size = b->used = new_n;
    a->bytes += new_n - old_n;
    if (b->prev)
        b->prev->next = b;
    if (b->next)
        b->next->prev = b;
    else
        a->large = b;
    return b->data;
}

void *arena_grow(struct arena *a, void *p, size_t old_n, size_t new_n)
{
    size_t had = round_up(old_n ? old_n : 1), want = round_up(new_n);
    void *q;

    if (p && had >= want)
        return p;
    if (p && had >= LARGE)
        return grow_large(p, want);
    /* The newest object of the newest block, as an array that is being filled mostly is, grows where it stands. */
    if (p && a->small && (char *)p + had == a->small->data + a->small->used && want < LARGE &&
        a->small->size - a->small->used >= want - had) {
        a->small->used += want - had;
        return p;
    }
    q = arena_alloc(a, new_n);
    if (old_n)
        memcpy(q, p, old_n);
    return q;
}

struct str arena_str(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, s.n + 1);

    if (s.n)
        memcpy(p, s.p, s.n);
    return (struct str){p, s.n};
}

struct str arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap, again;
    int n;
    char *p;

    va_start(ap, fmt);
    va_copy(again, ap); /* the first round, which measures, uses ap up */
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return (struct str){p, (size_t)n};
}

size_t arena_bytes(const struct arena *a)
{
    return a->bytes;
}
