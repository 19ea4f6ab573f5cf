/* Flight Recorders, in the section on ranks: process groups that are stuck, and where ranks are. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"

enum { PAGE_STOPS_MAX = 20, PAGE_PLACES_MAX = 200, PAGE_FLIGHTS_MAX = 20 };

static json_t *call_of(const struct view *v, const struct flight_call *c)
{
    json_t *o;

    if (!c->entry)
        return json_null();
    o = json_new_object();
    json_put(o, "words", page_words(flight_words(v->scratch, c)));
    json_put_str(o, "state", str_of(flight_state_name(c->entry->state)));
    json_put(o, "link", c->compile ? page_link(v, c->compile) : json_null());
    json_put_bool(o, "likely", c->compile && !c->surely);
    json_put(o, "others",
             c->others ? json_of_str(format_counted(v->scratch, c->others, "compile", "compiles")) : json_null());
    json_put(o, "place", page_place(v, c->file, c->line));
    return o;
}

static json_t *ranks_or_null(const struct view *v, const int *ranks, size_t n)
{
    return n ? json_of_str(rank_list_words(v->scratch, ranks, n)) : json_null();
}

static json_t *stop_of(const struct view *v, const struct flight_stop *s)
{
    json_t *o = json_new_object();

    json_put_bool(o, "not_reached", s->verdict == FLIGHT_NOT_REACHED && !s->ended);
    json_put_bool(o, "ended", s->ended);
    json_put_bool(o, "mild", s->ended || s->verdict == FLIGHT_WAITING);
    json_put_bool(o, "called", s->ended || s->verdict == FLIGHT_DIFFERENT);
    json_put_bool(o, "different", s->verdict == FLIGHT_DIFFERENT);
    json_put_bool(o, "all_wait", s->verdict == FLIGHT_WAITING);
    json_put_str(o, "group",
                 s->about.n ? arena_printf(v->scratch, "%.*s (%.*s)", STR_ARG(s->group), STR_ARG(s->about)) : s->group);
    json_put(o, "waiting", ranks_or_null(v, s->waiting.v, s->waiting.n));
    json_put(o, "absent", ranks_or_null(v, s->absent.v, s->absent.n));
    json_put(o, "silent", ranks_or_null(v, s->silent.v, s->silent.n));
    json_put_bool(o, "more", s->verdict != FLIGHT_WAITING || s->silent.n);
    json_put_i64(o, "first_absent", s->absent.n ? s->absent.v[0] : 0);
    json_put(o, "call", call_of(v, &s->call));
    json_put(o, "instead", call_of(v, &s->instead));
    return o;
}

/* Ranks at the same place. */
struct flight_row {
    const struct flight_rank *first; /* the first of them, or one with more details */
    VEC(int) ranks;
};

static struct str key_of(const struct view *v, const struct flight_rank *r)
{
    return arena_printf(v->scratch, "%.*s\n%.*s", STR_ARG(r->last.entry ? flight_words(v->scratch, &r->last) : STR("")),
                        STR_ARG(r->current.entry ? flight_words(v->scratch, &r->current) : STR("")));
}

static bool has_line(const struct flight_rank *r)
{
    return (!r->last.entry || r->last.file.n) && (!r->current.entry || r->current.file.n);
}

static json_t *row_of(const struct view *v, const struct flight_row *row)
{
    json_t *o = json_new_object();

    json_put_str(o, "ranks", rank_list_words(v->scratch, row->ranks.v, row->ranks.n));
    json_put(o, "last", call_of(v, &row->first->last));
    json_put(o, "current", call_of(v, &row->first->current));
    return o;
}

static void put_rows(const struct view *v, const struct flight_run *run, json_t *o)
{
    json_t *list = json_new_array();
    struct map by_key; /* key -> struct flight_row */

    map_init(&by_key, v->scratch);
    for (size_t i = 0; i < run->ranks.n; i++) {
        void **slot = map_at(&by_key, key_of(v, run->ranks.v[i]));
        struct flight_row *row = *slot;

        if (!row) {
            *slot = row = ARENA_NEW(v->scratch, struct flight_row);
            row->first = run->ranks.v[i];
        }
        if (!has_line(row->first) && has_line(run->ranks.v[i]))
            row->first = run->ranks.v[i];
        vec_push(v->scratch, &row->ranks, run->ranks.v[i]->rank);
    }
    for (size_t i = 0; i < by_key.n && i < PAGE_PLACES_MAX; i++)
        json_push(list, row_of(v, by_key.entries[i].value));
    json_put(o, "rows", list);
    json_put_str(o, "hidden_rows", page_hidden(v, by_key.n, PAGE_PLACES_MAX));
}

static json_t *flight_of(const struct view *v, const struct flight_run *run)
{
    json_t *o = json_new_object(), *stops = json_new_array();
    uint64_t calls = 0;

    for (size_t i = 0; i < run->ranks.n; i++)
        calls += run->ranks.v[i]->calls;
    for (size_t i = 0; i < run->stops.n && i < PAGE_STOPS_MAX; i++)
        json_push(stops, stop_of(v, &run->stops.v[i]));
    json_put(o, "number", v->run->groups > 1 ? json_of_i64((int64_t)run->group + 1) : json_null());
    json_put_str(o, "ranks", format_counted(v->scratch, run->ranks.n, "rank", "ranks"));
    json_put_str(o, "calls", format_counted(v->scratch, calls, "call", "calls"));
    json_put_bool(o, "moves", run->stop_count == 0);
    json_put(o, "stops", stops);
    json_put_str(o, "hidden_stops", page_hidden(v, run->stop_count, PAGE_STOPS_MAX));
    put_rows(v, run, o);
    return o;
}

json_t *page_flights(const struct view *v)
{
    const struct ranks *r = &v->answers->ranks;
    json_t *list = json_new_array();

    for (size_t i = 0; i < r->flights.n && i < PAGE_FLIGHTS_MAX; i++)
        json_push(list, flight_of(v, r->flights.v[i]));
    return list;
}
