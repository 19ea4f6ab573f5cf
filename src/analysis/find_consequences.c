/* Which recompiles are no causes: they follow from a graph break, or from the recompile of the function around them. */
#include "analysis/find.h"

#include "analysis/recompile_cause.h"

/* --- breaks ------------------------------------------------------------------------------------------------------- */

/* The break that a resume function goes on from: met at line L of F, or in what is called from there. */
static bool is_break_of(const struct graph_break *b, const struct frame *resume)
{
    for (const struct call *c = b->stack; c; c = c->parent)
        if (c->line == resume->resumes_line && str_eq(c->file, resume->file))
            return true;
    return b->line == resume->resumes_line && str_eq(b->file, resume->file);
}

static bool is_at(const struct finding *x, struct str file, int64_t line)
{
    if (x->line == line && str_eq(x->file, file))
        return true;
    vec_each(const struct finding_spot, spot,
             &x->spots) if (spot->line == line && str_eq(spot->file, file)) return true;
    return false;
}

/* The finding that has the place of a group of breaks. */
static struct finding *finding_of(const struct finder *f, const struct break_group *g)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        if (!str_starts(str_of(x->info->id), STR("break-")) && !str_starts(str_of(x->info->id), STR("missing-")))
            continue;
        if ((g->own && is_at(x, g->own->file, g->own->line)) || is_at(x, g->sample->file, g->sample->line))
            return x;
    }
    return NULL;
}

static struct finding *break_before(const struct finder *f, const struct frame *resume)
{
    const struct break_groups *breaks = &f->answers->breaks;
    struct finding *x;

    for (size_t i = 0; i < breaks->list.n; i++)
        if (is_break_of(breaks->list.v[i]->sample, resume) && (x = finding_of(f, breaks->list.v[i])) != NULL)
            return x;
    return NULL;
}

/* --- recompiles of the function around ---------------------------------------------------------------------------- */

static bool is_of_sizes(const struct recompile_cause *c)
{
    return c->change == CHANGE_SIZE || c->change == CHANGE_SMALL_SIZE;
}

/* A value of one moved as one of the other did. */
static bool moves_alike(const struct recompile_cause *a, const struct recompile_cause *b)
{
    vec_each(const struct input_change, x, &a->inputs.list)
        vec_each(const struct input_change, y,
                 &b->inputs.list) if (str_eq(x->from, y->from) && str_eq(x->to, y->to)) return true;
    return false;
}

/* The code of `inner` runs within that of `outer`: it goes on from a break in it, or is called from it. */
static bool runs_within(const struct compile *inner, const struct frame *outer)
{
    const struct frame *fr = inner->frame;

    if (fr->is_resume && str_eq(fr->resumes, outer->is_resume ? outer->resumes : outer->name) &&
        str_eq(fr->file, outer->file) && (!outer->is_resume || outer->resumes_line < fr->resumes_line))
        return true;
    for (const struct call *c = inner->stack ? inner->stack->parent : NULL; c; c = c->parent)
        if (str_eq(c->function, outer->name) && str_eq(c->file, outer->file) && c->line >= outer->line)
            return true;
    return false;
}

static bool follows(const struct recompile_cause *x, const struct recompile_cause *cause)
{
    const struct compile *inner = x->first->compile, *outer = cause->first->compile;

    return x != cause && is_of_sizes(x) == is_of_sizes(cause) && inner->process == outer->process &&
           inner->frame != outer->frame && outer->index < inner->index && runs_within(inner, outer->frame) &&
           moves_alike(x, cause);
}

static struct finding *recompile_around(const struct finder *f, const struct recompile_cause *x)
{
    vec_each(const struct recompiled, r, &f->recompiled) if (follows(x, r->cause)) return r->finding;
    return NULL;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* A chain of causes must end: what is one's own cause is none. */
static bool leads_to(const struct finding *from, const struct finding *x)
{
    for (; from; from = from->follows_from)
        if (from == x)
            return true;
    return false;
}

static struct finding *cause_of(const struct finder *f, const struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;
    struct finding *x = recompile_around(f, cause);

    if (!x && fr->is_resume && recompile_is_from_break(cause->sample))
        x = break_before(f, fr);
    return x;
}

/* What helps against the cause helps here; a remedy of its own would be one for values that have no name. */
static void set_cause(struct finding *x, struct finding *cause)
{
    x->follows_from = cause;
    x->fix = STR("This follows from the finding before it, and goes away with it.");
    finding_paste(x, PASTE_NONE, (struct str){0});
}

void find_consequences(struct finder *f)
{
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        struct finding *cause = cause_of(f, r->cause);

        if (cause && !leads_to(cause, r->finding))
            set_cause(r->finding, cause);
    }
}
