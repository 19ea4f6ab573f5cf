/* Findings about how the code was cut into graphs: too many, too small, none at all, the same one again and again. */
#include "analysis/find.h"

#include "text/graph_ops.h"
#include "util/map.h"
#include "util/number.h"

#include <stdlib.h>

enum { NAMES_SHOWN = 5 };

/* "`f`, `g` and 3 more". */
struct names {
    struct str text;
    size_t n;
};

static void add_name(struct finder *f, struct names *names, struct str name)
{
    if (names->n++ < NAMES_SHOWN)
        names->text = arena_printf(f->arena, "%.*s%s`%.*s`", STR_ARG(names->text), names->text.n ? ", " : "",
                                   STR_ARG(name.n ? name : STR("?")));
}

static struct str names_text(struct finder *f, const struct names *names)
{
    if (names->n <= NAMES_SHOWN)
        return names->text;
    return arena_printf(f->arena, "%.*s and %zu more", STR_ARG(names->text), names->n - NAMES_SHOWN);
}

static const struct frame *whole_frame(const struct compile *c)
{
    return c->frame && !is_framework_file(c->frame->file) ? c->frame : NULL;
}

/* The function as it was written: resume functions are parts of it. */
static struct str function_key(struct finder *f, const struct frame *fr)
{
    return arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(fr->file), STR_ARG(fr->is_resume ? fr->resumes : fr->name));
}

static int64_t operators_of(const struct compile *c)
{
    int64_t ops;

    return metrics_i64(compile_metrics(c, METRICS_FORWARD), "graph_op_count", &ops) && ops > 0 ? ops : 0;
}

static int64_t duration_of(const struct compile *c)
{
    int64_t start, duration;

    return compile_interval(c, &start, &duration) ? duration : 0;
}

/* --- one function with very many breaks --------------------------------------------------------------------------- */

enum { HOTSPOT_BREAKS = 8 };

struct function {
    const struct frame *frame; /* the first; of the whole function where it is known */
    size_t places, graphs;
    int64_t duration_us;
    VEC(const struct compile *) all, compiles; /* compiles: with breaks */
};

static struct function *function_of(struct finder *f, struct map *functions, const struct frame *fr)
{
    void **slot = map_at(functions, function_key(f, fr));
    struct function *fn = *slot;

    if (!fn)
        *slot = fn = ARENA_NEW(f->arena, struct function);
    if (!fn->frame || (fn->frame->is_resume && !fr->is_resume))
        fn->frame = fr;
    return fn;
}

static void note_breaks(struct finder *f, struct map *places, struct function *fn, const struct compile *c)
{
    fn->duration_us = add_bounded(fn->duration_us, duration_of(c));
    fn->graphs += operators_of(c) > 0;
    vec_push(f->arena, &fn->all, c);
    if (c->breaks.n)
        vec_push(f->arena, &fn->compiles, c);
    for (size_t i = 0; i < c->breaks.n; i++) {
        const struct graph_break *b = c->breaks.v[i];
        void **slot =
            map_at(places, arena_printf(f->arena, "%p %lld %.*s", (void *)fn, (long long)b->line, STR_ARG(b->file)));

        fn->places += *slot == NULL;
        *slot = fn;
    }
}

static void add_hotspot(struct finder *f, const struct function *fn)
{
    enum finding_severity by_time = finding_severity_of_time(fn->duration_us);
    struct finding *x = finding_add(f, "break-hotspot", by_time < FINDING_MEDIUM ? by_time : FINDING_MEDIUM);
    struct str name = fn->frame->is_resume ? fn->frame->resumes : fn->frame->name;

    x->title = arena_printf(f->arena, "`%.*s` breaks the graph at %zu places", STR_ARG(name), fn->places);
    x->detail = arena_printf(f->arena, "It is compiled in %zu pieces, and Python runs between them.", fn->graphs);
    x->fix = STR("A function with that many breaks gains little from being compiled. Keep it out of the compiler and "
                 "compile what it calls: one break is better than many.");
    finding_paste(x, PASTE_PATTERN,
                  arena_printf(f->arena, "@torch.compiler.disable(recursive=False)\ndef %.*s(...):", STR_ARG(name)));
    x->file = fn->frame->file;
    x->line = fn->frame->is_resume ? 0 : fn->frame->line;
    for (size_t i = 0; i < fn->compiles.n; i++) {
        finding_evidence(f, x, fn->compiles.v[i]);
        finding_cost_breaks(f, x, fn->compiles.v[i]->process, fn->compiles.v[i]->breaks.n);
    }
    for (size_t i = 0; i < fn->all.n; i++)
        finding_cost_compile(f, x, fn->all.v[i]);
}

