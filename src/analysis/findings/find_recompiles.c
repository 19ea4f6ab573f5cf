/* Findings about recompiles, grouped by cause, with remedies. */
#include "analysis/findings/find_recompiles.h"

#include "analysis/find/callee.h"
#include "analysis/find/caller.h"
#include "analysis/recompiles/recompile_library.h"
#include "analysis/remedies/remedies_objects.h"
#include "analysis/remedies/remedies_values.h"
#include "text/python/traceback.h"

/* --- the place ---------------------------------------------------------------------------------------------------- */

static bool set_call(struct finding *x, const struct call *c)
{
    if (c)
        finding_place(x, c);
    return c != NULL;
}

/* The user's innermost line in the stack that PyTorch writes below a reason (2.10 and later). */
static bool set_from_stack(struct finder *f, struct finding *x, const struct guard_reason *g)
{
    struct text_stack stack = {0};
    struct str text = g->user_stack;

    if (text.n == 0 || text_stack_take(f->arena, &text, &stack) == 0)
        return false;
    for (size_t i = stack.calls.n; i > 0; i--) {
        const struct text_call *c = &stack.calls.v[i - 1];

        if (is_framework_file(c->file))
            continue;
        x->file = c->file;
        x->line = c->line;
        x->source = str_trim(c->source);
        return true;
    }
    return false;
}

/* The line that made the guard. Guards shorten file paths at the beginning, so the folders may differ. */
static bool set_guard_line(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;
    struct str whole = cause->first->compile->frame->file;

    if (set_from_stack(f, x, g))
        return true;
    if (g->user_line <= 0 || g->user_code.n == 0 ||
        (whole.n && !str_eq(str_file_name(whole), str_file_name(g->user_file))))
        return false;
    x->file = whole.n ? whole : g->user_file;
    x->line = g->user_line;
    x->source = g->user_code;
    return true;
}

static bool is_own_frame(const struct frame *fr)
{
    return fr->file.n && !is_framework_file(fr->file);
}

static void set_frame(struct finding *x, const struct frame *fr)
{
    x->file = fr->file;
    x->line = fr->is_resume ? fr->resumes_line : fr->line;
}

/* The cause is decided inside the function, not where it is called. */
static bool is_inside(const struct recompile_cause *cause)
{
    struct str source = cause->sample ? cause->sample->source : (struct str){0};

    str_consume(&source, STR("L['"));
    if (cause->change == CHANGE_IDENTITY && str_has(cause->sample->user_code, STR("id(")))
        return true;
    if ((str_starts(source, STR("self")) || str_starts(source, STR("G["))) && cause->change != CHANGE_OPTIMIZER)
        return true;
    switch (cause->change) {
    case CHANGE_GLOBAL_VALUE:
    case CHANGE_MODULE_ATTRIBUTE:
    case CHANGE_TENSOR_VALUE:
    case CHANGE_RELATION:
    case CHANGE_ATTRIBUTE:
    case CHANGE_FUNCTION:
        return true;
    default:
        return false;
    }
}

/* Nothing of the program is known: who uses a library does not write its code. */
static void name_library(struct finder *f, struct finding *x)
{
    char buffer[CODE_MODULE_MAX];
    struct str module = code_file_module(x->file, buffer), package = str_split(&module, '.');

    if (package.n == 0 || !code_file_has(x->file, STR("-packages/")) || x->fix.n == 0)
        return;
    x->fix = arena_printf(f->arena,
                          "%.*s The function is one of `%.*s`: another version of it may do without (a newer one, or "
                          "the one before where an update brought this); else report it there.",
                          STR_ARG(x->fix), STR_ARG(package));
}

/* A line of a library is not the place for a change: use the program's line that leads there. */
static void leave_library(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    const struct call *line = caller_of(cause->first->compile);
    bool size = cause->change == CHANGE_SIZE;

    if (!is_library_file(x->file))
        return;
    if (!line || !is_program_file(line->file)) {
        if ((is_inside(cause) || recompile_is_of_local_class(f, cause)) && !remedies_values_are_layers(f, cause))
            name_library(f, x);
        return;
    }
    if (cause->state == INPUT_SPECIALIZED)
        x->fix =
            arena_printf(f->arena,
                         "A line of a library, %.*s:%lld, needs the %s as a constant, so each %s is compiled on its "
                         "own, whatever is marked dynamic. Keep the number of them small%s.",
                         STR_ARG(str_file_name(x->file)), (long long)x->line, size ? "size" : "number",
                         size ? "size" : "value", size ? ": pad or resize to a few" : "");
    finding_place(x, line);
}

