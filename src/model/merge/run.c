#include "model/merge/run.h"

#include "input/limits.h"
#include "model/conclude/callers.h"
#include "model/conclude/conclude.h"
#include "model/merge/jobs.h"
#include "model/merge/join.h"
#include "model/merge/join_files.h"
#include "model/merge/join_flights.h"
#include "model/merge/join_gpus.h"
#include "util/number.h"

#include <stdlib.h>
#include <string.h>

struct run *run_new(void)
{
    struct arena *a = arena_new();
    struct run *r = ARENA_NEW(a, struct run);

    r->arena = a;
    return r;
}

void run_free(struct run *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->inputs.n; i++)
        input_free(r->inputs.v[i]);
    arena_free(r->arena);
}

/*
 * "dedicated_log_torch_trace_rank_3_x8.log" (torch/_logging/_internal.py, LazyTraceHandler) -> 3. Also "rank_3.log",
 * as people rename such files, but not "lora_rank_16.log".
 */
static int rank_of_name(struct str path)
{
    ptrdiff_t slash = str_rchr(path, '/'), at;
    struct str name = str_skip(path, (size_t)(slash + 1));
    uint64_t rank;

    if (!str_consume(&name, STR("rank_"))) {
        at = str_find(name, STR("torch_trace_rank_"));
        if (at < 0)
            return RANK_UNKNOWN;
        name = str_skip(name, (size_t)at + strlen("torch_trace_rank_"));
    }
    return str_take_u64(&name, &rank) && rank <= LIMIT_RANK ? (int)rank : RANK_UNKNOWN;
}

/* "…/attempt_0/3/stderr.log": attempt and local rank (torch/distributed/elastic/multiprocessing/api.py). */
static bool is_of_one_process(struct str path)
{
    ptrdiff_t at = str_find(path, STR("/attempt_"));
    uint64_t number;

    for (; at >= 0; at = str_find(path, STR("/attempt_"))) {
        path = str_skip(path, (size_t)at + strlen("/attempt_"));
        if (str_take_u64(&path, &number) && str_consume(&path, STR("/")) && str_take_u64(&path, &number))
            return str_starts(path, STR("/stderr.log")) || str_starts(path, STR("/stdout.log"));
    }
    return false;
}

void input_use_path(struct input *in, struct str path)
{
    in->path = path;
    in->name_rank = rank_of_name(path);
    in->of_one_process = is_of_one_process(path);
    in->of_console = str_ends(path, STR("/log/console.out")) || str_ends(path, STR("/log/console.err"));
    in->file = debug_file_of(path);
}

struct input *input_new(struct str path)
{
    struct arena *a = arena_new();
    struct input *in = ARENA_NEW(a, struct input);

    in->arena = a;
    in->source.fd = -1;
    in->kind = INPUT_OTHER;
    input_use_path(in, arena_str(a, path));
    messages_init(&in->messages, a, in->path);
    map_init(&in->kinds, a);
    stack_tree_init(&in->stacks, a);
    return in;
}

void input_free(struct input *in)
{
    source_close(&in->source);
    arena_free(in->arena);
}

struct input *run_add_input(struct run *r, struct str path)
{
    struct input *in = input_new(path);

    vec_push(r->arena, &r->inputs, in);
    return in;
}

