#include "torchlog/notes/starts.h"

enum { LOOKED_AT = 400 };
enum part {
    PART_CAPTURE,
    PART_DYNAMO,
    PART_COMPILE,
    PART_LOADED,
    PART_PROFILE,
    PART_TOTAL,
    PART_WEIGHTS,
    PART_ENGINE,
    PARTS
};

/* The time stands behind `lead`, or behind `then` after it. */
static const struct {
    struct str lead, then;
    enum part part;
} forms[] = {
    {STR_INIT("Graph capturing finished in "), STR_INIT(""), PART_CAPTURE},
    {STR_INIT("Capture cuda graph end. Time elapsed: "), STR_INIT(""), PART_CAPTURE}, /* SGLang */
    {STR_INIT("Dynamo bytecode transform time: "), STR_INIT(""), PART_DYNAMO},
    {STR_INIT("Compiling a graph for "), STR_INIT(" takes "), PART_COMPILE},
    {STR_INIT("Directly load the compiled graph(s) for "), STR_INIT(", took "), PART_LOADED},
    {STR_INIT("Initial profiling/warmup run took "), STR_INIT(""), PART_PROFILE},
    {STR_INIT("torch.compile takes "), STR_INIT(""), PART_TOTAL},
    {STR_INIT("torch.compile took "), STR_INIT(""), PART_TOTAL},
    {STR_INIT("Loading weights took "), STR_INIT(""), PART_WEIGHTS},
    {STR_INIT("init engine (profile, create kv cache, warmup model) took "), STR_INIT(""), PART_ENGINE},
};

enum { WORKERS_MAX = 16 };

struct worker {
    struct str name; /* "Worker_TP0"; empty where the lines have no such prefix */
    double seconds[PARTS]; /* of all graphs and models; 0: none. The total is vLLM's own sum */
};

struct server_start {
    struct worker workers[WORKERS_MAX];
    size_t n, engines;
    bool loaded, stored;
    struct str line; /* the first one */
};

static double number_at(struct str rest)
{
    double value;

    while (rest.n && (*rest.p == '*' || *rest.p == ' ')) /* of Markdown */
        rest = str_skip(rest, 1);
    return rest.n && str_is_digit(*rest.p) && str_number(rest, &value) ? value : 0;
}

/* "Worker_TP0" of "(Worker_TP0 pid=150) INFO ..."; empty for other lines. */
static struct str worker_of(struct str line)
{
    struct str name = {0};

    if (str_starts(line, STR("(")) && str_between(line, STR("("), STR(" pid="), &name) && name.n < LOOKED_AT)
        return name;
    return (struct str){0};
}

/* NULL for more of them than are looked at. */
static struct worker *worker_named(struct server_start *s, struct str name)
{
    for (size_t i = 0; i < s->n; i++)
        if (str_eq(s->workers[i].name, name))
            return &s->workers[i];
    if (s->n == WORKERS_MAX)
        return NULL;
    s->workers[s->n] = (struct worker){.name = name};
    return &s->workers[s->n++];
}

static void add_seconds(struct server_start *s, struct str line, enum part part, double seconds)
{
    struct worker *w = worker_named(s, worker_of(line));

    s->line = s->line.n ? s->line : line;
    s->engines += part == PART_ENGINE;
    if (w && part == PART_TOTAL)
        w->seconds[part] = seconds > w->seconds[part] ? seconds : w->seconds[part];
    else if (w)
        w->seconds[part] += seconds;
}

static void read_line(struct str line, struct server_start *s)
{
    s->loaded |= str_has(line, STR("Directly load the compiled graph")) ||
                 str_has(line, STR("Directly load AOT compilation"));
    s->stored |= str_has(line, STR("Cache the graph ")) || str_has(line, STR("saved AOT compiled function to "));
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        ptrdiff_t at = str_find(line, forms[i].lead), then;
        struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + forms[i].lead.n);
        double seconds;

        then = at < 0 ? -1 : forms[i].then.n ? str_find(rest, forms[i].then) : 0;
        seconds = then < 0 ? 0 : number_at(str_skip(rest, (size_t)then + forms[i].then.n));
        if (seconds > 0)
            add_seconds(s, line, forms[i].part, seconds);
    }
}

/* The workers do each part at the same time: the slowest counts. */
static double slowest(const struct server_start *s, enum part part)
{
    double most = 0;

    for (size_t i = 0; i < s->n; i++)
        if (s->workers[i].seconds[part] > most)
            most = s->workers[i].seconds[part];
    return most;
}

/* By the lines that load graphs, and those that store what was compiled. */
static const char *cache_words(const struct server_start *s, double compile)
{
    if (s->loaded)
        return compile > 0 ? " (the cache had some graphs)" : " (warm cache)";
    return s->stored ? " (cold cache)" : "";
}

