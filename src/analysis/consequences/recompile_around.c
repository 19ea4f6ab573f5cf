#include "analysis/consequences/recompile_around.h"

#include "analysis/breaks/break_settings.h"
#include "analysis/find/guard_facts.h"

static bool is_of_sizes(const struct recompile_cause *c)
{
    return c->change == CHANGE_SIZE || c->change == CHANGE_SMALL_SIZE || c->change == CHANGE_MODULE;
}

/* The length of a list changed around it. */
static bool is_of_list(const struct recompile_cause *x, const struct recompile_cause *around)
{
    return x->change != CHANGE_LENGTH && around->change == CHANGE_LENGTH && around->sample;
}

/* A value of one changed like a value of the other; another module is expected to have other sizes. */
static bool moves_alike(const struct recompile_cause *a, const struct recompile_cause *b)
{
    if (b->change == CHANGE_MODULE)
        return true;
    if (b->change == CHANGE_LENGTH) /* a tensor is made of a list */
        vec_each(const struct input_change, x, &a->inputs.list)
            if (str_eq(x->from, b->sample->expected)) return true;
    vec_each(const struct input_change, x, &a->inputs.list)
        vec_each(const struct input_change, y,
                 &b->inputs.list) if (str_eq(x->from, y->from) && str_eq(x->to, y->to)) return true;
    return false;
}

/* The code of `inner` runs within the code of `outer`: it is a resume function of it, or called from it. */
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

/* "spec" of L['spec'].layers[0] */
static bool is_input_of(const struct compile *c, struct str source)
{
    struct str variable = guard_variable(source);

    vec_each(const struct tensor, t, &c->tensors) if (str_eq(guard_variable(t->source), variable)) return true;
    return false;
}

/*
 * Sizes of variables that the enclosing function creates: they change when the sizes of its inputs do. The resume
 * function after a break gets them as inputs.
 */
static bool is_made_around(const struct recompile_cause *x, const struct recompile_cause *cause)
{
    if (x->change != CHANGE_SIZE || cause->change != CHANGE_SIZE || !x->first->compile->frame->is_resume ||
        x->inputs.list.n == 0 || recompile_is_from_break(x->sample))
        return false;
    vec_each(const struct input_change, input,
             &x->inputs.list) if (is_input_of(cause->first->compile, input->source)) return false;
    return true;
}

bool recompile_is_chosen(enum change change)
{
    static const enum change changes[] = {CHANGE_CONSTANT, CHANGE_IDENTITY, CHANGE_NONE,
                                          CHANGE_INT,      CHANGE_TYPE,     CHANGE_TRAINING};

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (changes[i] == change)
            return true;
    return false;
}

/* "labels" of "kwargs['labels']" */
static struct str argument_of(const struct recompile_cause *cause)
{
    struct str name = cause->sample ? cause->sample->name : (struct str){0};

    if (str_consume(&name, STR("kwargs['")))
        name = str_take(name, (size_t)(str_chr(name, '\'') < 0 ? 0 : str_chr(name, '\'')));
    return break_is_identifier(name) ? name : (struct str){0};
}

/* An argument of the function around goes on to the one inside under its own name. */
static bool is_passed_on(const struct recompile_cause *x, const struct recompile_cause *cause)
{
    struct str name = argument_of(x);

    return x->change == cause->change && recompile_is_chosen(x->change) && name.n && str_eq(name, argument_of(cause));
}

static bool follows(const struct recompile_cause *x, const struct recompile_cause *cause)
{
    const struct compile *inner = x->first->compile, *outer = cause->first->compile;
    bool alike = is_of_sizes(x) == (is_of_sizes(cause) || is_of_list(x, cause));

    return x != cause && alike && inner->process == outer->process && inner->frame != outer->frame &&
           outer->index < inner->index && runs_within(inner, outer->frame) &&
           (moves_alike(x, cause) || is_made_around(x, cause) || is_passed_on(x, cause));
}

struct finding *recompile_around(const struct finder *f, const struct recompile_cause *x)
{
    vec_each(const struct recompiled, r, &f->recompiled) if (follows(x, r->cause)) return r->finding;
    return NULL;
}

/*
 * A part of the module was replaced by one of another class, and later by one with parameters of another size:
 * self._modules['head'], and its bias.
 */
struct finding *recompile_part_replaced(const struct finder *f, const struct recompile_cause *x)
{
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        const struct recompile_cause *cause = r->cause;

        if (x->change == CHANGE_MODULE && cause->change == CHANGE_TYPE &&
            cause->first->compile->frame == x->first->compile->frame &&
            str_starts(cause->sample->source, STR("self.")) && str_starts(x->sample->source, cause->sample->source))
            return r->finding;
    }
    return NULL;
}

/* A number took the place of a tensor, as a scheduler's of the learning rate: its values then change. */
struct finding *recompile_number_for_tensor(const struct finder *f, const struct recompile_cause *x)
{
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        const struct recompile_cause *cause = r->cause;

        if (cause != x && x->sample && cause->sample && cause->change == CHANGE_TYPE && x->change != CHANGE_TYPE &&
            cause->first->compile->frame == x->first->compile->frame &&
            cause->first->compile->index < x->first->compile->index && x->sample->source.n &&
            str_eq(cause->sample->source, x->sample->source) && str_has(cause->sample->words, STR("was a tensor")))
            return r->finding;
    }
    return NULL;
}
