/* Recompiles that are consequences: of a graph break, or of the recompile of an enclosing function. */
#include "analysis/find/detectors.h"
#include "analysis/find/find.h"

#include "analysis/breaks/break_paste.h"
#include "analysis/breaks/break_settings.h"
#include "analysis/consequences/break_reach.h"
#include "analysis/consequences/recompile_around.h"
#include "analysis/find/guard_facts.h"
#include "analysis/recompiles/recompile_cause.h"
#include "analysis/remedies/recompile_remedy.h"
#include "analysis/remedies/remedies_tensors.h"
#include "text/python/python_call.h"
#include "text/python/python_code.h"

/* --- recompiles of functions that are compiled by themselves because of a break ----------------------------------- */

/* Changes between one call of a layer and the next, while the enclosing model is always called in the same way. */
static bool is_of_tensors(enum change change)
{
    static const enum change changes[] = {CHANGE_SIZE,       CHANGE_SMALL_SIZE,    CHANGE_DTYPE,      CHANGE_STRIDE,
                                          CHANGE_DIMENSIONS, CHANGE_REQUIRES_GRAD, CHANGE_TENSOR_KIND};

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (changes[i] == change)
            return true;
    return false;
}

/* "x", "x[2]", "___from_numpy(x)": an argument, or a part of one, as opposed to `self` and global variables. */
static bool is_argument(struct finder *f, const struct guard_reason *g)
{
    struct str variable = g ? guard_variable(recompile_full_source(f->arena, g->source)) : (struct str){0};

    return break_is_identifier(variable) && !str_eq(variable, STR("self")) && !str_starts(variable, STR("___")) &&
           !str_starts(g->source, STR("G["));
}

/* What else can differ between two objects that a function is called with. */
static bool is_of_objects(enum change change)
{
    static const enum change changes[] = {CHANGE_TYPE,     CHANGE_IDENTITY, CHANGE_NONE,   CHANGE_LENGTH,
                                          CHANGE_ALIASING, CHANGE_DICT,     CHANGE_DEVICE, CHANGE_INFERENCE};

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (changes[i] == change)
            return true;
    return false;
}

/*
 * Changes of a tensor, or of a variable of the function: attributes of an object may change between calls of the
 * model.
 */
static bool is_of_arguments(struct finder *f, const struct recompile_cause *cause)
{
    enum change change = cause->change;

    if (change == CHANGE_CONSTANT || change == CHANGE_INT || change == CHANGE_FLOAT)
        return cause->sample && break_is_identifier(cause->sample->name);
    if (change == CHANGE_MODULE_ATTRIBUTE) /* each layer has a value of its own, unless the code itself counts */
        return !recompile_is_endless(f, cause);
    if (is_of_objects(change))
        return is_argument(f, cause->sample) && !recompile_is_endless(f, cause);
    return is_of_tensors(change);
}

/* It has guards on tensors and was compiled once: all calls had the same kind of arguments. */
static bool is_called_alike(struct finder *f, const struct frame *fr)
{
    bool tensors = guard_facts_have_tensors(guard_facts_of(f, fr->compiles.v[0]));

    guard_facts_forget(f);
    return tensors && fr->compiles.n == 1;
}

/*
 * Nothing is known about a function that was skipped, but the output of the first layer is the first that requires
 * gradients.
 */
static bool is_past_first_layer(const struct recompile_cause *cause, const struct graph_break *b)
{
    const struct frame *fr = cause->first->compile->frame;

    return cause->change == CHANGE_REQUIRES_GRAD &&
           break_reach_is_direct(fr, b);
}

/*
 * Of a function that was given up nothing is known, but what it passes on is mostly its own: a loop counts, or goes
 * through the keys of a dict, or calls the other function with a parameter and then with what it computed.
 */
static bool is_value_of_python(const struct recompile_cause *cause, const struct graph_break *b)
{
    enum change change = cause->change;

    return (change == CHANGE_INT || change == CHANGE_FLOAT || change == CHANGE_CONSTANT || is_of_objects(change)) &&
           compile_given_up(b->compile);
}

/*
 * Without the break, the function would be part of the enclosing one. If that was always called alike, only the layer
 * differs, and inside one graph that is not a change. Where stacks lack callers, the function may also be called from
 * elsewhere, so this is only certain for modules.
 */
static struct finding *finding_around(struct finder *f, const struct recompile_cause *cause, bool *sure)
{
    const struct graph_break *b;

