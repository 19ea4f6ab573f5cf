/*
 * timing: where the time went. Wall time is the length of a union of intervals, never a sum of nested or parallel
 * ones. *Self* time of an event is its time without the events inside it; the self times of one process add up to the
 * time it was compiling. A process without a timeline may have printed a table of times that include nested calls:
 * then there are no self times. Results live in the arena given; read-only on the model.
 */
#pragma once

#include "analysis/time/phase.h"
#include "model/model.h"

/* Whether the code of a compile was compiled or came from a cache. */
enum temperature {
    TEMPERATURE_COLD,    /* no cache had it */
    TEMPERATURE_WARM,    /* a cache had at least one of its graphs */
    TEMPERATURE_UNKNOWN, /* no cache lookup, or the trace does not show any */
    TEMPERATURES
};

enum temperature compile_temperature(const struct compile *c);

/* All events with one name in one process. */
struct event_total {
    const struct process *process;
    struct str name;
    enum phase phase;
    uint64_t count;
    int64_t wall_ns; /* union of the intervals */
    int64_t self_ns;  /* -1 unknown */
};

struct timing {
    VEC(struct event_total *) events;     /* by process, then wall time, longest first */
    int64_t phase_self_ns[PHASE_COUNT];   /* sum over all processes */
    int64_t phase_wait_ns[PHASE_COUNT];   /* the part spent waiting */
    uint64_t temperature_compiles[TEMPERATURES];
    int64_t temperature_wall_us[TEMPERATURES]; /* while anything of that temperature was compiled; -1 none */
    int64_t compile_wall_us;              /* while any process was compiling; -1 unknown */
    int64_t *process_wall_us;             /* while this process was, by process->index; -1 unknown */
    bool has_events;
    /* some events are from a table of compile_times(), of processes without a timeline */
    bool has_tables;
};

void timing_find(struct arena *a, const struct run *r, struct timing *out);

/* All phases together: the wall time of one process (approximately), or the sum over several. */
int64_t timing_phases_ns(const struct timing *t);
/* The phases with any time, longest first. Returns how many. */
size_t timing_rank_phases(const struct timing *t, enum phase out[PHASE_COUNT]);
