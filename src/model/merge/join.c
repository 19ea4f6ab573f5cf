#include "model/merge/join.h"

#include "model/merge/join_files.h"
#include "model/rows/fields.h"
#include "util/map.h"

#include <stdlib.h>

struct known_process {
    VEC(struct process *) list;
};

struct known_compile {
    VEC(struct compile *) list;
};

/* --- whose log it is ---------------------------------------------------------------------------------------------- */

static bool is_log(const struct process *p)
{
    return p->input->kind == INPUT_TORCH_LOGS;
}

/* A log of a torch_compile_debug directory: it knows its process, but no compile ids and no times. */
static bool is_debug_log(const struct process *p)
{
    return p->input->file.is_log;
}

/*
 * Traces come first, then logs in the order of their paths, then logs that know little. The first of them that knows a
 * process is completed by the others.
 */
static bool is_before(const struct process *a, const struct process *b)
{
    if (is_log(a) != is_log(b))
        return is_log(b);
    if (is_debug_log(a) != is_debug_log(b))
        return is_debug_log(b);
    return a->input != b->input && str_cmp(a->input->path, b->input->path) < 0;
}

static bool overlap(const struct process *a, const struct process *b)
{
    if (is_debug_log(b))
        return files_are_of(a, b);
    return a->first_us <= b->last_us + NEAR_US && b->first_us <= a->last_us + NEAR_US;
}

static bool is_same(const struct process *a, const struct process *log)
{
    if (a->input->kind == INPUT_COMPILE_DEBUG || a == log || a->joined || a->input == log->input || !is_before(a, log))
        return false;
    if (a->pid != log->pid || a->pid_is_thread != log->pid_is_thread)
        return false;
    return (a->rank == log->rank || a->rank == RANK_UNKNOWN || log->rank == RANK_UNKNOWN) && overlap(a, log);
}

static struct process *same_process(const struct known_process *known, const struct process *log)
{
    for (size_t i = 0; known && i < known->list.n; i++)
        if (is_same(known->list.v[i], log))
            return known->list.v[i];
    return NULL;
}

/* A text without process ids does not say which process wrote it, but its path may. */
static struct process *owner_of(const struct run *r, const struct process *log)
{
    struct process *found = NULL;

    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i];

        if (is_log(p) || p->joined || p->input->kind != INPUT_TORCH_TRACE)
            continue;
        if (log->input->console_pid && p->pid == log->input->console_pid)
            found = p;
    }
    return found;
}

/* Whether a compile of the process breaks at the function, and says where. */
static bool breaks_at(const struct process *p, struct str function)
{
    for (size_t i = 0; i < p->compiles.n; i++)
        for (size_t k = 0; k < p->compiles.v[i]->breaks.n; k++) {
            const struct graph_break *b = p->compiles.v[i]->breaks.v[k];

            if (b->file.n && (str_has(b->type, function) || str_has(b->explanation, function)))
                return true;
        }
    return false;
}

/*
 * Python's warning of a function of C, which has neither a place nor a process ("Unsupported: Graph break due to
 * unsupported builtin time.perf_counter"), of a break that the process has.
 */
static bool is_warned_of(const struct process *p, const struct graph_break *b)
{
    return b->attempt == ATTEMPT_WARNED && b->file.n == 0 &&
           breaks_at(p, str_skip(b->type, (size_t)(str_rchr(b->type, ' ') + 1)));
}

enum { WARNED_MAX = 16 }; /* PyTorch warns of a function once */

/* A text with such warnings alone is of the process whose trace has all of these breaks. */
static struct process *owner_by_warnings(const struct run *r, const struct process *log)
{
    const struct compile *c = log->unattributed;

    if (log->compiles.n || c->failures.n || c->breaks.n == 0 || c->breaks.n > WARNED_MAX)
        return NULL;
    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];
        size_t known = 0;

        for (size_t k = 0; k < c->breaks.n && !is_log(p) && p->input->kind == INPUT_TORCH_TRACE; k++)
            known += is_warned_of(p, c->breaks.v[k]);
        if (known == c->breaks.n)
            return r->processes.v[i];
    }
    return NULL;
}

static void drop_warned(struct process *log, const struct process *to)
{
    struct compile *c = log->unattributed;
    size_t kept = 0, looked_at = 0;

    for (size_t i = 0; i < c->breaks.n; i++)
        if (c->breaks.v[i]->attempt != ATTEMPT_WARNED || looked_at++ >= WARNED_MAX || !is_warned_of(to, c->breaks.v[i]))
            c->breaks.v[kept++] = c->breaks.v[i];
    c->breaks.n = kept;
}

/* --- which compile it is ------------------------------------------------------------------------------------------ */

