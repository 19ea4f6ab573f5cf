/*
 * Findings about the effects of graph breaks: functions that Dynamo skips, functions in many pieces, small graphs.
 * Each follows from the breaks that cause it, if the trace has them.
 */
#include "analysis/breaks/break_cost.h"

#include "util/map.h"

/* The name of the original function: resume functions are parts of it. */
static struct str name_of(const struct frame *fr)
{
    return fr->is_resume ? fr->resumes : fr->name;
}

/* Intentional breaks do not get worse because of their consequences. */
static void follow(struct finding *x, struct finding *cause)
{
    x->follows_from = cause;
    if (cause && cause->severity > FINDING_MEDIUM)
        x->severity = cause->severity;
}

/* --- left to Python ----------------------------------------------------------------------------------------------- */

/* Functions that were skipped for one cause. */
struct skipped {
    struct finding *cause, *finding;
    struct find_names names;
    struct map seen;
    bool nothing_compiled;
};

/* The last break of the compile is the one after which it could not continue. */
static struct finding *cause_of(const struct finder *f, const struct compile *c)
{
    for (size_t i = c->breaks.n; i-- > 0;) {
        struct finding *x = finding_of_break(f, c->breaks.v[i]);

        if (x)
            return x;
    }
    return NULL;
}

static struct skipped *skipped_by(struct finder *f, struct map *all, struct finding *cause)
{
    void **slot = map_at_copy(all, MAP_KEY(cause));
    struct skipped *s = *slot;

    if (s)
        return s;
    *slot = s = ARENA_NEW(f->arena, struct skipped);
    s->cause = cause;
    map_init(&s->seen, f->arena);
    return s;
}

static void note_skipped(struct finder *f, struct skipped *s, const struct compile *c)
{
    struct str key = arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(c->frame->file), STR_ARG(name_of(c->frame)));
    void **slot = map_at(&s->seen, key);

    if (!s->finding) {
        s->finding = finding_add(f, "skipped-frame", FINDING_MEDIUM);
        s->finding->file = c->frame->file;
        s->finding->line = c->frame->line;
    }
    if (!*slot)
        find_add_name(f, &s->names, name_of(c->frame));
    *slot = s;
    s->nothing_compiled |= break_left_nothing(f, c);
    finding_cost_compile(f, s->finding, c);
    finding_evidence(f, s->finding, c);
}

static struct str reason_of(struct finder *f, const struct finding *x)
{
    const struct failure *failure = x->compiles.n ? compile_fallback(x->compiles.v[0]) : NULL;
    struct str message = failure ? failure->message : (struct str){0}, line = str_trim(str_split(&message, '\n'));

    if (!failure || (failure->type.n == 0 && line.n == 0))
        return (struct str){0};
    return arena_printf(f->arena, " Dynamo reports: `%.*s`%s%.*s.", STR_ARG(failure->type), line.n ? ": " : "",
                        STR_ARG(str_ends(line, STR(".")) ? str_drop(line, 1) : line));
}

static void describe_skipped(struct finder *f, struct skipped *s)
{
    struct finding *x = s->finding;
    struct str names = find_names_text(f, &s->names), reason = s->cause ? (struct str){0} : reason_of(f, x);

    x->severity = s->nothing_compiled ? FINDING_CRITICAL : FINDING_MEDIUM;
    follow(x, s->cause);
    x->title = s->nothing_compiled ? arena_printf(f->arena, "Nothing is compiled of %.*s", STR_ARG(names))
                                   : arena_printf(f->arena, "Not compiled at all (run eagerly): %.*s", STR_ARG(names));
    x->detail =
        arena_printf(f->arena,
                     "Dynamo cannot resume a function after some breaks: in loops, in `with` and `try` blocks, in "
                     "generators and comprehensions.%s%.*s",
                     s->nothing_compiled ? "" : " Functions that it calls may still be compiled.", STR_ARG(reason));
    x->fix =
        STR("Remove the break, or move the code between it and the end of the block into a separate function that the "
            "block calls.");
}

void find_skipped_frames(struct finder *f)
{
    struct map all;
    const struct compile *c;

    map_init(&all, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (compile_own_frame(c) && compile_given_up(c))
            note_skipped(f, skipped_by(f, &all, cause_of(f, c)), c);
    for (size_t i = 0; i < all.n; i++)
        describe_skipped(f, all.entries[i].value);
}

/* --- one function with very many breaks --------------------------------------------------------------------------- */

/* HELPER_BREAKS: of a function of which no graph has an operator */
enum { HOTSPOT_BREAKS = 8, HELPER_BREAKS = 3 };

struct cut_function {
    const struct frame *frame; /* the first; the whole function's if it is known */
    size_t places, graphs;
    bool given_up; /* Dynamo cannot resume it after one of the breaks: Python runs what is left */
    VEC(const struct compile *) all, compiles; /* compiles: those with breaks */
    struct map causes;                         /* findings, without duplicates */
};

/* The function that contains all breaks of a finding, unless there are several. */
struct home {
    struct str function; /* function_key of the first break */
    bool several;
};

static struct str function_key(struct finder *f, struct str file, struct str name)
{
    return arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(file), STR_ARG(name));
}

