/* The top of the page: what was read, the result in numbers, the environment. */
#include "analysis/answers/versions.h"
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"

struct tile {
    struct str value;
    const char *label, *href, *tone;
};

/* For a run without ranks, or with one rank, the lowest and the highest number are equal. */
static struct spread only(uint64_t n)
{
    return (struct spread){n, n};
}

static struct rank_counts counts_of(const struct view *v)
{
    const struct counts *n = &v->answers->counts;
    struct rank_counts out = {.compiles = only(n->compiles),
                              .graph_breaks = only(n->graph_breaks),
                              .recompiles = only(n->recompiles),
                              .errors = only(n->errors)};

    if (n->ranks > 1)
        return v->answers->rank_counts;
    for (int o = 0; o < CACHE_OUTCOMES; o++)
        out.cache[o] = only(n->cache[o]);
    return out;
}

/* "≥ 64": a log lacks some of them. */
static struct str at_least(const struct view *v, struct spread n, uint64_t least)
{
    if (v->answers->counts.ranks > 1 || least <= n.most)
        return format_spread(v->scratch, n);
    return arena_printf(v->scratch, "\xe2\x89\xa5 %llu", (unsigned long long)least);
}

/* least: how many there were at least, where the text shows that it lacks some; otherwise 0. */
static void count_tile(const struct view *v, json_t *tiles, struct spread n, uint64_t least, const char *one,
                       const char *many, const char *href, const char *tone)
{
    bool known = count_is_known(&v->answers->counts, n.most);
    struct str value = known ? at_least(v, n, least) : STR("-");
    const char *noun = n.least == 1 && n.most == 1 && least <= 1 ? one : many;

    if (v->answers->counts.ranks > 1)
        noun = arena_printf(v->scratch, "%s per rank", noun).p;
    json_push(tiles, page_tile(v, &(struct tile){value, noun, href, tone}));
}

/* "4/54": hits and lookups; if ranks differ, those of the rank with the most. */
static struct str hits_of(const struct view *v, const struct rank_counts *n)
{
    uint64_t asked = n->cache[CACHE_HIT].most + n->cache[CACHE_MISS].most + n->cache[CACHE_BYPASS].most;

    if (asked == 0)
        return STR("-");
    if (n->cache[CACHE_HIT].least != n->cache[CACHE_HIT].most)
        return format_spread(v->scratch, n->cache[CACHE_HIT]);
    return arena_printf(v->scratch, "%llu/%llu", (unsigned long long)n->cache[CACHE_HIT].most,
                        (unsigned long long)asked);
}

static json_t *tiles_of(const struct view *v)
{
    struct rank_counts n = counts_of(v);
    bool ranked = view_has_ranks(v);
    json_t *tiles = json_new_array();
    /* A zero is not good news if nothing was compiled, or if a log may lack the messages. */
    const char *good = n.compiles.most && v->answers->counts.traced ? "good" : "plain";

    count_tile(v, tiles, n.compiles, v->answers->recompiles.compiles_least, "compile", "compiles", "compiles", "plain");
    count_tile(v, tiles, n.graph_breaks, 0, "graph break", "graph breaks", "breaks",
               n.graph_breaks.most ? "warn" : good);
    count_tile(v, tiles, n.recompiles, v->answers->recompiles.least, "recompile", "recompiles", "recompiles",
               v->answers->counts.recompile_limit_hits ? "bad"
               : n.recompiles.most                     ? "warn"
                                                       : good);
    count_tile(v, tiles, n.errors, 0, "error", "errors", "errors", n.errors.most ? "bad" : good);
    json_push(tiles, page_tile(v, &(struct tile){format_duration_us(v->scratch, v->answers->timing.compile_wall_us),
                                                 "compiling", "time", "plain"}));
    json_push(tiles, page_tile(v, &(struct tile){hits_of(v, &n), ranked ? "cache hits per rank" : "cache hits",
                                                 "caches", "plain"}));
    return tiles;
}

struct headline_fact {
    const char *name;
    struct str value;
};

static void fact(json_t *list, const char *name, struct str value)
{
    if (value.n)
        json_push(list, page_headline_fact(NULL, &(struct headline_fact){name, value}));
}

static struct str command_line(const struct view *v, const struct about *about)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < about->command_n; i++)
        out = arena_printf(v->scratch, "%.*s%s%s", STR_ARG(out), i ? " " : "", about->command[i]);
    return out;
}

