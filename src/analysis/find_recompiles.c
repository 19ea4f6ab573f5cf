/* Findings about recompiles: by cause, with what to do about each class of guard. */
#include "analysis/find.h"

#include "util/map.h"
#include "util/number.h"

#define DOC "https://docs.pytorch.org/docs/stable/compile/programming_model.recompilation.html"

/* What helps against a class of changes. `paste` may hold one %.*s for the name of what changed. */
static const struct remedy {
    const char *fix, *paste;
} remedies[GUARD_CLASS_COUNT] = {
    [GUARD_SIZE] = {"Tell the compiler that this size varies, so that one graph serves all sizes.",
                    "torch._dynamo.mark_dynamic(%.*s, %lld)"},
    [GUARD_STRIDE] = {"Give it the same memory layout each time.", "%.*s = %.*s.contiguous()"},
    [GUARD_NDIM] = {"Give it the same number of dimensions each time, or compile one function per case.", NULL},
    [GUARD_DTYPE] = {"Convert it to one dtype before the compiled function.", NULL},
    [GUARD_DEVICE] = {"Keep it on one device.", NULL},
    [GUARD_LAYOUT] =
        {"The kind of tensor changes (device, layout, subclass, gradient state). Make it the same each time.", NULL},
    [GUARD_REQUIRES_GRAD] =
        {"requires_grad changes between calls. Set it once, or compile training and evaluation apart.", NULL},
    [GUARD_TENSOR_ALIASING] = {"Which inputs share memory changes between calls. Pass distinct tensors.", NULL},
    [GUARD_INT] = {"A Python integer is compiled in as a constant. Pass it as a tensor, or let it become dynamic.",
                   "torch.compile(f, dynamic=True)"},
    [GUARD_FLOAT] = {"A Python float is compiled in as a constant. Pass it as a tensor.", "%.*s = torch.tensor(%.*s)"},
    [GUARD_BOOL] = {"A Python flag is compiled in. Two values cost two compiles; more means another cause.", NULL},
    [GUARD_STRING] = {"A string is compiled in. Decide on it outside the compiled function.", NULL},
    [GUARD_CONSTANT] = {"A constant is compiled in. Decide on it outside the compiled function.", NULL},
    [GUARD_NONE] = {"An argument is sometimes None. Pass a tensor always, or compile one function per case.", NULL},
    [GUARD_TYPE] = {"An object of another type comes in. Make the types the same, or compile one function per type.",
                    NULL},
    [GUARD_IDENTITY] =
        {"Another object comes in each time (a new lambda, closure or instance). Create it once and reuse it.", NULL},
    [GUARD_MODULE_ATTRIBUTE] =
        {"An attribute of a module changes between calls. Make it a buffer (a tensor) or a constant.", NULL},
    [GUARD_DICT] = {"The keys of a dict change between calls. Keep the same keys in the same order.", NULL},
    [GUARD_LENGTH] = {"The length of a list or tuple changes between calls. Pass a tensor, or pad to one length.",
                      NULL},
    [GUARD_GLOBAL_STATE] =
        {"A global setting (grad mode, autocast, threads, deterministic algorithms, default dtype) changes between "
         "calls. Set it once, or call the compiled function always under the same setting.",
         NULL},
    [GUARD_FUNCTION] = {"Another function or closure comes in. Define it once, outside the loop.", NULL},
    [GUARD_SHAPE_EXPRESSION] =
        {"A relation between sizes that the first call had no longer holds. Mark the sizes dynamic.",
         "torch.compile(f, dynamic=True)"},
    [GUARD_DYNAMIC_MARKING] = {"mark_dynamic (or its kin) is applied to some inputs and not to others. Mark every "
                               "input, before the first call.",
                               NULL},
    [GUARD_ATTRIBUTE] = {"An attribute appears or disappears between calls. Set it in the constructor.", NULL},
    [GUARD_CONTEXT] = {"A mode, hook or default device is active in some calls only. Call always under the same.",
                       NULL},
    [GUARD_BACKEND] = {"The function is compiled with several backends (or several instances of one). Make the backend "
                       "once and use it in every call of torch.compile.",
                       NULL},
    [GUARD_INVALIDATED] = {"An object that the compiled code depended on was deleted. Keep it alive.", NULL},
    [GUARD_OTHER] = {"Keep what the guard names the same between calls.", NULL},
};

