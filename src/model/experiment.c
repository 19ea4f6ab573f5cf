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
