#include "torchlog/notes/starts.h"

enum { LOOKED_AT = 400 };
enum part { PART_CAPTURE, PART_DYNAMO, PART_COMPILE, PART_TOTAL, PART_WEIGHTS, PART_ENGINE, PARTS };

/* The time stands behind `lead`, or behind `then` after it. */
static const struct {
    struct str lead, then;
    enum part part;
} forms[] = {
    {STR_INIT("Graph capturing finished in "), STR_INIT(""), PART_CAPTURE},
    {STR_INIT("Capture cuda graph end. Time elapsed: "), STR_INIT(""), PART_CAPTURE}, /* SGLang */
    {STR_INIT("Dynamo bytecode transform time: "), STR_INIT(""), PART_DYNAMO},
    {STR_INIT("Compiling a graph for "), STR_INIT(" takes "), PART_COMPILE},
    {STR_INIT("torch.compile takes "), STR_INIT(""), PART_TOTAL},
    {STR_INIT("torch.compile took "), STR_INIT(""), PART_TOTAL},
    {STR_INIT("Loading weights took "), STR_INIT(""), PART_WEIGHTS},
    {STR_INIT("init engine (profile, create kv cache, warmup model) took "), STR_INIT(""), PART_ENGINE},
};

struct server_start {
    double seconds[PARTS]; /* the longest of several ranks; 0: none */
    size_t lines[PARTS];
    bool loaded;
    struct str line; /* the first one */
};

static double number_at(struct str rest)
{
    double value;

    while (rest.n && (*rest.p == '*' || *rest.p == ' ')) /* of Markdown */
        rest = str_skip(rest, 1);
    return rest.n && str_is_digit(*rest.p) && str_number(rest, &value) ? value : 0;
}

static void read_line(struct str line, struct server_start *s)
{
    if (str_has(line, STR("Directly load the compiled graph")) || str_has(line, STR("Directly load AOT compilation")))
        s->loaded = true;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        ptrdiff_t at = str_find(line, forms[i].lead), then;
        struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + forms[i].lead.n);
        double seconds;

        then = at < 0 ? -1 : forms[i].then.n ? str_find(rest, forms[i].then) : 0;
        seconds = then < 0 ? 0 : number_at(str_skip(rest, (size_t)then + forms[i].then.n));
        if (seconds <= 0)
            continue;
        s->lines[forms[i].part]++;
        if (seconds > s->seconds[forms[i].part])
            s->seconds[forms[i].part] = seconds;
        s->line = s->line.n ? s->line : line;
    }
}

static struct str add_part(struct arena *a, struct str out, const char *name, double seconds)
{
    return seconds > 0 ? arena_printf(a, "%.*s, %s %.1f s", STR_ARG(out), name, seconds) : out;
}

struct series_found starts_parts(struct arena *a, struct str text)
{
    struct server_start s = {.loaded = false};
    struct series_found found = {.line = {0}};
    double compile, rest, longest;
    const char *most;
    struct str line;

    while (str_next_line(&text, &line))
        read_line(str_trim(str_take(line, LOOKED_AT)), &s);
    compile = s.seconds[PART_COMPILE] > 0 ? s.seconds[PART_COMPILE] : s.seconds[PART_TOTAL] - s.seconds[PART_DYNAMO];
    compile = compile > 0 && !s.loaded ? compile : 0;
    if (s.lines[PART_ENGINE] != 1 || s.lines[PART_CAPTURE] > 1 || s.lines[PART_DYNAMO] > 1)
        return found;
    longest = s.seconds[PART_CAPTURE];
    most = "capturing CUDA graphs";
    if (s.seconds[PART_DYNAMO] > longest) {
        longest = s.seconds[PART_DYNAMO];
        most = "Dynamo";
    }
    if (compile > longest) {
        longest = compile;
        most = "compiling";
    }
    if (longest <= 0)
        return found;
    rest = s.seconds[PART_ENGINE] - s.seconds[PART_CAPTURE] - s.seconds[PART_DYNAMO] - compile;
    found.line = s.line;
    found.message = arena_printf(a, ", most of which is %s: %.1f of %.1f s", most, longest, s.seconds[PART_ENGINE]);
    if (longest != s.seconds[PART_CAPTURE])
        found.message = add_part(a, found.message, "capture of CUDA graphs", s.seconds[PART_CAPTURE]);
    if (longest != s.seconds[PART_DYNAMO])
        found.message = add_part(a, found.message, "Dynamo", s.seconds[PART_DYNAMO]);
    if (longest != compile)
        found.message = add_part(a, found.message, "compiling", compile);
    found.message = add_part(a, found.message, "profiling and the rest", rest);
    if (s.loaded)
        found.message = arena_printf(a, "%.*s; compiled graphs came from the cache", STR_ARG(found.message));
    if (s.seconds[PART_WEIGHTS] > 0)
        found.message = arena_printf(a, "%.*s; before that, loading weights %.1f s", STR_ARG(found.message),
                                     s.seconds[PART_WEIGHTS]);
    return found;
}

/* "Worker_TP0" of "(Worker_TP0 pid=150) INFO ..."; empty for other lines. */
static struct str worker_of(struct str line)
{
    struct str name = {0};

    if (str_starts(line, STR("(")) && str_between(line, STR("("), STR(" pid="), &name) && name.n < LOOKED_AT)
        return name;
    return (struct str){0};
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