static struct cut_function *function_of(struct finder *f, struct map *functions, const struct frame *fr)
{
    void **slot = map_at(functions, function_key(f, fr->file, name_of(fr)));
    struct cut_function *fn = *slot;

    if (!fn) {
        *slot = fn = ARENA_NEW(f->arena, struct cut_function);
        map_init(&fn->causes, f->arena);
    }
    if (!fn->frame || (fn->frame->is_resume && !fr->is_resume))
        fn->frame = fr;
    return fn;
}

static void note_home(struct finder *f, struct map *homes, struct finding *cause, const struct graph_break *b)
{
    const struct call *line = stack_program_call(b->stack);
    void **slot = map_at_copy(homes, MAP_KEY(cause));
    struct home *home = *slot;
    struct str key = line ? function_key(f, line->file, resumed_function(line->function)) : (struct str){0};

    if (!home) {
        *slot = home = ARENA_NEW(f->arena, struct home);
        home->function = key;
    }
    home->several |= !line || !str_eq(home->function, key);
}

static void note_homes(struct finder *f, struct map *homes, const struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n; i++) {
        struct finding *cause = finding_of_break(f, c->breaks.v[i]);

        if (cause)
            note_home(f, homes, cause, c->breaks.v[i]);
    }
}

static void note_breaks(struct finder *f, struct map *places, struct cut_function *fn, const struct compile *c)
{
    fn->graphs += break_operators(c) > 0;
    fn->given_up |= compile_given_up(c);
    vec_push(f->arena, &fn->all, c);
    if (c->breaks.n)
        vec_push(f->arena, &fn->compiles, c);
    for (size_t i = 0; i < c->breaks.n; i++) {
        const struct graph_break *b = c->breaks.v[i];
        struct finding *cause;
        void **slot =
            map_at(places, arena_printf(f->arena, "%p %lld %.*s", (void *)fn, (long long)b->line, STR_ARG(b->file)));

        fn->places += *slot == NULL;
        *slot = fn;
        cause = finding_of_break(f, b);
        if (cause)
            *map_at_copy(&fn->causes, MAP_KEY(cause)) = cause;
    }
}

/*
 * A single cause should be fixed, not avoided; with several, fixing each is more work than not compiling the function.
 */
static struct finding *only_cause(const struct cut_function *fn)
{
    return fn->causes.n == 1 ? fn->causes.entries[0].value : NULL;
}

/* Whether all breaks of a cause are in lines of the function or of its resume functions. */
static bool is_all_in(struct finder *f, const struct map *homes, const struct finding *cause,
                      const struct cut_function *fn)
{
    const struct home *home = map_get(homes, MAP_KEY(cause));

    return home && !home->several && str_eq(home->function, function_key(f, fn->frame->file, name_of(fn->frame)));
}

/*
 * A function of Python alone: it breaks the graph of its caller, and then again where Dynamo tries what is left of it.
 * No break of it is worth a fix, as there is no operator to compile between them.
 */
static bool is_helper(struct finder *f, const struct cut_function *fn)
{
    return fn->given_up && fn->graphs == 0 && fn->places >= HELPER_BREAKS && !break_is_root(f, fn->all.v[0]);
}

static void set_helper_fix(struct finder *f, struct finding *x, const struct cut_function *fn)
{
    struct str name = name_of(fn->frame);

    x->title = arena_printf(f->arena, "`%.*s` breaks the graph at %zu places, and nothing of it is compiled",
                            STR_ARG(name), fn->places);
    x->detail = STR("It is Python without an operator that could be compiled between the breaks.");
    x->fix = STR("Exclude it from compilation: that is one break, where it is called, instead of one at each of these "
                 "lines. Or end the compiled part before that call, and compile what comes before and after it: then "
                 "there is none.");
    finding_paste(x, PASTE_PATTERN,
                  arena_printf(f->arena, "@torch.compiler.disable\ndef %.*s(...):", STR_ARG(name)));
    finding_paste_at(x, NULL, STR("at the definition of the function"));
}

