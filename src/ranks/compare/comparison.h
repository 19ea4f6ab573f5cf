/*
 * comparison: what comparing the ranks of a job results in: the matrix, divergences, collectives, hangs. Plain data,
 * made by the other modules of src/ranks, and its parts in words. src/ranks/README.md explains the terms.
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
    uint32_t index;                /* among the members: ascending by rank */
    VEC(struct rank_cell *) cells; /* in the order in which it compiled */
    const struct graph_order *ran; /* the order in which its graphs ran; NULL when that is not recorded */
};

/* What one rank did in one row. */
struct rank_cell {
    struct rank_row *row;
    struct rank_member *member;
    const struct compile *compile;
    struct fingerprint *print; /* what it did, as numbers */
    uint32_t class;            /* 1, 2, … by the program that was compiled, the most frequent first */
};

/* One compile, as all ranks did it. */
struct rank_row {
    VEC(struct rank_cell *) cells; /* of the ranks that have it, ascending */
    struct rank_row *next;         /* in the order of compiling */
    uint32_t position;             /* there, from 0 */
    bool placed;
    struct rank_row *before;       /* the compile before it of the same frame: [N/M-1]; NULL for the first */
    uint32_t classes;              /* how many there are among the cells */
    struct divergence *divergence; /* NULL: all ranks compiled the same program */
};

struct rank_matrix {
    VEC(struct rank_member *) members;
    struct rank_row *first;
    uint32_t rows;
    uint32_t left_out; /* processes of these ranks that are not compared: a rank is compared by its main process */
};

/* Ranks that compiled and ran the same: one column of the matrix as it is shown. */
struct rank_column {
    VEC(int) ranks; /* ascending */
    const struct rank_member *member;
};

/* The cell of a member in a row; NULL when it does not have it. */
const struct rank_cell *rank_cell_of(const struct rank_row *row, const struct rank_member *m);

/* --- divergences -------------------------------------------------------------------------------------------------- */

/* Causes before consequences. A divergence has the first kind in which its ranks differ. */
enum divergence_kind {
    DIVERGENCE_STOPPED,     /* a rank's trace ends while others go on */
    DIVERGENCE_MISSING,     /* only some ranks compiled it */
    DIVERGENCE_RECOMPILE,   /* ... and it is a recompile */
    DIVERGENCE_ORDER,       /* compiled in another order */
    DIVERGENCE_EXECUTION,   /* ... or run in another order */
    DIVERGENCE_REASONS,     /* why it was compiled again */
    DIVERGENCE_BREAKS,      /* where the graph broke */
    DIVERGENCE_STATUS,      /* how it ended, with errors */
    DIVERGENCE_GRAPH,       /* Dynamo's graph */
    DIVERGENCE_JOINT,       /* forward and backward together */
    DIVERGENCE_PARTITION,   /* AOTAutograd's graphs: what is computed forward, and what backward */
    DIVERGENCE_COLLECTIVES, /* which, in which order, of what size */
    DIVERGENCE_POST_GRAD,   /* the graphs that Inductor generates code from */
    DIVERGENCE_TENSORS,     /* what Inductor's operations return: how many tensors, dtypes */
    DIVERGENCE_SIZES,       /* the same operations on tensors of other sizes */
    DIVERGENCE_CACHE,       /* which caches hit */
    DIVERGENCE_CODE,        /* what Inductor generated */
    DIVERGENCE_GUARDS,
    DIVERGENCE_KINDS
};

const char *divergence_kind_name(enum divergence_kind k);  /* as in report.json */
const char *divergence_kind_title(enum divergence_kind k); /* "another graph" */

/* Ranks that did the same. */
struct rank_group {
    VEC(int) ranks;               /* ascending */
    const struct rank_cell *cell; /* of the first of them; NULL when they do not have the compile */
    const struct compile *last;   /* what it compiled last, where it stopped; else NULL */
    struct str did;               /* in words, without the ranks */
    struct str file;              /* the user's line; may be empty */
    int64_t line;
};

/* What the first rank of a group compiled there, or last; NULL when neither is known. */
const struct compile *rank_group_compile(const struct rank_group *g);

/* One row in which ranks differ. What came of it in the same compile is in `also`, in later compiles `follows` it. */
struct divergence {
    enum divergence_kind kind;
    uint32_t run; /* group of processes */
    const struct rank_row *row;
    const struct compile *compile; /* of the outlier, or of the largest group that has it */
    uint32_t also;                 /* other kinds in which the ranks differ, as bits */
    bool extra;                    /* only the outlier compiled it, and no collective is in it */
    bool benign;                   /* other timing, hardware or data: the program is the same */
    struct divergence *follows;    /* what it is a consequence of; NULL */
    VEC(struct rank_group) groups; /* largest first, then by rank */
    size_t outlier;                /* of the groups: the smallest that differs in what the divergence is called by */
    struct str cause;              /* may be empty */
    struct str file;               /* the user's line, of the smallest group that has one; may be empty */
    int64_t line;
    uint32_t *classes; /* of each member */
    uint32_t lacking;  /* the class of those that do not have the row */
};