int input_open(struct input *in)
{
    int rc = source_open(&in->source, in->path.p, true);

    in->measured = rc == 0;
    if (rc && in->source.spill_failed)
        in->why_not = arena_printf(in->arena, "cannot be copied into %s (TMPDIR): %s", temp_file_dir(), strerror(-rc));
    else if (rc)
        in->why_not = arena_printf(in->arena, "cannot be opened: %s", strerror(-rc));
    in->failure = rc ? in->why_not : STR("");
    return rc;
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static int by_time(const void *pa, const void *pb)
{
    const struct process *a = *(struct process *const *)pa, *b = *(struct process *const *)pb;
    int c = number_compare(process_start_utc(a), process_start_utc(b));

    if (!c)
        c = number_compare(a->rank, b->rank);
    if (!c)
        c = number_compare((int64_t)a->pid, (int64_t)b->pid);
    /* By path, and within a file by appearance: index is the order that collect_processes found. */
    return c ? c : number_compare(a->index, b->index);
}

static int by_group(const void *pa, const void *pb)
{
    const struct process *a = *(struct process *const *)pa, *b = *(struct process *const *)pb;
    int c = number_compare(a->group, b->group);

    if (!c)
        c = number_compare(a->rank, b->rank);
    return c ? c : by_time(pa, pb);
}

/* --- forked processes --------------------------------------------------------------------------------------------- */

/* "<str 7>": the file name of a call whose string table entry was missing. */
static bool missing_entry(struct str file, uint64_t *number)
{
    return str_consume(&file, STR("<str ")) && str_take_u64(&file, number) && str_eq(file, STR(">"));
}

/* The highest number of an entry that a file uses but does not have. */
static uint64_t missing_most(const struct input *in)
{
    uint64_t most = 0, number;

    for (size_t i = 0; i < in->stacks.all.n; i++)
        if (missing_entry(in->stacks.all.v[i]->file, &number) && number > most)
            most = number;
    return most;
}

/*
 * How likely p is the process whose string table the child continues. Its rank decides, and its id if it is the same
 * process: a draft export continues in a file of its own (torch/export/_draft_export.py). In containers few ids occur.
 */
static int kinship(const struct process *p, const struct process *child)
{
    return 2 * (p->rank == child->rank) + (p->pid == child->pid);
}

/* A process of another file that existed before and has the entry: of the likeliest ones, the newest. */
static struct process *find_parent(const struct run *r, const struct process *child, uint64_t need)
{
    struct process *best = NULL;

    for (size_t i = 0; i < r->processes.n && r->processes.v[i] != child; i++) {
        struct process *p = r->processes.v[i];

        if (p->input != child->input && p->strings.end > need && (!best || kinship(p, child) >= kinship(best, child)))
            best = p;
    }
    return best;
}

/* For a process in a file of its own; NULL if it was not forked, or if no process has the entry it lacks. */
static const struct process *forked_from(const struct process *p)
{
    return p->parent && p->parent->input != p->input ? p->parent : NULL;
}

/*
 * A file belongs to one child (its stacks are one tree), so the first process with missing strings stands for the
 * whole file.
 */
static void find_parents(struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct input *in = r->inputs.v[i];
        const struct process *parent = NULL;
        bool looked = false;

        for (size_t k = 0; k < in->processes.n; k++) {
            struct process *p = in->processes.v[k];

            if (p->strings_missing && !looked)
                parent = find_parent(r, p, missing_most(in));
            looked |= p->strings_missing;
            if (p->strings_missing && parent)
                p->parent = parent;
        }
    }
}

/* Forks of forks; with forged times, parents could form a cycle. */
enum { GENERATIONS = 64 };

/* Strings may come from any ancestor: follows the chain of forks. */
static void use_strings(struct input *in, const struct process *parent)
{
    uint64_t number;

    for (size_t i = 0; i < in->stacks.all.n; i++) {
        const struct process *p = parent;

        if (!missing_entry(in->stacks.all.v[i]->file, &number))
            continue;
        for (int n = 0; p && n < GENERATIONS; p = p->parent, n++)
            if (string_table_get(&p->strings, number, &in->stacks.all.v[i]->file))
                break;
    }
}

static void name_frames(struct process *child)
{
    for (size_t i = 0; i < child->frames.n; i++) {
        struct frame *f = child->frames.v[i];
        const struct compile *first = f->compiles.v[0];

        if (str_starts(f->file, STR("<str ")) && first->stack)
            f->file = first->stack->file;
    }
}

