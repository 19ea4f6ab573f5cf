#include "analysis/breaks/break_use.h"

#include "analysis/breaks/break_paste.h"
#include "analysis/find/guard_facts.h"
#include "text/python/bytecode_use.h"

#define SCALARS "torch._dynamo.config.capture_scalar_outputs = True"
#define WHERE "y = torch.where(condition, a, b)   # or torch.cond(condition, f, g, (x,))"
#define GUARDED "if not torch.compiler.is_compiling():\n    ..."

/* --- following the value ------------------------------------------------------------------------------------------ */

static const struct artifact *bytecode_of(const struct compile *c)
{
    return compile_artifact(c, ARTIFACT_ORIGINAL_BYTECODE);
}

static bool is_of_function(const struct frame *fr, const struct call *c)
{
    return fr && str_eq(fr->is_resume ? fr->resumes : fr->name, c->function) && str_eq(fr->file, c->file);
}

static bool shows_function(const struct compile *x, const struct call *c)
{
    return is_of_function(x->frame, c) && bytecode_of(x);
}

/*
 * PyTorch writes the bytecode of resume functions: the whole function, including the part before the break. A break in
 * a function that others call occurs again in the compile of the function itself.
 */
static const struct compile *compile_of(const struct break_place *p, const struct call *c)
{
    for (size_t i = 0; i < p->groups.n; i++) {
        const struct break_group *g = p->groups.v[i];

        for (size_t k = 0; k < g->resumes.n; k++)
            if (shows_function(g->resumes.v[k], c))
                return g->resumes.v[k];
        for (size_t k = 0; k < g->members.n; k++)
            if (shows_function(g->members.v[k]->compile, c))
                return g->members.v[k]->compile;
    }
    return NULL;
}

/* The one with the most callers. */
static const struct graph_break *deepest(const struct break_place *p)
{
    const struct graph_break *best = p->first->sample;

    for (size_t i = 0; i < p->groups.n; i++)
        for (size_t k = 0; k < p->groups.v[i]->members.n; k++) {
            const struct graph_break *b = p->groups.v[i]->members.v[k];

            if (b->stack && (!best->stack || b->stack->depth > best->stack->depth))
                best = b;
        }
    return best;
}

struct place_of_use {
    struct finder *finder;
    const struct compile *compile;
};

/* Lists and modules need a number as an index; a tensor accepts a symbol. */
static bool has_items(void *context, struct str name)
{
    struct place_of_use *at = context;
    bool items = guard_facts_has_items(guard_facts_of(at->finder, at->compile), name);

    guard_facts_forget(at->finder);
    return items;
}

/* Guards on sizes and numbers name their symbols. */
static bool is_guarded(const struct compile *c, struct str symbol)
{
    for (size_t i = 0; i < c->shape_guards.n; i++)
        if (str_has(c->shape_guards.v[i].expr, symbol))
            return true;
    return false;
}

/*
 * The code after the break gets the value as a number, the last one on the stack. If it was compiled for any number,
 * without a guard on it, it does not depend on the number, whatever functions it calls.
 */
static bool takes_any(const struct compile *c)
{
    const struct symbol *last = NULL;

    for (size_t i = 0; i < c->symbols.n; i++)
        if (str_starts(c->symbols.v[i].source, STR("L['___stack")) &&
            (!last || str_cmp(c->symbols.v[i].source, last->source) >= 0))
            last = &c->symbols.v[i];
    return last && last->specialized_to.n == 0 && str_ends(last->source, STR("']")) && !is_guarded(c, last->name);
}

static bool was_any_number(const struct compile *resume, int64_t line)
{
    const struct frame *fr = resume->frame;

    for (size_t i = 0; fr->is_resume && fr->resumes_line == line && i < fr->compiles.n; i++)
        if (takes_any(fr->compiles.v[i]))
            return true;
    return false;
}

enum certainty { SURE_TO_HELP, MAY_HELP, CANNOT_HELP };

/* What the function with the line does with the value, then the function that it returns the value to, and so on. */
static enum certainty follow(struct finder *f, const struct break_place *p, enum value_kind kind,
                             struct bytecode_use *use)
{
    const struct graph_break *b = deepest(p);
    struct bytecode_read read = {.kind = kind, .has_items = has_items};
    int64_t read_line = 0;

