/*
 * recompile_cause: why functions were compiled again, grouped by cause: the same thing changed in one function, or in
 * the same way in several. All failed guards count. If the earlier compiles failed for different reasons, the one
 * nearest to the new compile shows what is new. Example: a call under torch.no_grad() with another batch size fails
 * the mode guard of the compile with gradients, and the size guard of the compile without: the size is new. Read-only
 * on the model. Results live in the finder's arena.
 */
#pragma once

#include "analysis/answers/inputs.h"
#include "analysis/find/find.h"
#include "analysis/recompiles/recompile_change.h"
#include "analysis/recompiles/recompile_constant.h"

struct recompile_cause {
    enum change change;
    const struct guard_reason *sample; /* the first guard that failed; NULL if the trace does not say */
    const struct recompile *first;     /* the recompile with that guard */
    VEC(const struct recompile *) list;
    VEC(struct str) changes;            /* in words, without duplicates */
    struct input_changes inputs;        /* for sizes and numbers: everything that varies, each with its first change */
    enum input_state state;             /* their state in the newest compile */
    bool takes_any;                     /* the newest compile takes any number for which the code decides alike */
    bool computed;                      /* a float; the result of a computation with it is a constant */
    const struct call *decided_at;      /* INPUT_SPECIALIZED: the line that made it a constant; NULL unknown */
    size_t specialized;                 /* number of compiles in which it was made a constant */
    struct str others;                  /* variables that differed too when it first changed: "`a`, `b`" */
    struct recompile_constant made;     /* CHANGE_RELATION: a size that PyTorch's own code made a constant */
    const struct compile *made_dynamic; /* the first compile that accepts any value; NULL if there is none */
    uint64_t functions;                 /* number of distinct functions, over all ranks */
    size_t most;                        /* recompiles of one function on one rank */
    VEC(struct str) beside;             /* sources of everything else that differed every time: L['a'] */
    bool alone;                         /* at least once, nothing else differed */
    size_t constants;                   /* the most values of one input that were compiled in as constants */
    bool constant_again;                /* ... one of them in a compile that the input's first change had caused */
    bool static_sizes;                  /* one record has several sizes of a dimension, with a compile for each */
    bool same_size;                     /* ... or the same size in two of them, which differ in something else */
    int64_t duration_us;                /* sum over all recompiles */
};

struct recompile_causes {
    VEC(struct recompile_cause *) list; /* most time first */
};

/*
 * Finds the causes in the given chains, which are sorted. A refused compile counts: its change is known, although
 * nothing was compiled.
 */
void recompile_causes_find(struct finder *f, const struct recompile_chain **chains, size_t n,
                           struct recompile_causes *out);

/* "2 <= x.size()[0] <= 8" concerns dimension 0 of L['x']. */
bool recompile_is_about(struct finder *f, const struct recompile_cause *relation, const struct input_change *x);

/*
 * "(x.size()[0] % 2) == 0", "(x.size()[0] // 2) == 3": code that halves its input branches differently for most sizes.
 */
bool recompile_decides_often(const struct recompile_cause *relation);

/* L['labels'] of L['labels'][3]; empty if it is no element of a list. */
struct str recompile_list_of(struct str source);

/* The cause of one recompile, even if it was refused. */
const struct recompile_cause *recompile_cause_of_one(struct finder *f, const struct recompile *rc);

/*
 * Whether the limit was reached for several reasons, of which only the last is known: a log's message about the limit
 * has no others.
 */
bool recompile_is_last_reason(const struct recompile_cause *cause);

/*
 * A setting during that compile, as JSON: "true", "8" (2.7 and later). Configurations have the names of the metrics:
 * "dynamo_config". Empty if unknown.
 */
struct str recompile_setting(struct finder *f, const struct compile *c, const char *configuration, const char *name);

/* Whether a setting of Dynamo was False during the first of these recompiles; false if it is unknown. */
bool recompile_is_off(struct finder *f, const struct recompile_cause *cause, const char *name);

/* dynamic=True while the function was compiled, or a setting of the program: no size is a constant from the start. */
bool recompile_is_dynamic_already(struct finder *f, const struct recompile_cause *cause);
