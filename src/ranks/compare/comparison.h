/*
 * comparison: the results of comparing the ranks of a job: the matrix, divergences, collectives, hangs. Plain data,
 * filled by the other modules of src/ranks, and functions that put parts of it into words. src/ranks/README.md
 * explains the terms.
 */
#pragma once

#include "model/model.h"
#include "model/rank_list.h"
#include "util/map.h"
#include "util/system/pool.h"

/* --- the matrix: ranks in columns, compiles in rows --------------------------------------------------------------- */

struct fingerprint;
struct graph_order;

/* One rank of the run. */
struct rank_member {
    const struct process *process;
    uint32_t index;                /* index among the members, which are sorted by rank */
    VEC(struct rank_cell *) cells; /* in the order in which it compiled them */
    const struct graph_order *ran; /* the order in which its graphs ran; NULL if not recorded */
};

/* What one rank did in one row. */
struct rank_cell {
    struct rank_row *row;
    struct rank_member *member;
    const struct compile *compile;
    struct fingerprint *print; /* what it did, as numbers */
    uint32_t class;            /* 1, 2, … by the program that was compiled, the most frequent first */
};

/* One compile, in all ranks. */
struct rank_row {
    VEC(struct rank_cell *) cells; /* of the ranks that have it, ascending */
    struct rank_row *next;         /* the next row in the order of compiling */
    uint32_t position;             /* its index in that order, from 0 */
    bool placed;
    struct rank_row *before;       /* the previous compile of the same frame: [N/M-1]; NULL for the first */
    uint32_t classes;              /* the number of classes among the cells */
    struct divergence *divergence; /* NULL: all ranks compiled the same program */
};

struct rank_matrix {
    VEC(struct rank_member *) members;
    struct rank_row *first;
    uint32_t rows;
    /* processes of these ranks that are not compared: each rank is represented by its main process */
    uint32_t left_out;
};

/* Ranks that compiled and ran the same: one column of the matrix in the report. */
struct rank_column {
    VEC(int) ranks; /* ascending */
    const struct rank_member *member;
};

/* The cell of a member in a row; NULL if it does not have the row. */
const struct rank_cell *rank_cell_of(const struct rank_row *row, const struct rank_member *m);

/*
 * Whether somebody took lines out of its log, or copied it from the middle on: it begins with a later compile of a
 * function, [1/4]. What it lacks proves nothing.
 */
bool rank_member_is_cut(const struct rank_member *m);

/* --- divergences -------------------------------------------------------------------------------------------------- */

/* Causes before consequences. A divergence's kind is the first one in which its ranks differ. */
enum divergence_kind {
    DIVERGENCE_STOPPED,     /* a rank's trace ends while others continue */
    DIVERGENCE_MISSING,     /* only some ranks compiled it */
    DIVERGENCE_RECOMPILE,   /* ... and it is a recompile */
    DIVERGENCE_ORDER,       /* compiled in another order */
    DIVERGENCE_EXECUTION,   /* ... or run in another order */
    DIVERGENCE_REASONS,     /* why it was recompiled */
    DIVERGENCE_BREAKS,      /* where the graph broke */
    DIVERGENCE_STATUS,      /* how it ended, with errors */
    DIVERGENCE_GRAPH,       /* Dynamo's graph */
    DIVERGENCE_JOINT,       /* forward and backward together */
    DIVERGENCE_PARTITION,   /* AOTAutograd's graphs: what is computed in forward and what in backward */
    DIVERGENCE_COLLECTIVES, /* which collectives, in which order, of what size */
    DIVERGENCE_POST_GRAD,   /* the graphs from which Inductor generates code */
    DIVERGENCE_TENSORS,     /* the outputs of Inductor's operations: number of tensors, dtypes */
    DIVERGENCE_SIZES,       /* the same operations on tensors of different sizes */
    DIVERGENCE_CACHE,       /* which cache lookups hit */
    DIVERGENCE_CODE,        /* the code that Inductor generated */
    DIVERGENCE_GUARDS,
    DIVERGENCE_KINDS
};

