/* The section on `pt2trace run`: the question and its answer, the trials, and how to run them again. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/answers/questions.h"
#include "analysis/find/finding.h"
#include "view/format.h"

enum { ANSWERS_SHOWN = 8, CHANGES_SHOWN = 30 };

/* {"words": [...]}, because a paragraph is one unit whatever it contains; null if empty. */
static json_t *paragraph(struct str s)
{
    json_t *o;

    if (s.n == 0)
        return json_null();
    o = json_new_object();
    json_put(o, "words", page_words(s));
    return o;
}

static json_t *answer_of(const struct view *v, const struct question *q)
{
    const struct findings *f = v->answers->findings;
    json_t *o = json_new_object(), *list = json_new_array();

    for (size_t i = 0; i < f->list.n && json_array_size(list) < ANSWERS_SHOWN; i++) {
        const struct finding *x = f->list.v[i];
        json_t *row;

        if (!question_is_answered_by(q, x->info->id))
            continue;
        row = json_new_object();
        json_put_str(row, "id", x->id);
        json_put_str(row, "severity", str_of(finding_severity_name(x->severity)));
        json_put(row, "title", page_words(x->title));
        json_push(list, row);
    }
    json_put_str(o, "asks", str_of(q->asks));
    json_put_str(o, "section", str_of(q->section));
    json_put(o, "nothing", json_array_size(list) ? json_null() : paragraph(str_of(q->nothing)));
    json_put(o, "list", list);
    return o;
}

static json_t *sentences(const struct str *list, size_t n)
{
    json_t *out = json_new_array();

    for (size_t i = 0; i < n && i < PAGE_ROWS_MAX; i++) {
        struct str s = list[i];
        bool is_command = str_consume(&s, STR(EXPERIMENT_COMMAND));
        json_t *o = json_new_object();

        json_put(o, "command", is_command ? view_text(s) : json_null());
        json_put(o, "words", is_command ? json_null() : page_words(s));
        json_push(out, o);
    }
    return out;
}

static json_t *count(const struct view *v, int64_t n)
{
    return n < 0 ? json_of_str(STR("-")) : json_of_str(format_count(v->scratch, (uint64_t)n));
}

static json_t *check_rows(const struct trial *t)
{
    json_t *list = json_new_array();

    vec_each(const struct trial_check, c, &t->checks)
    {
        json_t *o = json_new_object();

        json_put_str(o, "what", c->what);
        json_put_bool(o, "same", c->outcome == CHECK_SAME);
        json_put_bool(o, "different", c->outcome == CHECK_DIFFERENT);
        json_put(o, "detail", view_text(c->detail));
        json_push(list, o);
    }
    return list;
}

static json_t *change_rows(const struct view *v, const struct trial *t)
{
    json_t *o, *list;

    if (t->changes.n == 0)
        return json_null();
    o = json_new_object();
    list = json_new_array();
    for (size_t i = 0; i < t->changes.n && i < CHANGES_SHOWN; i++) {
        const struct trial_change *c = &t->changes.v[i];
        json_t *row = json_new_object();

        json_put_str(row, "verb", c->gone ? STR("gone") : STR("new"));
        json_put_str(row, "kind", c->kind);
        json_put(row, "text", page_words(c->text));
        json_push(list, row);
    }
    json_put(o, "rows", list);
    json_put_str(o, "hidden", page_hidden(v, t->changes.n, CHANGES_SHOWN));
    return o;
}

static json_t *trial_row(const struct view *v, const struct trial *t)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", t->name);
    json_put(o, "how", view_text(t->how));
    json_put_str(o, "end", format_trial_end(v->scratch, t));
    json_put_bool(o, "bad", trial_is_bad(t));
    json_put_str(o, "wall", format_duration_us(v->scratch, t->wall_us));
    json_put(o, "compiles", count(v, t->compiles));
    json_put(o, "breaks", count(v, t->graph_breaks));
    json_put(o, "recompiles", count(v, t->recompiles));
    json_put_str(o, "compiling", format_duration_us(v->scratch, t->compile_us));
    json_put_str(o, "gpu", format_duration_us(v->scratch, t->gpu_us));
    json_put(o, "error", paragraph(t->error));
    json_put(o, "stage", view_text(t->stage));
    json_put(o, "checks", check_rows(t));
    json_put(o, "changes", change_rows(v, t));
    json_put(o, "torch", view_text(t->torch));
    json_put(o, "not_applied", paragraph(t->not_applied));
    return o;
}

