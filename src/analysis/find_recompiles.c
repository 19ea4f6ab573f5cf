/* Findings about recompiles: by cause, with what to do about each class of guard. */
#include "analysis/find.h"

#include "analysis/recompile_fix.h"
#include "util/map.h"
#include "util/number.h"

#include <stdlib.h>

enum { PASTES_MAX = 8 };

/* "`forward`"; 2.3 does not tell the names of functions. */
static struct str frame_name(struct finder *f, const struct frame *fr)
{
    struct str name = fr->is_resume ? fr->resumes : fr->name;

    return name.n ? arena_printf(f->arena, "`%.*s`", STR_ARG(name)) : STR("A function");
}

static void set_place(struct finding *x, const struct frame *fr)
{
    x->file = fr->file;
    x->line = fr->line;
}

/* The same code, whatever the rank and the epoch. */
static struct str function_key(struct finder *f, const struct frame *fr)
{
    return arena_printf(f->arena, "%lld %.*s\n%.*s", (long long)fr->line, STR_ARG(fr->file), STR_ARG(fr->name));
}

/* --- the limit ---------------------------------------------------------------------------------------------------- */

/* A compile that was refused cost nothing. */
static void add_chain(struct finder *f, struct finding *x, const struct recompile_chain *chain)
{
    for (size_t i = 0; i < chain->list.n; i++) {
        finding_evidence(f, x, chain->list.v[i]->compile);
        if (!chain->list.v[i]->compile->limit_hit)
            finding_cost_compile(f, x, chain->list.v[i]->compile);
    }
}

static void set_limit_fix(struct finder *f, struct finding *x, const struct recompile_chain *chain)
{
    struct recompile_fix fix = {.fix =
                                    STR("PyTorch 2.5 and later record the reason; with earlier ones the log tells it: "
                                        "`TORCH_LOGS=recompiles`.")};

    if (chain->sample)
        recompile_fix_find(f->arena, chain->sample, chain->frame, &fix);
    x->fix = arena_printf(f->arena, "%.*s If the number of cases is small and known, raise the limit instead.",
                          STR_ARG(fix.fix));
    finding_paste(x, fix.paste.n ? PASTE_PATTERN : PASTE_SETTING,
                  arena_printf(f->arena, "%.*s%storch._dynamo.config.recompile_limit = %d", STR_ARG(fix.paste),
                               fix.paste.n ? "\n# or\n" : "",
                               2 * (chain->limit->id.compile > 4 ? chain->limit->id.compile : 4)));
}

static struct finding *new_limit(struct finder *f, const struct recompile_chain *chain)
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
    set_place(x, chain->frame);
    set_limit_fix(f, x, chain);
    return x;
}

/* One function on several ranks is one finding. */
void find_recompile_limit(struct finder *f)
{
    const struct recompiles *rcs = &f->answers->recompiles;
    struct map seen;

    map_init(&seen, f->arena);
    for (size_t i = 0; i < rcs->chains.n && rcs->chains.v[i]->limit; i++) {
        void **slot = map_at(&seen, function_key(f, rcs->chains.v[i]->frame));

        if (!*slot)
            *slot = new_limit(f, rcs->chains.v[i]);
        add_chain(f, *slot, rcs->chains.v[i]);
    }
}

/* --- causes ------------------------------------------------------------------------------------------------------- */

/* Recompiles for the same cause: the same thing changed in one function, or changed alike in several. */
struct cause {
    const struct guard_reason *sample; /* NULL when the trace does not say why */
    struct recompile_fix fix;          /* of the sample */
    const struct frame *frame;         /* the first */
    uint64_t functions;                /* distinct code, whatever the rank */
    size_t most;                       /* compiles of one function on one rank */
    int64_t duration_us;               /* of all: the order in which causes are shown */
    VEC(struct str) changes;           /* in words, each once */
    VEC(struct str) pastes;            /* each once */
    VEC(const struct compile *) compiles;
    const struct compile *made_dynamic; /* the first whose graph takes any value of what changed; or NULL */
};

