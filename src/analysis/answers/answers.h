/*
 * answers: the results of all analyses of one run, for views and outputs. analysis/analyze.h makes them once; they are
 * read-only afterwards.
 */
#pragma once

#include "analysis/answers/breaks.h"
#include "analysis/answers/errors.h"
#include "analysis/answers/recompiles.h"
#include "analysis/answers/settings.h"
#include "analysis/answers/vllm_pieces.h"
#include "analysis/time/cache_pairs.h"
#include "analysis/time/gpu.h"
#include "analysis/time/timing.h"
#include "ranks/ranks.h"

struct findings;

struct counts {
    uint64_t ranks, processes, frames, compiles, attempts, restarts, graph_breaks, distinct_graph_breaks, recompiles,
        recompile_limit_hits, errors, graphs, guards, incomplete;
    uint64_t explained_breaks; /* as explain() or CompileProfiler counts them */
    uint64_t cache[CACHE_OUTCOMES];
    /*
     * Some of it is from a trace, or nothing was written at all: a 0 is known. Otherwise it is all from console texts,
     * which only contain what somebody asked PyTorch to print.
     */
    bool traced;
};

/* Whether a number of `counts` is known: a 0 from a text is not, because the text may lack those messages. */
static inline bool count_is_known(const struct counts *c, uint64_t n)
{
    return n > 0 || c->traced;
}

/* The minimum and maximum over all ranks. */
struct spread {
    uint64_t least, most;
};

struct rank_counts {
    struct spread frames, compiles, graph_breaks, recompiles, errors, cache[CACHE_OUTCOMES];
};

struct answers {
    const struct run *run;
    struct counts counts;           /* over all ranks */
    struct rank_counts rank_counts; /* if counts.ranks > 1 */
    uint64_t *process_errors;       /* of each process of the run, by its index */
    struct break_groups breaks;
    struct recompiles recompiles;
    struct errors errors;
    struct timing timing;
    struct cache_pairs cache_pairs;
    struct ranks ranks;
    struct gpu_answers gpu;
    struct vllm_pieces vllm_pieces;
    struct settings_used settings;
    struct findings *findings;
};

/*
 * Everything but the findings, which stay NULL: see analysis/analyze.h. `pool`, for reading many payloads at once, may
 * be NULL.
 */
void answers_make(struct arena *a, const struct run *r, struct pool *pool, struct answers *out);