/* The same where dynamic shapes do not help (guard_reason.could_be_dynamic). */
static const struct remedy static_remedies[GUARD_CLASS_COUNT] = {
    [GUARD_SIZE] = {"No mark makes this size dynamic: 0 and 1 are always compiled for by themselves, and the sizes of "
                    "parameters are constants. Pad the input, or keep such calls out of the compiled function.",
                    NULL},
    [GUARD_INT] = {"A Python integer is compiled in as a constant, whatever the settings: it belongs to a module, a "
                   "global or a default value. Pass it as an argument or as a tensor.",
                   NULL},
};

static const struct remedy *remedy_of(const struct guard_reason *g)
{
    return !g->could_be_dynamic && static_remedies[g->class].fix ? &static_remedies[g->class] : &remedies[g->class];
}

static bool simple_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && !(s.p[i] >= '0' && s.p[i] <= '9') && s.p[i] != '_' &&
            s.p[i] != '.')
            return false;
    return s.n > 0;
}

static struct str paste_for(struct finder *f, const struct guard_reason *g)
{
    const char *paste = remedy_of(g)->paste;

    if (!paste)
        return (struct str){0};
    if (!strchr(paste, '%'))
        return str_of(paste);
    if (!simple_name(g->source))
        return (struct str){0};
    if (g->class == GUARD_SIZE)
        return g->index < 0 ? (struct str){0}
                            : arena_printf(f->arena, "torch._dynamo.mark_dynamic(%.*s, %lld)", STR_ARG(g->source),
                                           (long long)g->index);
    if (g->class == GUARD_STRIDE)
        return arena_printf(f->arena, "%.*s = %.*s.contiguous()", STR_ARG(g->source), STR_ARG(g->source));
    return arena_printf(f->arena, "%.*s = torch.tensor(%.*s)", STR_ARG(g->source), STR_ARG(g->source));
}

static struct str frame_name(const struct frame *fr)
{
    if (fr->is_resume)
        return fr->resumes;
    return fr->name.n ? fr->name : STR("a frame");
}

static void set_remedy(struct finder *f, struct finding *x, const struct guard_reason *g)
{
    if (!g)
        return;
    x->fix = str_of(remedy_of(g)->fix);
    x->paste = paste_for(f, g);
    x->doc = STR(DOC);
}

static void set_place(struct finding *x, const struct frame *fr)
{
    x->file = fr->file;
    x->line = fr->line;
}

static void add_chain_evidence(struct finder *f, struct finding *x, const struct recompile_chain *chain)
{
    for (size_t i = 0; i < chain->list.n; i++)
        finding_evidence(f, x, chain->list.v[i]->compile);
}

static void add_limit(struct finder *f, const struct recompile_chain *chain)
{
    struct finding *x = finding_add(f, "recompile-limit", FINDING_CRITICAL);
    struct str name = frame_name(chain->frame);
    bool failed = chain->limit->failures.n && !chain->limit->failures.v[0]->fallback;

    x->title = arena_printf(f->arena, "`%.*s` hit the recompile limit after %d compile%s and %s%s%.*s", STR_ARG(name),
                            chain->limit->id.compile, chain->limit->id.compile == 1 ? "" : "s",
                            failed ? "raised an error" : "runs eagerly",
                            chain->sample ? ": " : "", STR_ARG(chain->sample ? chain->sample->words : STR("")));
    if (!failed)
        x->detail =
            STR("Dynamo gave up on this function without an error. Functions that it calls are not compiled either.");
    x->cost_us = chain->duration_us;
    x->cost_compiles = chain->list.n;
    set_place(x, chain->frame);
    set_remedy(f, x, chain->sample);
    add_chain_evidence(f, x, chain);
}

