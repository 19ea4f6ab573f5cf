#include "analysis/remedies/remedy_row.h"

#include "analysis/recompiles/recompile_version.h"
#include "text/python/python_code.h"

bool remedy_is_specialized(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->state == INPUT_SPECIALIZED && cause->decided_at != NULL;
}

bool remedy_is_dynamic(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->state == INPUT_DYNAMIC;
}

bool remedy_reached_limit(struct finder *f, const struct recompile_cause *cause)
{
    bool limit = false;

    for (size_t i = 0; i < cause->list.n; i++)
        limit |= cause->list.v[i]->compile->limit_hit;
    return limit && !remedy_is_dynamic(f, cause);
}

const struct stated *remedy_stated(const struct recompile_cause *cause)
{
    return &cause->first->compile->process->input->stated;
}

bool remedy_may_lack_automatic(const struct recompile_cause *cause)
{
    struct str newest = remedy_stated(cause)->newest;

    return recompile_version_is_known(cause) ? !recompile_version_is(cause, 2, 1)
                                             : str_eq(newest, STR("2.0")) || str_eq(newest, STR("2.1"));
}

struct str remedy_line(const struct guard_reason *g)
{
    ptrdiff_t comment = python_find(g->user_code, STR("#"), PYTHON_NOT_IN_STRING);

    return str_trim(comment < 0 ? g->user_code : str_take(g->user_code, (size_t)comment));
}

bool remedy_is_learning_rate(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && str_has(cause->sample->source, STR("['lr']"));
}

bool remedy_may_isolate(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return recompile_has_parameter(cause, "isolate_recompiles");
}
