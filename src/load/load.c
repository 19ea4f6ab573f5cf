#include "load/load.h"

#include "activity/activity.h"
#include "digest/digest_file.h"
#include "digest/experiment_file.h"
#include "flight/flight_dump.h"
#include "input/discover.h"
#include "input/limits.h"
#include "input/lines.h"
#include "input/log_line.h"
#include "load/classify.h"
#include "load/copies.h"
#include "load/follow.h"
#include "load/repeated.h"
#include "load/world_size.h"
#include "torchlog/apply/marks.h"
#include "torchlog/debug_dir.h"
#include "torchlog/torchlog.h"
#include "util/mem.h"

#include <stdio.h>
#include <stdlib.h>

/* The work of one main task. */
struct load_job {
    struct input *in;
    const struct load_options *options;
    struct pool *pool;
    struct trace_reader *reader; /* of a trace that was read while it grew; else NULL */
    struct input_list of_digest; /* the inputs that were read, if the file is a digest */
    struct task task;
};

/*
 * What a large file or a pipe is, if its beginning does not show it: reads until a line does. INPUT_OTHER if none
 * does.
 */
static enum input_kind scan(struct input *in)
{
    enum input_kind kind = INPUT_OTHER;
    struct line_reader lines;
    struct line line;

    lines_begin(&lines, &in->source);
    while (kind == INPUT_OTHER && lines_next(&lines, &line)) {
        if (log_line_may_have_prefix(line.text, lines.escapes) && trace_sniff(line.text))
            kind = INPUT_TORCH_TRACE;
        else if (torchlog_sniff(line.text))
            kind = INPUT_TORCH_LOGS;
        lines_skip_uncounted(&lines, log_unmarked(lines_ahead(&lines)));
    }
    lines_end(&lines);
    return kind;
}

/* The same for a text that shows what it is only after the changes that people make when they paste are undone. */
static enum input_kind scan_pasted(struct input *in)
{
    struct buf beginning = {0};
    enum input_kind kind;
    size_t k;