    *sure = cause->change == CHANGE_MODULE;
    if (!*sure && !is_of_arguments(f, cause))
        return NULL;
    b = break_reach_of(f, cause->first->compile->frame);
    if (!b || (!*sure && !is_called_alike(f, b->compile->frame) && !is_past_first_layer(cause, b) &&
               !is_value_of_python(cause, b) && !break_reach_hands_over(cause->first->compile->frame, b)))
        return NULL;
    *sure = *sure || break_reach_hands_over(cause->first->compile->frame, b);
    return finding_of_break(f, b);
}

/* --- optimizers --------------------------------------------------------------------------------------------------- */

static struct finding *training_step(const struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++)
        if (strcmp(f->out->list.v[i]->info->id, "break-train-step") == 0)
            return f->out->list.v[i];
    return NULL;
}

/* All of it is in PyTorch's optimizers. */
static bool is_of_an_optimizer(const struct finding *x)
{
    for (size_t i = 0; i < x->compiles.n; i++)
        if (!x->compiles.v[i]->frame || !code_file_has(x->compiles.v[i]->frame->file, STR("torch/optim/")))
            return false;
    return x->compiles.n > 0;
}

/* Links an optimizer that is only compiled because the whole training step is. */
static void link_optimizers(struct finder *f)
{
    struct finding *step = training_step(f);

    for (size_t i = 0; step && i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        if (x != step && !x->follows_from && is_of_an_optimizer(x))
            x->follows_from = step;
    }
}

/* --- values that a break made ------------------------------------------------------------------------------------- */

/* "t0" of "t0.x[1]" */
static struct str root_of(struct str name)
{
    size_t n = 0;

    while (n < name.n && name.p[n] != '.' && name.p[n] != '[')
        n++;
    return str_take(name, n);
}

/* Whether a line is "NAME = …" or "a, NAME = …". */
static bool assigns(struct str source, struct str name)
{
    ptrdiff_t at = python_find(source, STR("="), PYTHON_TOP_LEVEL);
    struct str targets = str_take(source, at < 0 ? 0 : (size_t)at);

    while (targets.n)
        if (str_eq(str_trim(str_split(&targets, ',')), name))
            return true;
    return false;
}

/* "random.shuffle(order)": the called function may change the variable. */
static bool passes(struct arena *a, struct str source, struct str name)
{
    struct python_call call;

    if (!python_only_call(a, source, &call))
        return false;
    vec_each(const struct python_argument, x, &call.arguments) if (str_eq(x->value, name)) return true;
    return false;
}

/* Whether a line of the function that breaks the graph gives a local variable its value. */
static bool is_made_at(const struct finder *f, const struct graph_break *b, const struct frame *fr, struct str name,
                       bool *sure)
{
    for (const struct call *c = b->stack; c; c = c->parent) {
        if (!str_eq(c->function, fr->resumes) || !str_eq(c->file, fr->file))
            continue;
        *sure = assigns(c->source, name);
        if (*sure || passes(f->arena, c->source, name))
            return true;
    }
    return false;
}

/*
 * A resume function gets values as inputs that the lines before it computed: without the break they would be inside
 * one graph. The break may be another one than the one that it resumes from.
 */
static struct finding *break_that_makes(const struct finder *f, const struct frame *fr, struct str name, bool *sure)
{
    const struct compile *c;

    if (name.n == 0)
        return NULL;
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        for (size_t i = 0; c->process == fr->process && i < c->breaks.n; i++)
            if (finding_of_break(f, c->breaks.v[i]) && is_made_at(f, c->breaks.v[i], fr, name, sure))
                return finding_of_break(f, c->breaks.v[i]);
    return NULL;
}

static bool is_at(const struct finding *x, struct str file, int64_t line)
{
    if (x->line == line && str_eq(x->file, file))
        return true;
    for (size_t i = 0; i < x->spots.n; i++)
        if (x->spots.v[i].line == line && str_eq(x->spots.v[i].file, file))
            return true;
    return false;
}

static struct finding *break_at(const struct finder *f, struct str file, int64_t line)
{
    for (size_t i = 0; i < f->out->list.n; i++)
        if (strncmp(f->out->list.v[i]->info->id, "break-", 6) == 0 && is_at(f->out->list.v[i], file, line))
            return f->out->list.v[i];
    return NULL;
}

/*
 * A lambda or comprehension in a line that breaks the graph is only compiled separately because Python runs the line.
 */
