/* Functions for the objects of report.json about the run as a whole. */
#include "view/facts/facts.h"

/* --- inputs ------------------------------------------------------------------------------------------------------- */

static json_t *command_of(const struct about *about)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < about->command_n; i++)
        json_push(list, json_of_str(str_of(about->command[i])));
    return list;
}

static json_t *pids_of(const struct input *in)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < in->processes.n; i++)
        if (in->processes.v[i]->pid)
            json_push(list, json_of_i64((int64_t)in->processes.v[i]->pid));
    for (size_t i = 0; i < in->gpus.n; i++)
        if (in->gpus.v[i]->pid)
            json_push(list, json_of_i64((int64_t)in->gpus.v[i]->pid));
    return list;
}

/* -1 if none is known. */
static int64_t first_pid(const struct input *in)
{
    json_t *pids = pids_of(in);
    int64_t pid = json_array_size(pids) ? json_integer_value(json_array_get(pids, 0)) : -1;

    json_decref(pids);
    return pid;
}

/* The process of a log may complete the process of a trace. */
static const struct process *shown_as(const struct process *p)
{
    return p->joined ? p->joined : p;
}

static json_t *processes_of(const struct input *in)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < in->processes.n; i++)
        json_push(list, json_of_i64(shown_as(in->processes.v[i])->index));
    return list;
}

static int rank_of(const struct input *in)
{
    for (size_t i = 0; i < in->processes.n; i++)
        if (in->processes.v[i]->rank != RANK_UNKNOWN)
            return in->processes.v[i]->rank;
    for (size_t i = 0; i < in->gpus.n; i++)
        if (in->gpus.v[i]->rank != RANK_UNKNOWN)
            return in->gpus.v[i]->rank;
    return in->name_rank;
}

static bool is_log(const struct input *in)
{
    return in->read && in->kind == INPUT_TORCH_LOGS;
}

/* --- settings ----------------------------------------------------------------------------------------------------- */

/* An environment variable that the user set counts like a setting whose value it provides. */
static enum set_by shown_set_by(const struct setting_use *u)
{
    return u->by == SET_BY_USER && u->environment ? SET_BY_VARIABLE : u->by;
}

/* The settings whose value comes from an environment variable. */
static json_t *set_by_variable(const struct view *v, const struct setting_use *variable)
{
    const struct settings_used *s = &v->answers->settings;
    json_t *list = json_new_array();

    for (size_t i = 0; variable->environment && i < s->list.n; i++)
        if (s->list.v[i]->by == SET_BY_VARIABLE && str_eq(s->list.v[i]->variable, variable->name))
            json_push(list, fact_setting(v, s->list.v[i]));
    return list;
}

static json_t *differing_of(const struct view *v, const struct settings_used *s)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < s->list.n; i++)
        if (setting_is_of_user(s->list.v[i]))
            json_push(list, fact_setting(v, s->list.v[i]));
    return list;
}

static json_t *by_pytorch_of(const struct view *v, const struct settings_used *s)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < s->list.n; i++)
        if (s->list.v[i]->by == SET_BY_PYTORCH)
            json_push(list, fact_setting(v, s->list.v[i]));
    return list;
}

static json_t *changes_of(const struct view *v)
{
    json_t *list = json_new_array();
    struct configs configs;

    configs_find(v->scratch, v->run, &configs);
    vec_each(const struct config_change, c, &configs.changes) json_push(list, fact_setting_change(v, c));
    return list;
}

/* --- totals ------------------------------------------------------------------------------------------------------- */

/* The metrics count guards, and so do the lists in a log; without either, the number is unknown. */
static bool guards_known(const struct run *r)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        if (compile_metrics(c, METRICS_FORWARD) || compile_guards(c) >= 0)
            return true;
    return false;
}

/*
 * PyTorch 2.3 records nothing about caches. 2.4 has records, and 2.5 and later also a timeline, even if no cache was
 * used.
 */
static bool caches_known(const struct answers *a)
{
    return a->timing.has_events || a->counts.cache[CACHE_HIT] || a->counts.cache[CACHE_MISS] ||
           a->counts.cache[CACHE_BYPASS];
}

static bool digests_checked(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->used && !r->inputs.v[i]->digests_checked)
            return false;
    return true;
}

#include "view/facts/fact_rows.h"

static int64_t cache_count(const struct answers *a, enum cache_outcome outcome)
{
    return known(caches_known(a), a->counts.cache[outcome]);
}

/* 0 from a text means unknown. */
static int64_t count_of(const struct answers *a, uint64_t n)
{
    return known(count_is_known(&a->counts, n), n);
}

#include "view/facts/run.def"