    *use = (struct bytecode_use){0};
    for (const struct call *c = b->stack; c; c = c->parent) {
        struct place_of_use at = {f, compile_of(p, c)};

        if (!at.compile)
            return MAY_HELP;
        read.line = c->line;
        read.context = &at;
        bytecode_use_find(arena_str(f->arena, finder_read(f, bytecode_of(at.compile))), &read, use);
        read_line = use->read_line = read_line ? read_line : use->read_line;
        if (use->use != USE_OTHER)
            return CANNOT_HELP;
        if (use->found && use->unsure_line && kind == VALUE_NUMBER && was_any_number(at.compile, c->line))
            return SURE_TO_HELP;
        if (!use->found || use->unsure_line)
            return MAY_HELP;
        if (use->returned == VALUE_OTHER || use->returned == VALUE_DERIVED || is_of_function(b->compile->frame, c))
            break;
        read.kind = use->returned;
        read.callee = c->function;
    }
    return use->found ? SURE_TO_HELP : MAY_HELP;
}

/* --- autograd.Function -------------------------------------------------------------------------------------------- */

/* Its forward has a `ctx`, the usual name. Stacks do not show that `apply` calls it. */
static bool is_in_autograd_function(struct finder *f, const struct break_place *p)
{
    const struct call *c = p->first->sample->stack;
    const struct compile *own = c && str_eq(c->function, STR("forward")) ? compile_of(p, c) : NULL;

    return own && str_has(finder_read(f, bytecode_of(own)), STR("(ctx)"));
}

/* Capturing a value there makes Dynamo fail: "Pending unbacked symbols". */
static void set_autograd_function(struct break_fix *out)
{
    out->is_setting = out->may_be_setting = false;
    out->paste = (struct str){0};
    out->fix = STR("Reading a tensor's value into Python leaves the graph, and in the forward of an "
                   "`autograd.Function` Dynamo cannot capture it as a symbol. Keep it a tensor: most functions of "
                   "torch accept one in place of a number.");
}

/* --- values that are kept ----------------------------------------------------------------------------------------- */

/* The function stores it in a global variable: "STORE_GLOBAL 1 (PEAK)". */
static bool is_stored_global(struct finder *f, const struct compile *c, struct str name)
{
    struct str text = c ? finder_read(f, bytecode_of(c)) : (struct str){0}, line;
    struct str argument = arena_printf(f->arena, "(%.*s)", STR_ARG(name));

    while (str_next_line(&text, &line))
        if (str_has(line, STR("STORE_GLOBAL")) && str_has(line, argument))
            return true;
    return false;
}

/* A guard on the global variable failed: of 2.6 and earlier there is no bytecode that shows more. */
static bool is_guarded_global(struct finder *f, const struct frame *fr, struct str name)
{
    struct str source = arena_printf(f->arena, "G['%.*s']", STR_ARG(name));
    const struct recompiles *all = &f->answers->recompiles;

    for (size_t i = 0; i < all->chains.n; i++)
        for (size_t k = 0; all->chains.v[i]->frame == fr && k < all->chains.v[i]->list.n; k++)
            vec_each(const struct guard_reason, g, &all->chains.v[i]->list.v[k]->reasons)
                if (str_eq(g->source, source)) return true;
    return false;
}

static bool is_global(struct finder *f, const struct break_place *p, const struct call *c, struct str name)
{
    return is_stored_global(f, compile_of(p, c), name) || is_guarded_global(f, deepest(p)->compile->frame, name);
}

/* Where the value is kept until the next call; empty: in a variable of the function, or not at all. */
static struct str kept_in(struct finder *f, const struct break_place *p)
{
    const struct call *c = deepest(p)->stack;
    struct str target = c ? break_kept_in(str_trim(c->source)) : (struct str){0};

    if (target.n && str_chr(target, '.') < 0 && !is_global(f, p, c, target))
        return (struct str){0};
    return target;
}

static bool is_extreme(struct str source)
{
    static const struct str calls[] = {STR_INIT(" max("), STR_INIT(" min(")};

    return STR_HAS_ANY(source, calls);
}

/*
 * A float of the call before and a captured one in one expression: Inductor of 2.13 computes the result wrong from the
 * second call on, and in 2.6 it raises KeyError. The largest of two floats that vary is wrong in 2.13 as it is.
 */