struct series_found starts_parts(struct arena *a, struct str text)
{
    static const struct {
        enum part part;
        const char *most, *name;
    } shown[] = {
        {PART_CAPTURE, "capturing CUDA graphs", "capture of CUDA graphs"},
        {PART_DYNAMO, "Dynamo", "Dynamo"},
        {PART_COMPILE, "compiling", "compiling"},
        {PART_LOADED, "loading compiled graphs", "loading graphs"},
        {PART_PROFILE, "the first run", "first run"},
    };
    enum { SHOWN = sizeof shown / sizeof *shown };
    struct server_start s = {.loaded = false};
    struct series_found found = {.line = {0}};
    double seconds[PARTS], rest;
    size_t most = 0;
    struct str line;

    while (str_next_line(&text, &line))
        read_line(str_trim(str_take(line, LOOKED_AT)), &s);
    for (int i = 0; i < PARTS; i++)
        seconds[i] = slowest(&s, (enum part)i);
    if (seconds[PART_COMPILE] <= 0 && !s.loaded && seconds[PART_TOTAL] > seconds[PART_DYNAMO])
        seconds[PART_COMPILE] = seconds[PART_TOTAL] - seconds[PART_DYNAMO];
    rest = seconds[PART_ENGINE];
    for (size_t i = 0; i < SHOWN; i++) {
        rest -= seconds[shown[i].part];
        most = seconds[shown[i].part] > seconds[shown[most].part] ? i : most;
    }
    /* more than the whole: of several starts. What loads graphs alone says little of one */
    if (s.engines != 1 || rest < -1 || seconds[shown[most].part] <= 0 ||
        (shown[most].part == PART_LOADED && rest > seconds[PART_LOADED]))
        return found;
    found.line = s.line;
    found.message = arena_printf(a, ", most of which is %s: %.1f of %.1f s%s", shown[most].most,
                                 seconds[shown[most].part], seconds[PART_ENGINE],
                                 cache_words(&s, seconds[PART_COMPILE]));
    for (size_t i = 0; i < SHOWN; i++)
        if (i != most && seconds[shown[i].part] > 0)
            found.message = arena_printf(a, "%.*s, %s %.1f s", STR_ARG(found.message), shown[i].name,
                                         seconds[shown[i].part]);
    if (rest > 0)
        found.message = arena_printf(a, "%.*s, %s %.1f s", STR_ARG(found.message),
                                     seconds[PART_PROFILE] > 0 ? "the rest" : "profiling and the rest", rest);
    if (seconds[PART_WEIGHTS] > 0)
        found.message = arena_printf(a, "%.*s; before that, loading weights %.1f s", STR_ARG(found.message),
                                     seconds[PART_WEIGHTS]);
    return found;
}

/* "backbone" of "Using cache directory: ~/.cache/vllm/torch_compile_cache/e9/rank_0_0/backbone for vLLM's ..." */
static struct str graph_named(struct str line)
{
    struct str path;

    if (!str_between(line, STR("sing cache directory: "), STR(" for vLLM"), &path))
        return (struct str){0};
    return str_skip(path, (size_t)(str_rchr(path, '/') + 1));
}

static double seconds_behind(struct str line, struct str lead, struct str then)
{
    ptrdiff_t at = str_find(line, lead), behind;
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + lead.n);

    behind = at < 0 ? -1 : then.n ? str_find(rest, then) : 0;
    return behind < 0 ? 0 : number_at(str_skip(rest, (size_t)behind + then.n));
}

struct series_found starts_waited(struct arena *a, struct str text)
{
    enum { LISTED = 400 }; /* bytes: a headline has room for less */
    static const struct str waits = STR_INIT("No available shared memory broadcast block found");
    struct series_found found = {.line = {0}};
    struct str line, worker = {0}, graph = {0}, list = {0};
    double dynamo = 0, compile = 0;
    size_t graphs = 0;

    while (str_next_line(&text, &line)) {
        struct str bare = str_trim(str_take(line, LOOKED_AT)), of = worker_of(bare), name = graph_named(bare);
        double total = seconds_behind(bare, STR("torch.compile took "), STR(""));

        if (found.line.n == 0 && str_has(bare, waits))
            found.line = line;
        if (of.n == 0 || (worker.n && !str_eq(of, worker)) || (name.n == 0 && worker.n == 0))
            continue;
        worker = of;
        if (name.n)
            graph = name;
        dynamo += seconds_behind(bare, STR("Dynamo bytecode transform time: "), STR(""));
        compile += seconds_behind(bare, STR("Compiling a graph for "), STR(" takes "));
        if (total <= 0 || list.n > LISTED)
            continue;
        list = arena_printf(a, "%.*s%s%.*s %.2f s", STR_ARG(list), list.n ? ", " : "", STR_ARG(graph), total);
        if (dynamo > 0 && compile > 0)
            list = arena_printf(a, "%.*s (Dynamo %.2f s, the graph %.2f s)", STR_ARG(list), dynamo, compile);
        dynamo = compile = 0;
        graphs += found.line.n > 0;
    }
    if (graphs == 0)
        return (struct series_found){.line = {0}};
    found.message = arena_printf(a, ": %.*s compiled %.*s", STR_ARG(worker), STR_ARG(list));
    return found;
}
