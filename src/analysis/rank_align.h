/*
 * rank_align: which compiles of the ranks of one run are the same compile, by what was compiled: the code object (name
 * of the file, line, function), which of several such in the order of the process, the epoch, and the number of the
 * compile. Ids of frames, the order of files and times play no part. Results live in the arena given; read-only on the
 * model.
 */
#pragma once

#include "analysis/rank_sign.h"

/* One rank of the run. */
struct rank_member {
    const struct process *process;
    uint32_t index;                /* among the members: ascending by rank */
    uint32_t column;               /* of the matrix, see ranks.h */
    VEC(struct rank_cell *) cells; /* in the order in which it compiled */
};

/* What one rank did in one row. */
struct rank_cell {
    struct rank_row *row;
    struct rank_member *member;
    const struct compile *compile;
    struct rank_sign sign;
    uint32_t class; /* 1, 2, … by what the ranks did, the most frequent first */
};

/* Whether both have a compile, and differ in a facet of it. */
static inline bool rank_cells_differ(const struct rank_cell *a, const struct rank_cell *b, enum rank_facet f)
{
    return a && b && a->sign.facets[f] != b->sign.facets[f];
}

/* One compile, as all ranks did it. */
struct rank_row {
    VEC(struct rank_cell *) cells; /* of the ranks that have it, ascending */
    struct rank_row *next;         /* in the order of compiling */
    uint32_t position;             /* there, from 0 */
    bool placed;
    struct rank_row *before;       /* the compile before it of the same frame: [N/M-1]; NULL for the first */
    uint32_t classes;              /* how many there are among the cells */
    struct divergence *divergence; /* NULL: all ranks did the same */
};

struct rank_set {
    VEC(struct rank_member *) members;
    struct rank_row *first;
    uint32_t rows;
    uint32_t left_out; /* processes of these ranks that are not compared: a rank is compared by its main process */
};

/* The members of one group of processes; with fewer than two there are no rows. */
void rank_align(struct arena *a, const struct run *r, uint32_t group, struct signer *s, struct rank_set *out);
