/* Where the time went: phases, compiles, events. */
#include "view/page.h"
#include "view/page_objects.h"

#include "analysis/time/longest.h"
#include "util/map.h"
#include "view/format.h"

#include <stdlib.h>

enum { EVENT_ROWS = 40, COMPILE_ROWS = 12 };

/* --- tables ------------------------------------------------------------------------------------------------------- */

struct phase_row {
    enum phase phase;
    int64_t self_ns, sum_ns;
    double at; /* where its share begins, in percent */
};

static double percent_of(int64_t part, int64_t whole)
{
    return (double)part * 100 / (double)whole;
}

static json_t *phases_of(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    json_t *list = json_new_array();
    enum phase ranked[PHASE_COUNT];
    size_t n = timing_rank_phases(t, ranked);
    struct phase_row row = {.sum_ns = timing_phases_ns(t)};

    for (size_t i = 0; i < n; i++) {
        row.phase = ranked[i];
        row.self_ns = t->phase_self_ns[ranked[i]];
        json_push(list, page_phase(v, &row));
        row.at += percent_of(row.self_ns, row.sum_ns);
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

static const char *const temperature_words[TEMPERATURES] = {"cold", "warm", "no lookup recorded"};

struct temperature_row {
    enum temperature temperature;
};

/* Nothing to show if all compiles are of one kind and no cache was used. */
static json_t *temperatures_of(const struct view *v)
{
    const struct timing *t = &v->answers->timing;
    json_t *list = json_new_array();

    if (!t->temperature_compiles[TEMPERATURE_COLD] && !t->temperature_compiles[TEMPERATURE_WARM])
        return list;
    for (struct temperature_row x = {0}; x.temperature < TEMPERATURES; x.temperature++)
        if (t->temperature_compiles[x.temperature])
            json_push(list, page_temperature(v, &x));
    return list;
}

static json_t *longest_of(const struct view *v)
{
    struct longest_compile longest[COMPILE_ROWS];
    size_t n = longest_compiles(v->run, longest, COMPILE_ROWS);
    json_t *list = json_new_array();

    for (size_t i = 0; i < n && longest[i].us > 0; i++)
        json_push(list, page_long_compile(v, &longest[i]));
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

#include "view/page_rows.h"

#include "view/sections/time.def"
