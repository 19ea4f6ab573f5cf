#include "model/experiment.h"

const char *check_outcome_name(enum check_outcome o)
{
    static const char *const names[CHECK_OUTCOMES] = {"same", "different", "not-compared"};

    return names[o];
}
