/* Findings about recompiles: by cause, with what to do about each class of guard. */
#include "analysis/find.h"

#include "util/map.h"
#include "util/number.h"

#include <stdlib.h>

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
    [GUARD_SIZE] = {"PyTorch compiles sizes of 0 and 1, and the sizes of parameters, on their own, however they are "
                    "marked. Pad or skip such inputs, or accept one more compile.",
                    NULL},
    [GUARD_INT] = {"A Python integer is compiled in as a constant, whatever the settings: it belongs to a module, a "
                   "global or a default value. Pass it as an argument or as a tensor.",
                   NULL},
};

static const struct remedy *remedy_of(const struct guard_reason *g)
{
    return !g->could_be_dynamic && static_remedies[g->class].fix ? &static_remedies[g->class] : &remedies[g->class];
}

enum { PASTES_MAX = 8 };

static bool simple_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && !(s.p[i] >= '0' && s.p[i] <= '9') && s.p[i] != '_' &&
            s.p[i] != '.')
            return false;
    return s.n > 0;
}

static struct str paste_for_size(struct finder *f, const struct guard_reason *g)
{
    if (g->index < 0 || !simple_name(g->source))
        return STR("torch.compile(f, dynamic=True)");
    return arena_printf(f->arena, "torch._dynamo.mark_dynamic(%.*s, %lld)", STR_ARG(g->source), (long long)g->index);
}

static struct str paste_for(struct finder *f, const struct guard_reason *g)
{
    const char *paste = remedy_of(g)->paste;

    if (!paste)
        return (struct str){0};
    if (!strchr(paste, '%'))
        return str_of(paste);
    if (g->class == GUARD_SIZE)
        return paste_for_size(f, g);
    if (!simple_name(g->source))
        return (struct str){0};
    if (g->class == GUARD_STRIDE)
        return arena_printf(f->arena, "%.*s = %.*s.contiguous()", STR_ARG(g->source), STR_ARG(g->source));
    return arena_printf(f->arena, "%.*s = torch.tensor(%.*s)", STR_ARG(g->source), STR_ARG(g->source));
}

/* "`forward`"; 2.3 does not tell the names of functions. */
static struct str frame_name(struct finder *f, const struct frame *fr)
{
    struct str name = fr->is_resume ? fr->resumes : fr->name;

    return name.n ? arena_printf(f->arena, "`%.*s`", STR_ARG(name)) : STR("A function");
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

/* A compile that was refused cost nothing. */
static void add_chain(struct finder *f, struct finding *x, const struct recompile_chain *chain)
{
    for (size_t i = 0; i < chain->list.n; i++) {
        finding_evidence(f, x, chain->list.v[i]->compile);
        x->cost_compiles += !chain->list.v[i]->compile->limit_hit;
    }
}

static void add_limit(struct finder *f, const struct recompile_chain *chain)
{
    struct finding *x = finding_add(f, "recompile-limit", FINDING_CRITICAL);
    struct str name = frame_name(f, chain->frame);
    bool failed = chain->limit->failures.n && !chain->limit->failures.v[0]->fallback;

    x->title = arena_printf(f->arena, "%.*s hit the recompile limit after %d compile%s and %s%s%.*s", STR_ARG(name),
                            chain->limit->id.compile, chain->limit->id.compile == 1 ? "" : "s",
                            failed ? "raised an error" : "runs eagerly", chain->sample ? ": " : "",
                            STR_ARG(chain->sample ? chain->sample->words : STR("")));
    if (!failed)
        x->detail =
            STR("Dynamo gave up on this function without an error. Functions that it calls are not compiled either.");
    x->cost_us = chain->duration_us;
    set_place(x, chain->frame);
    set_remedy(f, x, chain->sample);
    add_chain(f, x, chain);
}

void find_recompile_limit(struct finder *f)
{
    const struct recompiles *rcs = &f->answers->recompiles;

    for (size_t i = 0; i < rcs->chains.n && rcs->chains.v[i]->limit; i++)
        add_limit(f, rcs->chains.v[i]);
}

/* Recompiles for the same cause: the same thing changed in one function, or changed alike in several. */
struct cause {
    const struct guard_reason *sample; /* NULL when the trace does not say why */
    const struct frame *frame;         /* the first */
    uint64_t functions;                /* distinct code, whatever the rank */
    int64_t duration_us;
    VEC(struct str) changes; /* in words, each once */
    VEC(struct str) pastes;  /* each once */
    VEC(const struct compile *) compiles;
};

struct causes {
    struct map by_function, by_words; /* of the thing that changed, and where, or how */
    struct map seen;                  /* functions, changes and pastes of every cause, to take each once */
    VEC(struct cause *) list;
};

static struct cause *cause_of(struct finder *f, struct causes *causes, const struct guard_reason *g,
                              const struct frame *fr, struct str function)
{
    struct str what = g ? arena_printf(f->arena, "%d %.*s", (int)g->class, STR_ARG(g->source)) : STR("unknown");
    void **here = map_at(&causes->by_function, arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(what), STR_ARG(function)));
    void **alike;

    if (*here)
        return *here;
    alike =
        map_at(&causes->by_words, g ? arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(what), STR_ARG(g->words)) : what);
    if (!*alike) {
        struct cause *cause = ARENA_NEW(f->arena, struct cause);

        cause->sample = g;
        cause->frame = fr;
        vec_push(f->arena, &causes->list, cause);
        *alike = cause;
    }
    return *here = *alike;
}