static int64_t distance(const struct compile *a, const struct compile *b)
{
    if (b->first_us < a->first_us)
        return a->first_us - b->first_us;
    return b->first_us > a->last_us ? b->first_us - a->last_us : 0;
}

static bool may_be_same(const struct compile *a, const struct compile *log)
{
    const struct frame *f = a->frame, *g = log->frame;

    return !f || !g || f->name.n == 0 || g->name.n == 0 || str_eq(f->name, g->name);
}

/*
 * Of the compiles with that id, the one nearest in time. A log with few artifacts does not show every epoch, so one
 * compile of the log may be several in the trace, or the other way around.
 */
static struct compile *find_same(const struct known_compile *known, const struct compile *log)
{
    struct compile *best = NULL;

    for (size_t i = 0; known && i < known->list.n; i++) {
        struct compile *c = known->list.v[i];

        if (may_be_same(c, log) && (!best || distance(c, log) < distance(best, log)))
            best = c;
    }
    return best;
}

/*
 * The compile after a recompile message that names no id (2.3, whose traces do not name a frame): *at is where to
 * continue. What the recompile limit refused was not compiled.
 */
static struct compile *find_next(const struct process *p, size_t n, size_t *at, const struct compile *log)
{
    enum { EARLIER_US = 2000, LATER_US = 100000 };

    for (; !log->limit_hit && *at < n; ++*at) {
        const struct compile *c = p->compiles.v[*at];

        if (c->first_us > log->first_us + LATER_US)
            return NULL;
        if (c->first_us + EARLIER_US < log->first_us || !compile_is_recompile(c))
            continue;
        return p->compiles.v[(*at)++];
    }
    return NULL;
}

/* Messages from before or after the time that the trace covers belong to compiles of their own. */
static bool is_outside(const struct process *p, const struct compile *log)
{
    return log->first_us && (log->first_us > p->last_us + NEAR_US || log->first_us + NEAR_US < p->first_us);
}

/* --- moving what is new ------------------------------------------------------------------------------------------- */

static void set_owner(const struct shape *s, void *object, void *owner)
{
    for (size_t i = 0; i < s->field_count; i++)
        if (s->fields[i].kind == FIELD_OWNER)
            memcpy((char *)object + s->fields[i].offset, &owner, sizeof owner);
}

/* Moves the list if `to` has an empty one; otherwise both lists have the same contents. */
static void move_if_none(const struct field *f, struct any_list *to, struct any_list *from, void *owner)
{
    if (to->n == 0)
        *to = *from;
    *from = (struct any_list){0};
    for (size_t i = 0; f->shape && i < to->n; i++) {
        char *entry = (char *)to->v + i * f->size;

        set_owner(f->shape, f->kind == FIELD_OWNED ? *(void **)entry : entry, owner);
    }
}

static bool is_nothing(const struct field *f, const void *p)
{
    if (f->kind == FIELD_TEXT)
        return ((const struct str *)p)->n == 0;
    return f->kind == FIELD_POINTER ? !*(void *const *)p : field_number(f, p) == 0;
}

static void join_field(const struct field *f, void *to_object, void *from_object)
{
    void *to = (char *)to_object + f->offset, *from = (char *)from_object + f->offset;

    switch (f->join) {
    case JOIN_FIRST:
        if (is_nothing(f, to))
            memcpy(to, from, f->size);
        break;
    case JOIN_ANY:
    case JOIN_MOST:
        if ((int64_t)field_number(f, from) > (int64_t)field_number(f, to))
            memcpy(to, from, f->size);
        break;
    case JOIN_SUM:
        field_set_number(f, to, field_number(f, to) + field_number(f, from));
        break;
    case JOIN_IF_NONE:
        move_if_none(f, to, from, to_object);
        break;
    case JOIN_NEVER:
    case JOIN_KEEP:
    case JOIN_BY_HAND:
        break;
    }
}

static void join_fields(const struct shape *s, void *to, void *from)
{
    for (size_t i = 0; i < s->field_count; i++)
        join_field(&s->fields[i], to, from);
}

/*
 * A console shows what Dynamo did not expect as it raises it, "InternalTorchDynamoError: KeyError: ..."; a trace has
 * the exception itself (torch/_dynamo/convert_frame.py, _compile).
 */
static bool is_of_type(const struct failure *of_trace, const struct failure *f)
{
    struct str message = f->message;

    return str_eq(of_trace->type, f->type) ||
           (str_eq(f->type, STR("InternalTorchDynamoError")) && of_trace->type.n &&
            str_eq(str_split(&message, ':'), of_trace->type));
}

static bool has_failure(const struct compile *c, const struct failure *f)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (is_of_type(c->failures.v[i], f))
            return true;
    return false;
}

