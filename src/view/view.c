#include "view/view.h"

#include "analysis/code/gpu_kernels.h"

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

bool view_has_ranks(const struct view *v)
{
    return v->answers->counts.ranks > 1;
}

const struct gpu_measured *view_gpu_measured(const struct view *v)
{
    return gpu_measured(v->answers, v->kernels, v->scratch);
}

enum shown view_shown(const struct view *v, const struct compile *c)
{
    return v->shown ? (enum shown)*view_shown_slot(v->shown, c) : SHOWN_DETAILED;
}

json_t *view_id(const struct view *v, const struct compile *c)
{
    return !c || compile_id_is_none(c->id) ? json_null() : json_of_str(compile_id_print(v->scratch, c->id));
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

void view_put_process(json_t *o, const struct process *p)
{
    json_put(o, "rank", view_rank(p->rank));
    json_put(o, "pid", p->pid ? json_of_i64((int64_t)p->pid) : json_null());
    json_put_i64(o, "process", p->index);
}

void view_put_scope(json_t *o, const struct compile *c)
{
    view_put_process(o, c->process);
    json_put_i64(o, "epoch", c->epoch);
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
