/*
 * break_harm: what graph breaks cost and how bad they are. A break costs most in the middle of a model: what comes
 * before and behind it cannot be fused, at every call. Where Dynamo cannot resume behind it, nothing of the function is
 * compiled. Private to find_breaks.c, find_cuts.c and find_graphs.c.
 */
#pragma once

#include "analysis/breaks/break_fix.h"
#include "analysis/find/find.h"

struct break_harm {
    int64_t before;  /* operators in the graph that the break ends, the most of any */
    int64_t after;   /* operators in the graph of the resume function, the most of any */
    int64_t cost_us; /* on the rank that it cost most: tracing that was thrown away, and resume functions */
    size_t most;     /* compiles that met it, on one rank: the same on every rank is not worse */
    bool given_up;   /* for a break here, Dynamo left a function to Python as a whole */
    bool nothing_compiled; /* and nothing that the program wanted compiled is left */
};

struct break_harm break_harm_of(struct finder *f, const struct break_place *p);
enum finding_severity break_severity(const struct break_harm *h, enum break_weight weight);

/* Adds to a finding what the place cost. */
void break_add_costs(struct finder *f, struct finding *x, const struct break_place *p);

/* Operators in the graph of a compile; 0 when it has none or nothing says how many. */
int64_t break_operators(const struct compile *c);

/*
 * Whether the program asked for the function of this compile to be compiled, Dynamo gave it up, and nothing that it
 * calls was compiled either.
 */
bool break_left_nothing(struct finder *f, const struct compile *c);

/* Whether the program asked for the function of this compile: no other compiled code calls it. */
bool break_is_root(struct finder *f, const struct compile *c);
