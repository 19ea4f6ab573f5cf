/* Where the time went: phases, compiles, events. */
#include "view/page.h"

#include "analysis/time/longest.h"
#include "util/map.h"
#include "view/format.h"

#include <stdlib.h>

enum { EVENT_ROWS = 40, COMPILE_ROWS = 12 };

/* --- tables ------------------------------------------------------------------------------------------------------- */

static json_t *phases_of(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    json_t *list = json_new_array();
    enum phase ranked[PHASE_COUNT];
    size_t n = timing_rank_phases(t, ranked);
    int64_t sum = timing_phases_ns(t);
    double at = 0;

    for (size_t i = 0; i < n; i++) {
        json_t *o = json_new_object();
        int64_t self = t->phase_self_ns[ranked[i]];

        json_put_str(o, "title", str_of(phase_title(ranked[i])));
        json_put_str(o, "time", format_duration_ns(v->scratch, self));
        json_put_str(o, "percent", arena_printf(v->scratch, "%.1f", (double)self * 100 / (double)sum));
        json_put_str(o, "share", format_share(v->scratch, self, sum));
        json_put_str(o, "at", arena_printf(v->scratch, "%.1f", at));
        at += (double)self * 100 / (double)sum;
        json_put(o, "wait",
                 t->phase_wait_ns[ranked[i]] ? json_of_str(format_duration_ns(v->scratch, t->phase_wait_ns[ranked[i]]))
                                             : json_null());
        json_put_i64(o, "phase", ranked[i]);
        json_push(list, o);
    }
    return list;
}

/* The events of one name, over the processes that have them. */
struct event_row {
    const struct event_total *total; /* of the process with the longest self time */
    int64_t wall_ns;                 /* of the process with the longest wall time */
    uint64_t least, most;            /* lowest and highest number in a process */
    size_t processes;
};

static int by_wall(const void *pa, const void *pb)
{
    const struct event_row *a = pa, *b = pb;

    if (a->wall_ns != b->wall_ns)
        return a->wall_ns < b->wall_ns ? 1 : -1;
    return str_cmp(a->total->name, b->total->name);
}

static void take_event(struct event_row *row, const struct event_total *t)
{
    if (!row->total || t->self_ns > row->total->self_ns)
        row->total = t;
    if (t->wall_ns > row->wall_ns)
        row->wall_ns = t->wall_ns;
    if (row->processes == 0 || t->count < row->least)
        row->least = t->count;
    if (t->count > row->most)
        row->most = t->count;
    row->processes++;
}

/* "4", "3 to 5": the number per process. */
static struct str event_counts(const struct view *v, const struct event_row *row)
{
    struct str least = format_count(v->scratch, row->least), most = format_count(v->scratch, row->most);

    return row->least == row->most ? most : arena_printf(v->scratch, "%.*s to %.*s", STR_ARG(least), STR_ARG(most));
}

static json_t *event_row_json(const struct view *v, const struct event_row *row)
{
    const struct event_total *t = row->total;
    json_t *o = json_new_object();

    json_put_str(o, "name", t->name);
    json_put_str(o, "phase", str_of(phase_title(t->phase)));
    json_put(o, "some",
             row->processes < v->answers->counts.processes
                 ? json_of_str(format_counted(v->scratch, row->processes, "process", "processes"))
                 : json_null());
    json_put_str(o, "count", event_counts(v, row));
    json_put_str(o, "wall", format_duration_ns(v->scratch, row->wall_ns));
    json_put_str(o, "self", t->self_ns < 0 ? STR("-") : format_duration_ns(v->scratch, t->self_ns));
    return o;
}

struct event_rows {
    struct event_row *v;
    size_t n;
};

/* Longest first. */
static struct event_rows event_rows_of(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    struct event_rows rows = {.v = ARENA_ARRAY(v->scratch, struct event_row, t->events.n + 1)};
    struct map by_name;

    map_init(&by_name, v->scratch);
    for (size_t i = 0; i < t->events.n; i++) {
        uint64_t *number = map_number_at(&by_name, t->events.v[i]->name);

        if (*number == 0)
            *number = ++rows.n;
        take_event(&rows.v[*number - 1], t->events.v[i]);
    }
    qsort(rows.v, rows.n, sizeof *rows.v, by_wall);
    return rows;
}

