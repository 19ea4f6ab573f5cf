/*
 * policy: what `pt2trace check` allows a run: from options, and from a YAML file whose keys are those of `keys` in
 * policy.c. Texts live in the arena given. Any thread.
 */
#pragma once

#include "analysis/find/finding.h"

enum { NO_LIMIT = -1 };

/* What a run, or one function of it, may have at most; NO_LIMIT where nothing is said. */
struct limits {
    int64_t graph_breaks; /* places at which the graph breaks */
    int64_t recompiles;   /* on the rank that has most */
    int64_t compile_us;   /* wall time, on the slowest rank */
};

struct function_limits {
    struct str name; /* "f", "Model.forward", "model.py:f" */
    struct limits limits;
    bool fullgraph;
};

/* What is no violation. A part that is empty fits all. */
struct allowance {
    struct str id;   /* of a finding, or "GB0025" of a type of graph break */
    struct str file; /* ends like the path, or is a pattern with * and ? for all of it */
    int64_t line;    /* 0: all */
    struct str text; /* as it was given */
    bool used;
};

struct policy {
    struct limits limits;
    bool no_errors, no_recompile_limit, cache_hits;
    enum finding_severity fail_on; /* findings as bad as that, and worse; FINDING_SEVERITIES: none */
    VEC(struct function_limits) functions;
    VEC(struct str) own_paths; /* a graph break counts where the innermost line outside of PyTorch is below one */
    VEC(struct allowance) allow;
};

/* Nothing is limited. */
struct policy policy_empty(void);

/* Whether anything at all is asked for, an allowance aside. */
bool policy_asks(const struct policy *p);

/* "train.py:31", "GB0025", "break-print","vendor/\*". False when it is empty or has no such form. */
bool policy_allow(struct policy *p, struct arena *a, struct str text);
/* The limits of a function, added when there are none. */
struct function_limits *policy_function(struct policy *p, struct arena *a, struct str name);

/* Adds what the file says. False with *why, which names the line. */
bool policy_read(struct policy *p, struct arena *a, struct str text, struct str *why);

/* "90", "1.5s", "15min", "2h" as microseconds. */
bool policy_time(struct str text, int64_t *us);
bool policy_severity(struct str text, enum finding_severity *out);

bool allowance_has_file(const struct allowance *x, struct arena *a, struct str file);
