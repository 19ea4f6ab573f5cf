#include "analysis/breaks/break_finding.h"

#include "analysis/library/library_line.h"
#include "text/python/python_code.h"

static struct str operators(struct finder *f, int64_t n)
{
    return arena_printf(f->arena, "%lld operator%s", (long long)n, n == 1 ? "" : "s");
}

static struct str position(struct finder *f, const struct break_cost *h)
{
    struct str before = operators(f, h->before), after = operators(f, h->after);

    if (h->nothing_compiled)
        return STR("Dynamo cannot resume after it: nothing in the function is compiled, and all of it runs eagerly.");
    if (h->given_up)
        return STR("Dynamo cannot resume after it: the enclosing function runs eagerly.");
    if (h->before == 0 && h->after == 0)
        return (struct str){0};
    return arena_printf(f->arena, "%.*s before it, %.*s after it.", STR_ARG(before), STR_ARG(after));
}

/* PyTorch's sentences end inconsistently. */
static struct str sentence(struct finder *f, struct str s)
{
    s = str_trim(s);
    return s.n == 0 || str_ends(s, STR(".")) ? s : arena_printf(f->arena, "%.*s.", STR_ARG(s));
}

/* For 2.6 and earlier: only the exception that made Dynamo give up the function is known. */
static const char *doubt(const struct graph_break *b)
{
    return b->origin == BREAK_FROM_FAILURE
               ? " If it was compiled with `fullgraph=True`, the call failed instead; the trace does not show which."
               : "";
}

static void set_detail(struct finder *f, struct finding *x, const struct break_member *m)
{
    struct str explanation = sentence(f, m->place->first->sample->explanation), where = position(f, &m->cost);

    x->detail = arena_printf(f->arena, "%.*s%s%.*s%s", STR_ARG(explanation), explanation.n && where.n ? " " : "",
                             STR_ARG(where), doubt(m->place->first->sample));
}

/*
 * The lines of all settings, without duplicates: several methods of loggers, several functions that print. There are
 * two settings for functions that print: Dynamo calls them later, or not at all. If any place needs the second, it is
 * used, because with the first Dynamo fails at calls that cannot wait.
 */
static struct str settings_of(struct finder *f, const struct break_cause *cause)
{
    bool one = cause->members.v[0].fix.kind == BREAK_PRINT || cause->members.v[0].fix.kind == BREAK_WARNING;
    struct str out = {0}, line;

    vec_each(const struct break_member, m, &cause->members)
    {
        if (one && (out.n == 0 || str_has(m->fix.paste, STR("ignore_logging_functions"))))
            out = m->fix.paste;
        for (struct str rest = m->fix.paste; !one && str_next_line(&rest, &line);)
            if (!str_has(out, line))
                out = out.n ? arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(out), STR_ARG(line)) : line;
    }
    return out;
}

/* The program's own line calls the compiled function: none of the program's code is in the graph. */
static bool is_library_compiled(const struct break_member *m)
{
    const struct compile *c = m->place->first->members.v[0]->compile;
    const struct call *own = m->fix.site.own;

    return own && c->frame && is_library_file(c->frame->file) && !str_eq(c->frame->file, own->file);
}

/* The first for which a setting is not certain to help, if there is one: its text is true for all. */
static const struct break_member *representative(const struct break_cause *cause)
{
    vec_each(const struct break_member, m, &cause->members) if (m->fix.may_be_setting && !m->fix.is_setting) return m;
    return &cause->members.v[0];
}

/* "return sync_batch_norm.apply(" and below it torch/nn/modules/_functions.py: also in PyTorch 2.13. */
static bool is_in_sync_batch_norm(const struct graph_break *b)
{
    const struct call *last = b->stack;

    if (!str_has(b->reason, STR("is_current_stream_capturing")) || !last)
        return false;
    for (const struct call *c = last; c; c = c->parent)
        if (str_has(c->source, STR("sync_batch_norm")))
            return true;
    return code_file_has(last->file, STR("torch/nn/modules/_functions.py"));
}

/* A layer takes no value from outside, and no line of it is the reader's to change. */
static struct str inside_layer(struct finder *f, const struct graph_break *b, struct str callee)
{
    if (is_in_sync_batch_norm(b))
        return STR("It is `SyncBatchNorm`: it asks the GPU whether it is being captured, so each of these layers "
                   "breaks the graph, in PyTorch 2.13, too. Where the batch of one GPU is large enough, leave out "
                   "`convert_sync_batchnorm` (plain `BatchNorm2d`), or use `GroupNorm`; else accept the breaks.");
    return arena_printf(f->arena,
                        "This happens inside `%.*s`, a layer of PyTorch's that the line calls: a newer PyTorch may "
                        "trace it. Until then use another layer, or accept the break.",
                        STR_ARG(callee));
}

