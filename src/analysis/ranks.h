/*
 * ranks: whether the ranks of a job did the same, and where first they did not. Every run of the job is looked at on
 * its own. A *divergence* is one row (one compile, see rank_align.h) in which ranks differ; its kind is the first cause
 * of its kind, what came of it in the same compile is told beside it, and what came of it in later compiles *follows*
 * it. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "analysis/rank_diff.h"
#include "analysis/rank_flight.h"
#include "analysis/rank_hang.h"
#include "analysis/rank_runtime.h"
#include "analysis/rank_same.h"
#include "analysis/rank_times.h"

enum divergence_kind {
    DIVERGENCE_STOPPED,   /* a rank's trace ends while others go on */
    DIVERGENCE_MISSING,   /* only some ranks compiled it */
    DIVERGENCE_RECOMPILE, /* ... and it is a recompile */
    DIVERGENCE_ORDER,     /* compiled in another order */
    DIVERGENCE_FACET,     /* and from here on one for each facet */
    DIVERGENCE_KINDS = DIVERGENCE_FACET + FACETS
};

const char *divergence_kind_name(enum divergence_kind k);  /* as in report.json */
const char *divergence_kind_title(enum divergence_kind k); /* "another graph" */

/* Ranks that did the same. */
struct rank_group {
    VEC(int) ranks;               /* ascending */
    const struct rank_cell *cell; /* of the first of them; NULL when they do not have the compile */
    struct str did;               /* in words, without the ranks */
    struct str file;              /* the user's line; may be empty */
    int64_t line;
};

struct divergence {
    enum divergence_kind kind;
    uint32_t run; /* group of processes */
    const struct rank_row *row;
    const struct compile *compile; /* that tells of it: of the odd group, or of the largest that has it */
    uint32_t also;                 /* facets that differ, too, as bits */
    bool weak;                     /* other timing, hardware or data: the program is the same */
    struct divergence *follows;    /* what it is a consequence of; NULL */
    VEC(struct rank_group) groups; /* largest first, then by rank */
    size_t odd;                    /* of them: the smallest that differs in what the divergence is called by */
    struct str cause;              /* may be empty */
    struct str file;               /* the user's line, of the smallest group that has one; may be empty */
    int64_t line;
    uint32_t *classes; /* of each member */
    uint32_t lacking;  /* the class of those that do not have the row */
};

/* Ranks that are the same in every row: one column of the matrix. */
struct rank_column {
    VEC(int) ranks; /* ascending */
    const struct rank_member *member;
};

/* One run of the job. */
struct rank_run {
    uint32_t group;
    struct rank_set set;
    VEC(struct divergence *) divergences; /* in the order of compiling; weak ones among them */
    VEC(struct rank_column) columns;      /* largest first */
    uint32_t diverging;                   /* rows, also those beyond what is listed */
    struct rank_times times;
    struct estimates estimates;
    const struct execution *execution; /* NULL: graphs ran in the same order, or the traces do not tell */
    const struct hang *hang;           /* NULL: none is predicted */
    struct schedule_diffs schedules;   /* where ranks call other collectives */
    uint64_t world_size;               /* of the default group, where its collectives tell; else 0 */
    VEC(struct parity) parities;       /* compiles whose code does not call what was scheduled, or does not wait */
};

struct ranks {
    VEC(struct rank_run *) runs;    /* those with two ranks or more */
    VEC(struct flight_run *) flights; /* those with dumps of Flight Recorders */
    const struct divergence *first; /* the first that is not weak, else the first; NULL when all did the same */
    struct map same;                /* see rank_same.h */
    bool compared;
};

enum { DIVERGENCES_MAX = 200 }; /* of one run: what a person reads, and more */

/* Payloads are read by the threads of `pool`, which may be NULL. */
void ranks_find(struct arena *a, const struct run *r, const struct timing *timing, struct pool *pool,
                struct ranks *out);

/* The compile of the first rank that did the same as another rank here; NULL when c is the first, or the only one. */
const struct compile *rank_same_as(const struct ranks *r, const struct compile *c);

/* The cell of a member in a row; NULL when it does not have it. */
const struct rank_cell *rank_cell_of(const struct rank_row *row, const struct rank_member *m);
