/*
 * crash_waits: which rank is behind the others, by what their watchdogs say. NCCL numbers the collectives of a group in
 * the order in which a rank calls them: one that waits at a lower number has not come to where the others wait. One
 * thread.
 */
#pragma once

#include "util/arena.h"
#include "util/vec.h"

struct crash_wait {
    int rank;
    uint64_t first;       /* the lowest number that timed out on the rank */
    struct str operation; /* "ALLREDUCE" */
};

struct crash_waits {
    VEC(struct crash_wait) list; /* one of each rank */
};

/* "... WorkNCCL(SeqNum=808, OpType=ALLREDUCE, ...". Other messages say nothing of it. */
void crash_waits_add(struct crash_waits *w, struct arena *a, int rank, struct str message);

/* Those of another process of the same text. */
void crash_waits_join(struct crash_waits *w, struct arena *a, const struct crash_waits *other);

/* "[7] is at collective #64088, the others at #96117 and later"; empty when none is behind the others. */
struct str crash_waits_words(const struct crash_waits *w, struct arena *a);
