/*
 * answers: the results of all analyses of one run, for views and outputs. Made once, read-only afterwards.
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
    uint64_t cache[CACHE_OUTCOMES];
    bool traced; /* some of it is from a trace; else all is from texts, which hold what somebody asked PyTorch to print
                  */
};

/* Whether a number of `counts` is known: 0 of a text is not, as the text may lack what would tell. */
static inline bool count_is_known(const struct counts *c, uint64_t n)
{
    return n > 0 || c->traced;
}

/* What one rank has: the least and the most of all ranks. */
struct spread {
    uint64_t least, most;
};

struct rank_counts {
    struct spread frames, compiles, graph_breaks, recompiles, errors, cache[CACHE_OUTCOMES];
};

struct answers {
    const struct run *run;
    struct counts counts;           /* over all ranks */
    struct rank_counts rank_counts; /* where counts.ranks > 1 */
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

/* `pool`, for reading many payloads at once, may be NULL. */
void answers_make(struct arena *a, const struct run *r, struct pool *pool, struct answers *out);

/*
 * The version of PyTorch to judge a process by: what it says, else what the lines of the sources that wrote its records
 * show: "2.8". Empty when neither does.
 */
struct str process_pytorch(const struct process *p);

/* The environment of the run: what any of its processes says, the first in order; of PyTorch, else what one shows. */
struct versions run_versions(const struct run *r);

/*
 * The compile during which the trace of a process ends; NULL when it ends after one, or what could not be read may tell
 * of the end.
 */
const struct compile *process_cut_off(const struct process *p);
/* What it was doing when its records stop: the innermost event without an end; may be empty. */
struct str process_last_activity(const struct process *p, const struct compile *c);

/*
 * How bad the health of the input is: counts of messages by severity, those over the limit included; and how many files
 * could not be read to their end, for which neither the trace nor who wrote it is to blame: what follows from that is
 * not among the errors.
 */
struct health {
    uint64_t info, warnings, errors, unread;
    bool traced;  /* records of a trace were read */
    bool texts;   /* lines of a log, or of another text, were read */
    bool cut;     /* the trace of some process ends while it compiles */
    bool nothing; /* no trace and no log was read: there is only what `pt2trace run` noted */
};
struct health run_health(const struct run *r);
