/*
 * rank_flight: what the Flight Recorders of the ranks of a run say together: which collective each rank completed last,
 * in which it is, which it never reached while others wait in it, and whose compiled code calls it. Calls are matched
 * between ranks by process group and by their number there, never by their place in a dump, which has the last few
 * thousand calls only. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "analysis/rank_schedule.h"

/* A call of a rank. */
struct flight_call {
    const struct flight_dump *dump;
    const struct flight_entry *entry; /* NULL: there is none */
    const struct compile *compile;    /* whose code calls it; NULL: none does, or it cannot be told */
    bool surely;                      /* its stack names the code; else operation, sizes and the calls around it fit */
    uint32_t others;                  /* compiles whose code fits as well */
    struct str file;                  /* the user's line; may be empty */
    int64_t line;
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
    VEC(int) waiting;           /* ascending, as the next two */
    VEC(int) absent;            /* ranks that did not call it, or called something else */
    VEC(int) silent;            /* members without a dump */
    int caller;                 /* one of those that wait: the first whose stack is told, else the first */
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

/* NULL when the run has no dumps. */
struct flight_run *flight_find(struct arena *a, struct signer *s, const struct run *r, uint32_t group);

/* "`all_reduce` of f32[2, 8], number 14 of group 0" */
struct str flight_words(struct arena *a, const struct flight_call *c);
