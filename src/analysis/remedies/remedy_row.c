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

bool remedy_is_number_once(struct finder *f, const struct recompile_cause *cause)
{
    return cause->sample && (cause->sample->class == GUARD_INT || cause->sample->class == GUARD_FLOAT ||
                             cause->sample->class == GUARD_MODULE_ATTRIBUTE) &&
           cause->most == 1 && (remedy_is_dynamic(f, cause) || cause->made_dynamic);
}

static bool is_quoted(struct str value)
{
    return value.n > 1 && (value.p[0] == '\'' || value.p[0] == '"');
}

bool remedy_is_string(struct finder *f, const struct recompile_cause *cause)
{
    (void)f;
    return cause->sample && cause->sample->class != GUARD_DICT && is_quoted(cause->sample->expected);
}

/*
 * "names" of "names[0]", with a number in the brackets; empty for other sources. "args[0]" is an argument, in Dynamo's
 * wrapper or behind "*args".
 */
static struct str list_of(struct str source)
{
    ptrdiff_t at = str_ends(source, STR("]")) ? str_rchr(source, '[') : -1;
    struct str list = str_take(source, (size_t)(at > 0 ? at : 0));
    int64_t index;

    if (list.n == 0 || str_eq(list, STR("args")) || str_eq(list, STR("L['args']")))
        return (struct str){0};
    return str_i64(str_drop(str_skip(source, (size_t)at + 1), 1), &index) ? list : (struct str){0};
}

bool remedy_is_list_of_strings(struct finder *f, const struct recompile_cause *cause)
{
    struct str list = cause->sample ? cause->sample->source : (struct str){0};

    if (remedy_is_string(f, cause))
        return list_of(list).n > 0;
    for (size_t i = 0; list.n && i < cause->list.n; i++)
        vec_each(const struct guard_reason, g, &cause->list.v[i]->reasons)
            if (is_quoted(g->expected) && str_eq(list_of(g->source), list)) return true;
    return false;
}
