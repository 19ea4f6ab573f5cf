/* Findings about graph breaks: one per cause, with all its places and the right fix. */
#include "analysis/answers/versions.h"
#include "analysis/breaks/break_finding.h"
#include "analysis/breaks/break_paste.h"
#include "analysis/breaks/break_title.h"
#include "analysis/breaks/break_use.h"
#include "analysis/find/guard_facts.h"
#include "text/graphs/fx_graph.h"
#include "text/python/python_code.h"
#include "util/map.h"

#include <stdlib.h>

/* --- which are one cause ------------------------------------------------------------------------------------------ */

/* A process that needs gradients compiles a forward graph, another one an inference graph. */
static bool compiled_for_inference(const struct process *p)
{
    bool inference = false;

    for (size_t i = 0; i < p->compiles.n; i++)
        for (size_t k = 0; k < p->compiles.v[i]->artifacts.n; k++) {
            const struct artifact *a = p->compiles.v[i]->artifacts.v[k];

            if (artifact_is(a, ARTIFACT_AOT_FORWARD_GRAPH) || artifact_is(a, ARTIFACT_AOT_JOINT_GRAPH))
                return false;
            inference |= artifact_is(a, ARTIFACT_AOT_INFERENCE_GRAPH);
        }
    return inference;
}

static bool is_inference(struct finder *f, const struct process *p)
{
    uint64_t *known = map_number_at(&f->inference, MAP_KEY(p));

    if (*known == 0)
        *known = compiled_for_inference(p) ? 1 : 2;
    return *known == 1;
}

/*
 * 2.4 and 2.5 record why they trace again, which they do for all breaks except at branches (symbolic_convert.py,
 * generic_jump). Their logs do not contain those either.
 */
static void set_unknown_reason(struct finder *f, struct break_fix *out)
{
    out->id = "break-unknown";
    out->what = (struct str){0};
    out->is_setting = false;
    if (pytorch_version(run_versions(f->run).pytorch) < 2004) {
        out->fix = STR("PyTorch 2.6 and later record the reason; for earlier versions, the log has it after "
                       "`COMPILING GRAPH due to`.");
        out->paste = STR("TORCH_LOGS=\"+dynamo\""); /* "graph_breaks" leaves out branches on tensors */
        return;
    }
    out->fix =
        STR("This version records no reason if a branch on a tensor's value, such as an `if` or `assert`, breaks the "
            "graph, or an attribute that Dynamo cannot set. If the line has a branch, compute both sides and choose; "
            "if not, `fullgraph=True` turns the break into an error that has the reason.");
    out->paste = STR("y = torch.where(condition, a, b)");
    out->where = STR("instead of the branch");
}

/* The line of code at a break: the graph before the break has it in the comments of its operators. */
static struct str line_in_graph(struct finder *f, const struct graph_break *b)
{
    struct str text = {0}, line;
    struct fx_place place;

    for (size_t i = 0; i < b->compile->artifacts.n && text.n == 0; i++)
        if (artifact_is(b->compile->artifacts.v[i], ARTIFACT_DYNAMO_OUTPUT_GRAPH))
            text = finder_read(f, b->compile->artifacts.v[i]);
    while (str_next_line(&text, &line))
        if (fx_place_parse(str_trim(line), &place) && place.line == b->line && str_eq(place.file, b->file) &&
            place.code.n)
            return arena_str(f->arena, place.code);
    return (struct str){0};
}

/* 2.4 and 2.5: the graph ends with the computation of the line's condition, and no reason is given. */
static bool find_unrecorded_branch(struct finder *f, const struct graph_break *b, struct break_fix *out)
{
    struct str version = run_versions(f->run).pytorch;
    unsigned number = pytorch_version(version);
    struct call *call;

    if (number < 2004 || number > 2005)
        return false;
    call = ARENA_NEW(f->arena, struct call);
    *call = (struct call){.file = b->file, .line = b->line, .function = b->function, .source = line_in_graph(f, b)};
    if (!str_starts(call->source, STR("if ")) && !str_starts(call->source, STR("while ")))
        return false;
    break_fix_find(
        f->arena,
        &(struct break_words){.message = STR("generic_jump TensorVariable()"), .stack = call, .version = version}, out);
    return true;
}

