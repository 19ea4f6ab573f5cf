/*
 * break_cost: what graph breaks cost and how severe they are. A break costs most in the middle of a model: operators
 * before and after it cannot be fused, at every call. If Dynamo cannot resume after it, nothing of the function is
 * compiled. Private to find_breaks.c, find_cuts.c and find_graphs.c.
 */
#pragma once

#include "analysis/breaks/break_fix.h"
#include "analysis/find/find.h"

struct break_cost {
    int64_t before;        /* operators in the graph that the break ends; the maximum */
    int64_t after;         /* operators in the graph of the resume function; the maximum */
    int64_t cost_us;       /* on the rank with the highest cost: discarded tracing, and resume functions */
    size_t most;           /* compiles that had it, on one rank: a break on every rank is not worse */
    bool given_up;         /* because of a break here, Dynamo skipped a function entirely */
    bool nothing_compiled; /* and nothing that the program wanted to compile was compiled */
};

struct break_cost break_cost_of(struct finder *f, const struct break_place *p);
enum finding_severity break_severity(const struct break_cost *h, enum break_weight weight);

/* Adds the cost of the place to a finding. */
void break_add_costs(struct finder *f, struct finding *x, const struct break_place *p);

/* The number of operators in the graph of a compile; 0 if it has no graph, or the number is unknown. */
int64_t break_operators(const struct compile *c);

/*
 * Whether the program wanted this compile's function to be compiled, Dynamo skipped it, and nothing that it calls was
 * compiled either.
 */
bool break_left_nothing(struct finder *f, const struct compile *c);

/* Whether the trace has no graph of anything that DistributedDataParallel calls: the model inside is not compiled. */
bool break_lacks_graphs_in_ddp(struct finder *f, const struct graph_break *b);

/* Whether the program itself compiles the function of this compile: no other compiled code calls it. */
bool break_is_root(struct finder *f, const struct compile *c);
