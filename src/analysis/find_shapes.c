/* Findings about sizes that became constants, and what draft export noted. */
#include "analysis/find.h"

#include "util/map.h"

/* --- sizes that became constants ---------------------------------------------------------------------------------- */

static void add_specialization(struct finder *f, struct map *seen, const struct compile *c,
                               const struct specialization *s)
{
    const struct call *own = stack_user_call(s->user_stack);
    void **slot = map_at(seen, arena_printf(f->arena, "%.*s %.*s %lld %.*s", STR_ARG(s->source), STR_ARG(s->value),
                                            own ? (long long)own->line : 0, STR_ARG(own ? own->file : STR(""))));
    struct finding *x = *slot;

    if (!x) {
        *slot = x = finding_add(f, "specialization", FINDING_LOW);
        x->title = arena_printf(f->arena, "A dynamic size became a constant: `%.*s` is fixed to %.*s",
                                STR_ARG(s->source.n ? s->source : s->symbol), STR_ARG(s->value));
        x->detail = STR("Another size means another compile.");
        x->fix = own ? STR("Look at the line: comparing the size with a constant, indexing with it or passing it to "
                           "code that needs a number fixes it.")
                     : STR("Comparing the size with a constant, indexing with it or passing it to code that needs a "
                           "number fixes it. The log tells where.");
        if (!own)
            finding_paste(x, PASTE_ENVIRONMENT, STR("TORCH_LOGS=\"+dynamic\""));
        finding_place(x, own);
    }
    finding_evidence(f, x, c);
}

/* Of a graph that compiled autograd made, say: nothing for the user to change. */
static bool is_of_generated_code(const struct compile *c, const struct specialization *s)
{
    const struct call *own = stack_user_call(s->user_stack);

    return c->id.autograd != ID_NONE || (own && is_framework_file(own->file));
}

void find_specialization(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct specialization, s, &c->specializations) if (!is_of_generated_code(c, s))
            add_specialization(f, &seen, c, s);
}

/* --- export ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *id, *title, *fix;
} export_kinds[] = {
    [EXPORT_MISSING_FAKE_KERNEL] = {"missing-fake-kernel", "Export: the operator `%.*s` has no fake kernel%.*s",
                                    "Register one, which says the shape and dtype of the result."},
    [EXPORT_MISMATCHED_FAKE_KERNEL] = {"wrong-fake-kernel",
                                       "Export: the fake kernel of `%.*s` disagrees with the real one: %.*s",
                                       "Make the fake kernel return what the operator returns: sizes, strides, dtype."},
    [EXPORT_DATA_DEPENDENT] = {"data-dependent", "Export: the outcome depends on data%.*s: `%.*s`",
                               "State what holds with torch._check(...), or use torch.where / torch.cond."},
    [EXPORT_PROPAGATED] = {"data-dependent", "Export: a value was taken from the example inputs%.*s: `%.*s`",
                           "The exported program is only right for inputs with the same value. State it with "
                           "torch._check(...)."},
    [EXPORT_GUARD] = {"export-guard", "Export: the program only holds for inputs with%.*s `%.*s`",
                      "The line decides on a size that was to be dynamic. Rewrite it, or make the size static."},
};

/* "dexp.foo.default" -> register_fake("dexp::foo"). */
static struct str fake_kernel(struct finder *f, struct str op)
{
    struct str space = str_split(&op, '.'), name = str_split(&op, '.');

    if (name.n == 0)
        return (struct str){0};
    return arena_printf(f->arena,
                        "@torch.library.register_fake(\"%.*s::%.*s\")\ndef _(x):\n    return torch.empty_like(x)   # "
                        "shape and dtype of the result",
                        STR_ARG(space), STR_ARG(name));
}

/* What was assumed of the value: where the trace does not say that, neither do we. */
static struct str export_check(struct finder *f, const struct export_issue *e, struct str source)
{
    bool held = str_eq(e->result, STR("True")), failed = str_eq(e->result, STR("False"));
    struct condition c;

    finding_condition(f->arena, e->text, source, &c);
    if (c.holds.n == 0 || (!held && !failed))
        return (struct str){0};
    return arena_printf(f->arena, "torch._check(%.*s)   # %s", STR_ARG(held ? c.holds : c.fails),
                        c.symbolic ? "u0, u1, ... stand for the values that are read from tensors"
                                   : "before the line, as it was in the example");
}

static void set_export_paste(struct finder *f, struct finding *x, const struct export_issue *e)
{
    const struct call *own = stack_user_call(e->user_stack);

    if (e->kind == EXPORT_MISSING_FAKE_KERNEL || e->kind == EXPORT_MISMATCHED_FAKE_KERNEL)
        finding_paste(x, PASTE_PATTERN, fake_kernel(f, e->op));
    else if (e->kind != EXPORT_GUARD)
        finding_paste(x, PASTE_PATTERN, export_check(f, e, own ? own->source : (struct str){0}));
}

static void add_export_issue(struct finder *f, struct map *seen, const struct compile *c, const struct export_issue *e)
{
    void **slot = map_at(seen, arena_printf(f->arena, "%d %.*s %.*s", (int)e->kind, STR_ARG(e->op), STR_ARG(e->text)));
    struct finding *x = *slot;

    if (x)
        return;
    *slot = x = finding_add(f, export_kinds[e->kind].id, FINDING_HIGH);
    x->title = arena_printf(f->arena, export_kinds[e->kind].title, STR_ARG(e->op), STR_ARG(e->text));
    if (e->symbols.n)
        x->detail = arena_printf(f->arena, "Here `%.*s`.", STR_ARG(e->symbols));
    x->fix = str_of(export_kinds[e->kind].fix);
    set_export_paste(f, x, e);
    finding_place(x, stack_user_call(e->user_stack));
    finding_evidence(f, x, c);
}

void find_export_issues(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct export_issue, e, &c->export_issues) add_export_issue(f, &seen, c, e);
}