static void find_fix(struct finder *f, const struct break_place *p, struct break_fix *out)
{
    const struct graph_break *b = p->first->sample;

    if (break_reason_is_unknown(b) && find_unrecorded_branch(f, b, out))
        return;
    break_fix_find(f->arena,
                   &(struct break_words){.type = b->type,
                                         .message = b->reason,
                                         .context = b->context,
                                         .explanation = b->explanation,
                                         .hint = b->hints.n ? b->hints.v[0] : (struct str){0},
                                         .gb_id = b->gb_id,
                                         .stack = b->stack,
                                         .file = b->file,
                                         .version = run_versions(f->run).pytorch,
                                         .logged = b->compile->process->input->stated.logged,
                                         .cut_off = !break_reason_is_unknown(b) && !b->type.n && !b->reason.n,
                                         .inference = is_inference(f, b->compile->process)},
                   out);
    break_use_apply(f, p, out);
    if (break_reason_is_unknown(b))
        set_unknown_reason(f, out);
}

/* Kinds whose places have only the kind in common: each place is a cause of its own. */
static bool stands_alone(enum break_kind kind)
{
    return kind == BREAK_EXCEPTION || kind == BREAK_INVALID || kind == BREAK_BLOCK || kind >= BREAK_HINTED ||
           kind == BREAK_CALL || kind == BREAK_BUILTIN;
}

/* The key of a training step and of an ExitStack: their function. */
static struct str function_key(struct finder *f, enum break_kind kind, const struct break_member *m)
{
    return arena_printf(f->arena, "%d %.*s", kind, STR_ARG(break_function(m)));
}

/*
 * Groups places that one change to the program resolves. A setting helps at all places. Places that need to be
 * rewritten are one cause if the fix is the same; in libraries, one cause per package.
 */
static struct str cause_key(struct finder *f, const struct break_member *m)
{
    const struct break_fix *fix = &m->fix;
    const struct graph_break *b = m->place->first->sample;

    if (fix->kind == BREAK_TRAIN_STEP || fix->kind == BREAK_OPTIMIZER || fix->kind == BREAK_DISTRIBUTION ||
        fix->kind == BREAK_CONTEXT_STACK)
        return function_key(f, fix->kind, m);
    if (fix->is_setting || fix->may_be_setting)
        return arena_printf(f->arena, "%d setting", fix->kind);
    if (fix->kind == BREAK_OPAQUE)
        return arena_printf(f->arena, "%d %.*s", fix->kind, STR_ARG(fix->what));
    if (stands_alone(fix->kind))
        return arena_printf(f->arena, "%d %.*s\n%.*s\n%.*s", fix->kind, STR_ARG(b->type), STR_ARG(fix->what),
                            STR_ARG(m->fix.site.called.function));
    return arena_printf(f->arena, "%s %d %.*s\n%.*s\n%.*s", fix->id, fix->kind, STR_ARG(fix->fix), STR_ARG(fix->paste),
                        STR_ARG(fix->site.callee.module));
}

/*
 * "if has_pads:", "x if has_pads else None", "ok = a and b": explain() of 2.0 also lists the lines that call a function
 * whose branch breaks the graph.
 */
static bool has_branch(struct str line)
{
    static const struct str words[] = {STR_INIT(" if "), STR_INIT(" and "), STR_INIT(" or "), STR_INIT("not ")};

    return python_asks(line) || STR_HAS_ANY(line, words);
}

static bool is_explained_branch(const struct break_member *m)
{
    const struct graph_break *b = m->place->first->sample;

    return b->origin == BREAK_FROM_EXPLAIN && str_starts(b->reason, STR("generic_jump"));
}

/* The line shows a call, and no branch. */
static bool only_calls(const struct break_member *m)
{
    struct str line = str_trim(break_spot(m).source);

    return is_explained_branch(m) && str_chr(line, '(') > 0 && !has_branch(line);
}

/*
 * Of one cause: worst first; the places of a training step, which has no others, in the order of their lines, and those
 * of a distribution: the first is most likely where it is made.
 */
