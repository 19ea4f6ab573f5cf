/* Flight Recorders, in the section on ranks: process groups that are stuck, and where ranks are. */
#include "view/page.h"
#include "view/page_objects.h"

#include "view/format.h"

enum { PAGE_STOPS_MAX = 20, PAGE_PLACES_MAX = 200 };

static const struct flight_call *call_if_any(const struct flight_call *c)
{
    return c->entry ? c : NULL;
}

/* "default_pg (the data-parallel group)" */
static struct str group_words(const struct view *v, const struct flight_stop *s)
{
    return s->about.n ? arena_printf(v->scratch, "%.*s (%.*s)", STR_ARG(s->group), STR_ARG(s->about)) : s->group;
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

struct flight_rows {
    VEC(struct flight_row *) list;
};

static struct flight_rows rows_of(const struct view *v, const struct flight_run *run)
{
    struct flight_rows rows = {.list = {0}};
    struct map by_key; /* key -> struct flight_row */

    map_init(&by_key, v->scratch);
    for (size_t i = 0; i < run->ranks.n; i++) {
        void **slot = map_at(&by_key, key_of(v, run->ranks.v[i]));
        struct flight_row *row = *slot;

        if (!row) {
            *slot = row = ARENA_NEW(v->scratch, struct flight_row);
            row->first = run->ranks.v[i];
            vec_push(v->scratch, &rows.list, row);
        }
        if (!has_line(row->first) && has_line(run->ranks.v[i]))
            row->first = run->ranks.v[i];
        vec_push(v->scratch, &row->ranks, run->ranks.v[i]->rank);
    }
    return rows;
}

static uint64_t calls_in(const struct flight_run *run)
{
    uint64_t n = 0;

    for (size_t i = 0; i < run->ranks.n; i++)
        n += run->ranks.v[i]->calls;
    return n;
}

#include "view/page_rows.h"

#include "view/sections/flight.def"
