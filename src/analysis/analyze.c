#include "analysis/analyze.h"

#include "analysis/findings/findings.h"

void analyze(struct arena *a, const struct run *r, struct pool *pool, struct answers *out)
{
    answers_make(a, r, pool, out);
    out->findings = ARENA_NEW(a, struct findings);
    findings_find(a, r, out, out->findings);
}