void find_hotspots(struct finder *f)
{
    struct map functions, places;
    const struct compile *c;

    map_init(&functions, f->arena);
    map_init(&places, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (whole_frame(c))
            note_breaks(f, &places, function_of(f, &functions, c->frame), c);
    for (size_t i = 0; i < functions.n; i++) {
        const struct function *fn = functions.entries[i].value;

        if (fn->places >= HOTSPOT_BREAKS)
            add_hotspot(f, fn);
    }
}

/* --- many tiny graphs --------------------------------------------------------------------------------------------- */

enum { TINY_OPERATORS = 4, TINY_GRAPHS = 8 };

/* Cut off by a break: a small function that is compiled whole is no matter. */
static bool is_piece(const struct compile *c)
{
    return c->breaks.n || (c->frame && c->frame->is_resume);
}

void find_tiny_graphs(struct finder *f)
{
    size_t tiny = 0, graphs = 0;
    struct finding *x;
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        int64_t ops = operators_of(c);

        graphs += ops > 0;
        tiny += ops > 0 && ops <= TINY_OPERATORS && is_piece(c);
    }
    if (tiny < TINY_GRAPHS || tiny * 2 < graphs)
        return;
    x = finding_add(f, "tiny-graphs", FINDING_MEDIUM);
    x->title =
        arena_printf(f->arena, "%zu of %zu graphs have at most %d operators: breaks cut the code into small pieces",
                     tiny, graphs, TINY_OPERATORS);
    x->detail = STR("There is little to fuse in a small graph, and each one costs guards and a call.");
    x->fix = STR("Remove the breaks, those in the middle of a model first; or compile a smaller part of the program, "
                 "which has none. An error instead of a break shows one after the other.");
    finding_paste(x, PASTE_PATTERN, STR("torch.compile(model, fullgraph=True)"));
    finding_paste_at(x, NULL, STR("where the model is compiled"));
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (operators_of(c) > 0 && operators_of(c) <= TINY_OPERATORS && is_piece(c))
            finding_evidence(f, x, c);
}

/* --- nothing to compile, left to Python --------------------------------------------------------------------------- */

/* Functions as they were written, each once, with what was spent on them. */
struct listed {
    struct map seen;
    struct names names;
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
        add_name(f, &l->names, c->frame->is_resume ? c->frame->resumes : c->frame->name);
    *slot = l;
    finding_cost_compile(f, l->finding, c);
    finding_evidence(f, l->finding, c);
}

/* The first compile of a whole function: what comes after a break often has nothing left to compute. */
static bool is_empty(const struct compile *c)
{
    return c->status == STATUS_EMPTY && c->id.compile == 0 && whole_frame(c) && !c->frame->is_resume &&
           c->failures.n == 0;
}

void find_empty_graphs(struct finder *f)
{
    struct listed l = {0};
    const struct compile *c;

    map_init(&l.seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (is_empty(c))
            list_function(f, &l, "empty-graph", c);
    if (!l.finding)
        return;
    l.finding->severity = finding_severity_of_time(finding_time(l.finding));
    l.finding->title =
        arena_printf(f->arena, "Nothing to compile in %.*s: no operator on a tensor", STR_ARG(names_text(f, &l.names)));
    l.finding->fix = STR("Dynamo looks at such functions, and guards their arguments, for nothing. Compile the part "
                         "that computes, or keep helpers out.");
    finding_paste(l.finding, PASTE_PATTERN, STR("@torch.compiler.disable"));
    finding_paste_at(l.finding, NULL, STR("before the definition of the function"));
}

static const struct failure *given_up(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (c->failures.v[i]->fallback && !c->limit_hit)
            return c->failures.v[i];
    return NULL;
}

void find_skipped_frames(struct finder *f)
{
    struct listed l = {0};
    const struct compile *c;

    map_init(&l.seen, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (whole_frame(c) && given_up(c))
            list_function(f, &l, "skipped-frame", c);
    if (!l.finding)
        return;
    l.finding->severity = FINDING_MEDIUM;
    l.finding->title = arena_printf(f->arena, "Left to Python as a whole: %.*s", STR_ARG(names_text(f, &l.names)));
    l.finding->detail =
        STR("After some breaks a function cannot be resumed: those in loops, in `with` and `try` blocks, "
            "in generators and comprehensions. Functions that it calls may still be compiled.");
    l.finding->fix = STR("Remove the break, or move what is between it and the block's end into a function of its own "
                         "that is called from the block.");
}

/* --- the same graph again and again ------------------------------------------------------------------------------- */

/* Graphs are compared by their text: so many, and so much of each, are read. */
enum { SAME_MIN = 3, SAME_OPERATORS = 3, GRAPHS_READ_MAX = 2000 };

struct same {
    uint64_t ops;
    struct map functions;
    struct names names;
    VEC(const struct compile *) compiles;
};

static const struct artifact *graph_of(const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (str_eq(c->artifacts.v[i]->name, STR("dynamo_output_graph")))
            return c->artifacts.v[i];
    return NULL;
}

/* Only graphs of a size that several functions have can be alike: the others need not be read. */
static void count_sizes(struct finder *f, struct map *sizes)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (c->frame && operators_of(c) >= SAME_OPERATORS) {
            void **slot = map_at(sizes, arena_printf(f->arena, "%lld", (long long)operators_of(c)));
            size_t *n = *slot;

            if (!n)
                *slot = n = ARENA_NEW(f->arena, size_t);
            ++*n;
        }
}

static bool may_be_alike(struct finder *f, const struct map *sizes, const struct compile *c)
{
    const size_t *n = map_get(sizes, arena_printf(f->arena, "%lld", (long long)operators_of(c)));

    return c->frame && n && *n >= SAME_MIN;
}

/* Ranks do the same, each for itself: they are not compared. */
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
        return; /* the same function again is told as a recompile */
    *function = same;
    add_name(f, &same->names, c->frame->is_resume ? c->frame->resumes : c->frame->name);
    vec_push(f->arena, &same->compiles, c);
}

