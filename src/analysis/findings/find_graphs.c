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

/* With other arguments it may compute: `x if y is None else x + y`. */
static bool computes_later(const struct compile *c)
{
    for (size_t i = 0; i < c->frame->compiles.n; i++)
        if (c->frame->compiles.v[i]->status != STATUS_EMPTY)
            return true;
    return false;
}

/*
 * The first compile of a whole function: what comes after a break often has nothing left to compute. Functions of
 * libraries, and those that Python writes ("<string>", the __init__ of a dataclass), are not the user's to change.
 */
static bool is_empty(const struct compile *c)
{
    return c->status == STATUS_EMPTY && c->id.compile == 0 && compile_own_frame(c) && !c->frame->is_resume &&
           c->failures.n == 0 && !computes_later(c) && !is_library_file(c->frame->file) &&
           !str_starts(c->frame->file, STR("<"));
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
    bool cut;     /* the graph is longer than the part that was looked at */
    bool is_most; /* of the graph */
    bool is_same; /* all have the same parameters: one piece of code is called in a loop */
};

/* Where the longest run ends in which h repeats with this period, and its length. */
static size_t longest_run(const uint64_t *h, size_t n, size_t period, size_t *end)
{
    size_t best = 0, run = 0;

    for (size_t i = period; i < n; i++) {
        run = h[i] == h[i - period] ? run + 1 : 0;
        *end = run > best ? i + 1 : *end;
        best = run > best ? run : best;
    }
    return best;
}

/*
 * Whether each block reads the same inputs of the graph as the one before it. The first may differ: it gets the
 * argument of the function.
 */
static bool reads_the_same(const uint64_t *read, size_t end, size_t run, size_t period)
{
    size_t start = end - run; /* of the second block */

    for (size_t i = start + period; i < end; i++)
        if (read[i] != read[i - period])
            return false;
    return true;
}

/* The smallest block that makes up half of the graph. */
static struct graph_block block_of(const uint64_t *h, const uint64_t *read, size_t n)
{
    for (size_t period = BLOCK_MIN; period * BLOCK_TIMES <= n; period++) {
        size_t end = 0, run = longest_run(h, n, period, &end), times = run / period + 1;

        if (times >= BLOCK_TIMES && times * period * 2 >= n)
            return (struct graph_block){.operators = period,
                                        .times = times,
                                        .is_most = times * period * 5 >= n * 4,
                                        .is_same = reads_the_same(read, end, run, period)};
    }
    return (struct graph_block){0};
}

/* A hash of the inputs of the graph that a call reads: "l_self_parameters_w_", "L_x_"; in 2.5 also modules. */
static uint64_t inputs_read(struct str call)
{
    uint64_t h = 0;

    call = str_split(&call, ';'); /* "…;  l_x_ = None" behind the last use of a value */
    while (call.n) {
        size_t n = 0;

        while (n < call.n && str_is_name_char(call.p[n]))
            n++;
        if (str_starts(call, STR("l_")) || str_starts(call, STR("L_")) || str_starts(call, STR("self.")))
            h = h * 31 + str_hash(str_take(call, n));
        call = str_skip(call, n ? n : 1);
    }
    return h;
}

static struct graph_block find_block(struct finder *f, const struct artifact *graph)
{
    uint64_t *h = ARENA_ARRAY(f->arena, uint64_t, OPERATORS_LOOKED_AT);
    uint64_t *read = ARENA_ARRAY(f->arena, uint64_t, OPERATORS_LOOKED_AT);
    struct str text = finder_read(f, graph), rest = text, place = {0};
    struct graph_op op;
    struct graph_block block;
    size_t n = 0;

    while (n < OPERATORS_LOOKED_AT && graph_op_next(&rest, &place, &op)) {
        read[n] = inputs_read(op.call);
        h[n++] = str_hash(op.name);
    }
    block = block_of(h, read, n);
    block.cut = n == OPERATORS_LOOKED_AT || f->cut;
    return block;
}

/* The function that a line of the frame's own code calls: "self.step" of "y = self.step(i * h, y, h)". */
struct looped {
    struct str called, source;
    int64_t line;
};

/* "step" of "# File: /x/ode.py:16 in step, code: …" */
static struct str function_in(struct str place)
{
    struct str name;

    return str_between(place, STR(" in "), STR(", code:"), &name) ? name : (struct str){0};
}

/* A guard's comment, "# y = self.step(i * h, y, h)  # x/ode.py:21 in forward", if it is of the frame's own code. */
static bool guard_line_calls(struct str comment, const struct frame *fr, struct str name, struct looped *out)
{
    ptrdiff_t at = str_find(comment, STR("  # "));
    struct str source = str_trim(str_take(comment, at < 0 ? 0 : (size_t)at)), where, file, called;
    ptrdiff_t call, start, colon;
    uint64_t line;

    if (at < 0)
        return false;
    where = str_trim(str_skip(comment, (size_t)at + 4));
    colon = str_chr(where, ':');
    file = str_take(where, colon < 0 ? 0 : (size_t)colon);
    where = str_skip(where, file.n + 1);
    if (file.n == 0 || !str_ends(fr->file, file) || !str_take_u64(&where, &line) || (int64_t)line < fr->line ||
        !str_consume(&where, STR(" in ")) || !str_eq(str_split(&where, ' '), fr->name))
        return false;
    call = start = str_find(source, name);
    if (call < 0 || !str_starts(str_skip(source, (size_t)call + name.n), STR("(")))
        return false;
    while (start > 0 && (str_is_name_char(source.p[start - 1]) || source.p[start - 1] == '.'))
        start--;
    called = str_take(str_skip(source, (size_t)start), (size_t)(call - start) + name.n);
    if (!str_eq(called, name) && !str_starts(called, STR("self.")))
        return false;
    *out = (struct looped){.called = called, .source = source, .line = (int64_t)line};
    return true;
}

