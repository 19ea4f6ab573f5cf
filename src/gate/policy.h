/*
 * policy: what `pt2trace check` allows in a run, from options and from a YAML file whose keys are in `keys` in
 * policy.c. Texts live in the arena given. Any thread.
 */
#pragma once

#include "analysis/find/finding.h"

enum { NO_LIMIT = -1 };

/* Limits for a run or for one of its functions; NO_LIMIT if not set. */
struct limits {
    int64_t graph_breaks; /* places with a graph break */
    int64_t recompiles;   /* on the rank with most */
    int64_t compile_us;   /* wall time, on the slowest rank */
};

struct function_limits {
    struct str name; /* "f", "Model.forward", "model.py:f" */
    struct limits limits;
    bool fullgraph;
};

/* Something that is not a violation. An empty part matches anything. */
struct allowance {
    struct str id;   /* the id of a finding, or "GB0025" for a type of graph break */
    struct str file; /* the end of the path, or a pattern with * and ? for the whole path */
    int64_t line;    /* 0 for any */
    struct str text; /* as given */
    bool used;
};

struct policy {
    struct limits limits;
    bool no_errors, no_recompile_limit, cache_hits;
    enum finding_severity fail_on; /* findings of this severity or worse are violations; FINDING_SEVERITIES: none */
    VEC(struct function_limits) functions;
    /* a graph break only counts if its innermost line outside PyTorch is below one of these */
    VEC(struct str) own_paths;
    VEC(struct allowance) allow;
};

/* A policy without limits. */
struct policy policy_empty(void);

/* Whether it limits anything; an allowance alone does not. */
bool policy_asks(const struct policy *p);

/* "train.py:31", "GB0025", "break-print","vendor/\*". False if it is empty or has another form. */
bool policy_allow(struct policy *p, struct arena *a, struct str text);
/* The limits of a function; created if there are none. */
struct function_limits *policy_function(struct policy *p, struct arena *a, struct str name);

/* Adds the contents of the file. False with *why, which names the line. */
bool policy_read(struct policy *p, struct arena *a, struct str text, struct str *why);

/* "90", "1.5s", "15min", "2h" as microseconds. */
bool policy_time(struct str text, int64_t *us);
bool policy_severity(struct str text, enum finding_severity *out);

bool allowance_has_file(const struct allowance *x, struct arena *a, struct str file);