static struct str folder_of(struct str path)
{
    return str_take(path, path.n - str_file_name(path).n);
}

/* The user's outermost module call; the calls around it started it, such as runpy for `python -m`. */
static const struct call *module_of(const struct call *call)
{
    const struct call *out = NULL;

    for (; call; call = call->parent)
        if (call->file.n && str_eq(call->function, STR("<module>")) && !is_framework_file(call->file))
            out = call;
    return out;
}

struct str page_program(const struct view *v)
{
    enum { COMPILES = 200 };
    struct str program = {0};
    const struct compile *c;
    int looked_at = 0;

    for (struct compile_walk w = {.run = v->run}; (c = compile_next(&w)) && looked_at < COMPILES;) {
        const struct call *call = module_of(c->stack);

        if (!call)
            continue;
        if (looked_at++ && !str_eq(program, call->file))
            return (struct str){0};
        program = call->file;
    }
    return str_file_name(program);
}

/* The file or, for several, the folder that contains them. */
static struct str files_of(const struct view *v)
{
    struct str files, folder = {0}, name, path = {0};
    bool one_folder = true;
    size_t n = 0;

    for (size_t i = 0; i < v->run->inputs.n; i++) {
        if (!v->run->inputs.v[i]->used)
            continue;
        path = v->run->inputs.v[i]->path;
        one_folder &= n++ == 0 || str_eq(folder, folder_of(path));
        folder = folder_of(path);
    }
    files = format_counted(v->scratch, n, "file", "files");
    if (n == 1)
        return str_file_name(path);
    if (n == 0 || !one_folder)
        return files;
    name = str_file_name(str_drop(folder, 1));
    return name.n ? arena_printf(v->scratch, "%.*s: %.*s", STR_ARG(name), STR_ARG(files)) : files;
}

static struct str title_of(const struct view *v)
{
    const struct experiment *x = v->run->experiment;
    struct str program = x && x->command.n ? x->command : page_program(v);

    return program.n ? program : files_of(v);
}

static struct str inputs_line(const struct view *v)
{
    struct str understood = format_understood(v->scratch, v->run);

    return arena_printf(v->scratch, "%.*s%s%.*s", STR_ARG(format_inputs(v->scratch, v->run)), understood.n ? "; " : "",
                        STR_ARG(understood));
}

static struct str when_line(const struct view *v)
{
    const struct process *first = v->run->processes.n ? v->run->processes.v[0] : NULL;

    for (size_t i = 0; i < v->run->processes.n; i++)
        if (v->run->processes.v[i]->first_us && v->run->processes.v[i]->first_us < first->first_us)
            first = v->run->processes.v[i];
    if (!first || first->first_us == 0)
        return (struct str){0};
    return format_moment_plain(v->scratch, first, first->first_us - (first->zone_known ? first->zone_us : 0));
}

static struct str frames_line(const struct view *v)
{
    const struct counts *c = &v->answers->counts;
    struct str frames = format_count(v->scratch, c->frames);

    if (c->restarts == 0)
        return frames;
    return arena_printf(v->scratch, "%.*s, in %.*s with %.*s", STR_ARG(frames),
                        STR_ARG(format_counted(v->scratch, c->attempts, "attempt", "attempts")),
                        STR_ARG(format_counted(v->scratch, c->restarts, "restart", "restarts")));
}

static struct str processes_line(const struct view *v)
{
    const struct counts *c = &v->answers->counts;
    struct str out = format_count(v->scratch, c->processes), ranks = format_ranks_of(v->scratch, v->run);

    if (c->processes <= 1 && ranks.n == 0)
        return (struct str){0};
    if (ranks.n)
        out = arena_printf(v->scratch, "%.*s, %.*s", STR_ARG(out), STR_ARG(ranks));
    return v->run->groups > 1 ? arena_printf(v->scratch, "%.*s, in %u runs", STR_ARG(out), v->run->groups) : out;
}

