/*
 * recompile_cause: why functions were compiled again, as causes: the same thing changed in one function, or in the same
 * way in several. All failed guards count. Where the earlier compiles failed for different reasons, the one that is
 * nearest to the new compile shows what is new: a call under torch.no_grad() with another batch size fails the guards
 * of the compile with gradients for the mode, and those of the compile without for the size, and the size is new.
 *
 * Read-only on the model. Results live in the finder's arena.
 */
#pragma once

#include "analysis/answers/inputs.h"
#include "analysis/find/find.h"
#include "analysis/recompiles/recompile_change.h"

struct recompile_cause {
    enum change change;
    const struct guard_reason *sample; /* the first that failed; NULL when the trace does not say */
    const struct recompile *first;     /* whose guard that is */
    VEC(const struct recompile *) list;
    VEC(struct str) changes;            /* in words, each once */
    struct input_changes inputs;        /* of sizes and numbers: all that vary, each once, its first change */
    enum input_state state;             /* what the newest compile made of them */
    bool computed;                      /* a float, of which the result of a computation is a constant */
    const struct call *decided_at;      /* INPUT_SPECIALIZED: the line that made it a constant; NULL unknown */
    size_t specialized;                 /* compiles in which it was made a constant */
    struct str others;                  /* variables that were different, too, when it first changed: "`a`, `b`" */
    const struct compile *made_dynamic; /* the first compile that takes any value; NULL when none does */
    uint64_t functions;                 /* distinct code, whatever the rank */
    size_t most;                        /* recompiles of one function on one rank */
    VEC(struct str) beside;             /* sources of what was different each time, too: L['a'] */
    bool alone;                         /* once, nothing else was different */
    bool constant_again;                /* a value that had changed was compiled in as a constant once more */
    int64_t duration_us;                /* of all */
};

struct recompile_causes {
    VEC(struct recompile_cause *) list; /* most time first */
};

/*
 * Of the chains given, which are put in order. A compile that was refused counts: what changed is known, though nothing
 * was compiled.
 */
void recompile_causes_find(struct finder *f, const struct recompile_chain **chains, size_t n,
                           struct recompile_causes *out);

/* "2 <= x.size()[0] <= 8" is about dimension 0 of L['x']. */
bool recompile_is_about(struct finder *f, const struct recompile_cause *relation, const struct input_change *x);

/* "(x.size()[0] % 2) == 0", "(x.size()[0] // 2) == 3": code that halves its input takes another way for most sizes. */
bool recompile_decides_often(const struct recompile_cause *relation);

/* Of one recompile, whatever became of it. */
const struct recompile_cause *recompile_cause_of_one(struct finder *f, const struct recompile *rc);

/*
 * A setting while that was compiled, as JSON: "true", "8" (2.7 and later). Configurations are named as the metrics do:
 * "dynamo_config". Empty when unknown.
 */
struct str recompile_setting(struct finder *f, const struct compile *c, const char *configuration, const char *name);