/* A traceback on the console has no id: the compile that it ended may already have it. */
static bool is_known(const struct compile *to, const struct failure *f)
{
    const struct process *p = to->process;

    if (has_failure(to, f))
        return true;
    for (size_t i = 0; to == p->unattributed && i < p->compiles.n; i++)
        if (has_failure(p->compiles.v[i], f))
            return true;
    return false;
}

static void move_failures(struct arena *a, struct compile *to, struct compile *from)
{
    for (size_t i = 0; i < from->failures.n; i++) {
        struct failure *f = from->failures.v[i];

        if (is_known(to, f))
            continue;
        f->compile = to;
        vec_push(a, &to->failures, f);
    }
    from->failures.n = 0;
}

static struct cudagraph_skip *skip_with(const struct compile *c, size_t n, struct str reason)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(c->cudagraph_skips.v[i].reason, reason))
            return &c->cudagraph_skips.v[i];
    return NULL;
}

/* The metrics of a trace have only the last reason; a log has all of them. */
static void move_cudagraph_skips(struct arena *a, struct compile *to, struct compile *from)
{
    size_t before = to->cudagraph_skips.n;

    vec_each(const struct cudagraph_skip, s, &from->cudagraph_skips)
        if (!skip_with(to, before, s->reason))
            vec_push(a, &to->cudagraph_skips, *s);
    from->cudagraph_skips.n = 0;
}

/* Names that the compile had before the log was joined: a text with such a name would be duplicated. */
static void note_names(struct map *names, const struct compile *c)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        *map_at(names, c->artifacts.v[i]->name) = c->artifacts.v[i];
}

static void move_artifacts(struct arena *a, struct compile *to, struct compile *from)
{
    struct arena *scratch = arena_new();
    struct map names;

    map_init(&names, scratch);
    note_names(&names, to);
    for (size_t i = 0; i < from->artifacts.n; i++) {
        struct artifact *artifact = from->artifacts.v[i];

        artifact->compile = to;
        if (!map_get(&names, artifact->name))
            vec_push(a, &to->artifacts, artifact);
    }
    from->artifacts.n = 0;
    arena_free(scratch);
}

static void name_frame(struct frame *to, const struct frame *from)
{
    if (!to || !from || to->name.n)
        return;
    to->name = from->name;
    to->file = from->file;
    to->line = from->line;
    frame_note_resume(to);
}

static void complete(struct arena *a, struct compile *to, struct compile *from)
{
    name_frame(to->frame, from->frame);
    join_fields(&compile_shape, to, from);
    move_failures(a, to, from);
    move_cudagraph_skips(a, to, from);
    move_artifacts(a, to, from);
}

/* --- compiles that only the log has ------------------------------------------------------------------------------- */

static struct frame *frame_with(const struct process *p, uint32_t epoch, const struct frame *like)
{
    for (size_t i = p->frames.n; i-- > 0;) {
        struct frame *f = p->frames.v[i];

        if (f->epoch == epoch && f->id == like->id && f->autograd == like->autograd)
            return f;
    }
    return NULL;
}

static bool is_taken(const struct process *p, uint32_t epoch, struct compile_id id)
{
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->epoch == epoch && compile_id_eq(p->compiles.v[i]->id, id))
            return true;
    return false;
}

/* The epoch of the last compile that began before it; a new epoch if that one already has the id. */
static uint32_t epoch_for(struct process *p, const struct compile *c)
{
    uint32_t epoch = 0;

    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->first_us <= c->first_us && p->compiles.v[i]->epoch > epoch)
            epoch = p->compiles.v[i]->epoch;
    return is_taken(p, epoch, c->id) ? p->epochs++ : epoch;
}

static void adopt(struct arena *a, struct process *p, struct compile *c)
{
    uint32_t epoch = epoch_for(p, c);
    struct frame *f = frame_with(p, epoch, c->frame);

    if (!f) {
        f = ARENA_NEW(a, struct frame);
        *f = *c->frame;
        f->process = p;
        f->epoch = epoch;
        f->compiles.n = f->compiles.cap = 0;
        f->compiles.v = NULL;
        vec_push(a, &p->frames, f);
    }
    name_frame(f, c->frame);
    c->process = p;
    c->epoch = epoch;
    c->frame = f;
    vec_push(a, &f->compiles, c);
    vec_push(a, &p->compiles, c);
}