static json_t *fix_rows(const struct view *v, const struct experiment *x)
{
    json_t *o, *list;

    if (x->fixes.n == 0)
        return json_null();
    o = json_new_object();
    list = json_new_array();
    for (size_t i = 0; i < x->fixes.n && i < PAGE_ROWS_MAX; i++) {
        const struct fix *f = &x->fixes.v[i];
        json_t *row = json_new_object();

        json_put_str(row, "finding", f->finding);
        json_put(row, "title", page_words(f->title));
        json_put(row, "put", view_text(f->text)); /* not `text`, which is the key of the words in the title */
        json_put(row, "place", page_place(v, f->file, f->line));
        json_put_bool(row, "good", f->outcome == FIX_HELPS || f->outcome == FIX_GONE);
        json_put_bool(row, "bad", fix_is_refuted(f));
        json_put_str(row, "head", format_tried(f));
        json_put(row, "measured", page_words(f->measured));
        json_put_bool(row, "chosen", f->chosen);
        json_push(list, row);
    }
    json_put(o, "rows", list);
    json_put_str(o, "hidden", page_hidden(v, x->fixes.n, PAGE_ROWS_MAX));
    return o;
}

static json_t *stack_rows(const struct trial *t)
{
    json_t *list = json_new_array();

    vec_each(const struct trial_stack, s, &t->stacks)
    {
        json_t *o = json_new_object();

        json_put_i64(o, "pid", s->pid);
        json_put_str(o, "text", s->text);
        json_push(list, o);
    }
    return list;
}

/* For trials that were ended from outside: where each process was. */
static json_t *all_stacks(const struct experiment *x)
{
    json_t *list = json_new_array();

    vec_each(const struct trial, t, &x->trials)
    {
        json_t *o;

        if (t->stacks.n == 0)
            continue;
        o = json_new_object();
        json_put_str(o, "name", t->name);
        json_put(o, "processes", stack_rows(t));
        json_push(list, o);
    }
    return list;
}

static json_t *command_row(const struct trial *t)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", t->name);
    json_put_str(o, "command", t->command);
    return o;
}

static bool any_gpu(const struct experiment *x)
{
    vec_each(const struct trial, t, &x->trials) if (t->gpu_us >= 0) return true;
    return false;
}

json_t *page_experiment(const struct view *v)
{
    const struct experiment *x = v->run->experiment;
    const struct question *q = x ? question_find(x->question) : NULL;
    json_t *o, *rows, *commands;

    if (!x)
        return json_null();
    o = json_new_object();
    rows = json_new_array();
    commands = json_new_array();
    for (size_t i = 0; i < x->trials.n && i < PAGE_ROWS_MAX; i++) {
        json_push(rows, trial_row(v, &x->trials.v[i]));
        if (x->trials.v[i].command.n)
            json_push(commands, command_row(&x->trials.v[i]));
    }
    json_put_bool(o, "any_gpu", any_gpu(x));
    json_put(o, "answer", q ? answer_of(v, q) : json_null());
    json_put(o, "command", view_text(x->command));
    json_put(o, "directory", view_text(x->directory));
    json_put(o, "workload_file", view_text(x->workload_file));
    json_put(o, "workload", view_text(x->workload));
    json_put(o, "program", view_text(x->program));
    json_put(o, "fixes", fix_rows(v, x));
    json_put(o, "patch", view_text(x->patch));
    json_put(o, "conclusions", sentences(x->conclusions.v, x->conclusions.n));
    json_put(o, "notes", sentences(x->notes.v, x->notes.n));
    json_put(o, "rows", rows);
    json_put(o, "stacks", all_stacks(x));
    json_put_bool(o, "any_commands", json_array_size(commands) > 0);
    json_put(o, "commands", commands);
    json_put_str(o, "hidden", page_hidden(v, x->trials.n, PAGE_ROWS_MAX));
    return o;
}
