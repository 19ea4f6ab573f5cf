/* The section on `pt2trace run`: the question and its answer, the trials, and how to run them again. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/answers/questions.h"
#include "analysis/find/finding.h"
#include "view/format.h"

enum { ANSWERS_SHOWN = 8, CHANGES_SHOWN = 30 };

static json_t *answers_to(const struct view *v, const struct question *q)
{
    const struct findings *f = v->answers->findings;
    json_t *list = json_new_array();

    for (size_t i = 0; i < f->list.n && json_array_size(list) < ANSWERS_SHOWN; i++)
        if (question_is_answered_by(q, f->list.v[i]->info->id))
            json_push(list, page_answering(v, f->list.v[i]));
    return list;
}

static struct str count(const struct view *v, int64_t n)
{
    return n < 0 ? STR("-") : format_count(v->scratch, (uint64_t)n);
}

static json_t *all_stacks(const struct view *v, const struct experiment *x)
{
    json_t *list = json_new_array();

    vec_each(const struct trial, t, &x->trials) if (t->stacks.n) json_push(list, page_trial_stacks(v, t));
    return list;
}

static json_t *commands_of(const struct view *v, const struct experiment *x)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < x->trials.n && i < PAGE_ROWS_MAX; i++)
        if (x->trials.v[i].command.n)
            json_push(list, page_trial_command(v, &x->trials.v[i]));
    return list;
}

static bool any_gpu(const struct experiment *x)
{
    vec_each(const struct trial, t, &x->trials) if (t->gpu_us >= 0) return true;
    return false;
}

#include "view/page_rows.h"

#include "view/sections/experiment.def"