static int by_beginning(const void *pa, const void *pb)
{
    const struct compile *a = *(struct compile *const *)pa, *b = *(struct compile *const *)pb;

    if (a->epoch != b->epoch)
        return a->epoch < b->epoch ? -1 : 1;
    if (a->first_us != b->first_us)
        return a->first_us < b->first_us ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void sort_compiles(struct process *p)
{
    for (size_t i = 0; i < p->compiles.n; i++)
        p->compiles.v[i]->index = (uint32_t)i;
    qsort(p->compiles.v, p->compiles.n, sizeof *p->compiles.v, by_beginning);
    for (size_t i = 0; i < p->compiles.n; i++)
        p->compiles.v[i]->index = (uint32_t)i;
}

/* --- one process -------------------------------------------------------------------------------------------------- */

static void note_compiles(struct arena *a, struct map *by_id, const struct process *p)
{
    for (size_t i = 0; i < p->compiles.n; i++) {
        void **slot = map_at_copy(by_id, MAP_KEY(p->compiles.v[i]->id));

        if (!*slot)
            *slot = ARENA_NEW(a, struct known_compile);
        vec_push(a, &((struct known_compile *)*slot)->list, p->compiles.v[i]);
    }
}

static void join(struct process *to, struct process *log)
{
    struct arena *a = log->input->arena, *scratch = arena_new();
    struct map by_id;
    size_t before = to->compiles.n, at = 0;

    map_init(&by_id, scratch);
    note_compiles(scratch, &by_id, to);
    for (size_t i = 0; i < log->compiles.n; i++) {
        struct compile *c = log->compiles.v[i];
        struct compile *same = c->frame->unnumbered ? find_next(to, before, &at, c)
                                                    : find_same(map_get(&by_id, MAP_KEY(c->id)), c);

        if (same && !is_outside(to, c))
            complete(a, same, c);
        else
            adopt(a, to, c);
    }
    complete(a, to->unattributed, log->unattributed);
    if (to->compiles.n > before)
        sort_compiles(to);
    to->rank = to->rank == RANK_UNKNOWN ? log->rank : to->rank;
    if (!is_debug_log(log) && log->first_us) {
        to->first_us = log->first_us < to->first_us ? log->first_us : to->first_us;
        to->last_us = log->last_us > to->last_us ? log->last_us : to->last_us;
    }
    join_fields(&process_shape, to, log);
    log->compiles.n = log->frames.n = 0;
    log->joined = to;
    arena_free(scratch);
}

/* --- what a launcher says of others ------------------------------------------------------------------------------- */

static struct process *process_with(const struct run *r, uint64_t pid, const struct process *but)
{
    for (size_t i = 0; i < r->processes.n; i++)
        if (r->processes.v[i] != but && r->processes.v[i]->pid == pid)
            return r->processes.v[i];
    return NULL;
}

static bool has_failed(const struct process *p)
{
    bool found = p->unattributed->failures.n > 0;

    for (size_t i = 0; i < p->compiles.n && !found; i++)
        for (size_t k = 0; k < p->compiles.v[i]->failures.n; k++)
            found |= !p->compiles.v[i]->failures.v[k]->fallback;
    return found;
}

/* A process that recorded its own end does not need the launcher's message; another process gets it from there. */
static void give_to_others(struct run *r, struct process *launcher)
{
    struct compile *from = launcher->unattributed;
    size_t kept = 0;

    for (size_t i = 0; i < from->failures.n; i++) {
        struct failure *f = from->failures.v[i];
        struct process *of = f->of_pid ? process_with(r, f->of_pid, launcher) : NULL;

        if (!of) {
            from->failures.v[kept++] = f;
        } else if (!has_failed(of)) {
            f->compile = of->unattributed;
            vec_push(launcher->input->arena, &of->unattributed->failures, f);
        }
    }
    from->failures.n = kept;
}

void join_logs(struct run *r)
{
    struct arena *scratch = arena_new();
    struct map by_pid;
    size_t kept = 0;

    map_init(&by_pid, scratch);
    for (size_t i = 0; i < r->processes.n; i++) {
        void **slot = map_at_copy(&by_pid, MAP_KEY(r->processes.v[i]->pid));

        if (!*slot)
            *slot = ARENA_NEW(scratch, struct known_process);
        vec_push(scratch, &((struct known_process *)*slot)->list, r->processes.v[i]);
    }
    for (size_t i = 0; i < r->processes.n; i++) {
        struct process *p = r->processes.v[i];
        struct process *to = is_log(p) && p->first_us ? same_process(map_get(&by_pid, MAP_KEY(p->pid)), p) : NULL;

        if (!to && is_log(p) && p->pid == 0)
            to = owner_of(r, p);
        if (!to && is_log(p) && p->pid == 0)
            to = owner_by_warnings(r, p);
        if (to) {
            drop_warned(p, to);
            join(to, p);
        } else {
            r->processes.v[kept++] = p;
        }
    }
    r->processes.n = kept;
    for (size_t i = 0; i < r->processes.n; i++)
        give_to_others(r, r->processes.v[i]);
    arena_free(scratch);
}
