/* Findings about the caches of compiled code. */
#include "analysis/find/find.h"

#include "util/map.h"

/* --- cold, and missed --------------------------------------------------------------------------------------------- */

/* Results of the graph caches in one process. */
struct lookups {
    uint64_t hits, misses;
    uint64_t earlier; /* hits of what was in the cache before this run */
    const struct compile *missed; /* the first */
};

static bool is_of_graphs(const struct cache_event *e)
{
    return e->layer == CACHE_AOTAUTOGRAD || e->layer == CACHE_FX_GRAPH;
}

/* The keys that a process of the run missed: it then compiled them, and whoever finds them later finds its work. */
static void note_missed_keys(struct finder *f, struct map *missed)
{
    const struct compile *c;

    map_init(missed, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events)
        {
            if (is_of_graphs(e) && e->outcome == CACHE_MISS && e->key.n)
                ++*map_number_at(missed, e->key);
        }
}

static struct lookups lookups_of(const struct process *p, const struct map *missed)
{
    struct lookups l = {0};

    for (size_t i = 0; i < p->compiles.n; i++)
        vec_each(const struct cache_event, e, &p->compiles.v[i]->cache_events)
        {
            if (!is_of_graphs(e))
                continue;
            l.hits += e->outcome == CACHE_HIT;
            l.earlier += e->outcome == CACHE_HIT && map_number(missed, e->key) == 0;
            l.misses += e->outcome == CACHE_MISS;
            if (e->outcome == CACHE_MISS && !l.missed)
                l.missed = p->compiles.v[i];
        }
    return l;
}

/* `pt2trace run` used empty caches: nothing is wrong with the user's. */
static bool were_emptied(const struct experiment *x)
{
    for (size_t i = 0; x && i < x->trials.n; i++)
        if (str_eq(x->trials.v[i].name, STR("base")))
            return x->trials.v[i].fresh_caches;
    return false;
}

/* A first run of the program, or its cache directory was deleted. */
static void add_cold(struct finder *f, const struct compile *first)
{
    struct finding *x = finding_add(f, "cache-cold", FINDING_INFO);
    const struct compile *c;

    x->title = STR("Cold caches: every graph was compiled from scratch");
    x->fix = STR("Keep the cache directory between runs (in a container: on a mounted volume). The next run then loads "
                 "what this one compiled.");
    finding_paste(x, PASTE_ENVIRONMENT, STR("TORCHINDUCTOR_CACHE_DIR=$HOME/.cache/torchinductor"));
    finding_evidence(f, x, first);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        finding_cost_compile(f, x, c);
}

static bool says_miss(const struct compile *c, struct str *how)
{
    vec_each(const struct cache_event, e, &c->cache_events) if (is_of_graphs(e) && e->outcome == CACHE_MISS)
    {
        *how = e->reason;
        return true;
    }
    return false;
}

static void add_missed(struct finder *f, const struct process *p, struct finding **found)
{
    struct finding *x = *found;
    struct str how;

    for (size_t i = 0; i < p->compiles.n; i++) {
        const struct compile *c = p->compiles.v[i];

        if (!says_miss(c, &how))
            continue;
        if (!x) {
            *found = x = finding_add(f, "cache-miss", FINDING_LOW);
            finding_place(x, stack_user_call(c->stack));
        }
        if (how.n && x->detail.n == 0)
            x->detail = arena_printf(f->arena, "The cache reports `%.*s`.", STR_ARG(how));
        finding_cost_compile(f, x, c);
        finding_evidence(f, x, c);
    }
}

enum { FEW_GRAPHS = 3 }; /* of which "most" says nothing */

/* Another process of the job found as many graphs as there are here, and missed none: the keys differ between them. */
static bool is_hit_elsewhere(const struct finder *f, const struct process *p, const struct map *missed)
{
    struct lookups own = lookups_of(p, missed);

    for (size_t i = 0; i < f->run->processes.n; i++) {
        const struct process *other = f->run->processes.v[i];
        struct lookups l = lookups_of(other, missed);

        if (other != p && other->group == p->group && l.misses == 0 && l.earlier >= own.hits + own.misses)
            return true;
    }
    return false;
}

static bool is_any_hit_elsewhere(const struct finder *f, const struct finding *x, const struct map *missed)
{
    for (size_t i = 0; i < x->compiles.n; i++)
        if (is_hit_elsewhere(f, x->compiles.v[i]->process, missed))
            return true;
    return false;
}

