/* What `pt2trace run` did, for report.json. */
#include "view/view.h"

#include "digest/row_json.h"

static json_t *number(int64_t v)
{
    return v < 0 ? json_null() : json_of_i64(v);
}

static json_t *settings(const struct trial *t)
{
    json_t *list = json_new_array();

    vec_each(const struct env_setting, s, &t->environment)
    {
        json_t *o = json_new_object();

        json_put_str(o, "name", s->name);
        json_put(o, "value", s->unset ? json_null() : json_of_str(s->value));
        json_push(list, o);
    }
    return list;
}

static json_t *trial(const struct trial *t)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", t->name);
    json_put(o, "how", view_text(t->how));
    json_put(o, "command", view_text(t->command));
    json_put(o, "environment", settings(t));
    json_put(o, "python", view_text(t->python));
    json_put(o, "torch", view_text(t->torch));
    json_put_str(o, "end", t->end);
    json_put(o, "status", number(t->status));
    json_put(o, "signal", number(t->signal));
    json_put(o, "wall_s", view_seconds_us(t->wall_us));
    json_put(o, "pid", t->pid > 0 ? json_of_i64(t->pid) : json_null());
    json_put(o, "ranks", row_json_list(&trial_rank_shape, t->ranks.v, t->ranks.n));
    json_put(o, "peak_bytes", number(t->peak_bytes));
    json_put(o, "oom_kills", number(t->oom_kills));
    json_put_bool(o, "fresh_caches", t->fresh_caches);
    json_put(o, "not_applied", view_text(t->not_applied));
    json_put(o, "stacks", row_json_list(&trial_stack_shape, t->stacks.v, t->stacks.n));
    json_put_bool(o, "failed", t->failed);
    json_put_bool(o, "traced", t->traced);
    json_put(o, "compiles", number(t->compiles));
    json_put(o, "graph_breaks", number(t->graph_breaks));
    json_put(o, "recompiles", number(t->recompiles));
    json_put(o, "errors", number(t->errors));
    json_put(o, "compile_wall_s", view_seconds_us(t->compile_us));
    json_put(o, "gpu_busy_s", view_seconds_us(t->gpu_us));
    json_put(o, "calls_s", view_seconds_us(t->calls_us));
    json_put(o, "error", view_text(t->error));
    json_put(o, "stage", view_text(t->stage));
    json_put(o, "checks", row_json_list(&trial_check_shape, t->checks.v, t->checks.n));
    json_put(o, "changes", row_json_list(&trial_change_shape, t->changes.v, t->changes.n));
    return o;
}

json_t *fact_experiment(const struct view *v)
{
    const struct experiment *x = v->run->experiment;
    json_t *o, *trials;

    if (!x)
        return json_null();
    o = json_new_object();
    trials = json_new_array();
    json_put(o, "question", view_text(x->question));
    json_put(o, "procedure", view_text(x->procedure));
    json_put(o, "command", view_text(x->command));
    json_put(o, "directory", view_text(x->directory));
    json_put(o, "python", view_text(x->python));
    json_put(o, "python_version", view_text(x->python_version));
    json_put(o, "torch", view_text(x->torch));
    json_put(o, "cuda", view_text(x->cuda));
    json_put(o, "workload_file", view_text(x->workload_file));
    json_put(o, "workload", view_text(x->workload));
    json_put(o, "program", view_text(x->program));
    json_put(o, "fixes", row_json_list(&fix_shape, x->fixes.v, x->fixes.n));
    json_put(o, "patch", view_text(x->patch));
    json_put(o, "conclusions", row_json_texts(x->conclusions.v, x->conclusions.n));
    json_put(o, "notes", row_json_texts(x->notes.v, x->notes.n));
    vec_each(const struct trial, t, &x->trials) json_push(trials, trial(t));
    json_put(o, "trials", trials);
    return o;
}
