#include "model/experiment.h"

const char *check_outcome_name(enum check_outcome o)
{
    static const char *const names[CHECK_OUTCOMES] = {"same", "different", "not-compared"};

    return names[o];
}

const char *fix_outcome_name(enum fix_outcome o)
{
    static const char *const names[FIX_OUTCOMES] = {"helps",  "gone",        "no-effect", "results-differ",
                                                    "raises", "not-applied", "not-tried"};

    return names[o];
}

bool fix_is_refuted(const struct fix *f)
{
    return f->outcome == FIX_NO_EFFECT || f->outcome == FIX_DIFFERS || f->outcome == FIX_RAISES;
}

bool fix_is_verified(const struct fix *f)
{
    return f->outcome == FIX_HELPS && f->compared;
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
