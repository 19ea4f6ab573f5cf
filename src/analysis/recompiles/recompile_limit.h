/*
 * recompile_limit: which limit a function reached: the number of compiles that torch._dynamo keeps for one function
 * (torch/_dynamo/cache_size.py).
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

struct recompile_limit {
    struct str name;   /* as that version of PyTorch calls it: "recompile_limit", "accumulated_cache_size_limit" */
    bool accumulated;  /* it counts all compiles of the code, also for other modules and other torch.compile calls */
    int64_t value;     /* -1 unknown */
    bool by_argument;  /* torch.compile(recompile_limit=...) sets it, not the configuration */
    bool raised;       /* an exception ended the call; else the function runs eagerly from then on */
    uint64_t compiles; /* that were made before it was reached; refused ones do not count */
};

void recompile_limit_of(struct finder *f, const struct recompile_chain *chain, struct recompile_limit *out);