static struct finding *break_around(const struct finder *f, const struct frame *fr)
{
    return str_starts(fr->name, STR("<")) ? break_at(f, fr->file, fr->line) : NULL;
}

/*
 * Operators call it, each with its own arguments: in a graph it is part of the code that uses the operators. Stacks do
 * not show where it is called from, so any break at such a tensor in the process counts.
 */
static struct finding *break_around_override(const struct finder *f, const struct frame *fr)
{
    bool dispatch = str_eq(fr->name, STR("__torch_dispatch__"));

    if (!dispatch && !str_eq(fr->name, STR("__torch_function__")))
        return NULL;
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        if (strcmp(x->info->id, "break-tensor-kind") == 0 && x->compiles.n &&
            x->compiles.v[0]->process == fr->process && (!dispatch || str_has(x->title, fr->name)))
            return x;
    }
    return NULL;
}

/* --- collectives that fail ---------------------------------------------------------------------------------------- */

static bool is_waited(const struct finder *f, const struct finding *x)
{
    for (size_t i = 0; i < f->waited.n; i++)
        if (f->waited.v[i].finding == x)
            return true;
    return false;
}

/* Whether the two concern different ranks of one run. */
static bool is_of_other_ranks(const struct finding *x, const struct finding *cause)
{
    for (size_t i = 0; i < cause->compiles.n; i++)
        for (size_t k = 0; k < x->compiles.n; k++)
            if (cause->compiles.v[i]->process->group != x->compiles.v[k]->process->group ||
                cause->compiles.v[i]->process->rank == x->compiles.v[k]->process->rank)
                return false;
    return cause->compiles.n && x->compiles.n;
}

static bool is_of_same_run(const struct finding *x, const struct finding *y)
{
    return x->compiles.n && y->compiles.n && x->compiles.v[0]->process->group == y->compiles.v[0]->process->group;
}

/* A launcher sees at once that a process ended: what it reports after the failure of a collective came after it. */
static bool is_reported_later(const struct finder *f, const struct finding *y, const struct failure *waiting)
{
    static const struct str words[] = {STR_INIT("timeout"), STR_INIT("timed out"), STR_INIT("Timed out")};

    for (size_t i = 0; STR_HAS_ANY(waiting->message, words) && i < f->reported.n; i++)
        if (f->reported.v[i].finding == y &&
            f->reported.v[i].failure->compile->process->input == waiting->compile->process->input &&
            f->reported.v[i].failure->record_line > waiting->record_line)
            return true;
    return false;
}

/* A rank that failed by itself never reaches the collective; otherwise the cause is that ranks call different ones. */
static struct finding *cause_of_waiting(const struct finder *f, const struct of_failure *waiting)
{
    const struct finding *x = waiting->finding;
    struct finding *hang = NULL;

    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *y = f->out->list.v[i];

        if (strcmp(y->info->id, "error") == 0 && !is_waited(f, y) && is_of_other_ranks(x, y) &&
            !is_reported_later(f, y, waiting->failure))
            return y;
        if (strcmp(y->info->id, "rank-hang") == 0 && is_of_same_run(x, y))
            hang = y;
    }
    while (hang && hang->follows_from)
        hang = hang->follows_from;
    return hang;
}

/* Ranks waiting for another rank fail after it, and with more noise. */
static void link_collectives(struct finder *f)
{
    for (size_t i = 0; i < f->waited.n; i++)
        if (!f->waited.v[i].finding->follows_from)
            f->waited.v[i].finding->follows_from = cause_of_waiting(f, &f->waited.v[i]);
}

/* --- functions without operators ---------------------------------------------------------------------------------- */

/* Each function was only compiled separately because of a break; an intended break is not a cause. */
static struct finding *break_around_all(const struct finder *f, const struct finding *x)
{
    struct finding *cause = NULL;

    for (size_t i = 0; i < x->compiles.n; i++) {
        const struct frame *fr = x->compiles.v[i]->frame;
        const struct graph_break *b = fr ? break_reach_of(f, fr) : NULL;

        if (!b || strcmp(finding_of_break(f, b)->info->id, "break-on-purpose") == 0)
            return NULL;
        cause = cause ? cause : finding_of_break(f, b);
    }
    return cause;
}

static void link_empty_graphs(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        if (strcmp(x->info->id, "empty-graph") != 0 || x->follows_from)
            continue;
        x->follows_from = break_around_all(f, x);
        if (!x->follows_from && x->compiles.n && x->compiles.v[0]->frame)
            x->follows_from = break_around(f, x->compiles.v[0]->frame);
    }
}

