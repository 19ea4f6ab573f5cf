/* Findings about sizes that became constants. */
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