enum { DIVERGENCES_MAX = 200 }; /* of one run: what a person reads, and more */

/* --- collectives -------------------------------------------------------------------------------------------------- */

/* "`all_reduce` of f32[2, 8], sum, in group 0" */
struct str collective_words(struct arena *a, const struct collective_call *c);

/* A collective of a rank, and where it stands. */
struct rank_step {
    const struct collective_call *call;
    const struct rank_row *row;
    const struct compile *compile;
};

/* A stretch in which the collectives of ranks differ. Either list may be empty. */
struct diff_hunk {
    uint64_t equal;                         /* calls of both between the stretch before and this one */
    VEC(const struct rank_step *) majority; /* what most ranks call, and the others do not */
    VEC(const struct rank_step *) minority;
    const struct rank_step *meets; /* the call of both behind it; NULL at the end */
};

struct schedule_diff {
    VEC(int) majority, minority; /* ranks, ascending */
    uint64_t majority_calls, minority_calls, equal;
    VEC(struct diff_hunk) hunks; /* in order */
    uint64_t equal_after;        /* calls of both behind the last one */
    bool coarse;                 /* too different: what lies between the first and the last difference is one stretch */
};

/* Distinct schedules are compared with the schedule of the first group of ranks; several groups may have the same. */
enum { SCHEDULE_DIFFS_MAX = 8 };

struct schedule_diffs {
    VEC(struct schedule_diff) list;
    size_t count; /* distinct schedules, also those beyond what is listed */
};

/* One side of a predicted hang. */
struct hang_side {
    VEC(int) ranks;              /* ascending */
    struct collective_call call; /* the operation in which they wait; op is empty if these ranks make no further call */
    const struct compile *compile; /* whose code calls it; NULL */
};

struct hang {
    struct hang_side majority, minority;
    uint64_t before; /* collectives of that group which all called before */
    bool ran;        /* in the order in which graphs ran, which is recorded; else in the order of compiling */
    bool certain;    /* neither side breaks the graph or fails there, so that nothing runs outside of compiled code */
};

/* What Inductor scheduled in one compile, what is in its code, and how often that waits for a result. */
struct parity {
    const struct compile *compile;        /* of the lowest rank */
    VEC(const struct compile *) compiles; /* of all ranks whose code and whose schedule are the same */
    uint64_t scheduled, emitted;          /* collectives */
    uint64_t offset;                      /* the sum of the differences of each operation */
    uint64_t scheduled_waits, waits;      /* scheduled_waits: 0 with PyTorch versions that do not list them */
};

/* --- running compiled code ---------------------------------------------------------------------------------------- */

/* One graph of one compile: the estimated run time, summed over its operations, on the ranks that have it. */
struct estimate {
    const struct compile *compile; /* of the slowest rank */
    uint32_t graph;                /* from 0: of several of a compile, in the order of compiling */
    uint32_t ranks;
    int fastest, slowest; /* of equal ones the lowest rank */
    int64_t fastest_ns, slowest_ns, median_ns;
    int64_t spread_ns; /* median distance from the median: differences of that size mean nothing */
};

struct estimates {
    VEC(struct estimate) list; /* largest difference between slowest and fastest first */
};

/* Ranks that ran the same graph at one place of the order. */
struct execution_side {
    VEC(int) ranks;                /* ascending */
    const struct compile *compile; /* NULL: nothing more, or what has no compile id */
    bool ended;
    uint64_t length; /* how many graphs they ran */
};

/* The first place at which ranks ran different graphs. */
struct execution {
    uint64_t at;                      /* graphs that all ran before */
    bool shorter;                     /* some ranks ran no more graphs there: not another order, just fewer */
    VEC(struct execution_side) sides; /* largest first */
};

/* Which rank the others wait for: the one that compiles longest, and the one that begins last. Wall times. */
struct rank_times {
    int64_t median_us; /* compiling, of a rank; -1 unknown */
    int64_t slowest_us;
    int slowest;                  /* the rank */
    const struct compile *longer; /* of the slowest: what took it longest beyond the median of the others; or NULL */
    int64_t longer_us, longer_median_us;
    int64_t skew_us; /* of the first compile that all have: from the median of its beginnings to the last; -1 unknown */
    int last;        /* the rank that began last */
    bool straggles;  /* the slowest took half as long again as the median, and 10 s longer */
    bool skewed;     /* 30 s or more */
};

/* --- Flight Recorders --------------------------------------------------------------------------------------------- */

/* A call of a rank. */
struct flight_call {
    const struct flight_dump *dump;
    const struct flight_entry *entry; /* NULL: there is none */
    const struct compile *compile;    /* whose code calls it; NULL: none does, or it is not known */
    bool surely;                      /* its stack names the code; else operation, sizes and the calls around it fit */
    uint32_t others;                  /* compiles whose code fits as well */
    struct str file;                  /* the user's line, as in struct collective_call; may be empty */
    int64_t line, from_line;
};

