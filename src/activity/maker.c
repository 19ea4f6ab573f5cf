#include "activity/maker.h"

#include "input/limits.h"

void activity_begin(struct activity_maker *m, struct input *in, struct arena *scratch, struct str tool)
{
    *m = (struct activity_maker){.in = in, .scratch = scratch, .gpu = ARENA_NEW(in->arena, struct gpu_process)};
    m->gpu->tool = tool;
    m->gpu->rank = in->name_rank;
    map_init(&m->names, scratch);
    vec_push(in->arena, &in->gpus, m->gpu);
}

uint32_t activity_name(struct activity_maker *m, enum gpu_kind kind, struct str name)
{
    struct str key = arena_printf(m->scratch, "%d %.*s", (int)kind, STR_ARG(str_take(name, LIMIT_NAME)));
    uint64_t *number = map_number_at_kept(&m->names, key);

    if (*number == 0) {
        vec_push(m->in->arena, &m->gpu->names,
                 ((struct gpu_name){.kind = kind, .name = arena_str(m->in->arena, str_take(name, LIMIT_NAME))}));
        *number = m->gpu->names.n;
    }
    return (uint32_t)(*number - 1);
}

bool activity_add(struct activity_maker *m, const struct gpu_activity *a, uint64_t bytes)
{
    struct gpu_name *name = &m->gpu->names.v[a->name];

    if (a->start_ns < 0 || a->start_ns > GPU_LATEST_NS || a->duration_ns < 0 || a->duration_ns > GPU_LATEST_NS)
        return false;
    if (m->gpu->activities.n >= LIMIT_ACTIVITIES) {
        if (!m->limit_reported)
            message_add(&m->in->messages, MSG_DEPTH_LIMIT, 0, "more than %d GPU activities", LIMIT_ACTIVITIES);
        m->limit_reported = true;
        m->gpu->lost++;
        return false;
    }
    vec_push(m->in->arena, &m->gpu->activities, *a);
    name->bytes = bytes > UINT64_MAX - name->bytes ? UINT64_MAX : name->bytes + bytes;
    return true;
}

void activity_count(struct input *in, const char *kind, uint64_t n)
{
    struct kind_count *k;
    void **slot;

    if (n == 0)
        return;
    slot = map_at(&in->kinds, arena_str(in->arena, str_of(kind)));
    if (!*slot)
        *slot = ARENA_NEW(in->arena, struct kind_count);
    k = *slot;
    k->count += n;
}
