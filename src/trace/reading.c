#include "trace/reading.h"

#include "input/glog.h"
#include "input/limits.h"

#include <time.h>

#define US_PER_S 1000000ll
#define US_PER_DAY (86400 * US_PER_S)

struct process_key {
    uint64_t stream, pid;
};

struct frame_key {
    uint32_t epoch;
    int32_t autograd, frame;
};

void reading_init(struct reading *r, struct input *in, const struct trace_options *options, struct pool *pool)
{
    time_t when = in->source.mtime_s ? (time_t)in->source.mtime_s : time(NULL);
    struct tm tm = {0};

    *r = (struct reading){.in = in, .options = options, .pool = pool};
    map_init(&r->processes, in->arena);
    map_init(&r->current, in->arena);
    map_init(&r->metric_fields, in->arena);
    map_init(&r->infos, in->arena);
    for (size_t i = 0; i < metric_field_count; i++)
        *map_at(&r->metric_fields, str_of(metric_fields[i].key)) = (void *)&metric_fields[i];
    r->year = r->file_year = gmtime_r(&when, &tm) ? tm.tm_year + 1900 : 1970;
    r->last_month = tm.tm_mon + 1;
}

/* Days from 1970-01-01 to a date of the proleptic Gregorian calendar (the algorithm of Howard Hinnant). */
static int64_t days_from_civil(int64_t y, unsigned m, unsigned d)
{
    int64_t era;
    unsigned year_of_era, day_of_year, day_of_era;

    y -= m <= 2;
    era = (y >= 0 ? y : y - 399) / 400;
    year_of_era = (unsigned)(y - era * 400);
    day_of_year = (153 * (m + (m > 2 ? -3u : 9u)) + 2) / 5 + d - 1;
    day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + (int64_t)day_of_era - 719468;
}

/* A trace whose months run in circles must not count years for ever. */
enum { YEARS_AROUND = 2 };

