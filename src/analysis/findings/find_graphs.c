/* Findings about the graphs themselves: empty ones, the same graph repeatedly, one block repeatedly. */
#include "analysis/answers/versions.h"
#include "analysis/breaks/break_cost.h"

#include "text/graphs/graph_ops.h"
#include "util/map.h"

/* The name of the original function: resume functions are parts of it. */
static struct str function_key(struct finder *f, const struct frame *fr)
{
    return arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(fr->file), STR_ARG(fr->is_resume ? fr->resumes : fr->name));
}

/* --- nothing to compile ------------------------------------------------------------------------------------------- */

/* Original functions, without duplicates, with the time spent on them. */
struct listed {
    struct map seen;
    struct find_names names;
    struct finding *finding;
};

static void list_function(struct finder *f, struct listed *l, const char *id, const struct compile *c)
{
    void **slot = map_at(&l->seen, function_key(f, c->frame));

    if (!l->finding) {
        l->finding = finding_add(f, id, FINDING_LOW);
        l->finding->file = c->frame->file;
        l->finding->line = c->frame->line;
    }
    if (!*slot)
        find_add_name(f, &l->names, c->frame->is_resume ? c->frame->resumes : c->frame->name);
    *slot = l;
    finding_cost_compile(f, l->finding, c);
    finding_evidence(f, l->finding, c);
}

/*
 * The first compile of a whole function: what comes after a break often has nothing left to compute. Functions of
 * libraries, and those that Python writes ("<string>", the __init__ of a dataclass), are not the user's to change.
 */
static bool is_empty(const struct compile *c)
{
    return c->status == STATUS_EMPTY && c->id.compile == 0 && compile_own_frame(c) && !c->frame->is_resume &&
           c->failures.n == 0 && !is_library_file(c->frame->file) && !str_starts(c->frame->file, STR("<"));
}

/* A function that the program itself compiles cannot be kept out of the compiler: remove the call of torch.compile. */
static void set_empty_fix(struct finder *f, struct finding *x)
{
    if (break_is_root(f, x->compiles.v[0])) {
        x->fix = STR("Dynamo traces such a function, and guards its arguments, for nothing. Compile the functions that "
                     "compute with tensors instead of this one.");
        return;
    }
    x->fix = STR("Dynamo traces such functions, and guards their arguments, for nothing. Compile the part that "
                 "computes, or exclude helpers.");
    finding_paste(x, PASTE_PATTERN, STR("@torch.compiler.disable"));
    finding_paste_at(x, NULL, STR("before the definition of the function"));
}

/*
 * Until 2.5 nothing records that Dynamo cannot resume after a break, in a loop for example: it ends like a function
 * without operators. Only one that has no tensors certainly is one.
 */
static bool may_be_given_up(struct finder *f, const struct compile *c)
{
    return c->tensors.n && pytorch_version(run_versions(f->run).pytorch) < 2006;
}

static void set_given_up_or_empty(struct finder *f, struct listed *l)
{
    struct finding *x = l->finding;

    x->severity = FINDING_MEDIUM;
    x->title = arena_printf(f->arena,
                            "No graph of %.*s: either a break that Dynamo cannot resume after, or no operator",
                            STR_ARG(find_names_text(f, &l->names)));
    x->fix = STR("This version does not record which. If the log has `Skipping frame because`, remove the break in the "
                 "line that it names, or move the code around it into a function of its own: all of this function "
                 "runs eagerly. If not, there is nothing to compile in it.");
    finding_paste(x, PASTE_ENVIRONMENT, STR("TORCH_LOGS=\"dynamo\""));
}

