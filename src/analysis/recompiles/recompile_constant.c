#include "analysis/recompiles/recompile_constant.h"

#include "text/guards/guard_name.h"

/* A log may have any number of either: beyond these, nothing is said of a size. */
enum { GUARDS_LOOKED_AT = 256, NAMED_MAX = 8 };

bool recompile_constant_read(struct str guard, struct str *source, struct str *value)
{
    ptrdiff_t at = str_find(guard, STR(" == "));
    int64_t n;

    *source = str_take(guard, at < 0 ? 0 : (size_t)at);
    *value = str_skip(guard, at < 0 ? guard.n : (size_t)at + 4);
    return str_ends(*source, STR("]")) && str_has(*source, STR(".size()[")) && str_chr(*source, ' ') < 0 &&
           str_i64(*value, &n);
}

/* "Eq(s0, 3)" */
static bool makes(struct str guard, const struct specialization *s)
{
    return str_consume(&guard, STR("Eq(")) && str_consume(&guard, s->symbol) && str_consume(&guard, STR(", ")) &&
           str_consume(&guard, s->value) && str_eq(guard, STR(")"));
}

static const struct call *place_in_pytorch(const struct compile *c, const struct specialization *s)
{
    for (size_t i = 0; !s->user_stack && i < c->shape_guards.n && i < GUARDS_LOOKED_AT; i++) {
        const struct shape_guard *g = &c->shape_guards.v[i];

        if (makes(g->expr, s))
            return !g->user_stack && g->stack && g->stack->file.n ? g->stack : NULL;
    }
    return NULL;
}

void recompile_constant_find(const struct frame *fr, struct str guard, struct recompile_constant *out)
{
    struct str source, value;

    *out = (struct recompile_constant){0};
    if (!recompile_constant_read(guard, &source, &value))
        return;
    for (size_t i = 0; i < fr->compiles.n; i++) {
        const struct compile *c = fr->compiles.v[i];

        vec_each(const struct specialization, s, &c->specializations)
        {
            if (!str_eq(s->source, source) || !str_eq(s->value, value))
                continue;
            *out = (struct recompile_constant){.by = place_in_pytorch(c, s), .in = c};
            return;
        }
    }
}

bool recompile_constant_covers(const struct recompile_constant *made, const struct compile *c,
                               const struct specialization *s)
{
    const struct call *at = made->by, *other = at && c->frame == made->in->frame ? place_in_pytorch(c, s) : NULL;

    return other && other->line == at->line && str_eq(other->file, at->file);
}

struct str recompile_constant_words(struct arena *a, const struct recompile_constant *made)
{
    struct str out = {0};
    size_t n = 0;

    vec_each(const struct specialization, s, &made->in->specializations)
    {
        struct str name;

        if (n == NAMED_MAX || !recompile_constant_covers(made, made->in, s))
            continue;
        name = arena_printf(a, "`%.*s`", STR_ARG(guard_name(a, s->source)));
        if (str_has(out, name))
            continue;
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), n++ ? " and " : "", STR_ARG(name));
    }
    return out;
}

/* "lowering.py" and the files of "kernel" have the lowerings; `wrapped` is around each. */
static bool is_lowering(const struct call *call)
{
    return (str_has(call->file, STR("/_inductor/lowering.py")) || str_has(call->file, STR("/_inductor/kernel/"))) &&
           !str_eq(call->function, STR("wrapped"));
}

/* The one that the graph calls, not what that calls. A size that follows from another ("find") has its cause there. */
struct str recompile_constant_lowering(const struct compile *c, struct str source)
{
    struct str name = {0};

    vec_each(const struct specialization, s, &c->specializations)
    {
        if (s->user_stack || str_eq(s->reason, STR("find")) || !str_starts(s->source, source))
            continue;
        for (const struct call *call = s->stack; call; call = call->parent)
            if (is_lowering(call))
                name = call->function;
        if (name.n)
            break;
    }
    return name;
}