/* The line that makes a number a constant; else where the function is called; else where it begins. */
static void set_place(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;

    if (cause->state == INPUT_SPECIALIZED && cause->decided_at && set_call(x, stack_user_call(cause->decided_at)))
        return;
    if ((is_inside(cause) || recompile_is_endless(f, cause)) && set_guard_line(f, x, cause))
        return;
    if ((!fr->is_resume || !is_own_frame(fr)) && set_call(x, caller_of(cause->first->compile)))
        return;
    /* For a function that PyTorch wraps, only the line that made the guard can be the user's own. */
    if (caller_is_wrapper(fr) && cause->sample && set_from_stack(f, x, cause->sample))
        return;
    /* A log of guards does not say where the function begins. */
    if (fr->file.n == 0 && cause->sample && set_guard_line(f, x, cause))
        return;
    set_frame(x, fr);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static struct str times_words(struct finder *f, uint64_t n)
{
    return n == 1 ? STR("once") : n == 2 ? STR("twice") : arena_printf(f->arena, "%llu times", (unsigned long long)n);
}

/* Each is of another rank, so that neither is after the other. */
static bool are_of_processes(const struct recompile_cause *cause)
{
    const struct process *first = cause->first->compile->process;

    return cause->most == 1 && cause->functions == 1 && first->rank != RANK_UNKNOWN;
}

struct str recompile_changes_words(struct finder *f, const struct recompile_cause *cause)
{
    size_t n = cause->changes.n;

    if (n == 0)
        return recompile_reason_is_cut(f, cause) ? STR("its reason is cut off in this text")
                                                 : STR("the trace does not say why");
    if (n == 1)
        return cause->changes.v[0];
    if (n == 2)
        return arena_printf(f->arena, "%.*s; %s %.*s", STR_ARG(cause->changes.v[0]),
                            are_of_processes(cause) ? "on another rank" : "then", STR_ARG(cause->changes.v[1]));
    return arena_printf(f->arena, "%.*s, and %zu more such changes", STR_ARG(cause->changes.v[0]), n - 1);
}

/* The guard, the line it comes from, and PyTorch's automatic measures. */
static struct str detail_of(struct finder *f, const struct recompile_cause *cause)
{
    const struct guard_reason *g = cause->sample;
    struct str out = arena_printf(f->arena, "Failed guard: %.*s", STR_ARG(str_take(g->guard, 400)));

    if (g->user_code.n && str_chr(g->user_code, '`') < 0)
        out = arena_printf(f->arena, "%.*s, made for `%.*s`", STR_ARG(out), STR_ARG(str_take(g->user_code, 200)));
    if (cause->made_dynamic && !recompile_is_dynamic_already(f, cause))
        out = arena_printf(f->arena, "%.*s. PyTorch made it dynamic in %.*s by itself, after the first change",
                           STR_ARG(out), STR_ARG(finding_compile_name(f, cause->made_dynamic)));
    if (cause->others.n)
        out =
            arena_printf(f->arena, "%.*s. Different as well in that call: %.*s", STR_ARG(out), STR_ARG(cause->others));
    return arena_printf(f->arena, "%.*s.", STR_ARG(out));
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

/* By the time it took; a function that is recompiled repeatedly will reach the limit, however fast it compiles. */
static enum finding_severity severity_of(const struct recompile_cause *cause, uint64_t least, int64_t us)
{
    uint64_t most = cause->most > least ? cause->most : least;

    if (us >= 30 * 1000000ll || most >= 6)
        return FINDING_HIGH;
    return us >= 3 * 1000000ll || most >= 3 ? FINDING_MEDIUM : FINDING_LOW;
}

/* The library's advice comes first; a text that can be pasted literally may follow it. */
static void follow_library(struct finder *f, struct finding *x, const struct library_rule *rule)
{
    if (!rule->otherwise || x->paste.kind == PASTE_PATTERN)
        finding_paste(x, PASTE_NONE, (struct str){0});
    x->fix = str_of(rule->words);
    if (x->paste.text.n)
        x->fix = arena_printf(f->arena, "%s %s", rule->words, rule->otherwise);
}

/* torch/_dynamo/external_utils.py, wrap_inline. */
static void name_wrapper(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    const struct frame *fr = cause->first->compile->frame;

    if (str_eq(fr->name, STR("inner")) && code_file_has(fr->file, STR("_dynamo/external_utils.py")))
        x->fix = arena_printf(f->arena,
                              "%.*s `inner` is Dynamo's wrapper around what was compiled, not a line of the program.",
                              STR_ARG(x->fix));
}

/* The last resort, and what it does besides. */
static void state_scope(struct finder *f, struct finding *x)
{
    if (x->paste.for_all)
        x->fix = arena_printf(f->arena, "%.*s " FINDING_SETTING_BELOW, STR_ARG(x->fix));
}

void recompile_explain(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    const struct remedy *remedy = recompile_remedy_of(f, cause);
    const struct library_rule *rule = recompile_library_rule(f, cause);

    if (cause->sample)
        x->detail = detail_of(f, cause);
    x->fix = recompile_remedy_words(f, remedy, cause);
    if (remedy->paste)
        remedy->paste(f, x, cause);
    if (rule)
        follow_library(f, x, rule);
    state_scope(f, x);
    set_place(f, x, cause);
    leave_library(f, x, cause);
    name_wrapper(f, x, cause);
}

void recompile_note(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    if (!x->hidden)
        vec_push(f->arena, &f->recompiled, ((struct recompiled){x, cause}));
}

static bool is_expected(struct finder *f, const struct recompile_cause *cause)
{
    const struct library_rule *rule = recompile_library_rule(f, cause);

    return (rule && rule->by_design) || recompile_is_expected(f, cause);
}

/* The line of the program that branches on the size of one of these inputs; NULL if there is none. */
static const struct recompile_cause *branch_on(struct finder *f, const struct recompile_cause *sizes,
                                               const struct recompile_causes *all)
{
    for (size_t i = 0; i < all->list.n; i++) {
        const struct recompile_cause *relation = all->list.v[i];

        if (relation->change != CHANGE_RELATION || relation->first->compile->frame != sizes->first->compile->frame)
            continue;
        vec_each(const struct input_change, x,
                 &sizes->inputs.list) if (recompile_is_about(f, relation, x)) return relation;
    }
    return NULL;
}

/* With any marks, a branch on the size needs one compile for each side. */
static void add_branch(struct finder *f, struct finding *x, const struct recompile_cause *sizes,
                       const struct recompile_causes *all)
{
    const struct recompile_cause *branch = sizes->change == CHANGE_SIZE ? branch_on(f, sizes, all) : NULL;
    const struct guard_reason *g = branch ? branch->sample : NULL;

    if (!branch || x->fix.n == 0 || recompile_is_expected(f, branch))
        return;
    if (recompile_decides_often(branch)) {
        x->fix = arena_printf(f->arena,
                              "The code decides by this size, `%.*s` for example: many sizes are compiled "
                              "on their own, marked as dynamic or not. Pad to a few sizes.",
                              STR_ARG(str_take(g->guard, 100)));
        finding_paste(x, PASTE_NONE, (struct str){0});
    } else if (g->user_code.n) {
        x->fix = arena_printf(f->arena,
                              "%.*s Line %lld decides by this size, `%.*s`: one graph for each of its sides "
                              "remains.",
                              STR_ARG(x->fix), (long long)g->user_line, STR_ARG(str_take(g->user_code, 100)));
    }
}

/*
 * The function's recompiles, if all that are known have this cause; 0 otherwise. Of several ranks, those of the one
 * with the most: ranks compile the same again.
 */
static uint64_t least_of(const struct recompile_cause *cause)
{
    const struct recompile_chain *last = NULL;
    uint64_t least = 0;
    size_t known = 0;

    for (size_t i = 0; i < cause->list.n; i++) {
        const struct recompile_chain *chain = cause->list.v[i]->chain;

        if (chain != last)
            known += chain->list.n;
        if (chain != last && last && chain->frame->process == last->frame->process)
            return 0;
        least = chain->least > least ? chain->least : least;
        last = chain;
    }
    return known == cause->list.n ? least : 0;
}

static struct str recompiled_words(struct finder *f, uint64_t known, uint64_t least)
{
    if (least <= known)
        return times_words(f, known);
    return arena_printf(f->arena, "at least %.*s, of which %llu %s known here", STR_ARG(times_words(f, least)),
                        (unsigned long long)known, known == 1 ? "is" : "are");
}

/* "`sell` was compiled again ([0/1]): the text has neither its first compile nor the reason" */
static struct str excerpt_words(struct finder *f, struct str names, const struct recompile_cause *cause)
{
    struct str more = {0};

    if (cause->list.n > 1)
        more = arena_printf(f->arena, " and %zu more", cause->list.n - 1);
    return arena_printf(f->arena,
                        "%.*s was compiled again (%.*s%.*s): the text has neither %s first compile nor the reason",
                        STR_ARG(names), STR_ARG(finding_compile_name(f, cause->first->compile)), STR_ARG(more),
                        cause->functions > 1 ? "the" : "its");
}

/* "16/2, 16/6": the compiles that this guard kept from being used. */
static struct str compiles_with(struct finder *f, const struct recompile *rc, const struct guard_reason *like)
{
    enum { SHOWN = 4 };
    struct str out = {0};
    size_t n = 0;

    vec_each(const struct guard_reason, g, &rc->reasons)
    {
        if (g->class == like->class && str_eq(g->source, like->source) && g->against.n && n++ < SHOWN)
            out = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(out), out.n ? ", " : "", STR_ARG(g->against));
    }
    return n > SHOWN ? arena_printf(f->arena, "%.*s, ...", STR_ARG(out)) : out;
}

/*
 * One record names a guard for each compile that it could not use. Where it is the only record that a text has of many,
 * the other guards stand for the recompiles that are missing.
 */
static void add_other_reasons(struct finder *f, struct finding *x, const struct recompile_cause *cause)
{
    enum { SHOWN = 3 };
    const struct recompile *rc = cause->first;
    size_t n = 0;

    for (size_t i = 0; cause->sample && i < rc->reasons.n && n < SHOWN; i++) {
        const struct guard_reason *g = &rc->reasons.v[i];
        struct str compiles;
        bool again = g->source.n == 0 || str_eq(g->source, cause->sample->source);

        for (size_t k = 0; k < i && !again; k++)
            again = rc->reasons.v[k].class == g->class && str_eq(rc->reasons.v[k].source, g->source);
        if (again)
            continue;
        compiles = compiles_with(f, rc, g);
        x->fix = arena_printf(f->arena, "%.*s%s%.*s%s%.*s%s", STR_ARG(x->fix),
                              n++ ? "; " : " The record has other reasons, which call for compiles of their own: ",
                              STR_ARG(g->words), compiles.n ? " (" : "", STR_ARG(compiles), compiles.n ? ")" : "");
    }
    if (n)
        x->fix = arena_printf(f->arena, "%.*s.", STR_ARG(x->fix));
}

static void add_cause(struct finder *f, const struct recompile_cause *cause, const struct recompile_causes *all)
{
    struct finding *x = finding_add(f, recompile_remedy_of(f, cause)->id, FINDING_LOW);
    struct str name = callee_words(f, cause->first->compile), others = {0};
    uint64_t least = least_of(cause), missing = least > cause->list.n ? least : 0;

    for (size_t i = 0; i < cause->list.n; i++) {
        finding_evidence(f, x, cause->list.v[i]->compile);
        finding_cost_compile(f, x, cause->list.v[i]->compile);
    }
    x->severity = is_expected(f, cause) ? FINDING_INFO : severity_of(cause, missing, finding_time(x));
    if (x->severity < FINDING_LOW && least <= 1 && recompile_is_over(f, cause))
        x->severity = FINDING_LOW;
    if (cause->functions > 1)
        others = arena_printf(f->arena, " and %llu more", (unsigned long long)cause->functions - 1);
    x->title = arena_printf(f->arena, "%.*s%.*s recompiled %.*s: %.*s", STR_ARG(name), STR_ARG(others),
                            STR_ARG(recompiled_words(f, finding_compiles(x), least)),
                            STR_ARG(recompile_changes_words(f, cause)));
    if (recompile_begins_later(f, cause)) {
        x->severity = FINDING_INFO;
        x->title = excerpt_words(f, arena_printf(f->arena, "%.*s%.*s", STR_ARG(name), STR_ARG(others)), cause);
    }
    recompile_explain(f, x, cause);
    add_branch(f, x, cause, all);
    if (missing && cause->list.n == 1)
        add_other_reasons(f, x, cause);
    recompile_note(f, x, cause);
}

/* A log that only has warnings mentions few compiles: their numbers do not show what was compiled before. */
static bool is_only_mentioned(const struct recompile_cause *cause)
{
    const struct compile *c = cause->first->compile;

    return !cause->sample && c->process->only_warned && c->frame->name.n == 0;
}

/* Chains that hit the limit belong to find_recompile_limit. */
void find_recompiles(struct finder *f)
{
    const struct recompiles *rcs = &f->answers->recompiles;
    const struct recompile_chain **chains =
        ARENA_ARRAY(f->arena, const struct recompile_chain *, rcs->chains.n ? rcs->chains.n : 1);
    struct recompile_causes causes = {0};
    size_t n = 0;

    for (size_t i = 0; i < rcs->chains.n; i++)
        if (!rcs->chains.v[i]->limit)
            chains[n++] = rcs->chains.v[i];
    recompile_causes_find(f, chains, n, &causes);
    for (size_t i = 0; i < causes.list.n; i++)
        if (!is_only_mentioned(causes.list.v[i]))
            add_cause(f, causes.list.v[i], &causes);
    guard_facts_forget(f);
}