void find_empty_graphs(struct finder *f)
{
    struct listed sure = {0}, unsure = {0};
    const struct compile *c;

    map_init(&sure.seen, f->arena);
    map_init(&unsure.seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (is_empty(c))
            list_function(f, may_be_given_up(f, c) ? &unsure : &sure, "empty-graph", c);
    if (unsure.finding)
        set_given_up_or_empty(f, &unsure);
    if (!sure.finding)
        return;
    sure.finding->severity = finding_severity_of_time(finding_time(sure.finding));
    sure.finding->title = arena_printf(f->arena, "Nothing to compile in %.*s: no operator on a tensor",
                                       STR_ARG(find_names_text(f, &sure.names)));
    set_empty_fix(f, sure.finding);
}

/* --- the same graph again and again ------------------------------------------------------------------------------- */

/* Graphs are compared by their text: at most this many, and this much of each, are read. */
enum { SAME_MIN = 3, SAME_OPERATORS = 3, GRAPHS_READ_MAX = 2000 };

struct same {
    uint64_t ops;
    struct map functions;
    struct find_names names;
    VEC(const struct compile *) compiles;
};

/* Only graphs of a size that several functions have can be equal: the others need not be read. */
static void count_sizes(struct finder *f, struct map *sizes)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (c->frame && break_operators(c) >= SAME_OPERATORS) {
            void **slot = map_at(sizes, arena_printf(f->arena, "%lld", (long long)break_operators(c)));
            size_t *n = *slot;

            if (!n)
                *slot = n = ARENA_NEW(f->arena, size_t);
            ++*n;
        }
}

static bool may_be_alike(struct finder *f, const struct map *sizes, const struct compile *c)
{
    const size_t *n = map_get(sizes, arena_printf(f->arena, "%lld", (long long)break_operators(c)));

    return c->frame && n && *n >= SAME_MIN;
}

/* Ranks do the same, each for itself, so graphs of different ranks are not compared. */
static void note_graph(struct finder *f, struct map *graphs, const struct compile *c, const struct artifact *graph)
{
    struct str text = finder_read(f, graph);
    struct graph_shape shape = graph_shape_of(text);
    void **slot;
    struct same *same;
    void **function;

    if (shape.ops < SAME_OPERATORS || f->cut)
        return;
    slot = map_at(graphs, arena_printf(f->arena, "%u %llx", c->process->index, (unsigned long long)shape.hash));
    if (!*slot) {
        *slot = ARENA_NEW(f->arena, struct same);
        map_init(&((struct same *)*slot)->functions, f->arena);
    }
    same = *slot;
    same->ops = shape.ops;
    function = map_at(&same->functions, function_key(f, c->frame));
    if (*function)
        return; /* the same function again is reported as a recompile */
    *function = same;
    find_add_name(f, &same->names, c->frame->is_resume ? c->frame->resumes : c->frame->name);
    vec_push(f->arena, &same->compiles, c);
}

static void add_same(struct finder *f, const struct same *same)
{
    struct finding *x = finding_add(f, "same-graph", FINDING_LOW);

    x->title = arena_printf(f->arena, "%zu functions have the same graph of %llu operators: %.*s", same->compiles.n,
                            (unsigned long long)same->ops, STR_ARG(find_names_text(f, &same->names)));
    x->detail = STR("The operators are the same, in the same order.");
    x->fix = STR("Compile one function, and call it for all of them with the differences as arguments. For the layers "
                 "of a model this is called regional compilation.");
    finding_paste(x, PASTE_PATTERN,
                  STR("for i, layer in enumerate(model.layers):\n    model.layers[i] = torch.compile(layer)"));
    finding_paste_at(x, NULL, STR("instead of compiling the whole model"));
    x->file = same->compiles.v[0]->frame->file;
    x->line = same->compiles.v[0]->frame->line;
    for (size_t i = 0; i < same->compiles.n; i++) {
        finding_evidence(f, x, same->compiles.v[i]);
        if (i > 0)
            finding_cost_compile(f, x, same->compiles.v[i]);
    }
    x->severity = finding_severity_of_time(finding_time(x));
}

