/*
 * gate: what a run has beyond the limits of a policy, and beyond another run (the baseline). Results live in the arena
 * given, and contain views into the snapshots. One thread.
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
    GATE_UNKNOWN, /* the run lacks the data that a limit needs */
    GATE_RULES
};

const char *gate_rule_name(enum gate_rule r);    /* "graph-breaks", for programs */
const char *gate_rule_summary(enum gate_rule r); /* what is checked, as a sentence without a period */

struct violation {
    enum gate_rule rule;
    enum finding_severity severity;
    struct str title;          /* one sentence without a period */
    struct str detail, fix;    /* sentences; may be empty */
    struct str paste, doc;     /* may be empty */
    struct str file, function; /* in the user's code; may be empty */
    int64_t line;              /* 0 if there is none */
    /* identifies the same violation in another run, also after edits elsewhere in the program */
    struct str key;
};

struct gate {
    VEC(struct violation) list;           /* worst first */
    VEC(struct str) checked;              /* what was compared: "3 graph breaks of at most 0" */
    uint64_t allowed, known;              /* left out: because allowed, or because the baseline has them */
    VEC(const struct allowance *) unused; /* allowances that matched nothing */
};

/* `baseline` may be NULL. Marks the allowances of the policy that matched something. */
void gate_check(struct arena *a, struct policy *policy, const struct snapshot *now, const struct snapshot *baseline,
                struct gate *out);
