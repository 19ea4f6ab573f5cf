/* Findings about guards, which are checked at every call. */
#include "analysis/answers/versions.h"
#include "analysis/find/find.h"

#include "analysis/find/callee.h"
#include "analysis/find/caller.h"
#include "text/guards/guard_kind.h"
#include "text/guards/guard_tree.h"
#include "text/versions/names.h"
#include "util/frequency.h"

enum { MANY_GUARDS = 1000, SLOW_US = 1000, VERY_SLOW_US = 5000, SLOW_CHECKS = 2, LOOKED_AT_MAX = 8, SHOWN = 3 };

static int64_t number(const struct compile *c, const char *key)
{
    int64_t n;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), key, &n) && n > 0 ? n : 0;
}

/* --- which guards there are most of ------------------------------------------------------------------------------- */

/* "L['self']" of L['self']._modules['layers'], also inside a call: list(dict.keys(L['x'])). */
static struct str root_of(struct str source)
{
    ptrdiff_t begin = str_find(source, STR("['")), end = str_find(source, STR("']"));

    if (begin < 1 || end < begin)
        return source.n ? source : STR("the whole frame");
    return str_take(str_skip(source, (size_t)begin - 1), (size_t)(end - begin) + 3);
}

/* The most frequent one, as "1200 × TENSOR_MATCH (the tensor's dtype ...)". */
static struct str most_frequent(struct finder *f, const struct map *counts, bool kinds)
{
    const struct frequency **list = frequency_ranked(f->arena, counts);
    struct str out = {"", 0};

    for (size_t i = 0; i < counts->n && i < SHOWN; i++) {
        const char *words = kinds ? guard_kind_words(list[i]->name) : NULL;

        out = arena_printf(f->arena, "%.*s%s%llu %s`%.*s`%s%s%s", STR_ARG(out), i ? ", " : "",
                           (unsigned long long)list[i]->n, kinds ? "× " : "on ", STR_ARG(list[i]->name),
                           words ? " (" : "", words ? words : "", words ? ")" : "");
    }
    return out;
}

/* --- what a call checks ------------------------------------------------------------------------------------------- */

struct checks {
    int64_t count;
    bool cut;        /* the tree was not read completely */
    struct str most; /* the most frequent kinds and variables; empty if unknown */
};

/*
 * The guards of the tree: those that a guard_filter_fn kept. The metrics count all that were created. If the tree is
 * not read completely, the count is an estimate.
 */
static void read_tree(struct finder *f, const struct artifact *artifact, struct checks *out)
{
    struct str text = arena_str(f->arena, finder_read_guards(f, artifact));
    struct guard_tree tree;
    struct map kinds, roots;

    guard_tree_parse_checks(f->arena, text, &tree);
    map_init(&kinds, f->arena);
    map_init(&roots, f->arena);
    for (size_t i = 0; i < tree.guards.n; i++) {
        frequency_add(&kinds, tree.guards.v[i]->kind);
        frequency_add(&roots, root_of(tree.guards.v[i]->source));
    }
    if (kinds.n == 0)
        return;
    out->count = (int64_t)tree.guards.n;
    out->cut = f->cut;
    if (f->cut && text.n)
        out->count = (int64_t)((double)out->count * (double)artifact->payload.text_bytes / (double)text.n);
    out->most = arena_printf(f->arena, "%s %.*s; %.*s.", f->cut ? "Most, at the beginning of the tree:" : "Most are",
                             STR_ARG(most_frequent(f, &kinds, true)), STR_ARG(most_frequent(f, &roots, false)));
}

static struct checks checks_of(struct finder *f, const struct compile *c)
{
    struct checks out = {.count = number(c, "guard_count")};
    const struct artifact *tree = compile_guard_tree(c);

    if (tree)
        read_tree(f, tree, &out);
    return out;
}

/* --- the finding -------------------------------------------------------------------------------------------------- */

/* Compiles with the most guards, most first: few enough to read their trees. */
struct guard_candidates {
    const struct compile *list[LOOKED_AT_MAX];
    size_t n;
};

static void add_candidate(struct guard_candidates *all, const struct compile *c)
{
    size_t at = all->n;

    if (all->n < LOOKED_AT_MAX)
        all->n++;
    else if (number(c, "guard_count") <= number(all->list[--at], "guard_count"))
        return;
    for (; at > 0 && number(all->list[at - 1], "guard_count") < number(c, "guard_count"); at--)
        all->list[at] = all->list[at - 1];
    all->list[at] = c;
}

/*
 * The time is of one check, when the compile ends, and a busy machine makes it long: twice is no accident, and the
 * shortest says the most. Any model of some size has so many guards; what they cost is what counts.
 */
static enum finding_severity severity_of(const struct run *r)
{
    const struct compile *c;
    int64_t shortest = 0;
    int slow = 0;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        int64_t us = number(c, "guard_count") >= MANY_GUARDS ? number(c, "guard_latency_us") : 0;

        slow += us >= VERY_SLOW_US;
        shortest = us && (!shortest || us < shortest) ? us : shortest;
    }
    if (slow >= SLOW_CHECKS)
        return FINDING_MEDIUM;
    return shortest && shortest < SLOW_US ? FINDING_INFO : FINDING_LOW;
}

static void set_fix(struct finding *x, const struct compile *c)
{
    x->fix =
        STR("Modules with many attributes cost most. If the modules never change after the first call, their guards "
            "can be skipped; if one does change, nothing notices.");
    if (names_has(NAME_API, STR("torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe"),
                  process_pytorch(c->process)) == NAME_ABSENT)
        return;
    finding_paste(x, PASTE_PATTERN,
                  STR("torch.compile(model, options={\"guard_filter_fn\": "
                      "torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe})"));
    finding_paste_at(x, NULL, STR("where the model is compiled"));
}

/* 1500 for 1462: an estimate from the beginning of a tree is not more precise. */
static int64_t two_digits(int64_t n)
{
    int64_t unit = 1;

    while (n / unit >= 100)
        unit *= 10;
    return (n + unit / 2) / unit * unit;
}

static void add_finding(struct finder *f, const struct compile *worst, const struct checks *checks)
{
    struct finding *x = finding_add(f, "slow-guards", severity_of(f->run));
    const struct call *caller = caller_of(worst);
    struct str name = worst->frame && worst->frame->name.n ? callee_words(f, worst) : finding_compile_name(f, worst);
    const struct compile *c;

    x->title = arena_printf(f->arena, "%s%lld guards are checked at every call of %.*s", checks->cut ? "Some " : "",
                            (long long)(checks->cut ? two_digits(checks->count) : checks->count), STR_ARG(name));
    x->detail = checks->most;
    if (number(worst, "guard_latency_us"))
        x->detail = arena_printf(f->arena, "Checking them once took %lld \xc2\xb5s.%s%.*s",
                                 (long long)number(worst, "guard_latency_us"), checks->most.n ? " " : "",
                                 STR_ARG(checks->most));
    set_fix(x, worst);
    finding_place(x, caller ? caller : stack_user_call(worst->stack));
    finding_evidence(f, x, worst);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (c != worst && number(c, "guard_count") >= MANY_GUARDS)
            finding_evidence(f, x, c);
}

void find_guards(struct finder *f)
{
    struct guard_candidates all = {.n = 0};
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (number(c, "guard_count") >= MANY_GUARDS)
            add_candidate(&all, c);
    for (size_t i = 0; i < all.n; i++) {
        struct checks checks = checks_of(f, all.list[i]);

        if (checks.count < MANY_GUARDS)
            continue;
        add_finding(f, all.list[i], &checks);
        break;
    }
    guard_facts_forget(f);
}