static bool find_called(struct str guards, const struct frame *fr, struct str name, struct looped *out)
{
    struct str line;

    while (str_next_line(&guards, &line)) {
        ptrdiff_t at = str_find(line, STR(" # "));

        if (at >= 0 && guard_line_calls(str_skip(line, (size_t)at + 3), fr, name, out))
            return true;
    }
    return false;
}

/* Of the functions that the operators are in, the one that the frame's own code calls. False if the trace lacks it. */
static bool find_looped(struct finder *f, const struct compile *c, const struct artifact *graph, struct looped *out)
{
    struct str rest = arena_str(f->arena, finder_read(f, graph)), place = {0}, guards = {0};
    struct map names;
    struct graph_op op;
    size_t n = 0;

    for (size_t i = c->artifacts.n; i-- > 0 && guards.n == 0;)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_DYNAMO_CPP_GUARDS_STR))
            guards = arena_str(f->arena, finder_read_guards(f, c->artifacts.v[i]));
    map_init(&names, f->arena);
    while (guards.n && n++ < OPERATORS_LOOKED_AT && graph_op_next(&rest, &place, &op)) {
        struct str name = function_in(op.place);

        if (name.n && names.n < 16)
            map_at(&names, name);
    }
    for (size_t i = 0; i < names.n; i++)
        if (find_called(guards, c->frame, names.entries[i].key, out))
            return true;
    return false;
}

/* Once for all copies: what is left of the time if it goes with the number of blocks. */
static void say_saving(struct finder *f, const struct compile *c, struct graph_block block, struct finding *x)
{
    int64_t saved_us = compile_duration(c) / (int64_t)block.times * (int64_t)(block.times - 1);

    x->severity = finding_severity_of_time(saved_us);
    if (x->severity < FINDING_MEDIUM)
        x->severity = FINDING_MEDIUM;
    x->title = arena_printf(f->arena, "%.*s: most of a compile of %lld s", STR_ARG(x->title),
                            (long long)(compile_duration(c) / 1000000));
    x->detail = arena_printf(f->arena,
                             "Compile time grows with the graph: this compile took %lld s, of which about %zu of %zu "
                             "parts go into copies of the block.",
                             (long long)(compile_duration(c) / 1000000), block.times - 1, block.times);
}

/* Whether the function is a method: its guards are about attributes of `self`. */
static bool is_method(struct finder *f, const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_DYNAMO_CPP_GUARDS_STR))
            return str_has(finder_read_guards(f, c->artifacts.v[i]), STR("L['self']"));
    return true;
}

static void paste_looped(struct finder *f, const struct compile *c, struct finding *x, const struct looped *at)
{
    x->fix = STR("Compile what the loop calls instead of the function with the loop: it is then compiled once, and the "
                 "loop runs in Python. A number that counts the steps is best passed as a tensor.");
    if (!at->called.n && !is_method(f, c)) {
        finding_paste(x, PASTE_PATTERN,
                      STR("step = torch.compile(step)   # step: the function or module that the loop calls"));
        finding_paste_at(x, NULL, STR("below its definition, instead of compiling the function with the loop"));
        return;
    }
    if (!at->called.n) {
        finding_paste(x, PASTE_PATTERN,
                      STR("self.step = torch.compile(self.step)   # step: the function or module that the loop calls"));
        finding_paste_at(x, NULL, STR("in `__init__`, instead of compiling the whole model"));
        return;
    }
    finding_paste(x, PASTE_PATTERN,
                  arena_printf(f->arena, "%.*s = torch.compile(%.*s)", STR_ARG(at->called), STR_ARG(at->called)));
    finding_paste_at(x, NULL,
                     str_starts(at->called, STR("self."))
                         ? STR("in `__init__`, instead of compiling the whole model")
                         : STR("below the definition of the function, instead of compiling the loop"));
    x->line = at->line;
    x->source = arena_str(f->arena, at->source);
}

static void add_block(struct finder *f, const struct compile *c, const struct artifact *graph, struct graph_block block)
{
    struct finding *x = finding_add(f, "repeated-block", FINDING_INFO);
    struct looped at = {0};

    x->title =
        arena_printf(f->arena, "The graph of %.*s contains one block of %zu operators %s%zu times",
                     STR_ARG(finding_compile_name(f, c)), block.operators, block.cut ? "at least " : "", block.times);
    x->detail = STR("Compile time grows with the graph; a block that is compiled separately is compiled once for all "
                    "of its copies.");
    if (block.is_most)
        say_saving(f, c, block, x);
    x->file = c->frame->file;
    x->line = c->frame->line;
    finding_evidence(f, x, c);
    if (block.is_same) {
        find_looped(f, c, graph, &at);
        paste_looped(f, c, x, &at);
        return;
    }
    x->fix = STR("Compile the block instead of the whole model (regional compilation).");
    finding_paste(x, PASTE_PATTERN,
                  STR("for i, layer in enumerate(model.layers):\n    model.layers[i] = torch.compile(layer)"));
    finding_paste_at(x, NULL, STR("instead of compiling the whole model"));
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
            add_block(f, c, graph, block);
    }
}
