/*
 * timeline: the events of a process in a form that can be drawn and added up. Threads and compiler processes write
 * into one timeline and no event names its thread, so events of one process may overlap without being nested. Work
 * without a compile id during a compile runs beside it (compiler processes); outside of compiles it is like any other
 * work: AOTInductor and export write no ids at all. Read-only on the model; any thread.
 */
#pragma once

#include "model/model.h"

/*
 * Assigns every moment to the innermost open event, and calls `each` for every event when it ends, with the enclosing
 * events (outermost first, the event itself last) and its self time. Self times add up to the time in which any event
 * was open. Work beside a compile is left out.
 */
typedef void timeline_self(void *object, const struct event *const *stack, size_t n, int64_t self_ns);
void timeline_sweep(const struct process *p, timeline_self *each, void *object);

/* A track in which events are nested or disjoint, never partly overlapping. */
struct lane {
    bool beside;     /* for work beside compiles */
    unsigned number; /* number within its kind, from 1 */
};

struct lane_event {
    const struct event *event;
    uint32_t lane;
};

struct lanes {
    VEC(struct lane) list;
    /* by start, longer ones first: outer events come before inner ones. Instants are in the first lane */
    struct lane_event *events;
    size_t n;
    size_t left_out; /* events that would have needed more than the maximum of tracks */
};

void timeline_lanes(struct arena *a, const struct process *p, struct lanes *out);