void find_recompile_limit(struct finder *f)
{
    const struct recompiles *rcs = &f->answers->recompiles;

    for (size_t i = 0; i < rcs->chains.n && rcs->chains.v[i]->limit; i++)
        add_limit(f, rcs->chains.v[i]);
}

/* Frames that were compiled again for the same cause. */
struct cause {
    const struct guard_reason *sample;
    const struct frame *frame; /* the first */
    uint64_t recompiles, functions; /* functions: distinct code, whatever the rank */
    int64_t duration_us;
    VEC(const struct recompile_chain *) chains;
};

struct causes {
    struct map by_key;
    struct map functions; /* of every cause, to count them once */
    VEC(struct cause *) list;
};

static struct cause *cause_of(struct finder *f, struct causes *causes, const struct recompile_chain *chain)
{
    const struct guard_reason *g = chain->sample;
    struct str key = g ? arena_printf(f->arena, "%d %.*s", (int)g->class, STR_ARG(g->source)) : STR("unknown");
    void **slot = map_at(&causes->by_key, key);
    struct cause *cause = *slot;

    if (!cause) {
        *slot = cause = ARENA_NEW(f->arena, struct cause);
        cause->sample = g;
        cause->frame = chain->frame;
        vec_push(f->arena, &causes->list, cause);
    }
    return cause;
}

static bool is_new_function(struct finder *f, struct causes *causes, const struct cause *cause, const struct frame *fr)
{
    void **slot = map_at(&causes->functions, arena_printf(f->arena, "%p %lld %.*s\n%.*s", (const void *)cause,
                                                          (long long)fr->line, STR_ARG(fr->file), STR_ARG(fr->name)));
    bool is_new = *slot == NULL;

    *slot = causes;
    return is_new;
}

static enum finding_severity severity_of(const struct cause *cause)
{
    if (cause->duration_us >= 30 * 1000000ll || cause->recompiles >= 8)
        return FINDING_HIGH;
    return cause->duration_us >= 3 * 1000000ll || cause->recompiles >= 3 ? FINDING_MEDIUM : FINDING_LOW;
}

static void add_cause(struct finder *f, const struct cause *cause)
{
    struct finding *x = finding_add(f, "recompile", severity_of(cause));
    struct str name = frame_name(cause->frame), others = {0};

    if (cause->functions > 1)
        others = arena_printf(f->arena, " and %llu more", (unsigned long long)cause->functions - 1);
    x->title = arena_printf(f->arena, "`%.*s`%.*s recompiled %llu time%s: %.*s", STR_ARG(name), STR_ARG(others),
                            (unsigned long long)cause->recompiles, cause->recompiles == 1 ? "" : "s",
                            STR_ARG(cause->sample ? cause->sample->words : STR("the trace does not say why")));
    if (cause->sample)
        x->detail = arena_printf(f->arena, "Failed guard: %.*s", STR_ARG(str_take(cause->sample->guard, 400)));
    x->cost_us = cause->duration_us;
    x->cost_compiles = cause->recompiles;
    set_place(x, cause->frame);
    set_remedy(f, x, cause->sample);
    for (size_t i = 0; i < cause->chains.n; i++)
        add_chain_evidence(f, x, cause->chains.v[i]);
}

void find_recompiles(struct finder *f)
{
    const struct recompiles *rcs = &f->answers->recompiles;
    struct causes causes = {0};

    map_init(&causes.by_key, f->arena);
    map_init(&causes.functions, f->arena);
    for (size_t i = 0; i < rcs->chains.n; i++) {
        const struct recompile_chain *chain = rcs->chains.v[i];
        struct cause *cause;

        if (chain->limit)
            continue; /* told by find_recompile_limit */
        cause = cause_of(f, &causes, chain);
        cause->recompiles += chain->list.n;
        cause->functions += is_new_function(f, &causes, cause, chain->frame);
        cause->duration_us = add_bounded(cause->duration_us, chain->duration_us);
        vec_push(f->arena, &cause->chains, chain);
    }
    for (size_t i = 0; i < causes.list.n; i++)
        add_cause(f, causes.list.v[i]);
}