static void set_kept(struct finder *f, const struct break_place *p, struct str target, struct break_fix *out)
{
    bool attribute = str_starts(target, STR("self.")), extreme = is_extreme(deepest(p)->stack->source);

    out->is_setting = out->may_be_setting = false;
    out->fix = arena_printf(f->arena,
                            "The number that is read here is kept for the next call, which computes with it again. "
                            "Keep a tensor instead, which is updated in place; `.detach()` in place of `.item()` "
                            "helps, too, at one more compile. `capture_scalar_outputs` is no remedy: a float that is "
                            "kept may come out wrong (PyTorch 2.13) or fail to compile (2.6).%s",
                            extreme ? " In 2.13, `max` and `min` of two floats that vary may be wrong even as the code "
                                      "is: compare with eager mode."
                                    : "");
    if (attribute)
        out->paste = extreme ? STR("self.register_buffer(\"peak\", torch.tensor(float(\"-inf\")))   # in __init__\n"
                                   "self.peak.copy_(self.peak.maximum(x.detach().max()))   # or minimum")
                             : STR("self.register_buffer(\"total\", torch.tensor(0.0))   # in __init__\n"
                                   "self.total.add_(x.detach().sum())");
    else
        out->paste = extreme ? STR("peak.copy_(peak.maximum(x.detach().max()))   # or minimum")
                             : STR("total.add_(x.detach().sum())");
    out->where = STR("instead of the number, which would be a tensor from the start");
}

/* --- words -------------------------------------------------------------------------------------------------------- */

struct use_words {
    const char
        *text; /* text after "The value of a tensor is read into `n`, and line 15"; "%" is what is called or indexed */
    const char *paste; /* a pattern; NULL: none */
    const char *where; /* place of the pattern, before the number of the line */
};

static const struct use_words of_numbers[] = {
    [USE_BRANCH] = {" branches on it, which cannot be in one graph. Keep it a tensor, compute both sides and choose; a "
                    "limit on a value is `x.clamp(max=limit)`.",
                    WHERE, "instead of the branch in line"},
    [USE_LOOP] = {" loops that many times, which only the running graph knows. Loop a fixed number of times with a "
                  "mask, or pass the number in as a Python int: then each number is one compile.",
                  NULL, NULL},
    [USE_INDEX] =
        {" chooses from `%` by it. An item of a list, a dict or a module cannot be chosen by a tensor's value "
         "in a graph. Choose before the compiled function, or compute with all items and choose among the "
         "results, with `torch.where` for example.",
         NULL, NULL},
    [USE_AMONG] =
        {" uses it as one of several indices. PyTorch does not accept a value there that is only known when the graph "
         "runs: captured, it would fail with an IndexError. Keep it a tensor, and select with it.",
         "y = x.index_select(1, n.reshape(1)).squeeze(1)   # x[:, n], of a tensor n", "instead of the index in line"},
    [USE_KEY] = {" looks something up by it, or uses it as a key, which needs the number itself. Do that outside the "
                 "compiled function, or compute with tensors.",
                 NULL, NULL},
    [USE_TEXT] =
        {" makes text of it, which needs the number itself. Make the text outside the compiled function, or only when "
         "nothing is being compiled.",
         GUARDED, "around line"},
    [USE_CALL] = {" passes it to `%`, which needs the number itself: captured as a symbol, it would break the graph "
                  "there. Call that outside the compiled function, or do it with tensors.",
                  NULL, NULL},
};

/* For a tensor whose size depends on data. */
static const struct use_words of_sizes[] = {
    [USE_BRANCH] = {" branches on that, or on values that are read from it. Write code that is right for any number, "
                    "also for none, and choose with `torch.where`.",
                    WHERE, "instead of the branch in line"},
    [USE_LOOP] = {" loops over it, and only the running graph knows how often. Compute with all of it at once, or do "
                  "it outside the compiled function.",
                  NULL, NULL},
    [USE_INDEX] = {" chooses from `%` by a number from it, which cannot be in a graph. Choose before the compiled "
                   "function, or compute with all items and choose among the results.",
                   NULL, NULL},
    [USE_AMONG] = {" uses a number from it as one of several indices, which would fail with an IndexError. Select "
                   "with the tensor itself.",
                   "y = x.index_select(1, n.reshape(1)).squeeze(1)   # x[:, n], of a tensor n",
                   "instead of the index in line"},
    [USE_KEY] = {" looks something up by a number from it, or uses that as a key, which needs the number itself. Do "
                 "that outside the compiled function, or compute with tensors.",
                 NULL, NULL},
    [USE_TEXT] = {" makes text of a number from it, which needs the number itself. Make the text outside the compiled "
                  "function, or only when nothing is being compiled.",
                  GUARDED, "around line"},
    [USE_CALL] = {" passes a number from it to `%`, which needs the number itself. Call that outside the compiled "
                  "function, or do it with tensors.",
                  NULL, NULL},
};

