/* Findings that need a few lines each. */
#include "analysis/answers/health.h"
#include "analysis/find/find.h"

#include "input/debug_file.h"
#include "text/graphs/fx_graph.h"
#include "text/messages/autotune_text.h"
#include "util/number.h"

#include <stdlib.h>

/* --- a compile without an end ------------------------------------------------------------------------------------- */

static void add_incomplete(struct finder *f, const struct compile *c)
{
    struct finding *x = finding_add(f, "incomplete", FINDING_HIGH);
    struct str doing = process_last_activity(c->process, c);

    x->title =
        arena_printf(f->arena, "The trace ends while %.*s was being compiled", STR_ARG(finding_compile_name(f, c)));
    if (doing.n)
        x->detail = arena_printf(f->arena, "Its last recorded activity is `%.*s`.", STR_ARG(doing));
    x->fix = STR(
        "The process was killed, crashed or hung there, or the trace was copied while it ran. Look at the last output "
        "of the process, and at the other ranks.");
    finding_place(x, stack_user_call(c->stack));
    finding_evidence(f, x, c);
}

/* The time of Dynamo, if it is the last that vLLM's log has of a compile; NULL otherwise, and if something failed. */
static const struct call_times *last_is_dynamo(const struct finder *f, const struct process *p)
{
    const struct call_times *last = p->times.n ? &p->times.v[p->times.n - 1] : NULL;

    for (size_t i = 0; i < p->start_lines.n; i++)
        if (p->start_lines.v[i].kind == START_LINE_ENGINE) /* it went on */
            return NULL;
    return last && str_eq(last->name, STR("vLLM: Dynamo")) && last->each_ns.n && f->answers->errors.list.n == 0
               ? last
               : NULL;
}

/* The log may be an excerpt, so this is a possibility. */
static void add_after_dynamo(struct finder *f, const struct process *p, const struct call_times *dynamo)
{
    struct finding *x = finding_add(f, "incomplete", FINDING_LOW);

    x->title = arena_printf(f->arena, "vLLM's log ends while it compiles: nothing follows Dynamo, which took %.2f s",
                            (double)dynamo->each_ns.v[dynamo->each_ns.n - 1] / 1e9);
    x->fix = STR("Inductor compiles next, in processes of its own, which takes a minute or more the first time. If it "
                 "hangs there, see where: `py-spy dump --pid PID`, of each process. Compile in the process itself: "
                 "`TORCHINDUCTOR_COMPILE_THREADS=1`. To start without compiling: `--enforce-eager`.");
    finding_evidence(f, x, p->unattributed);
}

void find_incomplete(struct finder *f)
{
    for (size_t i = 0; i < f->run->processes.n; i++) {
        const struct process *p = f->run->processes.v[i];
        const struct compile *c = process_cut_off(p);
        const struct call_times *dynamo = last_is_dynamo(f, p);

        if (c)
            add_incomplete(f, c);
        else if (dynamo)
            add_after_dynamo(f, p, dynamo);
    }
}

void find_resets(struct finder *f)
{
    uint64_t resets = 0;
    struct finding *x;

    for (size_t i = 0; i < f->run->processes.n; i++)
        resets += f->run->processes.v[i]->epochs - 1;
    if (resets == 0)
        return;
    x = finding_add(f, "resets", FINDING_INFO);
    x->title = arena_printf(f->arena, "`torch._dynamo.reset()` was called %llu time%s between compiles",
                            (unsigned long long)resets, resets == 1 ? "" : "s");
    x->detail =
        STR("A reset drops all compiled code, so functions are compiled again; compile ids start again at [0/0], and "
            "the report numbers the periods between resets as epochs.");
}

/* --- records without a compile id --------------------------------------------------------------------------------- */

static void find_records_without_id(struct finder *f)
{
    uint64_t records = 0;
    struct finding *x;

    for (size_t i = 0; i < f->run->inputs.n; i++)
        if (f->run->inputs.v[i]->kind != INPUT_TORCH_LOGS) /* lines of a log have none for other reasons */
            records += f->run->inputs.v[i]->messages.counts[MSG_NO_COMPILE_ID];
    if (records == 0)
        return;
    x = finding_add(f, "no-compile-id", FINDING_INFO);
    x->title = STR("Some graphs or code have no compile id");
    x->detail = STR("AOTInductor and export write none, nor do PyTorch 2.4 and earlier for backward graphs. They are "
                    "listed under `(no compile id)`.");
    for (size_t i = 0; i < f->run->processes.n; i++)
        if (f->run->processes.v[i]->unattributed->artifacts.n)
            finding_evidence(f, x, f->run->processes.v[i]->unattributed);
}

