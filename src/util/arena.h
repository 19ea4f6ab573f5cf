/*
 * arena: memory that is freed all at once. Every long-lived structure of the model lives in the arena of its input
 * file, everything that belongs to the merged run in the run's arena, and what a page needs in a scratch arena. An
 * arena belongs to one thread at a time. Memory is zeroed.
 */
#pragma once

#include "util/str.h"

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* NULL is allowed */

/* Forgets everything but keeps one block for the next use: for scratch arenas in a loop. */
void arena_reset(struct arena *a);

/* n zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *a, size_t n);
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, count) ((type *)arena_alloc((a), sizeof(type) * (size_t)(count)))

/*
 * A block of new_n bytes that begins with the old_n bytes at p (NULL if old_n is 0); the tail is zeroed. p is invalid
 * afterwards. Large blocks are moved by realloc, so a growing array does not leave its old copies behind. p may belong
 * to another arena that lives equally long, as when facts of several inputs are merged; a large block then stays in
 * that arena.
 */
void *arena_grow(struct arena *a, void *p, size_t old_n, size_t new_n);

/* A copy, followed by a NUL byte that is not part of the view. */
struct str arena_str(struct arena *a, struct str s);
/* The same, for bytes that the caller changes afterwards. */
char *arena_copy(struct arena *a, struct str s);
struct str arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Bytes taken from the heap so far. */
size_t arena_bytes(const struct arena *a);