void find_same_graphs(struct finder *f)
{
    struct map sizes, graphs;
    const struct compile *c;
    size_t read = 0;

    map_init(&sizes, f->arena);
    map_init(&graphs, f->arena);
    count_sizes(f, &sizes);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w)) && read < GRAPHS_READ_MAX;) {
        const struct artifact *graph = may_be_alike(f, &sizes, c) ? compile_dynamo_graph(c) : NULL;

        read += graph != NULL;
        if (graph)
            note_graph(f, &graphs, c, graph);
    }
    for (size_t i = 0; i < graphs.n; i++) {
        const struct same *same = graphs.entries[i].value;

        if (same->compiles.n >= SAME_MIN)
            add_same(f, same);
    }
}

/* --- one block again and again in one graph ----------------------------------------------------------------------- */

/* A block needs this many operators and repetitions, and the graph this compile time, to be worth reporting. */
enum { BLOCK_MIN = 5, BLOCK_TIMES = 4, OPERATORS_LOOKED_AT = 2000, SLOW_GRAPHS_READ_MAX = 8 };
static const int64_t slow_graph_us = 30 * 1000000ll;

struct graph_block {
    size_t operators, times;
    bool cut; /* the graph is longer than the part that was looked at */
};

/* The length of the longest run in which h repeats with this period. */
static size_t longest_run(const uint64_t *h, size_t n, size_t period)
{
    size_t best = 0, run = 0;

    for (size_t i = period; i < n; i++) {
        run = h[i] == h[i - period] ? run + 1 : 0;
        best = run > best ? run : best;
    }
    return best;
}

/* The smallest block that makes up half of the graph. */
static struct graph_block block_of(const uint64_t *h, size_t n)
{
    for (size_t period = BLOCK_MIN; period * BLOCK_TIMES <= n; period++) {
        size_t times = longest_run(h, n, period) / period + 1;

        if (times >= BLOCK_TIMES && times * period * 2 >= n)
            return (struct graph_block){.operators = period, .times = times};
    }
    return (struct graph_block){0};
}

static struct graph_block find_block(struct finder *f, const struct artifact *graph)
{
    uint64_t *h = ARENA_ARRAY(f->arena, uint64_t, OPERATORS_LOOKED_AT);
    struct str text = finder_read(f, graph), rest = text, place = {0};
    struct graph_op op;
    struct graph_block block;
    size_t n = 0;

    while (n < OPERATORS_LOOKED_AT && graph_op_next(&rest, &place, &op))
        h[n++] = str_hash(op.name);
    block = block_of(h, n);
    block.cut = n == OPERATORS_LOOKED_AT || f->cut;
    return block;
}

static void add_block(struct finder *f, const struct compile *c, struct graph_block block)
{
    struct finding *x = finding_add(f, "repeated-block", FINDING_INFO);

    x->title =
        arena_printf(f->arena, "The graph of %.*s contains one block of %zu operators %s%zu times",
                     STR_ARG(finding_compile_name(f, c)), block.operators, block.cut ? "at least " : "", block.times);
    x->detail = STR("Compile time grows with the graph; a block that is compiled separately is compiled once for all "
                    "of its copies.");
    x->fix = STR("Compile the block instead of the whole model (regional compilation).");
    finding_paste(x, PASTE_PATTERN,
                  STR("for i, layer in enumerate(model.layers):\n    model.layers[i] = torch.compile(layer)"));
    finding_paste_at(x, NULL, STR("instead of compiling the whole model"));
    x->file = c->frame->file;
    x->line = c->frame->line;
    finding_evidence(f, x, c);
}

/* Looks at the first compile of each function. */
void find_repeated_blocks(struct finder *f)
{
    const struct compile *c;
    size_t read = 0;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w)) && read < SLOW_GRAPHS_READ_MAX;) {
        const struct artifact *graph;
        struct graph_block block;

        if (!compile_own_frame(c) || c->id.compile > 0 || compile_duration(c) < slow_graph_us ||
            !(graph = compile_dynamo_graph(c)))
            continue;
        read++;
        block = find_block(f, graph);
        if (block.times)
            add_block(f, c, block);
    }
}