/* A graph's folder in a torch_compile_debug directory that belongs to no compile. */
struct debug_graph {
    struct str folder;
    uint64_t number; /* AOTAutograd's number: a forward graph and its backward graph share it */
    const struct compile *compile;
    const struct artifact *readable; /* NULL: it was not saved */
};

struct debug_graphs {
    VEC(struct debug_graph) list;
    struct map by_folder; /* "PID FOLDER" -> its index in the list, from 1 (numbers) */
};

enum { DEBUG_GRAPHS_MAX = 8 };

static void note_debug_graph(struct finder *f, struct debug_graphs *g, const struct artifact *a)
{
    struct debug_graph one = {.folder = a->detail, .compile = a->compile};
    uint64_t *place;

    if (a->input->kind != INPUT_COMPILE_DEBUG || !debug_file_aot_id(a->detail, &one.number))
        return;
    place =
        map_number_at(&g->by_folder, arena_printf(f->arena, "%llu %.*s", (unsigned long long)a->compile->process->pid,
                                                  STR_ARG(a->detail)));
    if (*place == 0) {
        vec_push(f->arena, &g->list, one);
        *place = g->list.n;
    }
    if (artifact_is(a, ARTIFACT_FX_GRAPH_READABLE))
        g->list.v[*place - 1].readable = a;
}

static int by_number(const void *a, const void *b)
{
    const struct debug_graph *x = a, *y = b;

    return x->number != y->number ? (x->number < y->number ? -1 : 1) : str_cmp(x->folder, y->folder);
}

/* "`model__0_forward_1.0` from `train.py:8`". */
static struct str debug_graph_text(struct finder *f, const struct debug_graph *g)
{
    struct fx_graph graph = {0};
    const struct fx_node *first = NULL;

    if (g->readable)
        fx_graph_parse(f->arena, finder_read(f, g->readable), &graph);
    for (size_t i = 0; i < graph.nodes.n && !first; i++)
        first = graph.nodes.v[i].file.n ? &graph.nodes.v[i] : NULL;
    if (!first)
        return arena_printf(f->arena, "`%.*s`", STR_ARG(g->folder));
    return arena_printf(f->arena, "`%.*s` from `%.*s:%lld`", STR_ARG(g->folder), STR_ARG(str_file_name(first->file)),
                        (long long)first->line);
}

/* TORCH_COMPILE_DEBUG numbers graphs but does not record their compiles; traces and logs do. */
static void find_debug_graphs(struct finder *f)
{
    struct debug_graphs g = {0};
    struct finding *x;
    struct str list = {0};

    map_init(&g.by_folder, f->arena);
    for (size_t i = 0; i < f->run->processes.n; i++) {
        const struct compile *c = f->run->processes.v[i]->unattributed;

        for (size_t k = 0; k < c->artifacts.n; k++)
            note_debug_graph(f, &g, c->artifacts.v[k]);
    }
    if (g.list.n == 0)
        return;
    qsort(g.list.v, g.list.n, sizeof *g.list.v, by_number);
    for (size_t i = 0; i < g.list.n && i < DEBUG_GRAPHS_MAX; i++)
        list = arena_printf(f->arena, "%.*s%s%.*s", STR_ARG(list), i ? ", " : "",
                            STR_ARG(debug_graph_text(f, &g.list.v[i])));
    x = finding_add(f, "no-compile-id", FINDING_INFO);
    x->title = arena_printf(f->arena, "%zu graph%s of torch_compile_debug belong%s to no known compile", g.list.n,
                            g.list.n == 1 ? "" : "s", g.list.n == 1 ? "s" : "");
    x->detail = arena_printf(
        f->arena,
        "%.*s%s. A forward graph and its backward graph share the number after the name. Such a directory does not "
        "show which compile a graph belongs to, how long it took, or why it was compiled.",
        STR_ARG(list), g.list.n > DEBUG_GRAPHS_MAX ? ", …" : "");
    x->fix = STR("`pt2trace show DIR` lists their files. Pass the trace or the log of the same run as well. If there "
                 "is none, run the program again with both TORCH_TRACE=DIR and TORCH_COMPILE_DEBUG=1, and pass both "
                 "directories.");
    vec_each(const struct debug_graph, one, &g.list) finding_evidence(f, x, one->compile);
}

void find_unattributed(struct finder *f)
{
    find_records_without_id(f);
    find_debug_graphs(f);
}

/* --- the trace itself --------------------------------------------------------------------------------------------- */

/* The reason for the first file that was not read to its end. */
static struct str failure_of(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->source.error)
            return r->inputs.v[i]->failure;
    return STR("");
}