    while (beginning.n < LIMIT_SNIFF && (k = source_read(&in->source, buf_room(&beginning, LIMIT_SNIFF), LIMIT_SNIFF)))
        buf_added(&beginning, k);
    kind = beginning.n && torchlog_sniff_given(buf_view(&beginning)) ? INPUT_TORCH_LOGS : INPUT_OTHER;
    if (kind == INPUT_OTHER && in->why_not.n == 0)
        in->why_not = load_nothing_in(in->arena, buf_view(&beginning));
    buf_free(&beginning);
    return kind;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void read_digest(struct load_job *job)
{
    struct input *in = job->in;

    in->source.progress = job->options->progress;
    in->failure = in->why_not = digest_read(in, &job->of_digest);
    in->used = in->failure.n == 0;
    for (size_t i = 0; i < job->of_digest.list.n && !job->options->unfinished; i++)
        digest_open_source(job->of_digest.list.v[i]);
}

enum { EXPERIMENT_MAX = 64 << 20, EXPERIMENT_BLOCK = 1 << 16 };

/* What `pt2trace run` noted about its run; it counts as one record. */
static void read_experiment(struct input *in)
{
    struct buf text = {0};
    size_t n;

    in->experiment = ARENA_NEW(in->arena, struct experiment);
    while (text.n < EXPERIMENT_MAX &&
           (n = source_read(&in->source, buf_room(&text, EXPERIMENT_BLOCK), EXPERIMENT_BLOCK)) > 0)
        buf_added(&text, n);
    in->why_not = experiment_read(in->arena, buf_view(&text), in->experiment);
    vec_each(const struct gpu_device, d, &in->experiment->devices) vec_push(in->arena, &in->devices, *d);
    in->totals.records = in->why_not.n == 0;
    buf_free(&text);
}

/* True even if nothing in it counts as a record: the dump of a rank that called nothing has no entries. */
static bool read_as(enum input_kind kind, struct input *in, const struct load_job *job)
{
    const struct trace_options *options = &job->options->trace;
    bool found = false;

    if (activity_is(kind))
        activity_read(in);
    switch (kind) {
    case INPUT_COMPILE_DEBUG:
        debug_dir_read(in, options, job->pool);
        break;
    case INPUT_TORCH_LOGS:
        torchlog_read(in, options, job->pool);
        break;
    case INPUT_TORCH_TRACE:
        trace_read(in, options, job->pool);
        break;
    case INPUT_FLIGHT:
        found = flight_read(in);
        break;
    case INPUT_EXPERIMENT:
        read_experiment(in);
        break;
    default:
        break;
    }
    return found || in->gpus.n > 0;
}

/* The readers of some kinds do not call source_end_reading and do not report on the source; the caller does. */
static bool leaves_the_end(enum input_kind kind)
{
    return activity_is(kind) || kind == INPUT_FLIGHT || kind == INPUT_EXPERIMENT || kind == INPUT_OTHER;
}

/* Like read_as, for a file that nothing was read from yet. False, with in->failure, if it cannot be opened. */
static bool open_and_read(const struct load_job *job, bool *found)
{
    struct input *in = job->in;

    if (input_open(in) != 0)
        return false;
    in->source.progress = job->options->progress;
    if (in->kind == INPUT_OTHER) {
        in->kind = scan(in);
        source_rewind(&in->source);
    }
    if (in->kind == INPUT_OTHER) {
        in->kind = scan_pasted(in);
        source_rewind(&in->source);
    }
    *found = read_as(in->kind, in, job);
    if (leaves_the_end(in->kind)) {
        source_end_reading(&in->source);
        trace_report_source(in);
    }
    return true;
}

static void read_input(void *arg)
{
    struct load_job *job = arg;
    struct input *in = job->in;
    bool found = false;

    if (in->of_digest) {
        read_digest(job);
        return;
    }
    if (job->reader) {
        trace_end(job->reader);
    } else if (!open_and_read(job, &found)) {
        in->used = false;
        return;
    }
    in->digests_checked |= in->kind != INPUT_TORCH_TRACE; /* only traces have digests */
    in->read = true;
    in->used = found || in->totals.records > 0;
    if (!in->used && in->why_not.n == 0)
        in->why_not = load_nothing_in(in->arena, (struct str){0});
    if (job->options->unfinished)
        digest_note_source(in);
}

/* Replaces a digest by the inputs in it. A digest that cannot be used stays, so that it is reported. */
static void put_inputs(struct run *r, struct load_job *jobs, size_t n)
{
    r->inputs.v = NULL; /* there may be more inputs than before, so they cannot be moved within the list */
    r->inputs.n = r->inputs.cap = 0;
    for (size_t i = 0; i < n; i++) {
        const struct input_list *list = &jobs[i].of_digest;

        if (!jobs[i].in->of_digest || !jobs[i].in->used) {
            vec_push(r->arena, &r->inputs, jobs[i].in);
            continue;
        }
        for (size_t k = 0; k < list->list.n; k++)
            vec_push(r->arena, &r->inputs, list->list.v[k]);
        input_free(jobs[i].in);
    }
}

/*
 * Files are read in any order, but results are collected in order: until run_finish, the model of a file depends on
 * nothing else.
 */
static void read_inputs(struct run *r, const struct load_options *options, struct pool *pool)
{
    struct load_job *jobs = xcalloc(r->inputs.n, sizeof *jobs);
    size_t n = r->inputs.n;

    for (size_t i = 0; i < r->inputs.n; i++) {
        jobs[i] = (struct load_job){.in = r->inputs.v[i], .options = options, .pool = pool};
        jobs[i].task = (struct task){.run = read_input, .arg = &jobs[i]};
        jobs[i].reader = options->follow ? follow_reader(options->follow, r->inputs.v[i]->path) : NULL;
        if (r->inputs.v[i]->used)
            pool_submit_main(pool, &jobs[i].task);
        else
            jobs[i].task.done = true;
    }
    for (size_t i = 0; i < r->inputs.n; i++)
        pool_wait_main(pool, &jobs[i].task);
    put_inputs(r, jobs, n);
    repeated_drop(r);
    free(jobs);
}

/* If the directory of `pt2trace run` was given as a whole, the report covers only the base trial. */
static void leave_other_trials(struct run *r, struct str directory)
{
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct input *in = r->inputs.v[i];
        struct str rest = in->path;

        if (!str_consume(&rest, directory) || in->kind == INPUT_EXPERIMENT || str_starts(rest, STR("base/")))
            continue;
        in->used = in->needed = false;
        in->why_not = STR("it belongs to another trial of this run, or to its report, not to the base");
    }
}