struct flight_rank {
    int rank;
    const struct process *process;
    uint64_t calls;                   /* that its dumps have */
    struct flight_call last, current; /* the last that is completed; the first that is not */
};

enum flight_verdict {
    FLIGHT_NOT_REACHED, /* some ranks of the group did not call it */
    FLIGHT_DIFFERENT,   /* they called something else in its place */
    FLIGHT_WAITING,     /* all whose dumps are there called it */
    FLIGHT_VERDICTS
};
const char *flight_verdict_name(enum flight_verdict v); /* as in report.json */

/* Where the ranks of a process group stand still. */
struct flight_stop {
    enum flight_verdict verdict;
    struct str group, about;    /* about: what the program calls it; may be empty */
    uint64_t number;            /* of the collective in its group */
    bool ended;                 /* nobody waits any more: those that called it have given up, or failed */
    VEC(int) waiting;           /* ascending, as the next two */
    VEC(int) absent;            /* ranks that did not call it, or called something else */
    VEC(int) silent;            /* members without a dump */
    int caller;                 /* one of those that wait: the first with a stack, else the first */
    struct flight_call call;    /* of it */
    struct flight_call instead; /* what the first that is absent is in, or called in its place */
};

struct flight_run {
    uint32_t group;                  /* of processes */
    VEC(struct flight_rank *) ranks; /* those with dumps, ascending */
    VEC(struct flight_stop) stops;   /* the likeliest cause of the others first */
    size_t stop_count;               /* also those beyond what is listed */
};

enum { FLIGHT_STOPS_MAX = 100 };

/* "`all_reduce` of f32[2, 8], number 14 of group 0" */
struct str flight_words(struct arena *a, const struct flight_call *c);

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Which ranks of a run are there, and which are not. */
struct rank_roster {
    uint32_t group;      /* of processes */
    uint64_t world_size; /* ranks of the default process group, where collectives of the run name it; else 0 */
    VEC(int) present;    /* ascending */
    /*
     * Ascending: below the highest that is there, or below the world size; at most RANKS_ABSENT_MAX. Without those that
     * another run has which shares no rank with this one: their traces are not missing, but of another run.
     */
    VEC(int) absent;
};

/* Whether no rank is in both: a job that was started again has the same ranks in each run. */
bool rosters_disjoint(const struct rank_roster *a, const struct rank_roster *b);

enum { RANKS_ABSENT_MAX = 10000 }; /* a forged rank of a million would make a list as long */

/* One run of the job. */
struct rank_run {
    uint32_t group;
    const struct rank_roster *roster;
    struct rank_matrix matrix;
    VEC(struct divergence *) divergences; /* of the program: in the order of compiling, then of running */
    VEC(struct divergence *) differences; /* benign ones, of rows that do not diverge */
    VEC(struct rank_column) columns;      /* largest first */
    uint32_t diverging, differing;        /* rows, also those beyond what is listed */
    struct rank_times times;
    struct estimates estimates;
    const struct execution *execution; /* NULL: graphs ran in the same order, or the traces do not record it */
    const struct hang *hang;           /* NULL: none is predicted */
    bool stages;                       /* ranks compile different functions, as a pipeline does: no harm in it */
    struct schedule_diffs schedules;   /* where ranks call other collectives */
};

struct ranks {
    VEC(struct rank_roster *) rosters; /* of each group of processes in which a rank is known */
    VEC(struct rank_run *) runs;       /* those with two ranks or more that compiled anything */
    VEC(struct flight_run *) flights;  /* those with dumps of Flight Recorders */
    const struct divergence *first;    /* of the program; NULL when all ranks of each run compiled the same */
    struct map alike;                  /* see rank_alike_of */
    VEC(struct parity) parities;       /* compiles whose code does not call what was scheduled, or does not wait */
    bool compared;
};

enum { PARITIES_MAX = 100 }; /* of one run; of ranks that compiled the same program one is listed */

/*
 * What a frame is, in words: "`f`", "the rest of `f` behind line 7". Of what Dynamo wraps around a module that is
 * compiled as a whole (torch/_dynamo/external_utils.py, wrap_inline) the name means nothing to the user. NULL is a
 * graph without code.
 */
struct str rank_frame_words(struct arena *a, const struct frame *f);

/* The same compile of ranks that did the same in it, caches and generated code included. */
struct rank_alike {
    VEC(const struct compile *) compiles; /* ascending by rank: the first stands for all */
};

/* NULL when no other rank did the same. */
const struct rank_alike *rank_alike_of(const struct ranks *r, const struct compile *c);

/* That of the first of these ranks; NULL when c is the first, or the only one. */
const struct compile *rank_same_as(const struct ranks *r, const struct compile *c);

/*
 * For a digest file: keeps, for every payload that is compared, what comparing asks for, because the payload may not be
 * there any more when the digest is read. Inputs are as they were read.
 */
void ranks_keep_contents(const struct run *r);