static void resolve_fork(struct input *in)
{
    for (size_t i = 0; i < in->processes.n; i++) {
        struct process *p = in->processes.v[i];
        const struct process *parent = forked_from(p);

        if (p->strings_missing && parent) {
            use_strings(in, parent);
            name_frames(p);
            message_add(&in->messages, MSG_FORK_PARENT, 0, "from %.*s", STR_ARG(parent->input->path));
        } else if (p->strings_missing) {
            message_add(&in->messages, MSG_UNKNOWN_STRING, 0, "no other file has the entries");
        }
    }
}

/* --- runs of a job ------------------------------------------------------------------------------------------------ */

/* Ranks of one job start at different times: a rank may begin compiling this long after the others have stopped. */
#define RANK_GAP_US (600 * 1000000ll)
/* A program that is started again does not log anything of the compiler before it has imported PyTorch. */
#define IMPORT_US 1000000ll
#define NO_END (INT64_MIN / 2) /* no process of the run has an end; a gap can be added without overflow */

/*
 * Whether the rank is already in the current run (which begins at r->processes.v[begin]); notes it as part of the run.
 */
static bool rank_again(struct map *last_seen, int rank, size_t begin, size_t i)
{
    uint64_t *place = map_number_at(last_seen, MAP_KEY(rank));
    bool again = *place && *place - 1 >= begin;

    *place = i + 1;
    return again;
}

/*
 * Earlier processes without times do not begin another run: console tracebacks of ranks whose launcher's messages have
 * times, or a log of another rank that consists of one traceback.
 */
static bool is_beside_untimed(const struct run *r, size_t i, int64_t end_us, bool again)
{
    const struct process *p = r->processes.v[i], *before = r->processes.v[i - 1];

    if (end_us != NO_END)
        return false;
    return p->input == before->input || (p->rank != RANK_UNKNOWN && before->rank != RANK_UNKNOWN && !again);
}

/*
 * All processes of one launch of a program are one run, however late they begin; but ranks that start again are
 * another run.
 */
static bool is_without_ranks(const struct run *r)
{
    for (size_t i = 0; i < r->processes.n; i++)
        if (r->processes.v[i]->rank != RANK_UNKNOWN)
            return false;
    return true;
}

static bool is_kept(const struct process *p)
{
    return p->input->of_console || p->input->console_pid;
}

/*
 * The files that `pt2trace run` kept, and the trace next to them, come from one launch: the launcher's messages may be
 * late or have no times.
 */
static bool is_of_launch(const struct run *r, size_t i, int64_t end_us)
{
    return is_kept(r->processes.v[i]) || (end_us == NO_END && is_kept(r->processes.v[i - 1]));
}

/* How long after the end of a run the i-th process may begin, and belong to it all the same. */
static int64_t gap_before(const struct run *r, size_t i)
{
    const struct process *p = r->processes.v[i];

    if (p->rank != RANK_UNKNOWN)
        return RANK_GAP_US;
    return i > 0 && p->input->kind == INPUT_TORCH_LOGS && p->input == r->processes.v[i - 1]->input ? IMPORT_US : 0;
}

/*
 * In the order of their start, processes belong to the current run while they overlap it in time; a ranked one also
 * within RANK_GAP_US, and one of the same console within IMPORT_US. A rank that the run already has, and that begins
 * after its earlier process ended, starts a new run (a restart of the job). A forked process belongs to the run of its
 * parent, which may have waited for it without recording anything.
 */
static void form_groups(struct run *r)
{
    struct arena *scratch = arena_new();
    bool one = r->launch && is_without_ranks(r);
    struct map last_seen; /* rank -> index of its newest process, plus 1 */
    size_t begin = 0;
    int64_t end_us = NO_END;
    uint32_t group = 0;

    map_init(&last_seen, scratch);
    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i];
        const struct process *parent = forked_from(p);
        int64_t gap = gap_before(r, i), first_us = process_utc(p, p->first_us);
        bool again = p->rank != RANK_UNKNOWN && rank_again(&last_seen, p->rank, begin, i);
        bool late = again ? first_us > end_us : first_us > end_us + gap;

        if (i > 0 && !one && p->first_us != 0 && late && !parent && !is_beside_untimed(r, i, end_us, again) &&
            !is_of_launch(r, i, end_us)) {
            group++;
            begin = i;
            end_us = NO_END;
        }
        p->group = parent ? parent->group : group;
        if (p->group == group && p->last_us != 0 && process_utc(p, p->last_us) > end_us)
            end_us = process_utc(p, p->last_us);
    }
    r->groups = r->processes.n ? group + 1 : 0;
    jobs_separate(r);
    flights_find_groups(r);
    arena_free(scratch);
}

