/*
 * vec: a growing array in an arena. VEC(T) declares the struct (give it a name with a typedef, or use it as a field),
 * and vec_add returns a zeroed new last element. Elements move when the array grows: keep indices, not pointers, to
 * elements of a growing array. One thread, the arena's.
 */
#pragma once

#include "util/arena.h"

#define VEC(T)                                                                                                         \
    struct {                                                                                                           \
        T *v;                                                                                                          \
        size_t n, cap;                                                                                                 \
    }

/* A pointer to a new, zeroed last element. */
#define vec_add(arena, vec)                                                                                            \
    ((vec)->n == (vec)->cap ? ((vec)->v = vec_more((arena), (vec)->v, &(vec)->cap, sizeof *(vec)->v)) : (vec)->v,      \
     &(vec)->v[(vec)->n++])
/* Appends a value. */
#define vec_push(arena, vec, value) (*vec_add((arena), (vec)) = (value))
/* for (T *x = ...) over all elements. */
#define vec_each(T, x, vec) for (T *x = (vec)->v, *x##_end = x ? x + (vec)->n : x; x < x##_end; x++)

static inline void *vec_more(struct arena *a, void *v, size_t *cap, size_t size)
{
    size_t old = *cap;

    *cap = old ? old * 2 : 4;
    return arena_grow(a, v, old * size, *cap * size);
}