/* What: a letter that tells functions, changes and pastes apart. */
static bool is_new(struct finder *f, struct causes *causes, const struct cause *cause, char what, struct str text)
{
    void **slot = map_at(&causes->seen, arena_printf(f->arena, "%c%p %.*s", what, (const void *)cause, STR_ARG(text)));
    bool new = *slot == NULL;

    *slot = causes;
    return new;
}

static void add_to_cause(struct finder *f, struct causes *causes, const struct recompile *rc)
{
    const struct guard_reason *g = rc->reasons.n ? &rc->reasons.v[0] : NULL;
    const struct frame *fr = rc->compile->frame;
    struct str paste = g ? paste_for(f, g) : (struct str){0};
    struct str function =
        arena_printf(f->arena, "%lld %.*s\n%.*s", (long long)fr->line, STR_ARG(fr->file), STR_ARG(fr->name));
    struct cause *cause = cause_of(f, causes, g, fr, function);

    cause->functions += is_new(f, causes, cause, 'f', function);
    cause->duration_us = add_bounded(cause->duration_us, rc->duration_us > 0 ? rc->duration_us : 0);
    vec_push(f->arena, &cause->compiles, rc->compile);
    if (g && is_new(f, causes, cause, 'c', g->words))
        vec_push(f->arena, &cause->changes, g->words);
    if (paste.n && is_new(f, causes, cause, 'p', paste))
        vec_push(f->arena, &cause->pastes, paste);
}

static enum finding_severity severity_of(const struct cause *cause)
{
    if (cause->duration_us >= 30 * 1000000ll || cause->compiles.n >= 8)
        return FINDING_HIGH;
    return cause->duration_us >= 3 * 1000000ll || cause->compiles.n >= 3 ? FINDING_MEDIUM : FINDING_LOW;
}

/* "dimension 0 of `x` went from 4 to 5", with what else there was of the kind. */
static struct str changes_in_words(struct finder *f, const struct cause *cause)
{
    size_t n = cause->changes.n;

    if (n == 0)
        return STR("the trace does not say why");
    if (n == 1)
        return cause->changes.v[0];
    if (n == 2)
        return arena_printf(f->arena, "%.*s; then %.*s", STR_ARG(cause->changes.v[0]), STR_ARG(cause->changes.v[1]));
    return arena_printf(f->arena, "%.*s, and %zu more such changes", STR_ARG(cause->changes.v[0]), n - 1);
}

static void set_cause_remedy(struct finder *f, struct finding *x, const struct cause *cause)
{
    if (!cause->sample) {
        x->fix = STR("PyTorch 2.5 and later record the reason; with earlier ones the log tells it.");
        x->paste = STR("TORCH_LOGS=\"recompiles\"");
        return;
    }
    set_remedy(f, x, cause->sample);
    x->detail = arena_printf(f->arena, "Failed guard: %.*s", STR_ARG(str_take(cause->sample->guard, 400)));
    for (size_t i = 0; i < cause->pastes.n && i < PASTES_MAX; i++)
        x->paste = i ? arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(x->paste), STR_ARG(cause->pastes.v[i]))
                     : cause->pastes.v[i];
}

static void add_cause(struct finder *f, const struct cause *cause)
{
    struct finding *x = finding_add(f, "recompile", severity_of(cause));
    struct str name = frame_name(f, cause->frame), times, others = {0};

    times = cause->compiles.n == 1   ? STR("once")
            : cause->compiles.n == 2 ? STR("twice")
                                     : arena_printf(f->arena, "%zu times", cause->compiles.n);
    if (cause->functions > 1)
        others = arena_printf(f->arena, " and %llu more", (unsigned long long)cause->functions - 1);
    x->title = arena_printf(f->arena, "%.*s%.*s recompiled %.*s: %.*s", STR_ARG(name), STR_ARG(others), STR_ARG(times),
                            STR_ARG(changes_in_words(f, cause)));
    x->cost_us = cause->duration_us;
    x->cost_compiles = cause->compiles.n;
    set_place(x, cause->frame);
    set_cause_remedy(f, x, cause);
    for (size_t i = 0; i < cause->compiles.n; i++)
        finding_evidence(f, x, cause->compiles.v[i]);
}

static int by_time(const void *pa, const void *pb)
{
    const struct cause *a = *(struct cause *const *)pa, *b = *(struct cause *const *)pb;
    const struct compile *ca = a->compiles.v[0], *cb = b->compiles.v[0];

    if (a->duration_us != b->duration_us)
        return a->duration_us < b->duration_us ? 1 : -1;
    if (ca->process->index != cb->process->index)
        return ca->process->index < cb->process->index ? -1 : 1;
    return (ca->index > cb->index) - (ca->index < cb->index);
}

/* With error_on_recompile it is an error, and told as such. */
static bool is_forbidden(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (str_eq(c->failures.v[i]->type, STR("RecompileError")))
            return true;
    return false;
}

/* Chains that hit the limit are told by find_recompile_limit. */
void find_recompiles(struct finder *f)
{
    const struct recompiles *rcs = &f->answers->recompiles;
    struct causes causes = {0};

    map_init(&causes.by_function, f->arena);
    map_init(&causes.by_words, f->arena);
    map_init(&causes.seen, f->arena);
    for (size_t i = 0; i < rcs->chains.n; i++)
        for (size_t k = 0; k < rcs->chains.v[i]->list.n && !rcs->chains.v[i]->limit; k++)
            if (!is_forbidden(rcs->chains.v[i]->list.v[k]->compile))
                add_to_cause(f, &causes, rcs->chains.v[i]->list.v[k]);
    if (causes.list.n)
        qsort(causes.list.v, causes.list.n, sizeof *causes.list.v, by_time);
    for (size_t i = 0; i < causes.list.n; i++)
        add_cause(f, causes.list.v[i]);
}
