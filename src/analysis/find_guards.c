/* Findings about guards: they are checked at every call. */
#include "analysis/find.h"

#include "text/guard_kind.h"
#include "text/guard_tree.h"
#include "util/frequency.h"

#include <stdlib.h>

enum { MANY_GUARDS = 1000, SOME_GUARDS = 300, SLOW_US = 500, VERY_SLOW_US = 5000, SHOWN = 3 };

static int64_t number(const struct compile *c, const char *key)
{
    int64_t n;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), key, &n) && n > 0 ? n : 0;
}

struct worst {
    const struct compile *compile;
    int64_t guards, latency_us;
};

/* The time is of one check, and a busy machine makes it long: it counts only where there are guards to take it. */
static bool is_heavy(const struct compile *c)
{
    int64_t guards = number(c, "guard_count");

    return guards >= MANY_GUARDS || (guards >= SOME_GUARDS && number(c, "guard_latency_us") >= SLOW_US);
}

static const struct artifact *tree_of(const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (str_eq(c->artifacts.v[i]->name, STR("dynamo_cpp_guards_str")))
            return c->artifacts.v[i];
    return NULL;
}

/* --- which guards there are most of ------------------------------------------------------------------------------- */

/* "L['self']" of L['self']._modules['layers'], also where it stands in a call: list(dict.keys(L['x'])). */
static struct str root_of(struct str source)
{
    ptrdiff_t begin = str_find(source, STR("['")), end = str_find(source, STR("']"));

    if (begin < 1 || end < begin)
        return source.n ? source : STR("the whole frame");
    return str_take(str_skip(source, (size_t)begin - 1), (size_t)(end - begin) + 3);
}

/* The most frequent, as "1200 × TENSOR_MATCH (the tensor's dtype ...)". */
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

/* Of the beginning of the tree, when it is large. */
static struct str told_by_tree(struct finder *f, const struct artifact *artifact)
{
    struct guard_tree tree;
    struct map kinds, roots;
    struct str text;

    if (!artifact)
        return (struct str){0};
    text = arena_str(f->arena, finder_read(f, artifact));
    guard_tree_parse(f->arena, text, &tree);
    map_init(&kinds, f->arena);
    map_init(&roots, f->arena);
    for (size_t i = 0; i < tree.guards.n; i++) {
        frequency_add(&kinds, tree.guards.v[i]->kind);
        frequency_add(&roots, root_of(tree.guards.v[i]->source));
    }
    if (kinds.n == 0)
        return (struct str){0};
    return arena_printf(f->arena, "%s %.*s; %.*s.", f->cut ? "Most, in the beginning of the tree:" : "Most are",
                        STR_ARG(most_frequent(f, &kinds, true)), STR_ARG(most_frequent(f, &roots, false)));
}

/* --- the finding -------------------------------------------------------------------------------------------------- */

static struct worst worst_of(const struct run *r)
{
    struct worst worst = {0};
    const struct compile *c;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        int64_t guards = number(c, "guard_count"), latency = number(c, "guard_latency_us");

        if (!is_heavy(c) || latency < worst.latency_us || (latency == worst.latency_us && guards <= worst.guards))
            continue;
        worst = (struct worst){c, guards, latency};
    }
    return worst;
}

void find_guards(struct finder *f)
{
    struct worst worst = worst_of(f->run);
    struct finding *x;
    const struct compile *c;

    if (!worst.compile)
        return;
    x = finding_add(f, "slow-guards", worst.latency_us >= VERY_SLOW_US ? FINDING_MEDIUM : FINDING_LOW);
    x->title = arena_printf(f->arena, "%lld guards are checked at every call of %.*s, which took %lld µs",
                            (long long)worst.guards, STR_ARG(finding_compile_name(f, worst.compile)),
                            (long long)worst.latency_us);
    x->detail = told_by_tree(f, tree_of(worst.compile));
    x->fix =
        STR("Modules with many attributes cost most. If the modules never change after the first call, their guards "
            "can be left out; nothing then notices when one does change.");
    finding_paste(x, PASTE_PATTERN,
                  STR("torch.compile(model, options={\"guard_filter_fn\": "
                      "torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe})"));
    finding_paste_at(x, NULL, STR("where the model is compiled"));
    finding_place(x, stack_user_call(worst.compile->stack));
    finding_evidence(f, x, worst.compile);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (c != worst.compile && is_heavy(c))
            finding_evidence(f, x, c);
}