static void add_same(struct finder *f, const struct same *same)
{
    struct finding *x = finding_add(f, "same-graph", FINDING_LOW);

    x->title = arena_printf(f->arena, "%zu functions have the same graph of %llu operators: %.*s", same->compiles.n,
                            (unsigned long long)same->ops, STR_ARG(names_text(f, &same->names)));
    x->detail = STR("The operators are the same, in the same order.");
    x->fix = STR("Compile one function, and call it for all of them: what differs is passed as an argument. For the "
                 "layers of a model that is regional compilation.");
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
        const struct artifact *graph = may_be_alike(f, &sizes, c) ? graph_of(c) : NULL;

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

/* A block has so many operators, stands so often in the graph, and the graph took so long that it is worth a word. */
enum { BLOCK_MIN = 5, BLOCK_TIMES = 4, OPERATORS_LOOKED_AT = 2000, SLOW_GRAPHS_READ_MAX = 8 };
static const int64_t slow_graph_us = 30 * 1000000ll;

struct block {
    size_t operators, times;
    bool cut; /* the graph goes on behind what was looked at */
};

/* How long h goes on being what it was `period` operators before. */
static size_t longest_run(const uint64_t *h, size_t n, size_t period)
{
    size_t best = 0, run = 0;

    for (size_t i = period; i < n; i++) {
        run = h[i] == h[i - period] ? run + 1 : 0;
        best = run > best ? run : best;
    }
    return best;
}

/* The smallest block that fills half of the graph. */
static struct block block_of(const uint64_t *h, size_t n)
{
    for (size_t period = BLOCK_MIN; period * BLOCK_TIMES <= n; period++) {
        size_t times = longest_run(h, n, period) / period + 1;

        if (times >= BLOCK_TIMES && times * period * 2 >= n)
            return (struct block){.operators = period, .times = times};
    }
    return (struct block){0};
}

static struct block find_block(struct finder *f, const struct artifact *graph)
{
    uint64_t *h = ARENA_ARRAY(f->arena, uint64_t, OPERATORS_LOOKED_AT);
    struct str text = finder_read(f, graph), rest = text, place = {0};
    struct graph_op op;
    struct block block;
    size_t n = 0;

    while (n < OPERATORS_LOOKED_AT && graph_op_next(&rest, &place, &op))
        h[n++] = str_hash(op.name);
    block = block_of(h, n);
    block.cut = n == OPERATORS_LOOKED_AT || f->cut;
    return block;
}

static void add_block(struct finder *f, const struct compile *c, struct block block)
{
    struct finding *x = finding_add(f, "repeated-block", FINDING_INFO);

    x->title =
        arena_printf(f->arena, "The graph of %.*s holds one block of %zu operators %s%zu times",
                     STR_ARG(finding_compile_name(f, c)), block.operators, block.cut ? "at least " : "", block.times);
    x->detail = STR("Compile time grows with the graph; a block that is compiled by itself is compiled once for all of "
                    "its copies.");
    x->fix = STR("Compile the block instead of the whole (regional compilation).");
    finding_paste(x, PASTE_PATTERN,
                  STR("for i, layer in enumerate(model.layers):\n    model.layers[i] = torch.compile(layer)"));
    finding_paste_at(x, NULL, STR("instead of compiling the whole model"));
    x->file = c->frame->file;
    x->line = c->frame->line;
    finding_evidence(f, x, c);
}

/* Of each function the first compile. */
void find_repeated_blocks(struct finder *f)
{
    const struct compile *c;
    size_t read = 0;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w)) && read < SLOW_GRAPHS_READ_MAX;) {
        const struct artifact *graph;
        struct block block;

        if (!whole_frame(c) || c->id.compile > 0 || duration_of(c) < slow_graph_us || !(graph = graph_of(c)))
            continue;
        read++;
        block = find_block(f, graph);
        if (block.times)
            add_block(f, c, block);
    }
}
