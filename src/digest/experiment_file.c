#include "digest/experiment_file.h"

#include "activity/device_json.h"
#include "input/limits.h"

#include <stdlib.h>

#define SCHEMA "pt2trace-run"
enum { VERSION = 1 };

bool experiment_sniff(struct str beginning)
{
    return str_starts(beginning, STR("{\"schema\": \"" SCHEMA "\""));
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_number(json_t *o, const char *key, int64_t v)
{
    json_put(o, key, v < 0 ? json_null() : json_of_i64(v));
}

static void put_text(json_t *o, const char *key, struct str s)
{
    json_put(o, key, s.n ? json_of_str(s) : json_null());
}

static json_t *settings_of(const struct trial *t)
{
    json_t *o = json_new_object();

    vec_each(const struct env_setting, s, &t->environment)
        json_put(o, s->name.p, s->unset ? json_null() : json_of_str(s->value));
    return o;
}

json_t *experiment_checks_json(const struct trial *t)
{
    json_t *list = json_new_array();

    vec_each(const struct trial_check, c, &t->checks)
    {
        json_t *o = json_new_object();

        json_put_str(o, "what", c->what);
        json_put_str(o, "outcome", str_of(check_outcome_name(c->outcome)));
        put_text(o, "detail", c->detail);
        json_push(list, o);
    }
    return list;
}

json_t *experiment_ranks_json(const struct trial *t)
{
    json_t *list = json_new_array();

    vec_each(const struct trial_rank, r, &t->ranks)
    {
        json_t *o = json_new_object();

        json_put(o, "rank", json_of_i64(r->rank));
        json_put(o, "attempt", json_of_i64(r->attempt));
        json_put(o, "pid", json_of_i64(r->pid));
        json_push(list, o);
    }
    return list;
}

json_t *experiment_stacks_json(const struct trial *t)
{
    json_t *list = json_new_array();

    vec_each(const struct trial_stack, s, &t->stacks)
    {
        json_t *o = json_new_object();

        json_put(o, "pid", json_of_i64(s->pid));
        json_put_str(o, "text", s->text);
        json_push(list, o);
    }
    return list;
}

json_t *experiment_changes_json(const struct trial *t)
{
    json_t *list = json_new_array();

    vec_each(const struct trial_change, c, &t->changes)
    {
        json_t *o = json_new_object();

        json_put_bool(o, "gone", c->gone);
        json_put_str(o, "kind", c->kind);
        json_put_str(o, "text", c->text);
        json_push(list, o);
    }
    return list;
}

json_t *experiment_fixes_json(const struct experiment *x)
{
    json_t *list = json_new_array();

    vec_each(const struct fix, f, &x->fixes)
    {
        json_t *o = json_new_object();

        json_put_str(o, "finding", f->finding);
        put_text(o, "title", f->title);
        put_text(o, "kind", f->kind);
        put_text(o, "text", f->text);
        put_text(o, "file", f->file);
        json_put(o, "line", f->line > 0 ? json_of_i64(f->line) : json_null());
        json_put_str(o, "outcome", str_of(fix_outcome_name(f->outcome)));
        put_text(o, "measured", f->measured);
        put_text(o, "trial", f->trial);
        json_put_bool(o, "compared", f->compared);
        json_put_bool(o, "chosen", f->chosen);
        json_push(list, o);
    }
    return list;
}

static json_t *trial_json(const struct trial *t)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", t->name);
    put_text(o, "how", t->how);
    json_put_str(o, "command", t->command);
    json_put(o, "environment", settings_of(t));
    put_text(o, "python", t->python);
    put_text(o, "torch", t->torch);
    json_put_str(o, "end", t->end);
    put_number(o, "status", t->status);
    put_number(o, "signal", t->signal);
    put_number(o, "start_us", t->start_us);
    put_number(o, "wall_us", t->wall_us);
    put_number(o, "pid", t->pid);
    json_put(o, "ranks", experiment_ranks_json(t));
    put_number(o, "peak_bytes", t->peak_bytes);
    put_number(o, "oom_kills", t->oom_kills);
    json_put_bool(o, "fresh_caches", t->fresh_caches);
    put_text(o, "not_applied", t->not_applied);
    json_put(o, "stacks", experiment_stacks_json(t));
    json_put_bool(o, "failed", t->failed);
    json_put_bool(o, "traced", t->traced);
    put_number(o, "compiles", t->compiles);
    put_number(o, "graph_breaks", t->graph_breaks);
    put_number(o, "recompiles", t->recompiles);
    put_number(o, "errors", t->errors);
    put_number(o, "compile_us", t->compile_us);
    put_number(o, "gpu_us", t->gpu_us);
    put_number(o, "calls_us", t->calls_us);
    put_text(o, "error", t->error);
    put_text(o, "stage", t->stage);
    json_put(o, "checks", experiment_checks_json(t));
    json_put(o, "changes", experiment_changes_json(t));
    return o;
}