/* Where the break is in a library's function: a function that is not compiled would break the graph as well. */
static struct str inside_library(struct finder *f, const struct break_member *m, struct str callee)
{
    struct str module = m->fix.site.callee.module, package = str_split(&module, '.'), more = m->fix.fix;
    const struct graph_break *b = m->place->first->sample;
    bool installed = b->stack && is_library_file(b->stack->file);

    if (str_has(m->fix.site.callee.module, STR("nn.modules.")) && m->fix.kind != BREAK_BUG)
        return inside_layer(f, b, callee);
    if (m->fix.kind == BREAK_TORCH_VALUE)
        more = STR("It asks for a Python value, which is not part of a graph.");
    if (m->fix.kind == BREAK_BUG)
        more = STR("It looks like a bug in Dynamo: if the newest PyTorch has it, too, report it.");
    else if (m->fix.kind == BREAK_UNSUPPORTED)
        more = STR("Dynamo does not support what it does.");
    else if (m->fix.kind == BREAK_CALL) /* the sentence before says where to call it */
        more = STR("Dynamo has no model of what it does.");
    if (str_eq(m->fix.site.callee.function, STR("__enter__")) || str_eq(m->fix.site.callee.function, STR("__exit__")))
        return arena_printf(f->arena,
                            "This happens inside `%.*s`, which the line calls. Enter this context around the call of "
                            "the compiled function, or use a newer PyTorch. %.*s",
                            STR_ARG(callee), STR_ARG(more));
    return arena_printf(f->arena,
                        "This happens inside `%.*s`, which the line calls. Call it outside the compiled function, or "
                        "use a newer PyTorch%s%.*s%s. %s%.*s",
                        STR_ARG(callee), installed && package.n ? " and a newer `" : "",
                        installed ? (int)package.n : 0, package.p, installed && package.n ? "`" : "",
                        installed && more.p == m->fix.fix.p ? LIBRARY_LINE_REST " " : "", STR_ARG(more));
}

/* "wandb" of a stack that is in the code of such a package alone: a hook of it on the model was compiled, too. */
static struct str package_of_hook(struct finder *f, const struct call *stack)
{
    static const struct str packages[] = {STR_INIT("wandb"),    STR_INIT("mlflow"),  STR_INIT("tensorboardX"),
                                          STR_INIT("comet_ml"), STR_INIT("neptune"), STR_INIT("clearml"),
                                          STR_INIT("swanlab"),  STR_INIT("trackio")};
    struct str module = stack ? break_module_of(f->arena, stack->file) : (struct str){0};
    struct str package = str_split(&module, '.');

    return STR_IS_ANY(package, packages) && !stack_program_call(stack) ? package : (struct str){0};
}

/* "if till.is_empty(x):" above "return x.sum().item()": the number that is read decides a branch. */
static bool is_value_for_branch(const struct call *stack)
{
    struct str line = str_trim(stack->source);

    return python_asks(line) || (str_starts(line, STR("return ")) && stack->parent &&
                                 python_asks(str_trim(stack->parent->source)));
}

/* Checked with PyTorch 2.6: with the setting that the message names, the graph breaks at the branch instead. */
static void say_hook(struct finder *f, struct finding *x, const struct break_member *m, struct str package)
{
    const struct call *stack = m->place->first->sample->stack;

    x->fix = arena_printf(f->arena,
                          "Nothing fails: the code is one of `%.*s`, most likely a hook that watches the model%s and "
                          "is compiled with it. The graph breaks there in each call, and the rest is compiled around "
                          "it. Watch the model without compiling it, or leave that hook out, and log outside of the "
                          "compiled function.%s",
                          STR_ARG(package), str_eq(package, STR("wandb")) ? " (`wandb.watch`)" : "",
                          m->fix.kind != BREAK_ITEM && m->fix.kind != BREAK_BRANCH ? ""
                          : is_value_for_branch(stack)
                              ? " `capture_scalar_outputs` does not help: an `if` needs the value, and the graph then "
                                "breaks there."
                              : "");
}

