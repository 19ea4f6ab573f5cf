#include "util/arena.h"

#include "util/asan.h"
#include "util/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ALIGN = 16,
    /* each block is twice the size of the one before: most arenas belong to a file that turns out not to be a trace */
    FIRST_BLOCK = 2 * 1024,
    BLOCK = 64 * 1024,
    LARGE = 16 * 1024, /* from this size on a request gets a block of its own, which realloc can grow */
};

/*
 * Only large blocks use `next` and `arena`: realloc may move a block in the middle of its arena's chain, and then both
 * neighbors have to follow.
 */
struct block {
    struct block *prev, *next;
    struct arena *arena;
    size_t size, used;
    _Alignas(ALIGN) char data[];
};

/*
 * The old memory of an array that grew and moved, kept for the next array of that size: arrays of one type grow
 * through the same sizes, and leave as much behind as they hold in the end.
 */
struct leftover {
    struct leftover *next;
    size_t size;
};

enum { LEFTOVER_LEAST_BITS = 6, LEFTOVER_CLASSES = 8, LEFTOVER_TRIES = 4, OWN_BLOCKS = 16 };

struct arena {
    struct leftover *leftovers[LEFTOVER_CLASSES]; /* by the logarithm of their size */
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
    memset(a->leftovers, 0, sizeof a->leftovers);
    if (!a->small)
        return;
    free_chain(a->small->prev);
    a->small->prev = NULL;
    ASAN_UNPOISON_MEMORY_REGION(a->small->data, a->small->used);
    /* The rest is still zero from calloc: it was never handed out. */
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

/* A block from which small requests are cut, with room for at least n bytes. */
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

/* The list for leftovers of n bytes; NULL if that is too small to be worth a list. */
static struct leftover **leftovers_of(struct arena *a, size_t n)
{
    unsigned bits = 63 - (unsigned)__builtin_clzll(n);

    return bits < LEFTOVER_LEAST_BITS ? NULL : &a->leftovers[bits - LEFTOVER_LEAST_BITS];
}

_Static_assert(LARGE <= 1 << (LEFTOVER_LEAST_BITS + LEFTOVER_CLASSES), "there is a list for every small size");

/*
 * The array may belong to another arena, see arena.h. Only the newest blocks are searched, because growing has to be
 * fast.
 */
static bool is_own(const struct arena *a, const char *p)
{
    const struct block *b = a->small;

    for (int i = 0; b && i < OWN_BLOCKS; i++, b = b->prev)
        if (p >= b->data && p < b->data + b->used)
            return true;
    return false;
}

static void leave(struct arena *a, void *p, size_t n)
{
    struct leftover **list = leftovers_of(a, n), *l = p;

    if (!list || !is_own(a, p))
        return;
    *l = (struct leftover){*list, n};
    *list = l;
    /* A build with sanitizers catches any later use of this memory. */
    ASAN_POISON_MEMORY_REGION(l + 1, n - sizeof *l);
}

static void *take_leftover(struct arena *a, size_t n)
{
    struct leftover **l = leftovers_of(a, n);

    for (int i = 0; l && *l && i < LEFTOVER_TRIES; i++, l = &(*l)->next) {
        void *p = *l;

        if ((*l)->size != n)
            continue;
        *l = (*l)->next;
        ASAN_UNPOISON_MEMORY_REGION(p, n);
        return memset(p, 0, n);
    }
    return NULL;
}

void *arena_alloc(struct arena *a, size_t n)
{
    void *p;

    n = round_up(n ? n : 1);
    if (n >= LARGE)
        return alloc_large(a, n);
    p = take_leftover(a, n);
    if (p)
        return p;
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
    /* The newest object of the newest block grows in place; an array that is being filled usually is that object. */
    if (p && a->small && (char *)p + had == a->small->data + a->small->used && want < LARGE &&
        a->small->size - a->small->used >= want - had) {
        a->small->used += want - had;
        return p;
    }
    q = arena_alloc(a, new_n);
    if (old_n) {
        memcpy(q, p, old_n);
        leave(a, p, had);
    }
    return q;
}

char *arena_copy(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, s.n + 1);

    if (s.n)
        memcpy(p, s.p, s.n);
    return p;
}

struct str arena_str(struct arena *a, struct str s)
{
    return (struct str){arena_copy(a, s), s.n};
}

struct str arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap, again;
    int n;
    char *p;

    va_start(ap, fmt);
    va_copy(again, ap); /* the first vsnprintf, which only measures, uses ap up */
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
