#include "model/experiment.h"

const char *check_outcome_name(enum check_outcome o)
{
    static const char *const names[CHECK_OUTCOMES] = {"same", "different", "not-compared"};

    return names[o];
}

bool trial_is_bad(const struct trial *t)
{
    vec_each(const struct trial_check, c, &t->checks) if (c->outcome == CHECK_DIFFERENT) return true;
    return t->failed;
}

struct str trial_failure(struct arena *a, const struct trial *t)
{
    struct str error = t->error;

    if (error.n)
        return str_split(&error, ':');
    if (t->signal > 0)
        return arena_printf(a, "signal %lld", (long long)t->signal);
    return t->status >= 0 ? arena_printf(a, "status %lld", (long long)t->status) : t->end;
}
