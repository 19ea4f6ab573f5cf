/*
 * answers: the results of all analyses of one run, for views and outputs. Made once, read-only afterwards.
 */
#pragma once

#include "analysis/breaks.h"
#include "analysis/cache_pairs.h"
#include "analysis/errors.h"
#include "analysis/gpu.h"
#include "analysis/recompiles.h"
#include "analysis/timing.h"
#include "ranks/ranks.h"

struct findings;

struct counts {
    uint64_t ranks, processes, frames, compiles, attempts, restarts, graph_breaks, distinct_graph_breaks, recompiles,
        recompile_limit_hits, errors, graphs, guards, incomplete;
    uint64_t cache[CACHE_OUTCOMES];
};

struct answers {
    const struct run *run;
    struct counts counts;
    struct break_groups breaks;
    struct recompiles recompiles;
    struct errors errors;
    struct timing timing;
    struct cache_pairs cache_pairs;
    struct ranks ranks;
    struct gpu_answers gpu;
    struct findings *findings;
};

/* `pool`, for reading many payloads at once, may be NULL. */
void answers_make(struct arena *a, const struct run *r, struct pool *pool, struct answers *out);

/* The environment of the run: what any of its processes says, the first in order. */
struct versions run_versions(const struct run *r);

/*
 * How bad the health of the input is: counts of messages by severity, those over the limit included; and how many files
 * could not be read to their end, for which neither the trace nor who wrote it is to blame: what follows from that is
 * not among the errors.
 */
struct health {
    uint64_t info, warnings, errors, unread;
};
struct health run_health(const struct run *r);
