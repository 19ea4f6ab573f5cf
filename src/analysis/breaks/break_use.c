#include "analysis/breaks/break_use.h"

#include "analysis/find/guard_facts.h"
#include "text/python/bytecode_use.h"

/* --- reading ------------------------------------------------------------------------------------------------------ */

static const struct artifact *bytecode_of(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (str_ends(c->artifacts.v[i]->name, STR("_ORIGINAL_BYTECODE")))
            return c->artifacts.v[i];
    return NULL;
}

/* "n = int(x.item())": these hand a symbol on. */
static bool calls_conversion(struct str source)
{
    return str_has(source, STR("= int(")) || str_has(source, STR("= float("));
}

/* Lists and modules: a tensor takes a symbol as an index. */
static bool is_of_items(struct finder *f, const struct compile *c, struct str container)
{
    bool items = guard_facts_has_items(guard_facts_of(f, c), container);

    guard_facts_forget(f);
    return items;
}

static bool find_use(struct finder *f, const struct compile *resume, struct str source, struct bytecode_use *use)
{
    const struct artifact *bytecode = bytecode_of(resume);

    if (!bytecode)
        return false;
    bytecode_use_find(arena_str(f->arena, finder_read(f, bytecode)), use);
    if (use->use == USE_OTHER || (use->called && !calls_conversion(source)))
        return false;
    return use->use != USE_INDEX || is_of_items(f, resume, use->container);
}

/* --- autograd.Function -------------------------------------------------------------------------------------------- */

/*
 * Its forward has a `ctx`, as everybody calls it, which the code behind the break uses. Stacks do not show that
 * `apply` calls it.
 */
static bool is_in_autograd_function(struct finder *f, const struct break_place *p, const struct compile *resume)
{
    const struct artifact *bytecode = bytecode_of(resume);

    return bytecode && str_eq(p->first->sample->function, STR("forward")) &&
           str_has(finder_read(f, bytecode), STR("(ctx)"));
}

/* A value that is captured there makes Dynamo fail: "Pending unbacked symbols". */
static void set_autograd_function(struct break_fix *out)
{
    out->is_setting = false;
    out->paste = (struct str){0};
    out->fix = STR("Reading a tensor's value into Python leaves the graph, and in the forward of an "
                   "`autograd.Function` Dynamo cannot capture it as a symbol. Keep it a tensor: most functions of "
                   "torch take one in the place of a number.");
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static void set_use(struct finder *f, const struct bytecode_use *use, struct break_fix *out)
{
    long long line = (long long)use->line;
    struct str name = use->name;

    out->is_setting = false;
    out->paste = (struct str){0};
    switch (use->use) {
    case USE_BRANCH:
        out->fix = arena_printf(f->arena,
                                "The value of a tensor is read into `%.*s`, and line %lld branches on it, which cannot "
                                "be in one graph. Keep it a tensor, compute both sides and choose; a limit on a value "
                                "is `x.clamp(max=limit)`.",
                                STR_ARG(name), line);
        out->paste = STR("y = torch.where(condition, a, b)   # or torch.cond(condition, f, g, (x,))");
        out->where = arena_printf(f->arena, "instead of the branch in line %lld", line);
        return;
    case USE_LOOP:
        out->fix = arena_printf(f->arena,
                                "The value of a tensor is read into `%.*s`, and the loop in line %lld runs as often as "
                                "it says, which only the running graph knows. Loop a fixed number of times with a "
                                "mask, or pass the number in as a Python int: then each number is one compile.",
                                STR_ARG(name), line);
        return;
    case USE_AMONG:
        out->fix = arena_printf(f->arena,
                                "The value of a tensor is read into `%.*s`, which is one of several indices in line "
                                "%lld. There PyTorch takes no value that is only known when the graph runs: captured, "
                                "it would fail with an IndexError. Keep it a tensor, and select with it.",
                                STR_ARG(name), line);
        out->paste = STR("y = x.index_select(1, n.reshape(1)).squeeze(1)   # x[:, n], of a tensor n");
        out->where = arena_printf(f->arena, "instead of the index in line %lld", line);
        return;
    default:
        out->fix = arena_printf(f->arena,
                                "The value of a tensor is read into `%.*s`, which chooses from `%.*s` in line %lld. An "
                                "item of a list, a dict or a module cannot be chosen by a tensor's value in a graph. "
                                "Choose before the compiled function, or compute with all items and choose among the "
                                "results, with `torch.where` for example.",
                                STR_ARG(name), STR_ARG(use->container), line);
        return;
    }
}

void break_use_apply(struct finder *f, const struct break_place *p, struct break_fix *out)
{
    struct str source = out->site.own ? out->site.own->source : (struct str){0};
    struct bytecode_use use;

    if ((out->kind != BREAK_ITEM && out->kind != BREAK_ITEM_OPERATOR) ||
        !str_has(out->paste, STR("capture_scalar_outputs")))
        return;
    for (size_t i = 0; i < p->groups.n; i++)
        for (size_t k = 0; k < p->groups.v[i]->resumes.n; k++) {
            const struct compile *resume = p->groups.v[i]->resumes.v[k];

            if (is_in_autograd_function(f, p, resume)) {
                set_autograd_function(out);
                return;
            }
            if (find_use(f, resume, source, &use)) {
                set_use(f, &use, out);
                return;
            }
        }
}