/* The line that is to be written in another way for the break is the one that needs the size. */
static void link_specializations(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        if (strcmp(x->info->id, "specialization") == 0 && !x->follows_from && x->file.n)
            x->follows_from = break_at(f, x->file, x->line);
    }
}

/*
 * Dynamo's own failure in what is left of a function after a break: without the break there is no such function. The
 * graph may fail there all the same, when the whole is compiled.
 */
static void link_failed_rest(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i], *cause;
        const struct frame *fr = x->compiles.n == 1 ? x->compiles.v[0]->frame : NULL;

        if (strcmp(x->info->id, "error") != 0 || x->follows_from || !fr || !fr->is_resume ||
            !str_starts(x->title, str_of(error_category_title(ERROR_DYNAMO_BUG))))
            continue;
        cause = finding_of_resume(f, fr);
        if (!cause)
            continue;
        x->follows_from = cause;
        x->fix = arena_printf(f->arena, "It fails in what is compiled of the function after that break: remove the "
                                        "break first. If it stays:\n%.*s", STR_ARG(x->fix));
    }
}

/* A coroutine cannot be cut: the break in it is why the call fails, and both have one remedy. */
static void link_coroutines(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i], *cut;
        const struct compile *c = x->compiles.n ? x->compiles.v[0] : NULL;

        if (strcmp(x->info->id, "error") != 0 || !c || !c->frame ||
            !str_starts(x->fix, STR("The compiled function is a coroutine")))
            continue;
        x->title = arena_printf(f->arena, "`%.*s` is an `async` function: it cannot be cut at a graph break, so the "
                                          "call fails",
                                STR_ARG(c->frame->name));
        for (size_t k = 0; k < c->breaks.n; k++) {
            cut = finding_of_break(f, c->breaks.v[k]);
            if (cut && !cut->follows_from && cut->compiles.n == 1 && is_at(cut, x->file, x->line))
                cut->follows_from = x;
        }
    }
}

/* Chains of causes must end: a finding cannot be its own cause. */
static bool leads_to(const struct finding *from, const struct finding *x)
{
    for (; from; from = from->follows_from)
        if (from == x)
            return true;
    return false;
}

/*
 * The failure did not leave the line of the program that leads to it: what that line calls next is compiled later.
 * After a failure that is an error, nothing else is.
 */
static bool went_on(const struct compile *failed)
{
    const struct call *line = failed->stack ? failed->stack->parent : NULL;
    const struct process *p = failed->process;

    while (line && is_framework_file(line->file))
        line = line->parent;
    for (size_t i = 0; line && i < p->compiles.n; i++)
        if (p->compiles.v[i]->index > failed->index && break_reach_calls_at(p->compiles.v[i]->stack, line))
            return true;
    return false;
}

/* "Unsupported functorch tracing attempt" of "`fullgraph=True` failed: Unsupported functorch tracing attempt". */
static bool says_forbidden(struct str title, struct str *what)
{
    *what = title;
    return str_consume(what, STR("`fullgraph=True` failed: ")) ||
           str_consume(what, STR("The traced code raises an exception: ")) ||
           str_consume(what, STR("`fullgraph=True` or export failed: "));
}

/*
 * After a break, Python calls functions that were to be a part of the graph, and Dynamo tries each by itself. One that
 * it cannot compile runs eagerly: nothing forbids the break, whatever the record of the failure looks like.
 */
static void link_failed_callees(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];
        const struct frame *fr = x->compiles.n ? x->compiles.v[0]->frame : NULL;
        const struct graph_break *b;
        struct str what;

        if (strcmp(x->info->id, "error") != 0 || x->follows_from || !fr || !says_forbidden(x->title, &what) ||
            !went_on(x->compiles.v[0]) || (b = break_reach_of(f, fr)) == NULL || !break_reach_is_run(fr, b))
            continue;
        x->follows_from = finding_of_break(f, b);
        x->severity = x->follows_from->severity;
        x->title = arena_printf(f->arena, "Not compiled (run eagerly): `%.*s`: %.*s", STR_ARG(fr->name), STR_ARG(what));
        x->fix = arena_printf(f->arena,
                              "Python calls it because of that break: remove the break first. If it stays:\n%.*s",
                              STR_ARG(x->fix));
        finding_paste(x, PASTE_NONE, (struct str){0});
    }
}