static void find_unread(struct finder *f, uint64_t files)
{
    struct finding *x = finding_add(f, "trace-damaged", FINDING_MEDIUM);

    x->title = files == 1
                   ? STR("A file could not be read to its end")
                   : arena_printf(f->arena, "%llu files could not be read to their end", (unsigned long long)files);
    x->detail = arena_printf(f->arena, "%.*s. The report covers what was read before that: numbers may be too low.",
                             STR_ARG(failure_of(f->run)));
    x->fix = STR("The trace is not at fault. Free some memory or disk space, or make the disk readable, and run "
                 "pt2trace again.");
}

void find_damage(struct finder *f)
{
    struct health h = run_health(f->run);
    struct finding *x;

    if (h.unread)
        find_unread(f, h.unread);
    if (h.errors == 0)
        return;
    x = finding_add(f, "trace-damaged", FINDING_MEDIUM);
    x->title = arena_printf(f->arena, "The trace is damaged: %llu place%s", (unsigned long long)h.errors,
                            h.errors == 1 ? "" : "s");
    x->detail = STR("The report has what could be read; numbers may be too low.");
    x->fix = STR("The section on trace health lists every place with its file and line.");
}

/* --- nothing wrong ------------------------------------------------------------------------------------------------ */

struct key_sums {
    int64_t operators, guards, slowest_us;
    uint64_t graphs, backward;
};

static struct key_sums sums_of(const struct run *r)
{
    struct key_sums s = {0};
    const struct compile *c;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        const struct metrics *m = compile_metrics(c, METRICS_FORWARD);
        int64_t ops = 0, guards = 0, us = 0;

        metrics_i64(m, "graph_op_count", &ops);
        metrics_i64(m, "guard_count", &guards);
        metrics_i64(m, "guard_latency_us", &us);
        s.graphs += ops > 0;
        s.backward += c->backward;
        s.operators = add_bounded(s.operators, ops > 0 ? ops : 0);
        s.guards = add_bounded(s.guards, guards > 0 ? guards : 0);
        s.slowest_us = us > s.slowest_us ? us : s.slowest_us;
    }
    return s;
}

/* The good news about a program without problems. */
static struct str nothing_wrong_words(struct finder *f)
{
    const struct counts *n = &f->answers->counts;
    struct key_sums s = sums_of(f->run);
    struct str out;

    out = arena_printf(f->arena,
                       "Each function is one graph, and every later call used it: %llu graph%s of %lld operators in "
                       "all%s.",
                       (unsigned long long)s.graphs, s.graphs == 1 ? "" : "s", (long long)s.operators,
                       s.backward ? ", plus backward graphs" : "");
    if (s.guards && s.slowest_us)
        out = arena_printf(f->arena, "%.*s Checking %lld guards took at most %lld µs for a call.", STR_ARG(out),
                           (long long)s.guards, (long long)s.slowest_us);
    if (n->cache[CACHE_HIT] && n->cache[CACHE_MISS] == 0)
        out = arena_printf(f->arena, "%.*s All %llu lookups hit the caches.", STR_ARG(out),
                           (unsigned long long)n->cache[CACHE_HIT]);
    return out;
}

/* Programs that torch.export made without recording anything that makes one unsound. */
static void add_sound_export(struct finder *f)
{
    const struct compile *c;
    uint64_t programs = 0;
    struct finding *x;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));) {
        if (c->export_issues.n || c->failures.n)
            return;
        for (size_t i = 0; i < c->artifacts.n; i++)
            programs += artifact_is(c->artifacts.v[i], ARTIFACT_EXPORTED_PROGRAM);
    }
    if (programs == 0)
        return;
    x = finding_add(f, "clean", FINDING_INFO);
    x->title = STR("Export found nothing that makes the program unsound");
    x->detail =
        STR("No operator lacks a fake kernel or has a wrong one, and no condition was decided by data or by the "
            "example inputs.");
}

static void say_choices(struct finder *f, const struct artifact *shown, struct finding *x)
{
    struct artifact_reader r = {.budget = READ_FINDINGS};
    struct str chosen = autotune_text_chosen(f->arena, artifact_reader_next(&r, shown));

    if (chosen.n)
        x->title = arena_printf(f->arena, "The text shows no error: autotuning found the fastest kernel, %.*s",
                                STR_ARG(chosen));
    buf_free(&r.text);
}

/* What PyTorch prints when asked, such as a graph or guards: it has no compile, but whoever pasted it asks. */
static void add_shown(struct finder *f)
{
    const struct artifact *shown = NULL;
    struct finding *x;

    for (size_t i = 0; i < f->run->processes.n && !shown; i++) {
        const struct compile *c = f->run->processes.v[i]->unattributed;

        for (size_t k = 0; k < c->artifacts.n && !shown; k++) {
            const struct artifact_info *info = c->artifacts.v[k]->info;

            shown = info && info->title && info->stage != STAGE_OTHER ? c->artifacts.v[k] : NULL;
        }
    }
    if (!shown)
        return;
    x = finding_add(f, "clean", FINDING_INFO);
    x->title = arena_printf(f->arena, "The text shows no error: %s", shown->info->title);
    x->detail = STR("A log only has what PyTorch was asked to print.");
    if (artifact_is(shown, ARTIFACT_AUTOTUNING))
        say_choices(f, shown, x);
    x->fix = STR("`TORCH_LOGS=recompiles,graph_breaks` prints what makes compiled code slow.");
}