/* A later run of the job looks for what an earlier one compiled, under the same key, and does not find it. */
static void find_lost_entry(struct finder *f)
{
    const struct compile *c;
    struct finding *x;
    struct map missed; /* the first run that missed the key, plus 1 */

    map_init(&missed, f->arena);
    for (struct compile_walk w = {.run = f->run}; f->run->groups > 1 && (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events)
        {
            uint64_t *first;

            if (!is_of_graphs(e) || e->outcome != CACHE_MISS || e->key.n == 0)
                continue;
            first = map_number_at(&missed, e->key);
            *first = *first ? *first : c->process->group + 1;
            if (*first == c->process->group + 1)
                continue;
            x = finding_add(f, "cache-miss", FINDING_INFO);
            x->title = STR("The cache missed the same graph in a second run, under the same key: it was not stored, or "
                           "not kept");
            x->fix = STR("Nothing failed: the graph was compiled again. A graph that has a backward is stored only "
                         "once that is compiled, in the first call of `backward()`: a program that ends before stores "
                         "nothing. Otherwise see whether the first run warns that it cannot store it, and whether both "
                         "use one directory that is kept between them (`TORCHINDUCTOR_CACHE_DIR`).");
            finding_evidence(f, x, c);
            return;
        }
}

/* If most graphs were found, the missing ones deserve attention, unless the code was edited: nothing shows that. */
void find_cache_state(struct finder *f)
{
    struct lookups all = {0};
    struct finding *missed = NULL;
    struct map keys;
    const int64_t worth_a_word_us = 30 * 1000000ll, wall_us = f->answers->timing.compile_wall_us;

    note_missed_keys(f, &keys);
    for (size_t i = 0; i < f->run->processes.n; i++) {
        const struct process *p = f->run->processes.v[i];
        struct lookups l = lookups_of(p, &keys);

        all.hits += l.hits;
        all.misses += l.misses;
        all.missed = all.missed ? all.missed : l.missed;
        if (l.misses && l.earlier > l.misses && l.earlier + l.misses > FEW_GRAPHS)
            add_missed(f, p, &missed);
    }
    if (missed) {
        missed->severity =
            is_any_hit_elsewhere(f, missed, &keys) ? finding_severity_of_time(finding_time(missed)) : FINDING_INFO;
        missed->title =
            arena_printf(f->arena, "%llu compile%s missed the caches, while most graphs were found in them",
                         (unsigned long long)finding_compiles(missed), finding_compiles(missed) == 1 ? "" : "s");
        missed->fix =
            STR("Something in the cache key of these graphs differs from the previous run: code, shapes, settings, "
                "versions. After an edit of the program that is expected. Else the section on caches lists the "
                "parts of the key; to compare, log them in both runs.");
        finding_paste(missed, PASTE_ENVIRONMENT, STR("TORCH_LOGS=\"+inductor,+aot\""));
    }
    if (all.misses && all.hits == 0 && wall_us >= worth_a_word_us && !were_emptied(f->run->experiment))
        add_cold(f, all.missed);
    if (all.misses && all.hits == 0 && f->run->experiment == NULL)
        find_lost_entry(f);
}

/* --- bypassed ----------------------------------------------------------------------------------------------------- */

#define ACCEPT_OPERATOR                                                                                                \
    "This version of PyTorch does not cache graphs with this operator, which is no fault of the program: accept that " \
    "they are compiled in every process."
#define ACCEPT_GRAPH                                                                                                   \
    "This version of PyTorch does not cache such a graph, which is no fault of the program, and nothing failed: "      \
    "accept that it is compiled in every process. Newer versions cache more."
#define ACCEPT_FREEZING                                                                                                \
    "With `freezing` the weights become part of the code, which is then not cached: accept that, or do without "       \
    "freezing where the time of a start counts more than the time of a call."

/*
 * What helps against a reason, as PyTorch's sources raise it (CacheabilityValidator, check_node_safe): the first row
 * that fits. `info`: what the program does is right, and this version does not cache it.
 */
static const struct bypass_remedy {
    const char *words, *also; /* the reason has both */
    enum finding_severity severity;
    const char *fix, *environment;
} bypass_remedies[] = {
    {"custom pass", NULL, FINDING_LOW,
     "The cache does not know when your pass changes, so it caches nothing. Keep the pass, and make it a "
     "class that derives from `CustomGraphPass` (in `_inductor/custom_graph_pass.py`, from 2.6 on), with the pass as "
     "`__call__` and a `uuid()` that returns `get_hash_for_files((__file__,))`, or whatever else changes with its code "
     "and its settings.",
     NULL},
    {"_fuse_ddp_communication_pass", NULL, FINDING_LOW,
     "The cache does not know when your pass changes. Make it a class that derives from "
     "`CustomGraphPass` (in `_inductor/custom_graph_pass.py`), with a `uuid()` that changes with its code.",
     NULL},
    {"fusion_custom_pass", NULL, FINDING_LOW,
     "The cache does not know when your pass changes. Make it a class that derives from "
     "`CustomSchedulerPass` (in `_inductor/custom_graph_pass.py`), with a `uuid()` that changes with its code.",
     NULL},
    {"SAC context_fn", NULL, FINDING_LOW,
     "Give the `context_fn` of the checkpoint a `cache_hash`: a text that changes with what it does, such as a hash of "
     "its code. On a `functools.partial` it is set on the partial itself.",
     NULL},
    {"uuid() returned None", NULL, FINDING_LOW,
     "Let the `uuid()` of that class return a text that changes with its code: None switches the cache off.", NULL},
    {"without uuid()", NULL, FINDING_LOW,
     "Make it a class with a `uuid()` that changes with its code, as the reason says, instead of a plain function.",
     NULL},
    {"autograd_function_apply", NULL, FINDING_LOW,
     "Graphs with a torch.autograd.Function are not cached unless a setting allows it. Set it where `forward` and "
     "`backward` depend on nothing but their arguments; otherwise accept that these graphs are compiled in every "
     "process.",
     "TORCHINDUCTOR_AUTOGRAD_CACHE_ALLOW_CUSTOM_AUTOGRAD=1"},
    {"Can't cache HigherOrderOperator", NULL, FINDING_INFO,
     ACCEPT_OPERATOR,
     NULL},
    {"Unsupported call_function target", "Function module: torch.ops.higher_order", FINDING_INFO,
     ACCEPT_OPERATOR,
     NULL},
    {"Unsupported call_function target <Wrapped ", NULL, FINDING_INFO,
     "This version of PyTorch does not cache graphs with this operation of NumPy: accept that they are compiled in "
     "every process. PyTorch 2.13 caches functions of NumPy, but no methods or operators of arrays: `np.mean(x)` is "
     "cached, `x.mean()` is not.",
     NULL},
    {"Unsupported call_function target <function _enter_autocast", NULL, FINDING_INFO,
     "This version of PyTorch does not cache graphs that enter autocast. Where it holds for all that the function "
     "computes, enter it around the call of the compiled function instead: then the graph is cached. Otherwise accept "
     "that these graphs are compiled in every process.",
     NULL},
    {"Unsupported call_function target <function ", "Function module: torch.", FINDING_INFO,
     "The function is PyTorch's own, and this version does not cache graphs that call it as it is, which is no fault "
     "of the program: accept that they are compiled in every process.",
     NULL},
    {"Unsupported call_function target <function ", NULL, FINDING_LOW,
     "The graph calls this Python function as it is, and the cache does not know when it changes. As a "
     "custom operator (torch.library.custom_op, with register_fake) it is cached; so is a function that Dynamo traces.",
     NULL},
    {"Unsupported call_function target <class 'torch.", "Tensor'>", FINDING_LOW,
     "The graph calls a constructor of old code, as `FloatTensor(n, m)`, and is compiled again in every process "
     "because of it. If start-up time matters, make the tensor by a function of torch: `empty((n, m))`, `full((n, m), "
     "value)`, `tensor(values)`.",
     NULL},
    {"Unsupported call_method", NULL, FINDING_INFO,
     "This version of PyTorch does not cache graphs that call methods of anything but tensors: accept that they are "
     "compiled in every process.",
     NULL},
    {"torchbind", NULL, FINDING_INFO,
     "Graphs with objects of TorchScript classes are not cached: accept that they are compiled in every process.",
     NULL},
    {"freezing enabled", NULL, FINDING_LOW,
     ACCEPT_FREEZING,
     NULL},
    {"frozen constants", NULL, FINDING_LOW,
     ACCEPT_FREEZING,
     NULL},
    {"mkldnn tensors", NULL, FINDING_LOW,
     "Tensors in the layout of MKL-DNN, such as `freezing` makes of weights on a CPU, cannot be written to the cache: "
     "accept that these graphs are compiled in every process.",
     NULL},
    {"compiled autograd", NULL, FINDING_INFO,
     "This version of PyTorch does not cache graphs with compiled autograd: accept that they are compiled in every "
     "process.",
     NULL},
    {"functional tensor", NULL, FINDING_INFO,
     ACCEPT_GRAPH,
     NULL},
    {"Reduce unsupported", NULL, FINDING_INFO,
     ACCEPT_GRAPH,
     NULL},
    {"No shape env", NULL, FINDING_INFO,
     ACCEPT_GRAPH,
     NULL},
    {"Unsupported node op", NULL, FINDING_INFO,
     ACCEPT_GRAPH,
     NULL},
    {"Config options may be unpickleable", NULL, FINDING_LOW,
     "An option of the compile, such as a function that is a custom pass, cannot be pickled, so that its graphs have "
     "no key: leave the option out, or accept that they are compiled in every process.",
     NULL},
    {"bisector", NULL, FINDING_INFO, "The bisector switches the cache off while it searches. Nothing is wrong.", NULL},
    {"FX graph cache is not enabled", NULL, FINDING_LOW,
     "The program or its environment switches the cache of graphs off (`fx_graph_cache`); without it AOTAutograd "
     "caches nothing either. Switch it on.",
     NULL},
    {"Failed to pickle cache key", NULL, FINDING_LOW,
     "Something that the graph or a setting holds cannot be pickled. The warning of the same words in the log has the "
     "exception, which names it.",
     NULL},
    {"requires triton", NULL, FINDING_LOW, "Install the Triton that this PyTorch asks for, as the reason says.", NULL},
};

static const struct bypass_remedy *bypass_remedy_of(struct str reason)
{
    for (size_t i = 0; i < sizeof bypass_remedies / sizeof *bypass_remedies; i++)
        if (str_has(reason, str_of(bypass_remedies[i].words)) &&
            (!bypass_remedies[i].also || str_has(reason, str_of(bypass_remedies[i].also))))
            return &bypass_remedies[i];
    return NULL;
}

/* "cond": each cache has its own words for the operator that it does not take. */
static struct str bypass_target(struct str line)
{
    if (str_consume(&line, STR("Can't cache HigherOrderOperator: ")))
        return str_trim(line);
    if (str_consume(&line, STR("Unsupported call_function target ")))
        return str_ends(line, STR(".")) ? str_take(line, line.n - 1) : line;
    return (struct str){0};
}

/* One reason, for one or more caches. */
struct bypass {
    struct finding *finding;
    struct str reason;
    const struct compile *last; /* the last compile that was counted */
    bool layers[CACHE_LAYERS];
};

static void set_bypass_fix(struct finding *x, struct str reason)
{
    const struct bypass_remedy *r = bypass_remedy_of(reason);

    if (!r) {
        x->fix = STR("These graphs are compiled again in every process. If start-up time matters, remove the cause "
                     "that the reason names.");
        return;
    }
    x->severity = r->severity;
    x->fix = str_of(r->fix);
    if (r->environment)
        finding_paste(x, PASTE_ENVIRONMENT, str_of(r->environment));
}

static void add_bypass(struct finder *f, struct map *seen, const struct cache_event *e)
{
    struct str reason = e->reason, line = str_trim(str_split(&reason, '\n')), target = bypass_target(line);
    void **slot = map_at(seen, target.n ? target : line);
    struct bypass *b = *slot;

    if (!b) {
        *slot = b = ARENA_NEW(f->arena, struct bypass);
        b->finding = finding_add(f, "cache-bypass", FINDING_LOW);
        b->reason = line.n ? line : STR("no reason given");
        set_bypass_fix(b->finding, e->reason);
        finding_place(b->finding, stack_user_call(e->compile->stack));
    }
    /* One compile may bypass several caches. */
    if (b->last != e->compile)
        finding_cost_compiles(f, b->finding, e->compile->process, 1);
    b->last = e->compile;
    b->layers[e->layer] = true;
    finding_evidence(f, b->finding, e->compile);
}

static void name_bypass(struct finder *f, const struct bypass *b)
{
    static const char *const names[CACHE_LAYERS] = {
        [CACHE_PGO] = "PGO",           [CACHE_PRECOMPILE] = "precompile", [CACHE_AOTAUTOGRAD] = "AOTAutograd",
        [CACHE_FX_GRAPH] = "FX graph", [CACHE_TRITON] = "Triton",
    };
    struct str list = {"", 0};
    unsigned n = 0;

    for (int i = 0; i < CACHE_LAYERS; i++)
        if (b->layers[i])
            list = arena_printf(f->arena, "%.*s%s%s", STR_ARG(list), n++ ? " and " : "", names[i]);
    b->finding->title = arena_printf(f->arena, "The %.*s cache%s bypassed: %.*s", STR_ARG(list),
                                     n > 1 ? "s were" : " was", STR_ARG(b->reason));
}

void find_cache_bypass(struct finder *f)
{
    const struct compile *c;
    struct map seen;

    map_init(&seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events) if (e->outcome == CACHE_BYPASS) add_bypass(f, &seen, e);
    for (size_t i = 0; i < seen.n; i++)
        name_bypass(f, seen.entries[i].value);
}