/* A function that the program compiles cannot be kept out of the compiler: compile what it calls instead. */
static void set_hotspot_fix(struct finder *f, struct finding *x, const struct cut_function *fn)
{
    struct str name = name_of(fn->frame);

    if (break_is_root(f, fn->all.v[0])) {
        x->fix =
            STR("A function with that many breaks gains little from being compiled. Compile the functions and modules "
                "that it calls instead of the function itself.");
        finding_paste(x, PASTE_PATTERN, STR("part = torch.compile(part)   # what the function calls"));
        finding_paste_at(x, NULL, arena_printf(f->arena, "instead of compiling `%.*s`", STR_ARG(name)));
        return;
    }
    x->fix = STR("A function with that many breaks gains little from being compiled. Exclude it from compilation; the "
                 "functions that it calls are still compiled: one break is better than many.");
    finding_paste(x, PASTE_PATTERN,
                  arena_printf(f->arena, "@torch.compiler.disable(recursive=False)\ndef %.*s(...):", STR_ARG(name)));
    finding_paste_at(x, NULL, STR("at the definition of the function"));
}

static void add_hotspot(struct finder *f, const struct map *homes, const struct cut_function *fn)
{
    struct finding *x = finding_add(f, "break-hotspot", FINDING_MEDIUM);

    x->title = arena_printf(f->arena, "`%.*s` breaks the graph at %zu places", STR_ARG(name_of(fn->frame)), fn->places);
    x->detail = arena_printf(f->arena, "It is compiled in %zu pieces, and Python runs between them.", fn->graphs);
    x->file = fn->frame->file;
    x->line = fn->frame->is_resume ? 0 : fn->frame->line;
    if (is_helper(f, fn))
        set_helper_fix(f, x, fn);
    else
        set_hotspot_fix(f, x, fn);
    for (size_t i = 0; i < fn->compiles.n; i++) {
        finding_evidence(f, x, fn->compiles.v[i]);
        finding_cost_breaks(f, x, fn->compiles.v[i]->process, fn->compiles.v[i]->breaks.n);
    }
    for (size_t i = 0; i < fn->all.n; i++)
        finding_cost_compile(f, x, fn->all.v[i]);
    if (finding_severity_of_time(finding_time(x)) < x->severity)
        x->severity = finding_severity_of_time(finding_time(x));
    follow(x, only_cause(fn));
    for (size_t i = 0; !x->follows_from && i < fn->causes.n; i++) {
        struct finding *cause = fn->causes.entries[i].value;

        if (!cause->follows_from && is_all_in(f, homes, cause, fn))
            cause->follows_from = x;
    }
}

void find_hotspots(struct finder *f)
{
    struct map functions, places, homes;
    const struct compile *c;

    map_init(&functions, f->arena);
    map_init(&places, f->arena);
    map_init(&homes, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        if (compile_own_frame(c))
            note_breaks(f, &places, function_of(f, &functions, c->frame), c);
        note_homes(f, &homes, c);
    }
    for (size_t i = 0; i < functions.n; i++) {
        const struct cut_function *fn = functions.entries[i].value;

        if (fn->places >= HOTSPOT_BREAKS || is_helper(f, fn))
            add_hotspot(f, &homes, fn);
    }
}

/* --- many tiny graphs --------------------------------------------------------------------------------------------- */

enum { TINY_OPERATORS = 4, TINY_GRAPHS = 8 };

/* Cut off by a break: a small function that is compiled whole does not matter. */
static bool is_piece(const struct compile *c)
{
    return c->breaks.n || (c->frame && c->frame->is_resume);
}

static bool is_tiny(const struct compile *c)
{
    int64_t ops = break_operators(c);

    return ops > 0 && ops <= TINY_OPERATORS && is_piece(c);
}

/* The break that most often cuts off a piece. */
static struct finding *most_frequent_cause(struct finder *f)
{
    struct map counts;
    struct finding *most = NULL;
    uint64_t of_most = 0;
    const struct compile *c;

    map_init(&counts, f->arena);
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        struct finding *cause = is_tiny(c) ? cause_of(f, c) : NULL;
        uint64_t *count;

        if (is_tiny(c) && !cause)
            cause = finding_of_resume(f, c->frame);
        if (!cause)
            continue;
        count = map_number_at(&counts, MAP_KEY(cause));
        if (++*count > of_most) {
            of_most = *count;
            most = cause;
        }
    }
    return most;
}

void find_tiny_graphs(struct finder *f)
{
    size_t tiny = 0, graphs = 0;
    struct finding *x;
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        graphs += break_operators(c) > 0;
        tiny += is_tiny(c);
    }
    if (tiny < TINY_GRAPHS || tiny * 2 < graphs)
        return;
    x = finding_add(f, "tiny-graphs", FINDING_MEDIUM);
    x->title =
        arena_printf(f->arena, "%zu of %zu graphs have at most %d operators: breaks cut the code into small pieces",
                     tiny, graphs, TINY_OPERATORS);
    x->detail = STR("There is little to fuse in a small graph, and each one costs guards and a call.");
    x->fix = STR("Remove the breaks, those in the middle of a model first; or compile a smaller part of the program, "
                 "which has none. With `torch.compile(model, fullgraph=True)` the first break is an error.");
    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        if (is_tiny(c))
            finding_evidence(f, x, c);
    follow(x, most_frequent_cause(f));
}
