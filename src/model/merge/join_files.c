#include "model/merge/join_files.h"

#include "model/read/artifact_text.h"
#include "util/map.h"

#define US_PER_DAY (86400 * 1000000ll)

static bool is_file(const struct process *p)
{
    return p->input->kind == INPUT_COMPILE_DEBUG;
}

/* --- whose files they are ----------------------------------------------------------------------------------------- */

static bool is_in(const struct process *p, int64_t us)
{
    return p->first_us <= us + NEAR_US && us <= p->last_us + NEAR_US;
}

bool files_are_of(const struct process *p, const struct process *file)
{
    const int64_t years = (file->first_us - p->first_us) / (365 * US_PER_DAY);
    bool found = file->first_us == 0 || is_in(p, file->first_us);

    for (int64_t k = years - 1; k <= years + 1 && !found; k++)
        for (int64_t leap_days = k / 4 - 1; leap_days <= k / 4 + 1 && !found; leap_days++)
            found = k != 0 && is_in(p, file->first_us - (k * 365 + leap_days) * US_PER_DAY);
    return found;
}

/* By process id. 2.4 and earlier record only a thread id, so there the process must be the only one of that time. */
static struct process *owner_of(const struct run *r, const struct process *file)
{
    struct process *nameless = NULL;
    unsigned candidates = 0;

    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i];

        if (is_file(p) || !files_are_of(p, file))
            continue;
        if (p->pid && p->pid == file->pid)
            return p;
        if (p->pid && file->pid)
            continue;
        nameless = p;
        candidates++;
    }
    return candidates == 1 ? nameless : NULL;
}

/* Facts about the process that owns a folder. */
struct owner {
    struct process *process;
    struct map by_aot_id; /* AOT id -> struct compile */
};

/* The 0 of "# AOT ID: ['0_forward']", the first line of generated code in 2.2 and later. */
static bool aot_id_of_code(const struct artifact *a, uint64_t *id)
{
    struct buf head = {0};
    struct str text, line;
    bool found = false;
    ptrdiff_t at;

    if (artifact_read(a, READ_FIRST_LINE, &head)) {
        text = buf_view(&head);
        at = text.n ? str_find(text, STR("# AOT ID: ['")) : -1;
        line = str_skip(text, at < 0 ? text.n : (size_t)at + 12);
        found = line.n && str_take_u64(&line, id);
    }
    buf_free(&head);
    return found;
}

static void note_aot_id(struct owner *o, uint64_t id, struct compile *c)
{
    void **slot = map_at_copy(&o->by_aot_id, MAP_KEY(id));

    if (!*slot)
        *slot = c;
}

static void note_compile(struct owner *o, struct compile *c)
{
    uint64_t id;

    vec_each(const uint64_t, known, &c->aot_ids) note_aot_id(o, *known, c);
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (artifact_is(c->artifacts.v[i], ARTIFACT_INDUCTOR_OUTPUT_CODE) && aot_id_of_code(c->artifacts.v[i], &id))
            note_aot_id(o, id, c);
}

static struct owner *new_owner(struct arena *a, const struct run *r, struct process *file)
{
    struct owner *o = ARENA_NEW(a, struct owner);

    map_init(&o->by_aot_id, a);
    o->process = owner_of(r, file);
    for (size_t i = 0; o->process && i < o->process->compiles.n; i++)
        note_compile(o, o->process->compiles.v[i]);
    if (!o->process)
        o->process = file;
    return o;
}

/* --- moving ------------------------------------------------------------------------------------------------------- */

static struct compile *compile_of(const struct owner *o, const struct artifact *a)
{
    struct compile *c = NULL;
    uint64_t id;

    if (debug_file_aot_id(a->detail, &id))
        c = map_get(&o->by_aot_id, MAP_KEY(id));
    return c ? c : o->process->unattributed;
}

/* A trace or log that has texts with that name also has this one. */
static bool is_there(const struct compile *c, const struct artifact *file)
{
    for (size_t i = 0; c->frame && i < c->artifacts.n; i++)
        if (c->artifacts.v[i]->input->kind != INPUT_COMPILE_DEBUG && str_eq(c->artifacts.v[i]->name, file->name))
            return true;
    return false;
}

static void move(struct owner *o, struct process *file)
{
    struct artifact *a = file->unattributed->artifacts.v[0];

    a->compile = compile_of(o, a);
    if (!is_there(a->compile, a))
        vec_push(file->input->arena, &a->compile->artifacts, a);
    file->unattributed->artifacts.n = 0;
    o->process->records += file->records;
    file->joined = o->process;
}

struct folder_key {
    uint64_t pid;
    int64_t began_us;
};

void join_files(struct run *r)
{
    struct arena *scratch = arena_new();
    struct map owners; /* folder_key -> struct owner */
    size_t kept = 0;

    map_init(&owners, scratch);
    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i];
        struct folder_key key = {p->pid, p->first_us};
        void **slot;

        if (!is_file(p))
            continue;
        slot = map_at_copy(&owners, MAP_KEY(key));
        if (!*slot)
            *slot = new_owner(scratch, r, p);
        if (((struct owner *)*slot)->process != p)
            move(*slot, p);
    }
    for (size_t i = 0; i < r->processes.n; i++)
        if (!r->processes.v[i]->joined)
            r->processes.v[kept++] = r->processes.v[i];
    r->processes.n = kept;
    arena_free(scratch);
}