/* Inputs are in the order in which files were found. */
static void look_at_runs(struct run *r, const struct found_files *found)
{
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct str path = r->inputs.v[i]->path;

        if (r->inputs.v[i]->kind == INPUT_EXPERIMENT && !found->list.v[i].named)
            leave_other_trials(r, str_drop(path, str_file_name(path).n));
    }
}

/* If the user gave nothing but a tlparse report, the trace that it copied is read. */
static void use_copies(struct run *r, const struct found_files *found)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->used)
            return;
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct found_file f = found->list.v[i];

        if (!f.copy)
            continue;
        f.why_not = STR("");
        load_classify(r->inputs.v[i], &f);
    }
}

static const struct trial *base_of(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct experiment *x = r->inputs.v[i]->experiment;

        for (size_t k = 0; x && k < x->trials.n; k++)
            if (str_eq(x->trials.v[k].name, STR("base")))
                return &x->trials.v[k];
    }
    return NULL;
}

/* ".../attempt_0/3/stderr.log" */
static uint64_t pid_of_rank(const struct trial *t, struct str path)
{
    vec_each(const struct trial_rank, k, &t->ranks)
    {
        char place[80];

        snprintf(place, sizeof place, "/attempt_%lld/%lld/", (long long)k->attempt, (long long)k->rank);
        if (str_has(path, str_of(place)) && k->pid > 0)
            return (uint64_t)k->pid;
    }
    return 0;
}

/* Console output has no process ids, but `pt2trace run` knows which process wrote it. */
static void name_consoles(struct run *r, const struct trial *t)
{
    t = t ? t : base_of(r);
    r->launch = t;
    for (size_t i = 0; t && i < r->inputs.n; i++) {
        struct input *in = r->inputs.v[i];

        if (in->of_digest)
            continue;
        if (in->of_console && t->pid > 0)
            in->console_pid = (uint64_t)t->pid;
        else if (in->of_one_process)
            in->console_pid = pid_of_rank(t, in->path);
    }
}

struct run *load_run(const char *const *paths, size_t n, const struct load_options *options, struct pool *pool,
                     struct load_error *error)
{
    struct run *r = run_new();
    struct found_files found;

    found_files_init(&found, r->arena);
    for (size_t i = 0; i < n; i++) {
        int rc = discover(&found, paths[i]);

        if (rc) {
            *error = (struct load_error){paths[i], -rc};
            run_free(r);
            return NULL;
        }
    }
    vec_each(struct found_file, f, &found.list)
    {
        struct input *in = options->follow ? follow_input(options->follow, f->path) : NULL;

        if (in)
            vec_push(r->arena, &r->inputs, in);
        else
            load_classify(run_add_input(r, f->path), f);
    }
    use_copies(r, &found);
    look_at_runs(r, &found);
    for (size_t i = 0; options->expected && i < r->inputs.n; i++)
        *options->expected += r->inputs.v[i]->used ? found.list.v[i].bytes : 0;
    read_inputs(r, options, pool);
    copies_drop(r);
    name_consoles(r, options->launch);
    if (options->unfinished)
        return r;
    world_sizes_find(r);
    if (options->groups)
        *options->groups = run_keep_group(r, *options->groups);
    if (options->latest)
        run_keep_latest(r);
    if (options->part && options->part->rank >= 0)
        run_keep_rank(r, options->part->rank);
    run_finish(r);
    if (options->part && options->part->epoch >= 0)
        run_keep_epoch(r, options->part->epoch);
    return r;
}

bool run_has_records(const struct run *r)
{
    uint64_t records = 0;

    for (size_t i = 0; i < r->inputs.n; i++)
        records += r->inputs.v[i]->used ? r->inputs.v[i]->totals.records : 0;
    return records > 0;
}