struct causes {
    struct map by_function, by_words; /* of the thing that changed, and where, or how */
    struct map seen;                  /* functions, changes and pastes of every cause: how often each was there */
    VEC(struct cause *) list;
};

/* "f" of "f.__closure__[0].cell_contents": what is in it does not matter. */
static struct str root_of(const struct recompile_fix *fix, struct str source)
{
    return strcmp(fix->id, "recompile-function") == 0 ? str_split(&source, '.') : source;
}

static struct cause *cause_of(struct finder *f, struct causes *causes, const struct guard_reason *g,
                              const struct recompile_fix *fix, const struct frame *fr)
{
    struct str what = STR("unknown");
    void **here, **alike;

    if (g) {
        struct str root = root_of(fix, g->source);

        what = arena_printf(f->arena, "%s %.*s", fix->id, STR_ARG(root));
    }
    here =
        map_at(&causes->by_function, arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(what), STR_ARG(function_key(f, fr))));
    if (*here)
        return *here;
    alike =
        map_at(&causes->by_words, g ? arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(what), STR_ARG(g->words)) : what);
    if (!*alike) {
        struct cause *cause = ARENA_NEW(f->arena, struct cause);

        cause->sample = g;
        cause->fix = *fix;
        cause->frame = fr;
        vec_push(f->arena, &causes->list, cause);
        *alike = cause;
    }
    return *here = *alike;
}

/* How often it was there, this time included. What: a letter that tells functions, changes and pastes apart. */
static size_t count_of(struct finder *f, struct causes *causes, const struct cause *cause, char what, struct str text)
{
    void **slot = map_at(&causes->seen, arena_printf(f->arena, "%c%p %.*s", what, (const void *)cause, STR_ARG(text)));
    size_t *count = *slot;

    if (!count)
        *slot = count = ARENA_NEW(f->arena, size_t);
    return ++*count;
}

/* What automatic dynamic shapes did about it: a symbol whose source is L['x'].size()[0] or L['n']. */
static bool is_dynamic_in(struct finder *f, const struct compile *c, const struct guard_reason *g)
{
    struct str rest = g->source, root;
    size_t n = 0;

    while (n < rest.n && rest.p[n] != '.' && rest.p[n] != '[')
        n++;
    root = str_take(rest, n);
    rest = arena_printf(f->arena, "L['%.*s']%.*s", STR_ARG(root), STR_ARG(str_skip(rest, n)));
    if (g->class == GUARD_SIZE)
        rest = arena_printf(f->arena, "%.*s.size()[%lld]", STR_ARG(rest), (long long)g->index);
    vec_each(const struct symbol, s, &c->symbols) if (str_eq(s->source, rest) && s->specialized_to.n == 0) return true;
    return false;
}

static void add_reason(struct finder *f, struct causes *causes, struct cause *cause, const struct recompile *rc)
{
    const struct guard_reason *g = &rc->reasons.v[0];
    struct recompile_fix fix;

    recompile_fix_find(f->arena, g, rc->compile->frame, &fix);
    if (count_of(f, causes, cause, 'c', g->words) == 1)
        vec_push(f->arena, &cause->changes, g->words);
    if (fix.paste.n && count_of(f, causes, cause, 'p', fix.paste) == 1)
        vec_push(f->arena, &cause->pastes, fix.paste);
    if (!cause->made_dynamic && g->could_be_dynamic && is_dynamic_in(f, rc->compile, g))
        cause->made_dynamic = rc->compile;
}