/* A part of a transform, such as the gradient in `jacrev`, that Python runs because of a break before. */
static void link_transforms(struct finder *f)
{
    for (size_t i = 0; i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];
        const struct frame *fr = x->compiles.n ? x->compiles.v[0]->frame : NULL;
        const struct graph_break *b;

        if (x->info->find != find_graph_breaks || x->follows_from || !fr ||
            !code_file_has(fr->file, STR("torch/_functorch/")) || (b = break_reach_of(f, fr)) == NULL ||
            !break_reach_is_run(fr, b) || leads_to(finding_of_break(f, b), x))
            continue;
        x->follows_from = finding_of_break(f, b);
    }
}

/* --- what changes together ---------------------------------------------------------------------------------------- */

/*
 * A condition on a size that has a finding because it varies: "x.size()[0] // 2 == 4". Fewer sizes are the remedy of
 * both. If the remedy is to mark the size, one graph for each side of the condition remains.
 */
static struct finding *size_decided_on(struct finder *f, const struct recompile_cause *x)
{
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        if (x->change != CHANGE_RELATION || r->cause->change != CHANGE_SIZE ||
            r->cause->first->compile->frame != x->first->compile->frame ||
            (!recompile_decides_often(x) && strcmp(r->finding->info->id, "recompile-specialized") != 0))
            continue;
        vec_each(const struct input_change, input,
                 &r->cause->inputs.list) if (recompile_is_about(f, x, input)) return r->finding;
    }
    return NULL;
}

static bool is_beside(struct finder *f, const struct recompile_cause *x, const struct recompile_cause *other)
{
    struct str source = recompile_full_source(f->arena, other->sample ? other->sample->source : (struct str){0});

    vec_each(const struct str, beside, &x->beside) if (str_eq(*beside, source)) return true;
    return false;
}

/*
 * Whenever this changed, the other changed too, and the other also changed alone: so the other is what differs between
 * calls.
 */
static struct finding *changes_with(struct finder *f, const struct recompile_cause *x)
{
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        if (r->cause != x && !x->alone && r->cause->alone && recompile_is_chosen(r->cause->change) &&
            r->cause->first->compile->frame == x->first->compile->frame && is_beside(f, x, r->cause))
            return r->finding;
    }
    return NULL;
}

/* The paste of a finding about sizes has these integers as well: `x.split(lengths)`. */
static struct finding *size_tied_to(struct finder *f, const struct recompile_cause *x)
{
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        if (x->change == CHANGE_INT && r->cause->first->compile->frame == x->first->compile->frame &&
            r->finding->paste.text.n && remedies_tensors_tied_number(f, r->cause).n)
            return r->finding;
    }
    return NULL;
}

static void link_together(struct finder *f, const struct recompiled *r)
{
    struct finding *size = size_decided_on(f, r->cause), *other = size ? NULL : changes_with(f, r->cause);
    struct finding *cause = size ? size : other, *tied = cause ? NULL : size_tied_to(f, r->cause);

    if (tied && !leads_to(tied, r->finding)) {
        r->finding->follows_from = tied;
        r->finding->fix = STR("The sizes of the finding before it are computed from such integers, and its text to "
                              "paste is for both.");
        finding_paste(r->finding, PASTE_NONE, (struct str){0});
    }
    if (!cause || leads_to(cause, r->finding))
        return;
    r->finding->follows_from = cause;
    r->finding->fix = arena_printf(f->arena, "%s %.*s",
                                   size ? "This is a condition on the size that the finding before it is about."
                                        : "This changes together with what the finding before it is about.",
                                   STR_ARG(r->finding->fix));
    finding_paste(r->finding, PASTE_NONE, (struct str){0});
}

/* Nothing can be done about such a break: whoever reads about a consequence needs the remedy of that one. */
static bool is_by_design(const struct finding *x)
{
    return strcmp(x->info->severity, "info") == 0;
}

/* --- numbers that are kept ---------------------------------------------------------------------------------------- */

/* ".peak" of "self.meter.peak"; a global variable as it is. */
static struct str last_name(struct str name)
{
    return str_rchr(name, '.') < 0 ? name : str_skip(name, (size_t)str_rchr(name, '.'));
}

static bool keeps(struct str source, struct str name)
{
    struct str target = break_kept_in(str_trim(source));

    return target.n && str_eq(last_name(target), last_name(name));
}

