#include "analysis/recompiles/recompile_infer.h"

#include "analysis/find/guard_facts.h"

/* "list(dict.keys(L['x']))[0] == 10   # for k in x:  # shop.py:5 in f": the check with its comment in the tree. */
static struct str with_comment(struct finder *f, const struct compile *c, struct str check)
{
    struct str tree = finder_read_guards(f, compile_guard_tree(c));
    ptrdiff_t at = str_find(tree, check);

    return at < 0 ? check : str_trim(str_first_line(str_skip(tree, (size_t)at)));
}

static void infer(struct finder *f, const struct compile *before, struct recompile *rc)
{
    const struct compile *c = rc->compile;
    struct guard_differences d;

    if (rc->reasons.n || c->limit_hit || !compile_guard_tree(before) || !compile_guard_tree(c))
        return;
    guard_facts_compare(f, guard_facts_of(f, before), guard_facts_of(f, c), &d);
    if (d.list.n == 0)
        return;
    guard_reason_parse(f->arena,
                       arena_printf(f->arena, "%d/%d: %.*s", c->frame->id, before->id.compile,
                                    STR_ARG(with_comment(f, before, d.list.v[0].check))),
                       vec_add(f->arena, &rc->reasons));
}

void recompile_infer(struct finder *f, const struct recompile_chain *chain)
{
    const struct frame *fr = chain->frame;
    size_t next = 0;

    for (size_t i = 0; i < fr->compiles.n && next < chain->list.n; i++)
        if (chain->list.v[next]->compile == fr->compiles.v[i]) {
            if (i > 0)
                infer(f, fr->compiles.v[i - 1], chain->list.v[next]);
            next++;
        }
}