static json_t *facts_of(const struct view *v, const struct about *about)
{
    struct versions e = run_versions(v->run);
    json_t *list = json_new_array();

    fact(list, "From", files_of(v));
    fact(list, "Read", inputs_line(v));
    fact(list, "Recorded", when_line(v));
    fact(list, "PyTorch",
         e.commit.n ? arena_printf(v->scratch, "%.*s (%.*s)", STR_ARG(e.pytorch), STR_ARG(str_take(e.commit, 12)))
                    : e.pytorch);
    fact(list, "Python", str_split(&e.python, ' '));
    fact(list, "CUDA", e.cuda);
    fact(list, "Triton", e.triton);
    fact(list, "GPU", format_gpu(v->scratch, e.gpu));
    fact(list, "Processes", processes_line(v));
    fact(list, "Frames", frames_line(v));
    fact(list, "Graphs",
         count_is_known(&v->answers->counts, v->answers->counts.graphs)
             ? format_count(v->scratch, v->answers->counts.graphs)
             : STR("not in this log"));
    fact(list, "Made by",
         arena_printf(v->scratch, "pt2trace %s: %.*s", PT2TRACE_VERSION, STR_ARG(command_line(v, about))));
    return list;
}

/* A note is text in paragraphs, separated by blank lines. */
static json_t *paragraphs(const struct view *v, struct str text)
{
    json_t *list = json_new_array();
    struct str rest = str_trim(text);

    while (rest.n) {
        ptrdiff_t end = str_find(rest, STR("\n\n"));
        struct str one = str_trim(end < 0 ? rest : str_take(rest, (size_t)end));

        json_push(list, page_paragraph(v, &one));
        rest = str_trim(end < 0 ? STR("") : str_skip(rest, (size_t)end));
    }
    return list;
}

/* A run with several ranks that all did the same, with no worse finding. */
static bool is_healthy_job(const struct view *v)
{
    const struct ranks *r = &v->answers->ranks;
    const struct findings *f = v->answers->findings;

    return r->compared && r->rosters.n == 1 && !r->first && (f->list.n == 0 || f->list.v[0]->severity == FINDING_INFO);
}

/* The conclusion of `pt2trace run`, or that all ranks did the same; if empty, the first finding is the verdict. */
static struct str verdict_of(const struct view *v)
{
    const struct experiment *x = v->run->experiment;

    if (x && x->conclusions.n)
        return x->conclusions.v[0];
    return is_healthy_job(v) ? ranks_verdict(v->scratch, &v->answers->ranks) : STR("");
}

struct section_link {
    const char *id, *title;
    uint64_t count;
};

static void push_section(const struct view *v, json_t *list, const char *id, const char *title, uint64_t count)
{
    json_push(list, page_section_link(v, &(struct section_link){id, title, count}));
}

/* In the order of the page; a title equals the heading of its section. */
static json_t *sections_of(const struct view *v)
{
    const struct counts *n = &v->answers->counts;
    json_t *list = json_new_array();

    if (v->run->experiment)
        push_section(v, list, "run", "The run", 0);
    push_section(v, list, "findings", "Findings", v->answers->findings->list.n);
    if (n->ranks > 1)
        push_section(v, list, "ranks", "Ranks", n->ranks);
    push_section(v, list, "breaks", "Graph breaks", v->answers->breaks.places.n);
    push_section(v, list, "recompiles", "Recompiles", n->recompiles);
    push_section(v, list, "errors", "Errors", v->answers->errors.list.n);
    push_section(v, list, "time", "Compile time", 0);
    push_section(v, list, "stacks", "Stacks", 0);
    push_section(v, list, "compiles", "Compiles", n->compiles);
    push_section(v, list, "code", "Output code", 0);
    if (gpu_is_known(v->run, &v->answers->gpu))
        push_section(v, list, "gpu", "GPU", 0);
    push_section(v, list, "caches", "Caches", 0);
    push_section(v, list, "shapes", "Dynamic shapes", 0);
    if (n->ranks <= 1)
        push_section(v, list, "ranks", format_ranks_of(v->scratch, v->run).n ? "Ranks" : "Processes", 0);
    push_section(v, list, "config", "Configuration", 0);
    push_section(v, list, "health", "Trace health", 0);
    push_section(v, list, "more", "How to get more", 0);
    return list;
}

/* The summary line of the facts, before they are opened: PyTorch's version, and the time. */
static struct str summary_of(const struct view *v)
{
    struct str version = run_versions(v->run).pytorch, when = when_line(v), out = {0};

    if (version.n)
        out = arena_printf(v->scratch, "PyTorch %.*s", STR_ARG(version));
    if (when.n)
        out = arena_printf(v->scratch, "%.*s%s%.*s", STR_ARG(out), out.n ? ", recorded " : "Recorded ", STR_ARG(when));
    return out;
}

#include "view/page_rows.h"

#include "view/sections/overview.def"
