#include "digest/link.h"

#include "model/merge/run.h"

/* Parents come before children, so there is no cycle. */
static bool link_calls(struct stack_tree *t)
{
    for (size_t i = 0; i < t->all.n; i++) {
        struct call *c = t->all.v[i];

        c->index = (uint32_t)i;
        c->depth = 1;
        if (!c->parent)
            continue;
        if (c->parent->index >= i || t->all.v[c->parent->index] != c->parent)
            return false;
        c->depth = c->parent->depth + 1;
    }
    return true;
}

/* Each part has three numbers of at most nine bytes. */
static bool are_parts(const struct payload_parts *p)
{
    unsigned bytes = 0, numbers = 0;

    for (size_t i = 0; i < p->bytes.n; i++) {
        if (++bytes > 9)
            return false;
        if (p->bytes.v[i] & 0x80)
            continue;
        numbers++;
        bytes = 0;
    }
    return bytes == 0 && numbers % 3 == 0;
}

/* The catalog has patterns and is searched from its start, so the result is remembered for each name. */
static const struct artifact_info *info_of(struct map *infos, struct str name)
{
    void **slot = map_at(infos, name);

    if (!*slot)
        map_put_const(slot, artifact_info_find(name));
    return *slot;
}

static bool link_artifacts(struct input *in)
{
    struct arena *scratch = arena_new();
    struct map infos;
    bool good = true;

    map_init(&infos, scratch);
    for (size_t i = 0; i < in->artifacts.n; i++) {
        struct artifact *a = in->artifacts.v[i];

        a->number = (uint32_t)i;
        a->info = info_of(&infos, a->name);
        good &= !a->payload.parts || are_parts(a->payload.parts);
    }
    arena_free(scratch);
    return good;
}

static void link_metrics(struct map *known, struct metrics *m)
{
    vec_each(struct metric, x, &m->values)
    {
        void **slot = map_at(known, x->key);

        if (!*slot)
            map_put_const(slot, metric_field_find(x->key));
        x->field = *slot;
    }
}

static bool has_metrics(const struct compile *c, const struct metrics *m)
{
    for (size_t i = 0; i < c->metrics.n; i++)
        if (c->metrics.v[i] == m)
            return true;
    return m == NULL;
}

static bool link_compile(struct compile *c, struct map *metric_keys)
{
    bool good = true;

    for (size_t i = 0; i < c->metrics.n; i++)
        link_metrics(metric_keys, c->metrics.v[i]);
    for (int kind = 0; kind < METRICS_KINDS; kind++)
        good &= has_metrics(c, c->newest_metrics[kind]);
    return good;
}

static bool is_compile_of(const struct process *p, const struct compile *c)
{
    return c == p->unattributed || (c->index < p->compiles.n && p->compiles.v[c->index] == c);
}

static bool is_frame_of(const struct process *p, const struct frame *f)
{
    return f && f->process == p;
}

/* Call it after all processes have their lists. */
static bool check_compile(const struct process *p, const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (c->artifacts.v[i]->compile != c)
            return false;
    /* A compile with reasons has the artifact that they come from. */
    if (c->reasons.n && c->artifacts.n == 0)
        return false;
    if (c == p->unattributed)
        return !c->frame && compile_id_is_none(c->id);
    return is_frame_of(p, c->frame);
}

static bool check_frame(const struct process *p, const struct frame *f)
{
    for (size_t i = 0; i < f->compiles.n; i++)
        if (!is_compile_of(p, f->compiles.v[i]) || f->compiles.v[i]->frame != f)
            return false;
    return f->compiles.n > 0;
}

static bool check_event(const struct process *p, const struct event *e)
{
    return (!e->compile || is_compile_of(p, e->compile)) && e->duration_ns <= INT64_MAX - e->start_ns;
}

static bool check_flight(const struct flight_dump *dump)
{
    vec_each(const struct flight_entry, e, &dump->entries)
        if (e->group >= dump->groups.n || e->op >= dump->ops.n)
            return false;
    return true;
}

static bool check_process(const struct process *p)
{
    bool is_file = p->input->kind == INPUT_COMPILE_DEBUG;
    bool good = check_compile(p, p->unattributed) && p->epochs > 0 && (!is_file || p->unattributed->artifacts.n);

    for (size_t i = 0; i < p->frames.n && good; i++)
        good = check_frame(p, p->frames.v[i]);
    for (size_t i = 0; i < p->compiles.n && good; i++)
        good = check_compile(p, p->compiles.v[i]);
    for (size_t i = 0; i < p->events.n && good; i++)
        good = check_event(p, &p->events.v[i]);
    for (size_t i = 0; i < p->flights.n && good; i++)
        good = check_flight(p->flights.v[i]);
    return good;
}

static bool link_process(struct process *p, struct map *metric_keys)
{
    bool good;

    for (size_t i = 0; i < p->compiles.n; i++)
        p->compiles.v[i]->index = (uint32_t)i;
    good = link_compile(p->unattributed, metric_keys);
    for (size_t i = 0; i < p->compiles.n && good; i++)
        good = link_compile(p->compiles.v[i], metric_keys);
    return good;
}

/* Every compile and every artifact belongs to a process of this input. */
static bool link_processes(struct input *in)
{
    struct arena *scratch = arena_new();
    struct map metric_keys;
    bool good = true;

    map_init(&metric_keys, scratch);
    for (size_t i = 0; i < in->processes.n && good; i++)
        good = link_process(in->processes.v[i], &metric_keys);
    for (size_t i = 0; i < in->processes.n && good; i++)
        good = check_process(in->processes.v[i]);
    arena_free(scratch);
    return good;
}

static bool check_gpu(const struct gpu_process *g)
{
    for (size_t i = 0; i < g->activities.n; i++)
        if (g->activities.v[i].name >= g->names.n)
            return false;
    return true;
}

static bool check_gpus(const struct input *in)
{
    for (size_t i = 0; i < in->gpus.n; i++)
        if (!check_gpu(in->gpus.v[i]))
            return false;
    return true;
}

bool link_input(struct input *in)
{
    input_use_path(in, in->path);
    in->messages.file = in->path;
    in->of_digest = true;
    return link_calls(&in->stacks) && link_artifacts(in) && link_processes(in) && check_gpus(in);
}