const char *divergence_kind_name(enum divergence_kind k);  /* as in report.json */
const char *divergence_kind_title(enum divergence_kind k); /* "another graph" */

/* Ranks that did the same. */
struct rank_group {
    VEC(int) ranks;               /* ascending */
    const struct rank_cell *cell; /* of the first of these ranks; NULL if they do not have the compile */
    const struct compile *last;   /* its last compile, if it stopped; else NULL */
    struct str did;               /* what it did, in words, without the ranks */
    struct str file;              /* the user's line; may be empty */
    int64_t line;
};

/* The compile of a group's first rank in the row, or its last compile; NULL if both are unknown. */
const struct compile *rank_group_compile(const struct rank_group *g);

/*
 * One row in which ranks differ. Its consequences in the same compile are in `also`; consequences in later compiles
 * have it in `follows`.
 */
struct divergence {
    enum divergence_kind kind;
    uint32_t run; /* group of processes */
    const struct rank_row *row;
    const struct compile *compile; /* of the outlier, or of the largest group that has the compile */
    uint32_t also;                 /* other kinds in which the ranks differ, as bits */
    bool extra;                    /* only the outlier compiled it, and it contains no collective */
    bool benign;                   /* a difference in timing, hardware or data only: the program is the same */
    struct divergence *follows;    /* the divergence that caused this one; NULL if none did */
    VEC(struct rank_group) groups; /* largest first, then by rank */
    /* index of the group that the divergence is described by: the smallest one that differs */
    size_t outlier;
    struct str cause;              /* may be empty */
    struct str file;               /* the user's line, from the smallest group that has one; may be empty */
    int64_t line;
    uint32_t *classes; /* the class of each member */
    uint32_t lacking;  /* the class of members that do not have the row */
};

enum { DIVERGENCES_MAX = 200 }; /* for one run: more than a person reads */

/* --- collectives -------------------------------------------------------------------------------------------------- */

/* "`all_reduce` of f32[2, 8], sum, in group 0" */
struct str collective_words(struct arena *a, const struct collective_call *c);

/* A collective of a rank, and its place. */
struct rank_step {
    const struct collective_call *call;
    const struct rank_row *row;
    const struct compile *compile;
};

/* A part in which the collectives of ranks differ. Either list may be empty. */
struct diff_hunk {
    uint64_t equal;                         /* calls of both between the previous hunk and this one */
    VEC(const struct rank_step *) majority; /* calls of most ranks that the others do not make */
    VEC(const struct rank_step *) minority;
    const struct rank_step *meets; /* the next call that both make; NULL at the end */
};

struct schedule_diff {
    VEC(int) majority, minority; /* ranks, ascending */
    uint64_t majority_calls, minority_calls, equal;
    VEC(struct diff_hunk) hunks; /* in order */
    uint64_t equal_after;        /* calls of both after the last hunk */
    bool coarse;                 /* too different: everything between the first and the last difference is one hunk */
};

/*
 * Distinct schedules are compared with the schedule of the first group of ranks; several groups may have the same one.
 */
enum { SCHEDULE_DIFFS_MAX = 8 };

struct schedule_diffs {
    VEC(struct schedule_diff) list;
    size_t count; /* number of distinct schedules, including those beyond the limit */
};

/* One side of a predicted hang. */
struct hang_side {
    VEC(int) ranks;              /* ascending */
    struct collective_call call; /* the operation in which they wait; op is empty if these ranks make no further call */
    const struct compile *compile; /* the compile whose code makes the call; NULL */
};

struct hang {
    struct hang_side majority, minority;
    uint64_t before; /* number of collectives in that group that all called before */
    bool ran;        /* in the order in which graphs ran, if recorded; otherwise in the order of compiling */
    bool certain;    /* neither side has a graph break or a failure there, so nothing runs outside compiled code */
};