static json_t *events_of(const struct view *v, const struct event_rows *rows)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < rows->n && i < EVENT_ROWS; i++)
        json_push(list, event_row_json(v, &rows->v[i]));
    return list;
}

static const char *const temperature_words[TEMPERATURES] = {"cold", "warm", "no lookup recorded"};

/* "7 cold, 12.1 s"; nothing to show if all compiles are of one kind and no cache was used. */
static json_t *temperatures_of(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    json_t *list = json_new_array();

    if (!t->temperature_compiles[TEMPERATURE_COLD] && !t->temperature_compiles[TEMPERATURE_WARM])
        return list;
    for (int i = 0; i < TEMPERATURES; i++) {
        json_t *o;

        if (!t->temperature_compiles[i])
            continue;
        o = json_new_object();
        json_put_str(o, "count", format_counted(v->scratch, t->temperature_compiles[i], "compile", "compiles"));
        json_put_str(o, "word", str_of(temperature_words[i]));
        json_put(o, "wall",
                 t->temperature_wall_us[i] < 0
                     ? json_null()
                     : json_of_str(format_duration_us(v->scratch, t->temperature_wall_us[i])));
        json_push(list, o);
    }
    return list;
}

static json_t *longest_row(const struct view *v, const struct compile *c, int64_t us)
{
    json_t *o = json_new_object();
    int64_t wall = v->answers->timing.compile_wall_us;

    json_put(o, "link", page_link(v, c));
    json_put_str(o, "frame", format_frame(v->scratch, c->frame));
    json_put(o, "place", page_place(v, c->frame->file, c->frame->line));
    json_put_str(o, "time", format_duration_us(v->scratch, us));
    json_put_str(o, "share", wall > 0 ? format_share(v->scratch, us, wall) : STR("-"));
    json_put_str(o, "temperature", str_of(temperature_words[compile_temperature(c)]));
    json_put_bool(o, "recompile", compile_is_recompile(c));
    return o;
}

static json_t *longest_of(const struct view *v)
{
    struct longest_compile longest[COMPILE_ROWS];
    size_t n = longest_compiles(v->run, longest, COMPILE_ROWS);
    json_t *list = json_new_array();

    for (size_t i = 0; i < n && longest[i].us > 0; i++)
        json_push(list, longest_row(v, longest[i].compile, longest[i].us));
    return list;
}

/*
 * A single process whose phases take clearly longer than its compiles: CUDA graphs and autotuning continue at run
 * time.
 */
static bool is_beyond(const struct view *v)
{
    const struct timing *t = &v->answers->timing;

    return v->answers->counts.processes == 1 && t->compile_wall_us >= 0 &&
           timing_phases_ns(t) / 1000 > t->compile_wall_us + t->compile_wall_us / 50;
}

json_t *page_time(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    struct event_rows rows = event_rows_of(v);
    json_t *o = json_new_object();

    json_put(o, "wall",
             t->compile_wall_us < 0 ? json_null() : json_of_str(format_duration_us(v->scratch, t->compile_wall_us)));
    json_put_str(o, "sum", format_duration_ns(v->scratch, timing_phases_ns(t)));
    json_put(o, "processes",
             v->answers->counts.processes > 1 ? json_of_str(format_count(v->scratch, v->answers->counts.processes))
                                              : json_null());
    json_put_bool(o, "beyond", is_beyond(v));
    json_put(o, "phases", phases_of(v));
    json_put(o, "events", events_of(v, &rows));
    json_put(o, "temperatures", temperatures_of(v));
    json_put(o, "longest", longest_of(v));
    json_put_bool(o, "of_ranks", v->answers->counts.ranks > 1);
    json_put_bool(o, "any_longest", json_array_size(json_object_get(o, "longest")) > 1);
    json_put_bool(o, "has_events", t->has_events);
    json_put_bool(o, "has_tables", t->has_tables);
    json_put_bool(o, "is_empty", !t->has_events && !t->has_tables);
    json_put_str(o, "hidden", page_hidden(v, rows.n, EVENT_ROWS));
    return o;
}
