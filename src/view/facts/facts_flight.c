/* Facts from Flight Recorders: how far the collectives of each rank got, and where process groups stand still. */
#include "view/view.h"

static json_t *call_fact(const struct view *v, const struct flight_call *c)
{
    const struct flight_op *op;
    json_t *o;

    if (!c->entry)
        return json_null();
    op = &c->dump->ops.v[c->entry->op];
    o = json_new_object();
    json_put(o, "op", view_text(op->name));
    json_put(o, "peers", view_text(op->peers));
    json_put(o, "dtype", view_text(op->out_shape.n ? op->out_dtype : op->in_dtype));
    json_put(o, "shape", view_text(op->out_shape.n ? op->out_shape : op->in_shape));
    json_put(o, "group", view_text(c->dump->groups.v[c->entry->group].name));
    json_put_i64(o, "number", (int64_t)c->entry->number);
    json_put_str(o, "state", str_of(flight_state_name(c->entry->state)));
    json_put(o, "compile", c->compile ? view_id(v, c->compile) : json_null());
    json_put_bool(o, "surely", c->surely);
    json_put_i64(o, "others", c->others);
    json_put(o, "file", view_text(c->file));
    json_put(o, "line", view_line(c->line));
    json_put(o, "from_line", view_line(c->from_line));
    return o;
}

static json_t *stop_fact(const struct view *v, const struct flight_stop *s)
{
    json_t *o = json_new_object();

    json_put_str(o, "verdict", str_of(flight_verdict_name(s->verdict)));
    json_put(o, "group", view_text(s->group));
    json_put(o, "about", view_text(s->about));
    json_put_i64(o, "number", (int64_t)s->number);
    json_put_bool(o, "ended", s->ended);
    json_put(o, "waiting", view_ranks(s->waiting.v, s->waiting.n));
    json_put(o, "absent", view_ranks(s->absent.v, s->absent.n));
    json_put(o, "silent", view_ranks(s->silent.v, s->silent.n));
    json_put(o, "call", call_fact(v, &s->call));
    json_put(o, "instead", call_fact(v, &s->instead));
    return o;
}

static json_t *rank_fact(const struct view *v, const struct flight_rank *r)
{
    json_t *o = json_new_object();

    json_put(o, "rank", view_rank(r->rank));
    json_put_i64(o, "process", r->process->index);
    json_put_i64(o, "calls", (int64_t)r->calls);
    json_put(o, "last", call_fact(v, &r->last));
    json_put(o, "current", call_fact(v, &r->current));
    return o;
}

json_t *fact_flights(const struct view *v)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < v->answers->ranks.flights.n; i++) {
        const struct flight_run *run = v->answers->ranks.flights.v[i];
        json_t *o = json_new_object(), *ranks = json_new_array(), *stops = json_new_array();

        for (size_t k = 0; k < run->ranks.n; k++)
            json_push(ranks, rank_fact(v, run->ranks.v[k]));
        for (size_t k = 0; k < run->stops.n; k++)
            json_push(stops, stop_fact(v, &run->stops.v[k]));
        json_put_i64(o, "run", run->group);
        json_put(o, "ranks", ranks);
        json_put(o, "stops", stops);
        json_put_i64(o, "stop_count", (int64_t)run->stop_count);
        json_push(list, o);
    }
    return list;
}