static int by_path(const void *pa, const void *pb)
{
    return str_cmp((*(struct input *const *)pa)->path, (*(struct input *const *)pb)->path);
}

/* The zone of the first input (by path) whose zone is known. */
static void find_zone(struct run *r)
{
    for (size_t i = 0; i < r->processes.n; i++)
        if (r->processes.v[i]->zone_known) {
            r->zone_us = r->processes.v[i]->zone_us;
            return;
        }
}

/* In the order of time, with the parents of forked processes. Inputs are sorted, too. */
/* Beside a trace, a note says nothing: what a program prints may have any words. */
static void drop_notes(struct run *r)
{
    bool traced = false;

    for (size_t i = 0; i < r->inputs.n; i++)
        traced = traced || (r->inputs.v[i]->used && r->inputs.v[i]->kind == INPUT_TORCH_TRACE);
    for (size_t i = 0; traced && i < r->inputs.n; i++)
        if (r->inputs.v[i]->processes.n == 1 && process_is_note(r->inputs.v[i]->processes.v[0])) {
            r->inputs.v[i]->processes.n = 0;
            r->inputs.v[i]->totals = (struct totals){0};
        }
}

static void collect_processes(struct run *r)
{
    r->processes.n = 0;
    drop_notes(r);
    if (r->inputs.n)
        qsort(r->inputs.v, r->inputs.n, sizeof *r->inputs.v, by_path);
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->processes.n; k++) {
            struct process *p = r->inputs.v[i]->processes.v[k];

            p->run = r;
            p->index = (uint32_t)r->processes.n;
            vec_push(r->arena, &r->processes, p);
        }
    flights_set_aside(r);
    find_zone(r);
    if (r->processes.n)
        qsort(r->processes.v, r->processes.n, sizeof *r->processes.v, by_time);
    find_parents(r);
}

/* GPU work without a known process may belong to any run. */
static bool keep_gpus(struct input *in, uint32_t group)
{
    size_t kept = 0;

    for (size_t k = 0; k < in->gpus.n; k++)
        if (!in->gpus.v[k]->process || in->gpus.v[k]->process->group == group)
            in->gpus.v[kept++] = in->gpus.v[k];
    in->gpus.n = kept;
    return kept > 0 || in->devices.n > 0;
}

static void leave_out(struct input *in, struct str why_not)
{
    in->used = false;
    in->why_not = why_not;
    messages_init(&in->messages, in->arena, in->path);
}

static void keep_group(struct run *r, uint32_t group, struct str why_not)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->inputs.n; i++) {
        struct input *in = r->inputs.v[i];

        kept = 0;
        for (size_t k = 0; k < in->processes.n; k++)
            if (in->processes.v[k]->group == group)
                in->processes.v[kept++] = in->processes.v[k];
        if (in->used && kept == 0 && !keep_gpus(in, group) && in->kind != INPUT_EXPERIMENT)
            leave_out(in, why_not);
        in->processes.n = kept;
    }
}

uint32_t run_keep_group(struct run *r, uint32_t group)
{
    collect_processes(r);
    form_groups(r);
    gpu_join(r);
    keep_group(r, group, STR("of another run"));
    return r->groups;
}

void run_keep_latest(struct run *r)
{
    collect_processes(r);
    form_groups(r);
    gpu_join(r);
    keep_group(r, r->groups - 1, STR("of an earlier run (--latest)"));
}

