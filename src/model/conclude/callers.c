#include "model/conclude/callers.h"

#include "util/map.h"

/* torch.compile calls the first frame from one of these functions, which Dynamo never compiles itself. */
static bool is_wrapper(const struct call *c)
{
    if (str_ends(c->file, STR("torch/nn/modules/module.py")))
        return str_eq(c->function, STR("_call_impl")) || str_eq(c->function, STR("_wrapped_call_impl"));
    return str_eq(c->function, STR("_fn")) && str_ends(c->file, STR("torch/_dynamo/eval_frame.py"));
}

bool callers_only(const struct process *p)
{
    if (!p->pid_is_thread)
        return false;
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->stack && is_wrapper(p->compiles.v[i]->stack))
            return true;
    return false;
}

static bool is_named_by_stack(const struct frame *f)
{
    const struct call *c = f->compiles.n ? f->compiles.v[0]->stack : NULL;

    return c && c->line == f->line && str_eq(c->function, f->name) && str_eq(c->file, f->file);
}

void callers_forget_names(struct process *p)
{
    for (size_t i = 0; i < p->frames.n; i++) {
        struct frame *f = p->frames.v[i];

        if (!is_named_by_stack(f))
            continue;
        f->name = f->file = (struct str){0};
        f->line = 0;
        f->is_resume = false;
    }
}

/* The line of the call is not where the function begins, so the frame has no line. */
static void set_name(struct frame *f, const struct call *c)
{
    if (f->name.n)
        return;
    f->name = c->function;
    f->file = c->file;
    frame_note_resume(f);
}

/* The innermost compiled call on the way to c: that compile's stack is the stack of the call's caller. */
static void find_within(struct compile *c, const struct map *by_stack)
{
    for (const struct call *call = c->stack; call && call->parent; call = call->parent) {
        struct compile *outer = map_get(by_stack, MAP_KEY(call->parent));

        if (!outer || outer->epoch != c->epoch || outer->frame == c->frame || is_framework_file(call->file))
            continue;
        c->within = outer;
        set_name(outer->frame, call);
        return;
    }
}

void callers_use(struct process *p, struct arena *scratch)
{
    struct map by_stack;

    map_init(&by_stack, scratch);
    for (size_t i = 0; i < p->compiles.n; i++) {
        struct compile *c = p->compiles.v[i];

        find_within(c, &by_stack);
        if (c->stack)
            *map_at_copy(&by_stack, MAP_KEY(c->stack)) = c;
    }
}
