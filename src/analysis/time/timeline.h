/*
 * timeline: the events of a process as something that can be drawn and added up. Threads and compiler processes write
 * into one timeline and no event names its own, so events of one process may overlap without one being inside the
 * other. Work without a compile id while a compile goes on runs beside it (compiler processes); outside of compiles it
 * is like any other: AOTInductor and export write no ids at all. Read-only on the model; any thread.
 */
#pragma once

#include "model/model.h"

/*
 * Gives every moment to the innermost event that is open then, and calls `each` for every event when it is over, with
 * the events around it (outermost first, it last) and the time that it took itself. These times add up to the time in
 * which any event was open. Work beside a compile is left out.
 */
typedef void timeline_self(void *object, const struct event *const *stack, size_t n, int64_t self_ns);
void timeline_sweep(const struct process *p, timeline_self *each, void *object);

/* A track in which two events never overlap but one inside the other. */
struct lane {
    bool beside;     /* of work beside compiles */
    unsigned number; /* of its sort, from 1 on */
};

struct lane_event {
    const struct event *event;
    uint32_t lane;
};

struct lanes {
    VEC(struct lane) list;
    struct lane_event *events; /* by start, longer ones first: those around come before those inside. Instants are in
                                  the first lane */
    size_t n;
    size_t left_out; /* that would have needed more tracks than there may be */
};

void timeline_lanes(struct arena *a, const struct process *p, struct lanes *out);