static int worst_first(const void *pa, const void *pb)
{
    const struct break_member *a = pa, *b = pb;

    if (a->fix.kind == BREAK_TRAIN_STEP || a->fix.kind == BREAK_DISTRIBUTION)
        return (break_spot(a).line > break_spot(b).line) - (break_spot(a).line < break_spot(b).line);
    if (a->severity != b->severity)
        return a->severity < b->severity ? -1 : 1;
    if (only_calls(a) != only_calls(b))
        return only_calls(a) ? 1 : -1;
    return (a->at > b->at) - (a->at < b->at);
}

static void make_member(struct finder *f, const struct break_place *p, size_t at, struct break_member *out)
{
    *out = (struct break_member){.place = p, .at = at};
    find_fix(f, p, &out->fix);
    if (out->fix.kind == BREAK_DDP && break_lacks_graphs_in_ddp(f, p->first->sample))
        break_fix_as(f->arena, BREAK_DDP_EMPTY, &out->fix);
    else if (out->fix.weight == BREAK_IS_KNOWN && f->answers->counts.traced && f->answers->counts.graphs == 0)
        out->fix.fix =
            STR("PyTorch does this in plain Python, by design, but the trace has no graph at all: nothing is compiled. "
                "Compile what computes with tensors itself: the model before it is wrapped, or your own function.");
    if (out->fix.kind == BREAK_OPTIMIZER_OFF && f->answers->counts.traced && f->answers->counts.graphs == 0)
        out->fix.weight = BREAK_IS_HIGH;
    out->cost = break_cost_of(f, p);
    out->severity = break_severity(&out->cost, out->fix.weight);
}

/* --- training steps ----------------------------------------------------------------------------------------------- */

/* The parts of a training step that a function of the program contains. */
struct break_step {
    bool backward, around; /* around: the optimizer, a scheduler, a gradient scaler */
};

static struct break_step *step_of(struct finder *f, struct map *steps, const struct break_member *m)
{
    void **slot = map_at(steps, arena_printf(f->arena, "%.*s", STR_ARG(break_function(m))));

    if (!*slot)
        *slot = ARENA_NEW(f->arena, struct break_step);
    return *slot;
}

/* A function that calls backward() and an optimizer is a training step: its breaks share one fix. */
static void find_training_steps(struct finder *f, struct break_member *members, size_t n)
{
    struct map steps;

    map_init(&steps, f->arena);
    for (size_t i = 0; i < n; i++) {
        struct break_step *s = step_of(f, &steps, &members[i]);

        s->backward |= members[i].fix.kind == BREAK_BACKWARD;
        s->around |= members[i].fix.kind == BREAK_OPTIMIZER || members[i].fix.kind == BREAK_TRAIN_STEP;
    }
    for (size_t i = 0; i < n; i++) {
        const struct break_step *s = step_of(f, &steps, &members[i]);
        enum break_kind kind = members[i].fix.kind;

        if (!s->backward || !s->around || (kind != BREAK_BACKWARD && kind != BREAK_OPTIMIZER))
            continue;
        break_fix_as(f->arena, BREAK_TRAIN_STEP, &members[i].fix);
        members[i].severity = break_severity(&members[i].cost, members[i].fix.weight);
    }
}

/* --- distributions ------------------------------------------------------------------------------------------------ */

static bool is_at_same_place(const struct break_member *a, const struct break_member *b)
{
    struct finding_spot one = break_spot(a), other = break_spot(b);

    return one.line == other.line && str_eq(one.file, other.file) &&
           a->place->first->sample->compile == b->place->first->sample->compile;
}

/*
 * Where a check breaks the graph in the middle of a line, what the line has until there must outlive the graph: the
 * method of a distribution is an object that Dynamo cannot create again, which it reports as a second break.
 */
static void find_checked_distributions(struct finder *f, struct break_member *members, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; members[i].fix.kind == BREAK_DISTRIBUTION && k < n; k++)
            if (members[k].fix.kind == BREAK_ESCAPES && is_at_same_place(&members[i], &members[k]))
                break_fix_as(f->arena, BREAK_DISTRIBUTION, &members[k].fix);
}

/* --- classes of tensors ------------------------------------------------------------------------------------------- */

enum { ARGUMENTS_MAX = 4 }; /* of an operator, that are looked at */