/* The number that changes is the one that a break at an `.item()` stores: a tensor in its place ends both. */
static struct finding *break_that_keeps(const struct finder *f, const struct recompile_cause *cause)
{
    static const enum change changes[] = {CHANGE_FLOAT, CHANGE_INT, CHANGE_GLOBAL_VALUE, CHANGE_MODULE_ATTRIBUTE};
    bool number = false;

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        number |= cause->sample && cause->sample->name.n && changes[i] == cause->change;
    for (size_t i = 0; number && i < f->out->list.n; i++) {
        struct finding *x = f->out->list.v[i];

        if (strcmp(x->info->id, "break-item") != 0 || x->compiles.n == 0 ||
            x->compiles.v[0]->process != cause->first->compile->process)
            continue;
        if (keeps(x->source, cause->sample->name))
            return x;
        vec_each(const struct finding_spot, s, &x->spots) if (keeps(s->source, cause->sample->name)) return x;
    }
    return NULL;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static struct finding *cause_of(struct finder *f, const struct recompile_cause *cause, bool *sure)
{
    const struct frame *fr = cause->first->compile->frame;
    struct finding *x = NULL;

    *sure = true;
    /* What a call returns that broke the graph does not know the marks of what it was given. */
    if (fr->is_resume && recompile_is_from_break(cause->sample))
        x = finding_of_resume(f, fr);
    if (!x || is_by_design(x))
        x = recompile_around(f, cause);
    if (!x)
        x = recompile_part_replaced(f, cause);
    if (!x)
        x = recompile_number_for_tensor(f, cause);
    if (!x)
        x = break_that_keeps(f, cause);
    if (!x && fr->is_resume && recompile_is_from_break(cause->sample))
        x = finding_of_resume(f, fr);
    if (!x && fr->is_resume && cause->sample)
        x = break_that_makes(f, fr, root_of(cause->sample->name), sure);
    if (x)
        return x;
    *sure = true;
    x = break_around(f, fr);
    x = x ? x : break_around_override(f, fr);
    return x ? x : finding_around(f, cause, sure);
}

/* The remedy for the cause helps here too; a separate one would be about values that have no name. */
static void set_cause(struct finder *f, struct finding *x, struct finding *cause, bool sure)
{
    bool several = str_chr(x->fix, '\n') >= 0; /* for a function that hit the limit */
    struct str others = x->fix;

    x->follows_from = cause;
    x->fix = sure ? STR("This follows from the finding before it, and goes away with it.")
                  : arena_printf(f->arena,
                                 "This may follow from the finding before it: without that break the function would be "
                                 "a part of the graph around it.%s%.*s",
                                 others.n && !several ? " If it stays: " : "", STR_ARG(several ? STR("") : others));
    if (several)
        x->fix = arena_printf(f->arena, "%.*s All causes:\n%.*s", STR_ARG(x->fix), STR_ARG(others));
    finding_paste(x, PASTE_NONE, (struct str){0});
}

/* Of the function of a training step, or of what is left of it after a break. */
static bool is_of_step(const struct frame *fr, const struct finding *step)
{
    const struct frame *whole = step->compiles.n ? step->compiles.v[0]->frame : NULL;

    return whole && str_eq(fr->file, whole->file) &&
           str_eq(fr->is_resume ? fr->resumes : fr->name, whole->is_resume ? whole->resumes : whole->name);
}

/* A container in which a training step keeps something, such as losses: it is not changed by a compiled model. */
static void link_containers_of_step(struct finder *f)
{
    struct finding *step = training_step(f);

    if (!step)
        return;
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        if (r->finding->follows_from || r->cause->change != CHANGE_LENGTH || is_argument(f, r->cause->sample) ||
            !is_of_step(r->cause->first->compile->frame, step) || leads_to(step, r->finding))
            continue;
        set_cause(f, r->finding, step, true);
    }
}

void find_consequences(struct finder *f)
{
    vec_each(const struct recompiled, r, &f->recompiled)
    {
        bool sure;
        struct finding *cause = cause_of(f, r->cause, &sure);

        if (cause && !is_by_design(cause) && !leads_to(cause, r->finding))
            set_cause(f, r->finding, cause, sure);
    }
    vec_each(const struct recompiled, r, &f->recompiled) if (!r->finding->follows_from) link_together(f, r);
    link_containers_of_step(f);
    link_failed_rest(f);
    link_coroutines(f);
    link_failed_callees(f);
    link_transforms(f);
    link_empty_graphs(f);
    link_specializations(f);
    link_optimizers(f);
    link_collectives(f);
}
