/*
 * gate: what a run has beyond what a policy allows, and beyond what another run (the baseline) has. Results live in the
 * arena given, and hold views into the snapshots. One thread.
 */
#pragma once

#include "gate/policy.h"
#include "gate/snapshot.h"

enum gate_rule {
    GATE_ERRORS,
    GATE_RECOMPILE_LIMIT,
    GATE_FULLGRAPH,
    GATE_GRAPH_BREAKS,
    GATE_RECOMPILES,
    GATE_COMPILE_TIME,
    GATE_CACHE_HITS,
    GATE_FINDINGS,
    GATE_UNKNOWN, /* the run does not say what a limit asks for */
    GATE_RULES
};

const char *gate_rule_name(enum gate_rule r);    /* "graph-breaks", for programs */
const char *gate_rule_summary(enum gate_rule r); /* a sentence on what is checked, without a full stop */

struct violation {
    enum gate_rule rule;
    enum finding_severity severity;
    struct str title;          /* one sentence without a full stop */
    struct str detail, fix;    /* sentences; may be empty */
    struct str paste, doc;     /* may be empty */
    struct str file, function; /* the user's; may be empty */
    int64_t line;              /* 0: none */
    struct str key;            /* the same in another run of a program that was edited elsewhere */
};

struct gate {
    VEC(struct violation) list;           /* worst first */
    VEC(struct str) checked;              /* what was compared: "3 graph breaks of at most 0" */
    uint64_t allowed, known;              /* left out: by an allowance, as the baseline has them */
    VEC(const struct allowance *) unused; /* allowances that nothing needed */
};

/* `baseline` may be NULL. Marks the allowances of the policy that were used. */
void gate_check(struct arena *a, struct policy *policy, const struct snapshot *now, const struct snapshot *baseline,
                struct gate *out);