/* "The value of a tensor is read into `n`, and line 15" */
static struct str beginning(struct finder *f, const struct bytecode_use *use, enum value_kind kind, int64_t line)
{
    if (kind == VALUE_SIZED)
        return arena_printf(f->arena, "The size of the result depends on data, and line %lld", (long long)line);
    if (use->name.n == 0)
        return arena_printf(f->arena, "The value of a tensor is read into Python, and line %lld", (long long)line);
    return arena_printf(f->arena, "The value of a tensor is read into `%.*s`, and line %lld", STR_ARG(use->name),
                        (long long)line);
}

static struct str with_name(struct finder *f, const char *text, struct str name)
{
    struct str rest = str_of(text), before;
    ptrdiff_t at = str_chr(rest, '%');

    if (at < 0)
        return rest;
    before = str_take(rest, (size_t)at);
    rest = str_skip(rest, (size_t)at + 1);
    return arena_printf(f->arena, "%.*s%.*s%.*s", STR_ARG(before), STR_ARG(name.n ? name : STR("items")),
                        STR_ARG(rest));
}

static void set_use(struct finder *f, const struct bytecode_use *use, enum value_kind kind, struct break_fix *out)
{
    const struct use_words *words = kind == VALUE_SIZED ? &of_sizes[use->use] : &of_numbers[use->use];

    out->is_setting = out->may_be_setting = false;
    out->fix = arena_printf(f->arena, "%.*s%.*s", STR_ARG(beginning(f, use, kind, use->line)),
                            STR_ARG(with_name(f, words->text, use->what)));
    out->paste = str_of(words->paste);
    out->where = words->where ? arena_printf(f->arena, "%s %lld", words->where, (long long)use->line) : (struct str){0};
}

/* The setting may help, or move the break to a line that needs the number. */
static void set_doubt(struct finder *f, const struct bytecode_use *use, enum value_kind kind, struct break_fix *out)
{
    struct str to =
        use->unsure.n ? arena_printf(f->arena, "passes it to `%.*s`", STR_ARG(use->unsure)) : STR("goes on with it");

    out->is_setting = false;
    if (use->unsure_line)
        out->fix = arena_printf(f->arena,
                                "%.*s %.*s. If that accepts a value that only the running graph knows, the setting "
                                "lets Dynamo capture it; if Python needs the number itself (for a branch, a loop, an "
                                "index of a list), the break moves there: then keep it a tensor.",
                                STR_ARG(beginning(f, use, kind, use->unsure_line)), STR_ARG(to));
}

/* A value of the result is read afterwards, which needs a setting of its own. */
static void set_second(struct finder *f, const struct bytecode_use *use, struct break_fix *out)
{
    out->read_line = use->read_line;
    out->paste = arena_printf(f->arena, "%.*s\n" SCALARS, STR_ARG(out->paste));
    out->fix = arena_printf(f->arena,
                            "%.*s Line %lld reads a value from the result, for which there is a setting as "
                            "well.",
                            STR_ARG(out->fix), (long long)use->read_line);
}

void break_use_apply(struct finder *f, const struct break_place *p, struct break_fix *out)
{
    bool number = str_has(out->paste, STR("capture_scalar_outputs"));
    enum value_kind kind = number ? VALUE_NUMBER : VALUE_SIZED;
    struct str kept = number ? kept_in(f, p) : (struct str){0};
    struct bytecode_use use;

    if (kept.n) {
        set_kept(f, p, kept, out);
        return;
    }
    if (!number && (!str_has(out->paste, STR("capture_dynamic_output_shape_ops")) ||
                    str_has(out->paste, STR("new_dynamic_size"))))
        return;
    if (number && is_in_autograd_function(f, p)) {
        set_autograd_function(out);
        return;
    }
    switch (follow(f, p, kind, &use)) {
    case CANNOT_HELP:
        set_use(f, &use, kind, out);
        return;
    case MAY_HELP:
        set_doubt(f, &use, kind, out);
        return;
    case SURE_TO_HELP:
        out->is_setting = out->may_be_setting;
    }
    if (use.read_line)
        set_second(f, &use, out);
}
