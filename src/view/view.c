#include "view/view.h"

static const struct placement dropped = {.stored = STORED_DROPPED};

const struct placement *view_placement(const struct view *v, const struct artifact *a)
{
    uint32_t input = a->input->index;

    return v->placements && v->placements->inputs[input] ? &v->placements->inputs[input][a->number] : &dropped;
}

uint8_t *view_shown_slot(const struct shown_compiles *shown, const struct compile *c)
{
    return &shown->processes[c->process->index][c->frame ? c->index : c->process->compiles.n];
}

enum shown view_shown(const struct view *v, const struct compile *c)
{
    return v->shown ? (enum shown)*view_shown_slot(v->shown, c) : SHOWN_DETAILED;
}

json_t *view_id(const struct view *v, const struct compile *c)
{
    return compile_id_is_none(c->id) ? json_null() : json_of_str(compile_id_print(v->scratch, c->id));
}

json_t *view_rank(int rank)
{
    return rank == RANK_UNKNOWN ? json_null() : json_of_i64(rank);
}

json_t *view_ranks(const int *ranks, size_t n)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < n; i++)
        json_push(list, json_of_i64(ranks[i]));
    return list;
}

json_t *view_text(struct str s)
{
    return s.n ? json_of_str(s) : json_null();
}

json_t *view_line(int64_t line)
{
    return line > 0 ? json_of_i64(line) : json_null();
}

json_t *view_seconds_us(int64_t us)
{
    return us < 0 ? json_null() : json_of_double((double)us / 1e6);
}

json_t *view_stack(const struct view *v, const struct call *innermost)
{
    json_t *list = json_new_array();
    const struct call **calls = stack_list(v->scratch, innermost);

    for (uint32_t i = 0; innermost && i < innermost->depth; i++) {
        json_t *item = json_new_object();

        json_put(item, "file", view_text(calls[i]->file));
        json_put(item, "line", view_line(calls[i]->line));
        json_put(item, "function", view_text(calls[i]->function));
        json_put(item, "source", view_text(calls[i]->source));
        json_push(list, item);
    }
    return list;
}

void view_put_process(json_t *o, const struct process *p)
{
    json_put(o, "rank", view_rank(p->rank));
    json_put(o, "pid", p->pid ? json_of_i64((int64_t)p->pid) : json_null());
    json_put_i64(o, "process", p->index);
}

json_t *view_scope(const struct compile *c)
{
    json_t *o = json_new_object();

    view_put_process(o, c->process);
    json_put_i64(o, "epoch", c->epoch);
    return o;
}

json_t *view_compile_ref(const struct view *v, const struct compile *c)
{
    json_t *ref = json_new_object();

    json_put(ref, "id", view_id(v, c));
    view_put_process(ref, c->process);
    json_put_i64(ref, "epoch", c->epoch);
    return ref;
}

const char *cache_layer_name(enum cache_layer l)
{
    static const char *const names[CACHE_LAYERS] = {"pgo", "precompile", "aotautograd", "fx_graph", "triton"};

    return names[l];
}

const char *cache_layer_title(enum cache_layer l)
{
    static const char *const titles[CACHE_LAYERS] = {"Profile (PGO)", "Precompile", "AOTAutograd", "FX graph",
                                                     "Triton"};

    return titles[l];
}

const char *cache_outcome_name(enum cache_outcome o)
{
    static const char *const names[CACHE_OUTCOMES] = {"hit", "miss", "bypass"};

    return names[o];
}

const char *export_issue_name(enum export_issue_kind k)
{
    static const char *const names[] = {"missing_fake_kernel", "mismatched_fake_kernel", "data_dependent",
                                        "propagated_real_tensor", "guard"};

    return names[k];
}