/* A call with an argument of this class, which Dynamo takes for an object without tensors, beside tensors. */
static struct str object_among_tensors(const struct graph_break *b, bool *is_tensor)
{
    struct str text = b->context.n ? b->context : b->reason, name;
    bool overrides = str_has(b->reason, STR("All __torch_function__ overrides for call ")) ||
                     str_has(b->type, STR("All __torch_function__ overrides for call "));

    if ((!overrides && !str_eq(b->gb_id, STR("GB0055"))) || !str_has(text, STR("TensorVariable()")) ||
        !str_between(text, STR("UserDefinedObjectVariable("), STR(")"), &name))
        return (struct str){0};
    *is_tensor = overrides; /* up to 2.6: only an argument with `__torch_function__` makes this message */
    return name;
}

/*
 * The program's `__torch_dispatch__` for tensors of this class was compiled by itself: Python called it. The guards of
 * 2.6 and earlier have no types.
 */
static bool is_dispatched(struct finder *f, const struct process *p, struct str name, bool is_tensor)
{
    for (size_t k = 0; k < p->frames.n; k++) {
        const struct frame *fr = p->frames.v[k];
        const struct guard_facts *facts;

        if (!str_eq(fr->name, STR("__torch_dispatch__")) || is_library_file(fr->file) || fr->compiles.n == 0)
            continue;
        if (is_tensor)
            return true;
        facts = guard_facts_of(f, fr->compiles.v[0]);
        for (int i = 0; i < ARGUMENTS_MAX; i++) {
            struct str type = guard_facts_type(facts, arena_printf(f->arena, "L['args'][%d]", i));

            if (type.n && str_eq(str_skip(type, (size_t)(str_rchr(type, '.') + 1)), name))
                return true;
        }
    }
    return false;
}

static void find_opaque_tensors(struct finder *f, struct break_member *members, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct graph_break *b = members[i].place->first->sample;
        bool is_tensor = false;
        struct str name = object_among_tensors(b, &is_tensor);

        if (name.n == 0 || !is_dispatched(f, b->compile->process, name, is_tensor))
            continue;
        break_fix_as(f->arena, BREAK_OPAQUE, &members[i].fix);
        members[i].fix.what =
            arena_printf(f->arena, "a tensor of `%.*s` (`__torch_dispatch__` without `__tensor_flatten__`)",
                         STR_ARG(name));
    }
}

/* --- lines that call what has a branch ---------------------------------------------------------------------------- */

/* explain() lists them before the branch, the outermost first: the same change resolves all of them. */
static void find_callers_of_branches(struct break_member *members, size_t n)
{
    for (size_t i = n; i-- > 1;) {
        struct break_member *caller = &members[i - 1];
        struct break_site site = caller->fix.site;

        if (!only_calls(caller) || !is_explained_branch(&members[i]) ||
            caller->place->first->sample->compile != members[i].place->first->sample->compile)
            continue;
        caller->fix = members[i].fix;
        caller->fix.site = site;
    }
}

/* --- settings that one place spoils for all ----------------------------------------------------------------------- */