int64_t reading_local_time(struct reading *r, const struct glog *g)
{
    /*
     * The prefix has no year. The file was last written in file_year: a month far ahead of the last one seen is of the
     * year before, one far behind of the year after.
     */
    if (g->month > r->last_month + 6 && r->year > r->file_year - YEARS_AROUND)
        r->year--;
    else if (g->month + 6 < r->last_month && r->year < r->file_year + YEARS_AROUND)
        r->year++;
    r->last_month = g->month;
    return days_from_civil(g->year ? g->year : r->year, g->month, g->day) * US_PER_DAY + g->time_us;
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

static struct process_state *new_state(struct reading *r, const struct glog *g)
{
    struct arena *a = r->in->arena;
    struct process_state *s = ARENA_NEW(a, struct process_state);
    struct process *p = ARENA_NEW(a, struct process);

    s->process = p;
    map_init(&s->compiles, a);
    map_init(&s->frames, a);
    map_init(&s->tensors, a);
    string_table_init(&p->strings, a);
    p->input = r->in;
    p->rank = r->in->name_rank;
    p->pid_is_thread = g->number > GLOG_LARGEST_PID;
    p->pid = p->pid_is_thread ? 0 : g->number ? g->number : r->in->file.began.number;
    if (r->in->file.began.month)
        p->first_us = p->last_us = reading_local_time(r, &r->in->file.began);
    p->epochs = 1;
    p->unattributed = ARENA_NEW(a, struct compile);
    *p->unattributed = (struct compile){.process = p, .id = COMPILE_ID_NONE, .attempts = 1};
    vec_push(a, &r->in->processes, p);
    vec_push(a, &r->states, s);
    return s;
}

static bool too_many_processes(struct reading *r, uint64_t line)
{
    if (r->states.n < LIMIT_PROCESSES)
        return false;
    if (!r->too_many_told)
        message_add(&r->in->messages, MSG_DEPTH_LIMIT, line,
                    "more than %d processes in one file: the others are not told apart", LIMIT_PROCESSES);
    r->too_many_told = true;
    return true;
}

struct process_state *reading_process(struct reading *r, uint32_t stream, const struct glog *g, uint64_t line)
{
    /* All threads of 2.4 and earlier log as one process. */
    struct process_key key = {stream, g->number > GLOG_LARGEST_PID ? 0 : g->number};
    struct process_state *s = map_get(&r->current, MAP_KEY(key));

    if (s)
        return s;
    if (too_many_processes(r, line))
        return r->states.v[0];
    s = new_state(r, g);
    *map_at_copy(&r->current, MAP_KEY(key)) = s;
    if (r->states.n > 1 && stream == 0) {
        /* One file, several processes: forked children of 2.12 and earlier, or files joined by hand. */
        s->process->parent = r->states.v[0]->process;
        message_add(&r->in->messages, MSG_SECOND_PROCESS, line, "process %llu besides %llu",
                    (unsigned long long)g->number, (unsigned long long)r->states.v[0]->process->pid);
    }
    return s;
}

struct process_state *reading_new_instance(struct reading *r, uint32_t stream, const struct glog *g, uint64_t line)
{
    struct process_key key = {stream, g->number > GLOG_LARGEST_PID ? 0 : g->number};
    struct process_state *s;

    if (too_many_processes(r, line))
        return reading_process(r, stream, g, line);
    s = new_state(r, g);
    *map_at_copy(&r->current, MAP_KEY(key)) = s;
    message_add(&r->in->messages, MSG_SECOND_PROCESS, line,
                "the string table starts again: a second process wrote here");
    return s;
}

void reading_set_rank(struct reading *r, struct process_state *s, int rank, uint64_t line)
{
    struct process *p = s->process;

    if (rank < 0 || p->rank == rank)
        return;
    if (p->rank == RANK_UNKNOWN) {
        p->rank = rank;
        return;
    }
    if (!s->rank_conflict)
        message_add(&r->in->messages, MSG_RANK_CONFLICT, line, "rank %d, after rank %d; shown as rank %d", rank,
                    p->rank, p->rank);
    s->rank_conflict = true;
}

/* --- compiles ----------------------------------------------------------------------------------------------------- */

static struct frame *frame_of(struct reading *r, struct process_state *s, struct compile_id id)
{
    struct frame_key key = {s->epoch, id.autograd, id.frame};
    void **slot = map_at_copy(&s->frames, MAP_KEY(key));
    struct frame *f = *slot;

    if (f)
        return f;
    f = ARENA_NEW(r->in->arena, struct frame);
    *f = (struct frame){.process = s->process, .epoch = s->epoch, .id = id.frame, .autograd = id.autograd};
    vec_push(r->in->arena, &s->process->frames, f);
    *slot = f;
    return f;
}

const struct frame *reading_frame(const struct process_state *s, struct compile_id id)
{
    struct frame_key key = {s->epoch, id.autograd, id.frame};

    return map_get(&s->frames, MAP_KEY(key));
}

static struct compile *new_compile(struct reading *r, struct process_state *s, struct compile_id id)
{
    struct compile *c = ARENA_NEW(r->in->arena, struct compile);

    *c = (struct compile){.process = s->process,
                          .frame = frame_of(r, s, id),
                          .id = id,
                          .epoch = s->epoch,
                          .index = (uint32_t)s->process->compiles.n,
                          .attempts = 1};
    vec_push(r->in->arena, &s->process->compiles, c);
    vec_push(r->in->arena, &c->frame->compiles, c);
    *map_at_copy(&s->compiles, MAP_KEY(id)) = c;
    return c;
}

static void begin_epoch(struct process_state *s, uint64_t line)
{
    s->process->epochs = ++s->epoch + 1;
    if (s->first_reset == 0)
        s->first_reset = line;
}

struct compile *reading_compile(struct reading *r, struct process_state *s, struct compile_id id, enum start start,
                                uint64_t line)
{
    struct compile *c = map_get(&s->compiles, MAP_KEY(id));
    bool current = c && c->epoch == s->epoch;

    if (c && !current && start == START_NONE)
        return c;
    if (start == START_ANEW ||
        (current && ((start == START_RECORD && c->started) || (start != START_NONE && c->ended)))) {
        begin_epoch(s, line);
        current = false;
    }
    return current ? c : new_compile(r, s, id);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static int64_t event_end(const struct event *e)
{
    return e->start_ns + (e->duration_ns > 0 ? e->duration_ns : 0);
}

/* Events that may be around those that follow, in the order of the file: each is deeper than the one before it. */
struct around {
    const struct event *v[OPEN_EVENTS_MAX + 1];
    size_t n;
};

static const struct event *event_around(struct around *a, const struct event *e)
{
    while (a->n && a->v[a->n - 1]->depth >= e->depth)
        a->n--;
    return a->n ? a->v[a->n - 1] : NULL;
}

/* An event without an end ends where the event around it ends; the outermost at the last time seen. */
static void close_events(struct reading *r, struct process_state *s)
{
    struct process *p = s->process;
    struct around around = {.n = 0};
    int64_t latest = 0;
    size_t unfinished = 0;

    vec_each(struct event, e, &p->events) latest = event_end(e) > latest ? event_end(e) : latest;
    vec_each(struct event, e, &p->events)
    {
        const struct event *outer = event_around(&around, e);
        int64_t end = outer ? event_end(outer) : latest;

        if (e->flags & EVENT_UNFINISHED) {
            e->duration_ns = end > e->start_ns ? end - e->start_ns : 0;
            unfinished++;
        }
        if (!(e->flags & EVENT_INSTANT))
            around.v[around.n++] = e;
    }
    if (unfinished)
        message_add(&r->in->messages, MSG_EVENT_UNMATCHED, 0, "%zu events begin and do not end", unfinished);
}

/*
 * Local time minus UTC. The assumed year can be wrong by whole years (a file copied without its date); a zone is at
 * most 14 hours off and a multiple of a quarter of an hour.
 */
static void fix_clock(struct process_state *s)
{
    struct process *p = s->process;
    const int64_t quarter = 900 * US_PER_S, most = 14 * 3600 * US_PER_S, year = 365 * US_PER_DAY + US_PER_DAY / 4;
    int64_t diff = s->clock_diff_us, shift = 0;

    if (!s->clock_seen)
        return;
    if (diff > most || diff < -most) {
        int64_t years = (diff + (diff > 0 ? year / 2 : -year / 2)) / year;

        for (int64_t days = years * 365 - 30; shift == 0 && days <= years * 365 + 30; days++)
            if (diff - days * US_PER_DAY >= -most && diff - days * US_PER_DAY <= most && days != 0)
                shift = days * US_PER_DAY;
        if (shift == 0)
            return;
        diff -= shift;
    }
    p->zone_us = (diff + (diff >= 0 ? quarter / 2 : -quarter / 2)) / quarter * quarter;
    p->zone_known = true;
    p->first_us -= shift;
    p->last_us -= shift;
    for (size_t i = 0; i < p->compiles.n; i++) {
        p->compiles.v[i]->first_us -= shift;
        p->compiles.v[i]->last_us -= shift;
    }
}

/*
 * Graphs, code and metrics belong to a compile; torch_version, strings and export records need not, nor tracebacks in
 * console text.
 */
static bool belongs_to_compile(const struct artifact *a)
{
    if ((a->payload.flags & PAYLOAD_LOG) && str_eq(a->name, STR("dynamo_error")))
        return false;
    return a->info && a->info->stage != STAGE_OTHER && a->info->stage != STAGE_EXPORT;
}

static void report_unattributed(struct reading *r, const struct compile *c)
{
    size_t n = c->metrics.n;
    uint64_t line = n ? c->metrics.v[0]->line : 0;

    for (size_t i = 0; i < c->artifacts.n; i++)
        if (belongs_to_compile(c->artifacts.v[i])) {
            if (line == 0 || c->artifacts.v[i]->line < line)
                line = c->artifacts.v[i]->line;
            n++;
        }
    if (n)
        message_add(&r->in->messages, MSG_NO_COMPILE_ID, line, "%zu records, here first", n);
}

void reading_finish(struct reading *r)
{
    for (size_t i = 0; i < r->states.n; i++) {
        struct process_state *s = r->states.v[i];

        close_events(r, s);
        fix_clock(s);
        report_unattributed(r, s->process->unattributed);
        if (s->epoch)
            message_add(&r->in->messages, MSG_RESET, s->first_reset, "%u times, here first", s->epoch);
    }
}
