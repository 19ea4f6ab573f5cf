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
    uint64_t first;       /* the lowest number that timed out on the rank; UINT64_MAX unknown */
    uint64_t last;        /* the highest that timed out in a group without a name; 0 none */
    struct str work;      /* of that, "WorkNCCL(SeqNum=808, OpType=ALLREDUCE, ...)" */
    struct str operation; /* "ALLREDUCE" */
    uint64_t elements;    /* that the rank gives; UINT64_MAX unknown */
    struct str work_group; /* as `group`, of that work */
    struct str group;     /* "PG 1 ", empty unknown: each group of processes numbers for itself */
    uint64_t at, called;  /* the number that timed out, the one that the rank called last; UINT64_MAX unknown */
};

struct crash_waits {
    VEC(struct crash_wait) list; /* one of each rank */
    size_t messages;             /* that were looked at */
};

/*
 * "... WorkNCCL(SeqNum=808, OpType=ALLREDUCE, ...", "... at work: 808, last enqueued NCCL work: 811, ...". Other
 * messages say nothing of it.
 */
void crash_waits_add(struct crash_waits *w, struct arena *a, int rank, struct str message);

/* A rank of which the text has something. */
void crash_waits_add_rank(struct crash_waits *w, struct arena *a, int rank);

/* Those of another process of the same text. */
void crash_waits_join(struct crash_waits *w, struct arena *a, const struct crash_waits *other);

/* The work of a message that only has its number, as another rank names it; empty when none does. */
struct str crash_waits_work(const struct crash_waits *w, struct str message);

/* How the words begin that all ranks together show, which are the same on each. */
#define CRASH_WAITS_DIFFER "ranks call collectives that differ: "
#define CRASH_WAITS_SIZES "ranks give different sizes to collective #"
#define CRASH_WAITS_ALL "each rank of this text has called collective "
#define CRASH_WAITS_APART "ranks wait in different groups of processes: "
#define CRASH_WAITS_ALONE "the text only has "
#define CRASH_WAITS_NUMBERS "ranks wait at numbers whose groups of processes no record names: "
#define CRASH_WAITS_SEEN "the text has nothing of "

/* Before the group, where the records name it. */
#define CRASH_WAITS_OF_GROUP " of "

/*
 * Who keeps the others waiting: "[7] waits at collective #64088 (BROADCAST) of PG 1, rank 0 at #96117", or which
 * numbers cannot be compared, or which ranks call collectives that differ, or which rank says nothing, or that no rank
 * is missing, or that ranks wait in different groups, or that the text has one rank alone; empty when nothing shows it.
 */
struct str crash_waits_words(const struct crash_waits *w, struct arena *a);
