/*
 * recompile_limit: which limit a function reached: the maximum number of compiles that torch._dynamo keeps for one
 * function (torch/_dynamo/cache_size.py).
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

/*
 * What the limit means for calls from then on, where no exception is raised: FrameAction.RUN_ONLY, for the frame and
 * those below it. Checked: up to 2.5 the calls that an earlier compile fits run eagerly, too.
 */
#define RECOMPILE_LIMIT_MEANS                                                                                          \
    "At the limit, a call that none of its compiles fits runs eagerly, and nothing more is compiled for what it calls."

struct recompile_limit {
    struct str name; /* the name in that version of PyTorch: "recompile_limit", "accumulated_cache_size_limit" */
    /* it counts all compiles of the code, including those for other modules and other torch.compile calls */
    bool accumulated;
    int64_t value;     /* -1 unknown */
    bool above_default; /* somebody raised it: most likely as many cases are wanted */
    bool by_argument;  /* set by torch.compile(recompile_limit=...), not by the configuration */
    bool raised;       /* an exception ended the call; otherwise the function runs eagerly from then on */
    uint64_t compiles; /* made before the limit was reached; refused ones do not count */
};

void recompile_limit_of(struct finder *f, const struct recompile_chain *chain, struct recompile_limit *out);