/* What breaks the graph in a library's line, which says how to change the line. */
static void add_library(struct finder *f, struct finding *x, const struct break_member *m)
{
    const struct graph_break *b = m->place->first->sample;
    const struct call alone = {.file = b->file, .line = b->line}, *own = b->stack ? stack_own_call(b->stack) : &alone;
    struct str step;

    if (!own || !is_library_file(own->file) || library_line_is_said(x->fix) ||
        (m->fix.weight != BREAK_COUNTS && m->fix.weight != BREAK_IS_HIGH))
        return;
    step = library_line_step(f->arena, own, LIBRARY_BREAKS);
    if (break_fix_pastes_setting(&m->fix))
        x->fix = arena_printf(f->arena, "%.*s " LIBRARY_LINE_SETTING, STR_ARG(x->fix));
    x->fix = m->fix.may_be_setting || break_fix_pastes_setting(&m->fix)
                 ? arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(x->fix), STR_ARG(step))
                 : arena_printf(f->arena, "%.*s\n" LIBRARY_LINE_REST " %.*s", STR_ARG(step), STR_ARG(x->fix));
}

static void set_fix(struct finder *f, struct finding *x, const struct break_cause *cause)
{
    const struct break_member *m = representative(cause);
    struct str callee = break_name_text(f->arena, m->fix.site.callee);
    struct str package = package_of_hook(f, m->place->first->sample->stack);

    if (m->place->first->sample->url.n)
        x->doc = m->place->first->sample->url;
    x->fix = m->fix.fix;
    if (break_is_unexplained(m) && str_starts(m->fix.paste, STR("TORCH_LOGS"))) {
        finding_paste(x, PASTE_ENVIRONMENT, m->fix.paste);
        return;
    }
    if (package.n) {
        say_hook(f, x, m, package);
        return;
    }
    if (m->fix.is_setting) {
        finding_paste(x, PASTE_SETTING, settings_of(f, cause));
        return;
    }
    /* Code in libraries is not rewritten. */
    if (m->fix.site.inside && m->fix.site.kind == BREAK_UNNAMED && callee.n && m->fix.weight == BREAK_COUNTS &&
        m->fix.kind != BREAK_ITEM && m->fix.kind != BREAK_DISTRIBUTION && m->fix.kind != BREAK_CONTEXT_STACK &&
        m->fix.kind != BREAK_PACKED && m->fix.kind != BREAK_QUANTIZED && m->fix.kind != BREAK_OPAQUE) {
        if (is_library_compiled(m)) {
            x->fix = arena_printf(f->arena,
                                  "The compiled function is a library's own code, `%.*s`, and the break is in it. "
                                  "Compile what it calls instead: the module inside it, or that module before it was "
                                  "wrapped.",
                                  STR_ARG(callee));
            return;
        }
        x->fix = inside_library(f, m, callee);
        return;
    }
    add_library(f, x, m);
    finding_paste(x, PASTE_PATTERN, m->fix.paste);
    if (m->fix.where.n)
        finding_paste_at(x, NULL, m->fix.where);
}

/* A warning or a table says that the graph breaks, but not where. */
static void add_search(struct finder *f, struct finding *x, const struct break_cause *cause)
{
    vec_each(const struct break_member, m, &cause->members)
    {
        const struct graph_break *b = m->place->first->sample;

        if (b->file.n || b->stack || str_has(m->fix.paste, STR("TORCH_LOGS")))
            return;
    }
    x->fix = arena_printf(f->arena, "%.*s%s`TORCH_LOGS=graph_breaks` prints the line.", STR_ARG(x->fix),
                          x->fix.n ? " " : "");
}

/*
 * "Graph break: skip: from user code at:" (up to 2.6): nothing of the function is compiled, what stands before and
 * behind the line neither. A trace has a finding of its own on that. 2.13 compiles both around a class.
 */
static void add_skipped(struct finder *f, struct finding *x, const struct break_cause *cause)
{
    const struct break_member *m = &cause->members.v[0];
    const struct graph_break *b = m->place->first->sample;
    struct str name;

    if (!b->skips || compile_given_up(b->compile) || !b->compile->frame || b->compile->frame->name.n == 0)
        return;
    name = b->compile->frame->name;
    x->title = arena_printf(f->arena, "%.*s; nothing of `%.*s` is compiled", STR_ARG(x->title), STR_ARG(name));
    x->fix = arena_printf(f->arena,
                          "%.*s%sAs it is, all of `%.*s` runs eagerly, not only this line: PyTorch skips the function, "
                          "and only functions that it calls are still compiled.%s",
                          STR_ARG(x->fix), x->fix.n == 0 ? "" : str_ends(x->fix, STR(".")) ? " " : ". ", STR_ARG(name),
                          m->fix.kind == BREAK_CLASS ? " PyTorch 2.13 breaks at the line, and compiles what is before "
                                                       "and behind it."
                                                     : "");
}

void break_finding_say(struct finder *f, struct finding *x, const struct break_cause *cause)
{
    set_detail(f, x, &cause->members.v[0]);
    set_fix(f, x, cause);
    add_search(f, x, cause);
    add_skipped(f, x, cause);
}