static void add_to_cause(struct finder *f, struct causes *causes, const struct recompile *rc)
{
    const struct guard_reason *g = rc->reasons.n ? &rc->reasons.v[0] : NULL;
    const struct frame *fr = rc->compile->frame;
    struct recompile_fix fix = {.id = "recompile-unknown"};
    struct cause *cause;
    size_t here;

    if (g)
        recompile_fix_find(f->arena, g, fr, &fix);
    cause = cause_of(f, causes, g, &fix, fr);
    cause->functions += count_of(f, causes, cause, 'f', function_key(f, fr)) == 1;
    here = count_of(f, causes, cause, 'r',
                    arena_printf(f->arena, "%u %.*s", fr->process->index, STR_ARG(function_key(f, fr))));
    cause->most = here > cause->most ? here : cause->most;
    cause->duration_us = add_bounded(cause->duration_us, rc->duration_us > 0 ? rc->duration_us : 0);
    vec_push(f->arena, &cause->compiles, rc->compile);
    if (g)
        add_reason(f, causes, cause, rc);
}

/* By the time it took; a function that is compiled again and again is on its way to the limit, however fast it is. */
static enum finding_severity severity_of(const struct cause *cause, int64_t us)
{
    if (us >= 30 * 1000000ll || cause->most >= 6)
        return FINDING_HIGH;
    return us >= 3 * 1000000ll || cause->most >= 3 ? FINDING_MEDIUM : FINDING_LOW;
}

static struct str times_words(struct finder *f, uint64_t n)
{
    return n == 1 ? STR("once") : n == 2 ? STR("twice") : arena_printf(f->arena, "%llu times", (unsigned long long)n);
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

/* The guard, the line it comes from, and what PyTorch has done about it by itself. */
static struct str detail_of(struct finder *f, const struct cause *cause)
{
    const struct guard_reason *g = cause->sample;
    struct str out = arena_printf(f->arena, "Failed guard: %.*s", STR_ARG(str_take(g->guard, 400)));

    if (g->user_code.n && str_chr(g->user_code, '`') < 0)
        out = arena_printf(f->arena, "%.*s, made for `%.*s`%s", STR_ARG(out), STR_ARG(str_take(g->user_code, 200)),
                           cause->made_dynamic ? "." : "");
    else if (cause->made_dynamic)
        out = arena_printf(f->arena, "%.*s.", STR_ARG(out));
    if (cause->made_dynamic)
        out = arena_printf(f->arena, "%.*s PyTorch made it dynamic in %.*s by itself, after the first change.",
                           STR_ARG(out), STR_ARG(finding_compile_name(f, cause->made_dynamic)));
    return out;
}

static void set_cause_fix(struct finder *f, struct finding *x, const struct cause *cause)
{
    struct str paste = {0};

    if (!cause->sample) {
        x->fix = STR("PyTorch 2.5 and later record the reason; with earlier ones the log tells it.");
        finding_paste(x, PASTE_ENVIRONMENT, STR("TORCH_LOGS=\"recompiles\""));
        return;
    }
    x->fix = cause->fix.fix;
    x->detail = detail_of(f, cause);
    for (size_t i = 0; i < cause->pastes.n && i < PASTES_MAX; i++)
        paste =
            i ? arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(paste), STR_ARG(cause->pastes.v[i])) : cause->pastes.v[i];
    finding_paste(x, str_starts(paste, STR("torch._dynamo.config.")) ? PASTE_SETTING : PASTE_PATTERN, paste);
}

static void add_cause(struct finder *f, const struct cause *cause)
{
    struct finding *x = finding_add(f, cause->fix.id, FINDING_LOW);
    struct str name = frame_name(f, cause->frame), others = {0};

    for (size_t i = 0; i < cause->compiles.n; i++) {
        finding_evidence(f, x, cause->compiles.v[i]);
        finding_cost_compile(f, x, cause->compiles.v[i]);
    }
    x->severity = severity_of(cause, finding_time(x));
    if (cause->functions > 1)
        others = arena_printf(f->arena, " and %llu more", (unsigned long long)cause->functions - 1);
    x->title = arena_printf(f->arena, "%.*s%.*s recompiled %.*s: %.*s", STR_ARG(name), STR_ARG(others),
                            STR_ARG(times_words(f, finding_compiles(x))), STR_ARG(changes_in_words(f, cause)));
    set_place(x, cause->frame);
    set_cause_fix(f, x, cause);
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
