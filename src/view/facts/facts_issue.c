/* Functions for the objects of report.json about problems, caches and symbols. */
#include "view/facts/facts.h"

#include "analysis/steps/error_steps.h"

/* --- names -------------------------------------------------------------------------------------------------------- */

const char *break_origin_name(enum break_origin origin)
{
    static const char *const names[] = {"record", "restart_reason", "failure", "explain", "resume_function"};

    return names[origin];
}

const char *failure_where_name(enum failure_where w)
{
    static const char *const names[FAILED_PLACES] = {"forward", "backward", "runtime", "program"};

    return names[w];
}

const char *export_issue_name(enum export_issue_kind k)
{
    static const char *const names[] = {"missing_fake_kernel", "mismatched_fake_kernel", "data_dependent",
                                        "propagated_real_tensor", "guard"};

    return names[k];
}

/* --- compiles of an issue: their ids, and beside them what distinguishes equal ids -------------------------------- */

/* Records without a compile id cannot be referred to. */
static json_t *ids_of_finding(const struct view *v, const struct finding *x)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < x->compiles.n; i++)
        if (!compile_id_is_none(x->compiles.v[i]->id))
            json_push(list, view_id(v, x->compiles.v[i]));
    return list;
}

static json_t *refs_of_finding(const struct view *v, const struct finding *x)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < x->compiles.n; i++)
        if (!compile_id_is_none(x->compiles.v[i]->id))
            json_push(list, fact_compile_ref(v, x->compiles.v[i]));
    return list;
}

static json_t *ids_of_members(const struct view *v, const struct break_group *g)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < g->members.n; i++)
        json_push(list, view_id(v, g->members.v[i]->compile));
    return list;
}

static json_t *refs_of_members(const struct view *v, const struct break_group *g)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < g->members.n; i++)
        json_push(list, fact_compile_ref(v, g->members.v[i]->compile));
    return list;
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

/* The parts of a graph-break message; NULL if it is none. */
static const struct break_text *break_of_message(const struct view *v, struct str message)
{
    struct break_text *t = ARENA_NEW(v->scratch, struct break_text);

    *t = (struct break_text){0};
    break_message_parse(v->scratch, message, t);
    return t->gb_id.n || t->explanation.n ? t : NULL;
}

static json_t *next_steps(const struct view *v, const struct error *e)
{
    json_t *list = json_new_array();
    struct error_steps steps;

    error_next_steps(v->scratch, v->run, e, &steps);
    vec_each(const struct error_step, step, &steps.list)
        json_push(list, json_of_str(error_step_text(v->scratch, step)));
    return list;
}

/* NULL if there is no key to compare with. */
static const struct key_changes *compared_key(const struct view *v, const struct cache_event *e)
{
    const struct key_changes *changes = key_changes_of(v->keys, v->scratch, &v->answers->cache_pairs, e);

    return changes->against ? changes : NULL;
}

static json_t *names_of_changes(const struct key_changes *changes)
{
    json_t *list = json_new_array();

    vec_each(const struct key_change, change, &changes->list) json_push(list, json_of_str(change->name));
    return list;
}

/* The innermost call of the user's; a call without a place if there is none. */
static const struct call *own(const struct call *stack)
{
    static const struct call nowhere;
    const struct call *c = stack_user_call(stack);

    return c ? c : &nowhere;
}

#include "view/facts/fact_rows.h"

#include "view/facts/issue.def"