json_t *experiment_texts_json(const struct str *texts, size_t n)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < n; i++)
        json_push(list, json_of_str(texts[i]));
    return list;
}

void experiment_write(const struct experiment *x, struct buf *out)
{
    json_t *o = json_new_object(), *trials = json_new_array(), *devices = json_new_array();
    char *text;

    json_put_str(o, "schema", STR(SCHEMA));
    json_put_i64(o, "version", VERSION);
    put_text(o, "question", x->question);
    put_text(o, "procedure", x->procedure);
    json_put_str(o, "command", x->command);
    json_put_str(o, "directory", x->directory);
    put_text(o, "python", x->python);
    put_text(o, "python_version", x->python_version);
    put_text(o, "torch", x->torch);
    put_text(o, "cuda", x->cuda);
    put_text(o, "workload_file", x->workload_file);
    put_text(o, "workload", x->workload);
    put_text(o, "program", x->program);
    json_put(o, "fixes", experiment_fixes_json(x));
    put_text(o, "patch", x->patch);
    json_put(o, "conclusions", experiment_texts_json(x->conclusions.v, x->conclusions.n));
    json_put(o, "notes", experiment_texts_json(x->notes.v, x->notes.n));
    vec_each(const struct gpu_device, d, &x->devices) json_push(devices, gpu_device_to_json(d));
    json_put(o, "devices", devices);
    vec_each(const struct trial, t, &x->trials) json_push(trials, trial_json(t));
    json_put(o, "trials", trials);
    text = json_dumps(o, JSON_INDENT(1));
    /* The beginning by which the file is known is on its first line. */
    buf_str(out, STR("{\"schema\": \"" SCHEMA "\",\n"));
    buf_str(out, str_skip(str_of(text), strcspn(text, ",") + 2));
    buf_char(out, '\n');
    free(text);
    json_decref(o);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct reader {
    struct arena *arena;
    struct json_doc doc;
};

static struct str take_text(struct reader *r, json_t *o, const char *key)
{
    struct str s = {"", 0};

    json_get_str(&r->doc, o, key, &s);
    return arena_str(r->arena, s);
}

static int64_t take_number(struct reader *r, json_t *o, const char *key)
{
    int64_t v = -1;

    return json_get_i64(&r->doc, o, key, &v) == JSON_FOUND && v >= 0 ? v : -1;
}

static bool take_flag(struct reader *r, json_t *o, const char *key)
{
    bool v = false;

    json_get_bool(&r->doc, o, key, &v);
    return v;
}

/* The list under a key, cut off at the limit; NULL when there is none. */
static json_t *take_list(struct reader *r, json_t *o, const char *key, size_t *n)
{
    json_t *list = NULL;

    json_get_array(&r->doc, o, key, &list);
    *n = json_array_size(list) < LIMIT_LIST ? json_array_size(list) : LIMIT_LIST;
    return list;
}

static void take_settings(struct reader *r, json_t *o, struct trial *t)
{
    json_t *settings = NULL, *value;
    const char *name;

    if (json_get_object(&r->doc, o, "environment", &settings) != JSON_FOUND)
        return;
    json_object_foreach(settings, name, value)
        vec_push(r->arena, &t->environment,
                 ((struct env_setting){arena_str(r->arena, str_of(name)), arena_str(r->arena, json_str(value)),
                                       json_is_null(value)}));
}

static void take_checks(struct reader *r, json_t *o, struct trial *t)
{
    size_t n;
    json_t *list = take_list(r, o, "checks", &n);

    for (size_t i = 0; i < n; i++) {
        json_t *c = json_array_get(list, i);
        struct trial_check *check = vec_add(r->arena, &t->checks);
        struct str outcome = take_text(r, c, "outcome");

        check->what = take_text(r, c, "what");
        check->detail = take_text(r, c, "detail");
        check->outcome = CHECK_NOT_COMPARED;
        for (int k = 0; k < CHECK_OUTCOMES; k++)
            if (str_eq(outcome, str_of(check_outcome_name((enum check_outcome)k))))
                check->outcome = (enum check_outcome)k;
    }
}

static void take_ranks(struct reader *r, json_t *o, struct trial *t)
{
    size_t n;
    json_t *list = take_list(r, o, "ranks", &n);

    for (size_t i = 0; i < n; i++) {
        json_t *x = json_array_get(list, i);

        vec_push(
            r->arena, &t->ranks,
            ((struct trial_rank){take_number(r, x, "rank"), take_number(r, x, "attempt"), take_number(r, x, "pid")}));
    }
}

static void take_stacks(struct reader *r, json_t *o, struct trial *t)
{
    size_t n;
    json_t *list = take_list(r, o, "stacks", &n);

    for (size_t i = 0; i < n; i++) {
        json_t *s = json_array_get(list, i);

        vec_push(r->arena, &t->stacks, ((struct trial_stack){take_number(r, s, "pid"), take_text(r, s, "text")}));
    }
}

static void take_changes(struct reader *r, json_t *o, struct trial *t)
{
    size_t n;
    json_t *list = take_list(r, o, "changes", &n);

    for (size_t i = 0; i < n; i++) {
        json_t *c = json_array_get(list, i);

        vec_push(r->arena, &t->changes,
                 ((struct trial_change){take_flag(r, c, "gone"), take_text(r, c, "kind"), take_text(r, c, "text")}));
    }
}

static void take_fixes(struct reader *r, struct experiment *x)
{
    size_t n;
    json_t *list = take_list(r, r->doc.root, "fixes", &n);

    for (size_t i = 0; i < n; i++) {
        json_t *o = json_array_get(list, i);
        struct fix *f = vec_add(r->arena, &x->fixes);
        struct str outcome = take_text(r, o, "outcome");
        int64_t line = take_number(r, o, "line");

        *f = (struct fix){.finding = take_text(r, o, "finding"),
                          .title = take_text(r, o, "title"),
                          .kind = take_text(r, o, "kind"),
                          .text = take_text(r, o, "text"),
                          .file = take_text(r, o, "file"),
                          .line = line > 0 ? line : 0,
                          .outcome = FIX_NOT_TRIED,
                          .measured = take_text(r, o, "measured"),
                          .trial = take_text(r, o, "trial"),
                          .compared = take_flag(r, o, "compared"),
                          .chosen = take_flag(r, o, "chosen")};
        for (int k = 0; k < FIX_OUTCOMES; k++)
            if (str_eq(outcome, str_of(fix_outcome_name((enum fix_outcome)k))))
                f->outcome = (enum fix_outcome)k;
    }
}

static void take_trial(struct reader *r, json_t *o, struct trial *t)
{
    *t = (struct trial){.name = take_text(r, o, "name"),
                        .how = take_text(r, o, "how"),
                        .command = take_text(r, o, "command"),
                        .python = take_text(r, o, "python"),
                        .torch = take_text(r, o, "torch"),
                        .end = take_text(r, o, "end"),
                        .status = take_number(r, o, "status"),
                        .signal = take_number(r, o, "signal"),
                        .start_us = take_number(r, o, "start_us"),
                        .wall_us = take_number(r, o, "wall_us"),
                        .pid = take_number(r, o, "pid"),
                        .peak_bytes = take_number(r, o, "peak_bytes"),
                        .oom_kills = take_number(r, o, "oom_kills"),
                        .fresh_caches = take_flag(r, o, "fresh_caches"),
                        .not_applied = take_text(r, o, "not_applied"),
                        .failed = take_flag(r, o, "failed"),
                        .traced = take_flag(r, o, "traced"),
                        .compiles = take_number(r, o, "compiles"),
                        .graph_breaks = take_number(r, o, "graph_breaks"),
                        .recompiles = take_number(r, o, "recompiles"),
                        .errors = take_number(r, o, "errors"),
                        .compile_us = take_number(r, o, "compile_us"),
                        .gpu_us = take_number(r, o, "gpu_us"),
                        .calls_us = take_number(r, o, "calls_us"),
                        .error = take_text(r, o, "error"),
                        .stage = take_text(r, o, "stage")};
    take_settings(r, o, t);
    take_ranks(r, o, t);
    take_stacks(r, o, t);
    take_checks(r, o, t);
    take_changes(r, o, t);
}

static void take_experiment(struct reader *r, struct experiment *x)
{
    json_t *root = r->doc.root, *list;
    size_t n;

    *x = (struct experiment){.question = take_text(r, root, "question"),
                             .procedure = take_text(r, root, "procedure"),
                             .command = take_text(r, root, "command"),
                             .directory = take_text(r, root, "directory"),
                             .python = take_text(r, root, "python"),
                             .python_version = take_text(r, root, "python_version"),
                             .torch = take_text(r, root, "torch"),
                             .cuda = take_text(r, root, "cuda"),
                             .workload_file = take_text(r, root, "workload_file"),
                             .workload = take_text(r, root, "workload"),
                             .program = take_text(r, root, "program"),
                             .patch = take_text(r, root, "patch")};
    take_fixes(r, x);
    list = take_list(r, root, "conclusions", &n);
    for (size_t i = 0; i < n; i++)
        vec_push(r->arena, &x->conclusions, arena_str(r->arena, json_str(json_array_get(list, i))));
    list = take_list(r, root, "notes", &n);
    for (size_t i = 0; i < n; i++)
        vec_push(r->arena, &x->notes, arena_str(r->arena, json_str(json_array_get(list, i))));
    list = take_list(r, root, "devices", &n);
    for (size_t i = 0; i < n; i++) {
        struct gpu_device d;

        if (gpu_device_of_json(r->arena, json_array_get(list, i), &d))
            vec_push(r->arena, &x->devices, d);
    }
    list = take_list(r, root, "trials", &n);
    for (size_t i = 0; i < n; i++)
        take_trial(r, json_array_get(list, i), vec_add(r->arena, &x->trials));
}

struct str experiment_read(struct arena *a, struct str text, struct experiment *out)
{
    struct reader r = {.arena = a};
    struct str wrong = {0}, schema;
    int64_t version;

    *out = (struct experiment){0};
    if (!json_doc_load_whole(&r.doc, text)) {
        wrong = arena_printf(a, "no JSON: %s", r.doc.error);
    } else {
        schema = take_text(&r, r.doc.root, "schema");
        version = take_number(&r, r.doc.root, "version");
        if (!str_eq(schema, STR(SCHEMA)))
            wrong = STR("not what `pt2trace run` writes");
        else if (version != VERSION)
            wrong = arena_printf(a, "of version %lld; this pt2trace reads version %d", (long long)version, VERSION);
        else
            take_experiment(&r, out);
    }
    json_doc_free(&r.doc);
    return wrong;
}