void run_keep_rank(struct run *r, int64_t rank)
{
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct input *in = r->inputs.v[i];
        size_t kept = 0;

        for (size_t k = 0; k < in->processes.n; k++)
            if (in->processes.v[k]->rank == rank)
                in->processes.v[kept++] = in->processes.v[k];
        if (in->used && kept < in->processes.n && kept == 0)
            leave_out(in, STR("of another rank"));
        in->processes.n = kept;
    }
}

/* Frames belong to one epoch, so they stay or go with their compiles. */
static void keep_epoch(struct process *p, int64_t epoch)
{
    size_t compiles = 0, frames = 0, events = 0;

    for (size_t i = 0; i < p->events.n; i++)
        if (p->events.v[i].compile && p->events.v[i].compile->epoch == epoch)
            p->events.v[events++] = p->events.v[i];
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->epoch == epoch) {
            p->compiles.v[i]->index = (uint32_t)compiles;
            p->compiles.v[compiles++] = p->compiles.v[i];
        }
    for (size_t i = 0; i < p->frames.n; i++)
        if (p->frames.v[i]->epoch == epoch)
            p->frames.v[frames++] = p->frames.v[i];
    p->events.n = events;
    p->compiles.n = compiles;
    p->frames.n = frames;
}

void run_keep_epoch(struct run *r, int64_t epoch)
{
    for (size_t i = 0; i < r->processes.n; i++)
        keep_epoch(r->processes.v[i], epoch);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void add_totals(struct totals *to, const struct totals *t)
{
    to->records += t->records;
    to->unknown_records += t->unknown_records;
    to->payloads += t->payloads;
    to->payload_bytes += t->payload_bytes;
    to->bad_payloads += t->bad_payloads;
    to->strings += t->strings;
    to->chromium_events += t->chromium_events;
}

static void find_shared_ranks(struct run *r)
{
    struct arena *scratch = arena_new();
    struct map by_rank; /* rank -> its first process */

    map_init(&by_rank, scratch);
    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i], *first;
        void **slot = map_at_copy(&by_rank, MAP_KEY(p->rank));

        first = *slot;
        if (first)
            first->rank_is_shared = p->rank_is_shared = true;
        else
            *slot = p;
    }
    arena_free(scratch);
}

void run_finish(struct run *r)
{
    collect_processes(r);
    for (size_t i = 0; i < r->processes.n; i++)
        if (callers_only(r->processes.v[i]))
            callers_forget_names(r->processes.v[i]);
    join_logs(r);
    join_files(r);
    form_groups(r);
    join_flights(r);
    for (size_t i = 0; i < r->inputs.n; i++)
        resolve_fork(r->inputs.v[i]);
    if (r->processes.n)
        qsort(r->processes.v, r->processes.n, sizeof *r->processes.v, by_group);
    find_shared_ranks(r);
    gpu_join(r);
    for (size_t i = 0; i < r->processes.n; i++) {
        r->processes.v[i]->index = (uint32_t)i;
        conclude_process(r->processes.v[i]);
    }
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct input *in = r->inputs.v[i];

        in->index = (uint32_t)i;
        if (!r->experiment && in->used)
            r->experiment = in->experiment;
        messages_finish(&in->messages);
        if (in->used)
            add_totals(&r->totals, &in->totals);
        vec_each(const struct message, m, &in->messages.list) vec_push(r->arena, &r->messages, *m);
    }
}

/* Records about the process itself are not code: version, strings. Nor are tables of the autotuner in a log. */
static bool is_code(const struct artifact *x)
{
    enum stage stage = x->info ? x->info->stage : STAGE_OTHER;

    return !(x->payload.flags & PAYLOAD_LOG) || (stage > STAGE_DYNAMO && stage < STAGE_KERNELS);
}

bool run_has_loose_code(const struct run *r)
{
    for (size_t i = 0; i < r->processes.n; i++) {
        const struct compile *c = r->processes.v[i]->unattributed;

        for (size_t k = 0; k < c->artifacts.n; k++)
            if (is_code(c->artifacts.v[k]))
                return true;
    }
    return false;
}
