#include "analysis/answers/questions.h"

static const char *const breaks[] = {"break-",         "missing-fake-kernel", "tiny-graphs", "skipped-frame",
                                     "data-dependent", "empty-graph",         NULL};
static const char *const recompiles[] = {"recompile-", "specialization", "resets", NULL};
static const char *const errors[] = {
    "run-", "error",     "incomplete", "data-dependent", "recompile-limit", "suppressed-errors", "break-backend",
    "rank-hang", "double-backward", NULL};
static const char *const slow[] = {
    "slow-",         "cache-",      "recompile-",     "same-graph", "repeated-block", "late-backward", "debug-settings",
    "break-hotspot", "empty-graph", "rank-straggler", NULL};
static const char *const accuracy[] = {
    "error",          "low-precision",           "unsafe-math", "fallback-random", "wrong-fake-kernel",
    "mutated-inputs", "custom-op-not-compliant", "missing-guard", NULL};
static const char *const crash[] = {"run-", "error", "incomplete", "rank-absent", "rank-hang", NULL};
static const char *const cache[] = {"cache-", "custom-op-not-compliant", "rank-divergence", NULL};
static const char *const kernels[] = {"fallback-kernel", "cudagraphs-skipped", "tiny-graphs", "gpu-",
                                      "slow-autotuning", "collective-parity",  NULL};

static const struct question questions[] = {
    {"breaks", "why does the graph break?", "breaks", "There are no graph breaks.", breaks},
    {"recompiles", "why is it compiled again?", "recompiles", "There are no recompiles.", recompiles},
    {"errors", "what fails?", "errors", "Nothing failed in the compiler.", errors},
    {"slow-compile", "what takes the compile time?", "time", "No part of the compile time stands out.", slow},
    {"accuracy", "where do the numbers become wrong?", "compiles",
     "A trace contains no numbers: `--ablate` finds the stage in which they change, `--bisect` the pass.", accuracy},
    {"crash", "what was running when it crashed?", "errors", "It did not crash.", crash},
    {"cache", "why was it not in the cache?", "caches", "Nothing is wrong with the caches.", cache},
    {"kernels", "what do the kernels do, and what do they cost?", "code", "No kernel stands out.", kernels},
};

enum { QUESTIONS = sizeof questions / sizeof *questions };

const struct question *question_at(size_t i)
{
    return i < QUESTIONS ? &questions[i] : NULL;
}

const struct question *question_find(struct str name)
{
    for (int i = 0; i < QUESTIONS; i++)
        if (str_eq(name, str_of(questions[i].name)))
            return &questions[i];
    return NULL;
}

bool question_is_answered_by(const struct question *q, const char *finding_id)
{
    for (const char *const *answer = q->answers; *answer; answer++)
        if (str_starts(str_of(finding_id), str_of(*answer)))
            return true;
    return false;
}