/* Inductor's schedule for one compile, compared with the calls and the waits in its code. */
struct parity {
    const struct compile *compile;        /* of the lowest rank */
    VEC(const struct compile *) compiles; /* of all ranks with the same code and the same schedule */
    uint64_t scheduled, emitted;          /* number of collectives */
    uint64_t offset;                      /* the sum of the differences over all operations */
    uint64_t scheduled_waits, waits;      /* scheduled_waits is 0 for PyTorch versions that do not list waits */
};

/* --- running compiled code ---------------------------------------------------------------------------------------- */

/* One graph of one compile: the estimated run time, summed over its operations, for the ranks that have it. */
struct estimate {
    const struct compile *compile; /* of the slowest rank */
    uint32_t graph;                /* from 0: index among the graphs of the compile, in the order of compiling */
    uint32_t ranks;
    int fastest, slowest; /* the lowest of equal ranks */
    int64_t fastest_ns, slowest_ns, median_ns;
    int64_t spread_ns; /* median distance from the median: smaller differences mean nothing */
};

struct estimates {
    VEC(struct estimate) list; /* sorted by the difference between slowest and fastest, largest first */
};

/* Ranks that ran the same graph at one index of the order. */
struct execution_side {
    VEC(int) ranks;                /* ascending */
    const struct compile *compile; /* NULL: the order ends, or the graph has no compile id */
    bool ended;
    uint64_t length; /* how many graphs they ran */
};

/* The first index at which ranks ran different graphs. */
struct execution {
    uint64_t at;                      /* number of graphs that all ranks ran before */
    bool shorter;                     /* some ranks ran fewer graphs, in the same order */
    VEC(struct execution_side) sides; /* largest first */
};

/* The ranks that the others wait for: the one that compiles longest, and the one that begins last. Wall times. */
struct rank_times {
    int64_t median_us; /* compile time of a rank; -1 unknown */
    int64_t slowest_us;
    int slowest;                  /* the rank */
    /* the compile of the slowest rank that exceeds the median of the others most; or NULL */
    const struct compile *longer;
    int64_t longer_us, longer_median_us;
    int64_t skew_us; /* in the first compile that all ranks have: from the median start to the last; -1 unknown */
    int last;        /* the rank that began last */
    bool straggles;  /* the slowest took at least 1.5 times the median, and 10 s longer */
    bool skewed;     /* 30 s or more */
};

/* --- Flight Recorders --------------------------------------------------------------------------------------------- */

/* A call of a rank. */
struct flight_call {
    const struct flight_dump *dump;
    const struct flight_entry *entry; /* NULL if there is none */
    /* the compile whose code makes the call; NULL if none does, or if it is unknown */
    const struct compile *compile;
    /* its stack names the code; otherwise operation, sizes and the calls around it match */
    bool surely;
    uint32_t others;                  /* number of other compiles whose code matches as well */
    struct str file;                  /* the user's line, as in struct collective_call; may be empty */
    int64_t line, from_line;
};

struct flight_rank {
    int rank;
    const struct process *process;
    uint64_t calls;                   /* number of calls in its dumps */
    struct flight_call last, current; /* the last call that completed, and the first that did not */
};

enum flight_verdict {
    FLIGHT_NOT_REACHED, /* some ranks of the group did not make the call */
    FLIGHT_DIFFERENT,   /* they made another call instead */
    FLIGHT_WAITING,     /* all ranks with dumps made the call */
    FLIGHT_VERDICTS
};
const char *flight_verdict_name(enum flight_verdict v); /* as in report.json */

/* Where the ranks of a process group are stuck. */
struct flight_stop {
    enum flight_verdict verdict;
    struct str group, about;    /* about: the program's description of the group; may be empty */
    uint64_t number;            /* the collective's number in its group */
    bool ended;                 /* no rank waits any more: those that made the call gave up or failed */
    VEC(int) waiting;           /* ascending, like the next two */
    VEC(int) absent;            /* ranks that did not make the call, or made another one */
    VEC(int) silent;            /* members without a dump */
    int caller;                 /* one of the waiting ranks: the first with a stack, or else the first */
    struct flight_call call;    /* its call */
    struct flight_call instead; /* the current call of the first absent rank, or the call it made instead */
};