static bool has_text(const struct run *run)
{
    for (size_t i = 0; i < run->inputs.n; i++)
        if (stated_has(&run->inputs.v[i]->stated, STATED_READ))
            return true;
    return false;
}

/*
 * explain() counts breaks, and nothing else is said: the text is too large to be a person's, or its list of reasons is
 * not readable. Counts in other texts are a note (torchlog/notes/explained.h).
 */
static void add_counted_breaks(struct finder *f)
{
    unsigned long long breaks = f->answers->counts.explained_breaks;
    struct finding *x = finding_add(f, "break-unknown", FINDING_LOW);

    x->title = arena_printf(f->arena, "%llu graph break%s, and the text does not give %s", breaks,
                            breaks == 1 ? "" : "s", breaks == 1 ? "its reason" : "their reasons");
    x->detail = STR("A graph break splits the function; whether that costs much depends on where it is.");
    x->fix = STR("`TORCH_LOGS=graph_breaks` prints the reason and the line of each.");
}

/* A text of which something is understood, and of which no finding says anything. */
static void add_understood(struct finder *f)
{
    struct finding *x;
    uint64_t graphs = 0;

    for (size_t i = 0; i < f->run->processes.n; i++)
        graphs += f->run->processes.v[i]->explained_graphs;
    x = finding_add(f, "clean", FINDING_INFO);
    x->title = STR("No problem of the compiler was found in this text");
    if (graphs)
        x->title = arena_printf(f->arena, "%.*s: `explain` counts %llu graph%s", STR_ARG(x->title),
                                (unsigned long long)graphs, graphs == 1 ? "" : "s");
    x->detail = STR("A log only has what PyTorch was asked to print.");
    x->fix = STR("`TORCH_LOGS=recompiles,graph_breaks` prints what makes compiled code slow.");
}

/* "3 compiles", for a job "1-3 compiles on each of 4 ranks" */
static struct str compiles_words(struct finder *f)
{
    const struct answers *a = f->answers;
    uint64_t least = a->counts.compiles, most = least;
    struct str range = {0}, ranks = {0};

    if (a->counts.ranks > 1) {
        least = a->rank_counts.compiles.least;
        most = a->rank_counts.compiles.most;
        ranks = arena_printf(f->arena, " on each of %llu ranks", (unsigned long long)a->counts.ranks);
    }
    if (least < most)
        range = arena_printf(f->arena, "%llu-", (unsigned long long)least);
    return arena_printf(f->arena, "%.*s%llu compile%s%.*s", STR_ARG(range), (unsigned long long)most,
                        most == 1 ? "" : "s", STR_ARG(ranks));
}

void find_clean(struct finder *f)
{
    const struct counts *n = &f->answers->counts;
    struct finding *x;

    for (size_t i = 0; i < f->out->list.n; i++)
        if (f->out->list.v[i]->severity < FINDING_INFO ||
            str_eq(str_of(f->out->list.v[i]->info->id), STR("recompile-unknown")))
            return;
    if (n->compiles == 0) {
        add_sound_export(f);
        if (n->explained_breaks)
            add_counted_breaks(f);
        if (!n->traced && f->out->list.n == 0)
            add_shown(f);
        if (!n->traced && f->out->list.n == 0 && has_text(f->run))
            add_understood(f);
        return;
    }
    x = finding_add(f, "clean", FINDING_INFO);
    if (n->graph_breaks && n->traced && n->graphs == 0) {
        x->title = arena_printf(f->arena, "No graph was made in %.*s: everything runs in Python",
                                STR_ARG(compiles_words(f)));
        x->fix = STR("Compile a function or a module of your own that computes with tensors.");
        return;
    }
    if (n->recompiles || n->graph_breaks) {
        x->title = arena_printf(f->arena, "Nothing to change in %.*s: those that are not the first are expected",
                                STR_ARG(compiles_words(f)));
        return;
    }
    /* A trace ends with the compiler: what the compiled code raises when it runs is not in it. */
    x->title = arena_printf(f->arena, "%s graph breaks, recompiles or %serrors in %.*s",
                            n->traced ? "No" : "The log mentions no", n->traced ? "compile " : "",
                            STR_ARG(compiles_words(f)));
    if (!n->traced)
        x->detail = STR("A log only has what PyTorch was asked to print.");
    else if (n->graphs)
        x->detail = nothing_wrong_words(f);
}