static void find_spoiled_settings(struct finder *f, struct break_member *members, size_t n)
{
    struct break_words w = {.version = run_versions(f->run).pytorch};
    bool spoiled = false;

    for (size_t i = 0; i < n && !spoiled; i++) {
        w.stack = members[i].place->first->sample->stack;
        spoiled = (members[i].fix.kind == BREAK_PRINT || members[i].fix.kind == BREAK_WARNING) &&
                  break_spoils_reorder(&w);
    }
    for (size_t i = 0; i < n && spoiled; i++)
        break_avoid_reorder(f->arena, &members[i].fix);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

/* A line of the program may break the graph at several places below it. */
static void add_spot(struct finder *f, struct finding *x, struct finding_spot spot)
{
    vec_each(struct finding_spot, s, &x->spots)
    {
        if (s->line != spot.line || !str_eq(s->file, spot.file))
            continue;
        s->count += spot.count;
        return;
    }
    vec_push(f->arena, &x->spots, spot);
}

enum { SPOTS_MAX = 200 };

static void set_places(struct finder *f, struct finding *x, const struct break_cause *cause)
{
    struct finding_spot first = break_spot(&cause->members.v[0]);

    x->file = first.file;
    x->line = first.line;
    x->source = first.source;
    for (size_t i = 0; cause->members.n > 1 && i < cause->members.n && x->spots.n < SPOTS_MAX; i++)
        add_spot(f, x, break_spot(&cause->members.v[i]));
    if (x->spots.n == 1)
        x->spots.n = 0;
}

/* "a.py:12, b.py:3": up to five places of members of which the lines show only calls, or of all others. */
static struct str named_places(struct finder *f, const struct break_cause *cause, bool calls, size_t *n)
{
    enum { NAMED = 5 };
    struct str out = {0};

    *n = 0;
    vec_each(const struct break_member, m, &cause->members)
    {
        struct finding_spot spot = break_spot(m);

        if (spot.file.n == 0 || only_calls(m) != calls || ++*n > NAMED)
            continue;
        out = arena_printf(f->arena, "%.*s%s%.*s:%lld", STR_ARG(out), out.n ? ", " : "",
                           STR_ARG(code_file_name(spot.file)), (long long)spot.line);
    }
    return *n > NAMED ? arena_printf(f->arena, "%.*s and %zu more", STR_ARG(out), *n - NAMED) : out;
}

/* Only the text of explain() has lines that call what breaks the graph beside those that do. */
static void add_branches(struct finder *f, struct finding *x, const struct break_cause *cause)
{
    size_t branches, calls;
    struct str at = named_places(f, cause, false, &branches), called = named_places(f, cause, true, &calls);

    if (cause->members.n < 2 || !is_explained_branch(&cause->members.v[0]) || branches == 0)
        return;
    x->fix = arena_printf(f->arena, "%.*s The branch%s: %.*s.", STR_ARG(x->fix), branches > 1 ? "es" : "", STR_ARG(at));
    if (calls)
        x->fix = arena_printf(f->arena,
                              "%.*s %.*s show%s no branch, and most likely only call%s a function that has one.",
                              STR_ARG(x->fix), STR_ARG(called), calls > 1 ? "" : "s", calls > 1 ? "" : "s");
}

static void note_member(struct finder *f, struct finding *x, const struct break_place *p)
{
    for (size_t i = 0; i < p->groups.n; i++) {
        const struct break_group *g = p->groups.v[i];

        for (size_t k = 0; k < g->members.n; k++) {
            finding_evidence(f, x, g->members.v[k]->compile);
            *map_at_copy(&f->broken, MAP_KEY(g->members.v[k])) = x;
        }
        for (size_t k = 0; k < g->resumes.n; k++) {
            void **slot = map_at_copy(&f->broken, MAP_KEY(g->resumes.v[k]->frame));

            *slot = *slot ? *slot : x;
        }
    }
}

static bool states_many(const struct graph_break *b)
{
    return stated_has(&b->compile->process->input->stated, STATED_MANY_BREAKS);
}

static void add_cause(struct finder *f, struct break_cause *cause)
{
    const struct break_member *worst = &cause->members.v[0];
    enum finding_severity severity = worst->severity;
    struct finding *x;

    vec_each(const struct break_member, m, &cause->members) if (m->severity < severity) severity = m->severity;
    /* the writer counts more of them than the text shows */
    if (severity == FINDING_LOW && states_many(worst->place->first->sample))
        severity = FINDING_MEDIUM;
    cause->finding = x = finding_add(f, worst->fix.id, severity);
    x->title = break_title(f, cause);
    set_places(f, x, cause);
    break_finding_say(f, x, cause);
    add_branches(f, x, cause);
    vec_each(const struct break_member, m, &cause->members)
    {
        break_add_costs(f, x, m->place);
        note_member(f, x, m->place);
    }
}

struct finding *finding_of_break(const struct finder *f, const struct graph_break *b)
{
    return map_get(&f->broken, MAP_KEY(b));
}

struct finding *finding_of_resume(const struct finder *f, const struct frame *resume)
{
    return map_get(&f->broken, MAP_KEY(resume));
}

/* Breaks below a line of the program, in at most two functions: the second stands for the line's own break. */
struct called {
    const struct break_cause *first, *other;
};

/* A break that creates a tensor from which a later line reads a value. */
struct maker {
    const struct break_cause *cause;
    const struct break_member *member;
};

struct causes {
    VEC(struct break_cause *) list;
    VEC(struct maker) makers;
    struct map by_key;
    struct map callers; /* lines with breaks below them -> struct called */
    size_t noted;       /* causes that are in `callers` */
};

/*
 * A line that cannot be traced may break the graph again after its first break: `open(path).close()`. Without the
 * first there is no second.
 */
static bool follows(const struct finder *f, const struct break_member *m, struct finding **cause)
{
    struct finding_spot spot = break_spot(m);

    for (size_t i = 0; i < m->place->groups.n; i++)
        for (size_t k = 0; k < m->place->groups.v[i]->members.n; k++) {
            const struct frame *frame = m->place->groups.v[i]->members.v[k]->compile->frame;
            struct finding *x = frame && frame->is_resume ? finding_of_resume(f, frame) : NULL;

            if (!x || x->line != spot.line || !str_eq(x->file, spot.file) || (*cause && x != *cause))
                return false;
            *cause = x;
        }
    return *cause != NULL;
}

/* The value is read from a tensor that another line creates, whose advice covers both. */
static struct finding *maker_of_read(const struct causes *causes, const struct break_cause *cause)
{
    struct finding_spot spot = break_spot(&cause->members.v[0]);

    vec_each(const struct maker, x, &causes->makers)
    {
        if (cause->members.n == 1 && x->cause != cause && x->member->fix.read_line == spot.line &&
            str_eq(break_spot(x->member).file, spot.file))
            return x->cause->finding;
    }
    return NULL;
}

/* The rest of a training step is not compiled if the step is not. */
static struct finding *step_around(struct finder *f, const struct causes *causes, const struct break_cause *cause)
{
    const struct break_cause *step = NULL;

    vec_each(const struct break_member, m, &cause->members)
    {
        const struct break_cause *around = map_get(&causes->by_key, function_key(f, BREAK_TRAIN_STEP, m));

        if (!around || around == cause || (step && around != step) ||
            !str_eq(break_spot(&around->members.v[0]).file, break_spot(m).file))
            return NULL;
        step = around;
    }
    return step ? step->finding : NULL;
}

enum { CALLERS_MAX = 100 };

static struct str line_key(struct finder *f, const struct process *p, struct str file, int64_t line)
{
    return arena_printf(f->arena, "%u %lld %.*s", p->index, (long long)line, STR_ARG(file));
}

static const struct graph_break *first_break(const struct break_cause *cause)
{
    return cause->members.v[0].place->first->members.v[0];
}

static void note_callers(struct finder *f, struct causes *causes, const struct break_cause *cause)
{
    const struct graph_break *b = first_break(cause);
    const struct call *c = b->stack ? b->stack->parent : NULL;

    for (int i = 0; c && b->compile->frame && i < CALLERS_MAX; c = c->parent, i++) {
        void **slot = map_at(&causes->callers, line_key(f, b->compile->process, c->file, c->line));
        struct called *called = *slot;

        if (!called) {
            *slot = called = ARENA_NEW(f->arena, struct called);
            called->first = cause;
        } else if (!called->other && first_break(called->first)->compile->frame != b->compile->frame) {
            called->other = cause;
        }
    }
}

/*
 * If Dynamo does not look into the function that a line calls (allow_in_graph), it only knows that a value is read.
 * Python then runs the line, and the function is compiled by itself, with the break at its true place.
 */
static struct finding *break_inside(struct finder *f, struct causes *causes, const struct break_cause *cause)
{
    const struct break_member *m = &cause->members.v[0];
    struct finding_spot spot = break_spot(m);
    const struct compile *at = first_break(cause)->compile;
    const struct called *called;

    if (cause->members.n != 1 || (m->fix.kind != BREAK_ITEM_OPERATOR && m->fix.kind != BREAK_NUMBER) ||
        break_reads_value(spot.source))
        return NULL;
    for (; causes->noted < causes->list.n; causes->noted++)
        note_callers(f, causes, causes->list.v[causes->noted]);
    called = map_get(&causes->callers, line_key(f, at->process, spot.file, spot.line));
    if (called && first_break(called->first)->compile->frame != at->frame)
        return called->first->finding;
    return called && called->other ? called->other->finding : NULL;
}

static void find_followers(struct finder *f, struct causes *causes, struct break_cause *cause)
{
    struct finding *first = step_around(f, causes, cause);

    if (!first && (first = break_inside(f, causes, cause)) != NULL) {
        cause->finding->fix = STR("The value is read in the function that this line calls: see the finding before it.");
        finding_paste(cause->finding, PASTE_NONE, (struct str){0});
    }
    first = first ? first : maker_of_read(causes, cause);
    if (first) {
        cause->finding->follows_from = first;
        return;
    }
    vec_each(const struct break_member, m, &cause->members) if (!follows(f, m, &first)) return;
    if (first != cause->finding && !first->follows_from)
        cause->finding->follows_from = first;
}

enum { MAKERS_MAX = 50 };

static void note_makers(struct finder *f, struct causes *causes, const struct break_cause *cause)
{
    vec_each(const struct break_member, m, &cause->members)
    {
        if (m->fix.read_line && causes->makers.n < MAKERS_MAX)
            vec_push(f->arena, &causes->makers, ((struct maker){cause, m}));
    }
}

static void add_member(struct finder *f, struct causes *causes, const struct break_member *m)
{
    void **slot = map_at(&causes->by_key, cause_key(f, m));

    if (!*slot) {
        *slot = ARENA_NEW(f->arena, struct break_cause);
        vec_push(f->arena, &causes->list, (struct break_cause *)*slot);
    }
    vec_push(f->arena, &((struct break_cause *)*slot)->members, *m);
}

/* explain() counts more breaks than the text has reasons, because someone left lines out. */
static void say_missing(struct finder *f, const struct causes *causes)
{
    uint64_t counted = 0, listed = 0;
    struct finding *x = NULL;

    for (size_t i = 0; i < f->run->processes.n; i++) {
        const struct process *p = f->run->processes.v[i];

        counted += p->explained_breaks;
        for (size_t k = 0; k < p->unattributed->breaks.n; k++) {
            const struct graph_break *b = p->unattributed->breaks.v[k];

            listed += b->origin == BREAK_FROM_EXPLAIN ? b->counted ? b->counted : 1 : 0;
        }
    }
    for (size_t i = causes->list.n; i-- > 0;)
        if (first_break(causes->list.v[i])->origin == BREAK_FROM_EXPLAIN)
            x = causes->list.v[i]->finding;
    if (x && counted > listed)
        x->fix = arena_printf(f->arena,
                              "%.*s%s`explain` counts %llu graph breaks, and this text has the reasons of only %llu.",
                              STR_ARG(x->fix), x->fix.n == 0 ? "" : str_ends(x->fix, STR(".")) ? " " : ". ",
                              (unsigned long long)counted, (unsigned long long)listed);
}

void find_graph_breaks(struct finder *f)
{
    const struct break_groups *breaks = &f->answers->breaks;
    size_t n = breaks->places.n;
    struct break_member *members = ARENA_ARRAY(f->arena, struct break_member, n ? n : 1);
    struct causes causes = {0};

    map_init(&causes.by_key, f->arena);
    map_init(&causes.callers, f->arena);
    for (size_t i = 0; i < n; i++)
        make_member(f, breaks->places.v[i], i, &members[i]);
    find_training_steps(f, members, n);
    find_checked_distributions(f, members, n);
    find_opaque_tensors(f, members, n);
    find_callers_of_branches(members, n);
    find_spoiled_settings(f, members, n);
    for (size_t i = 0; i < n; i++)
        add_member(f, &causes, &members[i]);
    for (size_t i = 0; i < causes.list.n; i++) {
        qsort(causes.list.v[i]->members.v, causes.list.v[i]->members.n, sizeof(struct break_member), worst_first);
        add_cause(f, causes.list.v[i]);
        note_makers(f, &causes, causes.list.v[i]);
    }
    for (size_t i = 0; i < causes.list.n; i++)
        find_followers(f, &causes, causes.list.v[i]);
    say_missing(f, &causes);
}