struct flight_run {
    uint32_t group;                  /* of processes */
    VEC(struct flight_rank *) ranks; /* ranks with dumps, ascending */
    VEC(struct flight_stop) stops;   /* the most likely cause of the others first */
    size_t stop_count;               /* including those beyond the limit */
};

enum { FLIGHT_STOPS_MAX = 100 };

/* "`all_reduce` of f32[2, 8], number 14 of group 0" */
struct str flight_words(struct arena *a, const struct flight_call *c);

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Which ranks of a run are present, and which are missing. */
struct rank_roster {
    uint32_t group;      /* of processes */
    uint64_t world_size; /* number of ranks in the default process group, if the run's collectives show it; else 0 */
    VEC(int) present;    /* ascending */
    /*
     * Ascending: ranks below the highest one present, or below the world size; at most RANKS_ABSENT_MAX. Without the
     * ranks of another run that shares no rank with this one: their traces are not missing, but belong to that run.
     */
    VEC(int) absent;
};

/* Whether no rank is in both. If a job was restarted, each run has the same ranks. */
bool rosters_disjoint(const struct rank_roster *a, const struct rank_roster *b);

enum { RANKS_ABSENT_MAX = 10000 }; /* a forged rank of a million would make the list that long */

/* One run of the job. */
struct rank_run {
    uint32_t group;
    const struct rank_roster *roster;
    struct rank_matrix matrix;
    VEC(struct divergence *) divergences; /* differences in the program: in the order of compiling, then of running */
    VEC(struct divergence *) differences; /* benign differences, in rows that do not diverge */
    VEC(struct rank_column) columns;      /* largest first */
    uint32_t diverging, differing;        /* number of rows, including those beyond the limit */
    struct rank_times times;
    struct estimates estimates;
    const struct execution *execution; /* NULL: graphs ran in the same order, or the traces do not record it */
    const struct hang *hang;           /* NULL: no hang is predicted */
    bool stages;                       /* ranks compile different functions, as in a pipeline, which is fine */
    struct schedule_diffs schedules;   /* where ranks call different collectives */
};

struct ranks {
    VEC(struct rank_roster *) rosters; /* one for each group of processes with a known rank */
    VEC(struct rank_run *) runs;       /* runs with at least two ranks that compiled something */
    VEC(struct flight_run *) flights;  /* runs with Flight Recorder dumps */
    /* the first difference in the program; NULL if all ranks of each run compiled the same */
    const struct divergence *first;
    struct map alike;                  /* see rank_alike_of */
    /* compiles whose code does not call what was scheduled, or does not wait for it */
    VEC(struct parity) parities;
    bool compared;
};

enum { PARITIES_MAX = 100 }; /* for one run; of ranks that compiled the same program, one is listed */

/*
 * A frame in words: "`f`", "the rest of `f` behind line 7". The name of the wrapper that Dynamo puts around a module
 * compiled as a whole (torch/_dynamo/external_utils.py, wrap_inline) means nothing to users. NULL is a graph without
 * code.
 */
struct str rank_frame_words(struct arena *a, const struct frame *f);

/* The same compile in ranks that did the same in it, including caches and generated code. */
struct rank_alike {
    VEC(const struct compile *) compiles; /* ascending by rank: the first represents all */
};

/* NULL if no other rank did the same. */
const struct rank_alike *rank_alike_of(const struct ranks *r, const struct compile *c);

/* The compile of the first of these ranks; NULL if c is the first, or the only one. */
const struct compile *rank_same_as(const struct ranks *r, const struct compile *c);

/*
 * For a digest file: stores what comparing ranks needs from each payload, because the payloads may be gone when the
 * digest is read. The inputs have been read, but not merged.
 */
void ranks_keep_contents(const struct run *r);
