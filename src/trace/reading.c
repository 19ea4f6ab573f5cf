#include "trace/reading.h"

#include "input/glog.h"
#include "input/limits.h"

#include <time.h>

#define US_PER_S 1000000ll
#define US_PER_DAY (86400 * US_PER_S)

/* The clock furthest ahead of UTC (Kiribati); none is as far behind. */
enum { ZONE_MAX_HOURS = 14 };

struct process_key {
    uint64_t stream, pid;
};

struct frame_key {
    uint32_t epoch;
    int32_t autograd, frame;
};

/* The latest date that a record of the file can have. A file's own time may be anything, even beyond all calendars. */
static struct date latest_date(const struct source *file)
{
    const int64_t year_9999 = 253402300799;
    bool credible = file->mtime_s > 0 && file->mtime_s < year_9999;
    time_t when = (credible ? (time_t)file->mtime_s : time(NULL)) + ZONE_MAX_HOURS * 3600;
    struct tm tm = {.tm_year = 70, .tm_mday = 1};

    gmtime_r(&when, &tm);
    return (struct date){tm.tm_year + 1900, (unsigned)tm.tm_mon + 1, (unsigned)tm.tm_mday};
}

void reading_init(struct reading *r, struct input *in, const struct trace_options *options, struct pool *pool)
{
    *r = (struct reading){.in = in, .options = options, .pool = pool, .arena = arena_new(), .scratch = arena_new()};
    map_init(&r->current, r->arena);
    map_init(&r->metric_fields, r->arena);
    map_init(&r->infos, r->arena);
    for (size_t i = 0; i < metric_field_count; i++)
        map_put_const(map_at(&r->metric_fields, str_of(metric_fields[i].key)), &metric_fields[i]);
    r->date = latest_date(&in->source);
    r->file_year = r->date.year;
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

static int64_t days_of(struct date d)
{
    return days_from_civil(d.year, d.month, d.day);
}

/* The limit keeps a trace whose months run in circles from counting years forever. */
enum { YEARS_AROUND = 2 };

/* No record is younger than its file, so the first one is from the last year in which this date had already come. */
static int first_year(const struct date *latest, unsigned month, unsigned day)
{
    int year = latest->year;

    if (month > latest->month || (month == latest->month && day > latest->day))
        year--;
    while (month == 2 && day == 29 && (year % 4 || (year % 100 == 0 && year % 400)))
        year--;
    return year;
}

/*
 * After that, a month far before the previous one belongs to the next year, and a month far after it to a process
 * whose lines arrived late.
 */
static int year_of(const struct reading *r, unsigned month, unsigned day)
{
    int year = r->date.year;

    if (!r->dated)
        return first_year(&r->date, month, day);
    if (month > r->date.month + 6 && year > r->file_year - YEARS_AROUND)
        return year - 1;
    return month + 6 < r->date.month && year < r->file_year + YEARS_AROUND ? year + 1 : year;
}

int64_t reading_local_time(struct reading *r, const struct glog *g)
{
    r->date = (struct date){year_of(r, g->month, g->day), g->month, g->day};
    r->dated = true;
    return days_from_civil(g->year ? g->year : r->date.year, g->month, g->day) * US_PER_DAY + g->time_us;
}

void reading_clock(struct reading *r, struct process_state *s, int64_t time_us, int64_t ts_us)
{
    if (s->clock_seen)
        return;
    s->clock_seen = true;
    s->clock_diff_us = time_us - ts_us;
    s->clock_date = r->date;
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

/* Strings, ids and times belong to one process, so all lookup tables are created with it. */
static struct process_state *new_state(struct reading *r, const struct glog *g)
{
    struct arena *a = r->in->arena;
    struct process_state *s = ARENA_NEW(r->arena, struct process_state);
    struct process *p = ARENA_NEW(a, struct process);

    s->process = p;
    map_init(&s->compiles, r->arena);
    map_init(&s->frames, r->arena);
    map_init(&s->tensors, r->arena);
    map_init(&s->expressions, r->arena);
    string_table_init(&p->strings, a);
    p->input = r->in;
    p->rank = r->in->name_rank;
    s->rank_from = p->rank == RANK_UNKNOWN ? RANK_FROM_LAUNCHER : RANK_FROM_NAME;
    p->pid_is_thread = g->number > GLOG_LARGEST_PID;
    p->pid = p->pid_is_thread ? 0 : g->number ? g->number : r->in->file.began.number;
    if (r->in->file.began.month)
        p->first_us = p->last_us = reading_local_time(r, &r->in->file.began);
    p->epochs = 1;
    p->unattributed = ARENA_NEW(a, struct compile);
    *p->unattributed = (struct compile){.process = p, .id = COMPILE_ID_NONE, .attempts = 1};
    vec_push(a, &r->in->processes, p);
    vec_push(r->arena, &r->states, s);
    return s;
}

static bool too_many_processes(struct reading *r, uint64_t line)
{
    if (r->states.n < LIMIT_PROCESSES)
        return false;
    if (!r->too_many_reported)
        message_add(&r->in->messages, MSG_DEPTH_LIMIT, line,
                    "more than %d processes in one file: the others are not distinguished", LIMIT_PROCESSES);
    r->too_many_reported = true;
    return true;
}

struct process_state *reading_process(struct reading *r, uint32_t stream, const struct glog *g, uint64_t line)
{
    /* In 2.4 and earlier, all threads log as one process. */
    struct process_key key = {stream, g->number > GLOG_LARGEST_PID ? 0 : g->number};
    struct process_state *s = map_get(&r->current, MAP_KEY(key));

    if (s)
        return s;
    if (too_many_processes(r, line))
        return r->states.v[0];
    s = new_state(r, g);
    *map_at_copy(&r->current, MAP_KEY(key)) = s;
    if (r->states.n > 1 && stream == 0 && g->number) {
        /* One file with several processes: forked children in 2.12 and earlier, or files that someone joined. */
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
                "the string table starts again: a second process wrote to this file");
    return s;
}

void reading_set_rank(struct reading *r, struct process_state *s, int rank, enum rank_source from, uint64_t line)
{
    struct process *p = s->process;
    int before = p->rank;
    bool surer = before == RANK_UNKNOWN || from > s->rank_from;
    bool guessed = before == RANK_UNKNOWN || from == RANK_FROM_LAUNCHER || s->rank_from == RANK_FROM_LAUNCHER;

    if (rank < 0)
        return;
    if (surer) {
        p->rank = rank;
        s->rank_from = from;
    }
    if (guessed || before == rank || s->rank_conflict)
        return;
    if (p->rank == rank && before == r->in->name_rank)
        message_add(&r->in->messages, MSG_RANK_CONFLICT, line,
                    "the file name says rank %d, its records say rank %d: using rank %d", before, rank, rank);
    else
        message_add(&r->in->messages, MSG_RANK_CONFLICT, line, "rank %d, after rank %d: using rank %d", rank, before,
                    p->rank);
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

/* START_REASONS is the only beginning without a fixed place: it can only show that an earlier compile has ended. */
static bool begins_again(const struct compile *c, enum start start)
{
    return start != START_NONE && (c->ended || (start <= c->start && start != START_REASONS));
}

struct compile *reading_compile(struct reading *r, struct process_state *s, struct compile_id id, enum start start,
                                uint64_t line)
{
    struct compile *c = map_get(&s->compiles, MAP_KEY(id));
    bool current = c && c->epoch == s->epoch;

    if (c && !current && start == START_NONE)
        return c;
    if (start == START_NEW_EPOCH || (current && begins_again(c, start))) {
        begin_epoch(s, line);
        current = false;
    }
    c = current ? c : new_compile(r, s, id);
    if (start == START_NEW_EPOCH)
        start = START_RECORD;
    if (start > c->start)
        c->start = start;
    return c;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static int64_t event_end(const struct event *e)
{
    return e->start_ns + (e->duration_ns > 0 ? e->duration_ns : 0);
}

/* Events that may enclose the next ones, in the order of the file: each is deeper than the one before it. */
struct open_ancestors {
    const struct event *v[OPEN_EVENTS_MAX + 1];
    size_t n;
};

static const struct event *event_around(struct open_ancestors *a, const struct event *e)
{
    while (a->n && a->v[a->n - 1]->depth >= e->depth)
        a->n--;
    return a->n ? a->v[a->n - 1] : NULL;
}

/* An event without an end ends with the event around it; the outermost ends at the last time seen. */
static void close_events(struct reading *r, struct process_state *s)
{
    struct process *p = s->process;
    struct open_ancestors open = {.n = 0};
    int64_t latest = 0;
    size_t unfinished = 0;

    vec_each(struct event, e, &p->events) latest = event_end(e) > latest ? event_end(e) : latest;
    vec_each(struct event, e, &p->events)
    {
        const struct event *outer = event_around(&open, e);
        int64_t end = outer ? event_end(outer) : latest;

        if (e->flags & EVENT_UNFINISHED) {
            e->duration_ns = end > e->start_ns ? end - e->start_ns : 0;
            unfinished++;
        }
        if (!(e->flags & EVENT_INSTANT))
            open.v[open.n++] = e;
    }
    if (unfinished)
        message_add(&r->in->messages, MSG_EVENT_UNMATCHED, 0, "%zu events begin but do not end", unfinished);
}

/*
 * How much too late the assumed year is, in µs: the years by which the date must move back so that local time and UTC
 * differ by no more than a time zone. False if no year fits.
 */
static bool year_shift(const struct process_state *s, int64_t *shift)
{
    const int64_t most = ZONE_MAX_HOURS * 3600 * US_PER_S, year = 365 * US_PER_DAY + US_PER_DAY / 4;
    int about = (int)(s->clock_diff_us / year);

    for (int years = about - 1; years <= about + 1; years++) {
        struct date d = s->clock_date;

        d.year -= years;
        *shift = (days_of(s->clock_date) - days_of(d)) * US_PER_DAY;
        if (s->clock_diff_us - *shift >= -most && s->clock_diff_us - *shift <= most)
            return true;
    }
    return false;
}

/* Sets the zone, a multiple of a quarter of an hour, and the right year for all times of the process. */
static void fix_clock(struct process_state *s)
{
    const int64_t quarter = 900 * US_PER_S;
    struct process *p = s->process;
    int64_t diff, shift;

    if (!s->clock_seen || !year_shift(s, &shift))
        return;
    diff = s->clock_diff_us - shift;
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
 * Graphs, code and metrics belong to a compile; torch_version, strings, export records and tracebacks in console text
 * may not.
 */
static bool belongs_to_compile(const struct artifact *a)
{
    if ((a->payload.flags & PAYLOAD_LOG) &&
        (artifact_is(a, ARTIFACT_DYNAMO_ERROR) || artifact_is(a, ARTIFACT_AUTOTUNING)))
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
        message_add(&r->in->messages, MSG_NO_COMPILE_ID, line, "%zu records, the first one here", n);
}

void reading_finish(struct reading *r)
{
    for (size_t i = 0; i < r->states.n; i++) {
        struct process_state *s = r->states.v[i];

        close_events(r, s);
        fix_clock(s);
        if (s->process->versions.pytorch.n == 0)
            s->process->version_by_places = version_places_find(&s->places);
        report_unattributed(r, s->process->unattributed);
        if (s->epoch)
            message_add(&r->in->messages, MSG_RESET, s->first_reset, "%u times, first here", s->epoch);
    }
    reading_free(r);
}

void reading_free(struct reading *r)
{
    arena_free(r->scratch);
    arena_free(r->arena);
}
