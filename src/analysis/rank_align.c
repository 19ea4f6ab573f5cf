#include "analysis/rank_align.h"

#include <stdlib.h>

/* --- members ------------------------------------------------------------------------------------------------------ */

static bool is_candidate(const struct process *p, uint32_t group, enum input_kind kind)
{
    return p->group == group && p->rank != RANK_UNKNOWN && !p->joined && p->input->kind == kind;
}

/* Traces tell more than logs: only like is compared with like. */
static enum input_kind kind_of(const struct run *r, uint32_t group)
{
    for (size_t i = 0; i < r->processes.n; i++)
        if (is_candidate(r->processes.v[i], group, INPUT_TORCH_TRACE))
            return INPUT_TORCH_TRACE;
    return INPUT_TORCH_LOGS;
}

/* Processes are in the order of ranks. The main process of a rank is the one that compiled most. */
static void find_members(struct arena *a, const struct run *r, uint32_t group, struct rank_set *out)
{
    enum input_kind kind = kind_of(r, group);
    struct rank_member *last = NULL;

    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];

        if (!is_candidate(p, group, kind))
            continue;
        if (last && last->process->rank == p->rank) {
            out->left_out++;
            if (p->compiles.n > last->process->compiles.n)
                last->process = p;
            continue;
        }
        last = ARENA_NEW(a, struct rank_member);
        last->process = p;
        last->index = (uint32_t)out->members.n;
        vec_push(a, &out->members, last);
    }
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

struct aligner {
    struct arena *arena;
    struct signer *signer;
    struct map rows;  /* what was compiled -> struct rank_row */
    struct map named; /* of one process: code objects -> how many frames had it */
    struct buf key;
};

static void print_frame(struct buf *out, const struct frame *f)
{
    struct str file = code_file_name(f->file);

    out->n = 0;
    buf_printf(out, "%u %d %lld %.*s\n%.*s", f->epoch, f->autograd != ID_NONE && f->id == ID_NONE, (long long)f->line,
               STR_ARG(file), STR_ARG(f->name));
}

/* Lambdas of one line, and functions made anew in each call, share what names them: they are counted. */
static void **frame_numbers(struct aligner *l, const struct process *p)
{
    void **numbers = ARENA_ARRAY(l->arena, void *, p->frames.n + 1);

    map_init(&l->named, l->arena);
    for (size_t i = 0; i < p->frames.n; i++) {
        uintptr_t *slot;

        print_frame(&l->key, p->frames.v[i]);
        slot = (uintptr_t *)map_at_copy(&l->named, buf_view(&l->key));
        numbers[i] = (void *)++*slot;
    }
    return numbers;
}

static struct rank_row *row_of(struct aligner *l, const struct frame *f, uintptr_t number, int32_t compile, bool make)
{
    void **slot;

    print_frame(&l->key, f);
    buf_printf(&l->key, "\n%llu %d", (unsigned long long)number, compile);
    if (!make)
        return map_get(&l->rows, buf_view(&l->key));
    slot = map_at_copy(&l->rows, buf_view(&l->key));
    if (!*slot)
        *slot = ARENA_NEW(l->arena, struct rank_row);
    return *slot;
}

static void add_cell(struct aligner *l, struct rank_member *m, struct rank_row *row, const struct compile *c)
{
    struct rank_cell *cell;

    if (row->cells.n && row->cells.v[row->cells.n - 1]->member == m)
        return; /* a forged trace has one compile twice */
    cell = ARENA_NEW(l->arena, struct rank_cell);
    cell->row = row;
    cell->member = m;
    cell->compile = c;
    signer_sign(l->signer, c, &cell->sign);
    vec_push(l->arena, &row->cells, cell);
    vec_push(l->arena, &m->cells, cell);
}

static void add_compiles(struct aligner *l, struct rank_member *m)
{
    const struct process *p = m->process;
    void **numbers = frame_numbers(l, p);
    struct map frames; /* -> number */

    map_init(&frames, l->arena);
    for (size_t i = 0; i < p->frames.n; i++)
        *map_at_copy(&frames, MAP_KEY(p->frames.v[i])) = numbers[i];
    for (size_t i = 0; i < p->compiles.n; i++) {
        const struct compile *c = p->compiles.v[i];
        uintptr_t number = (uintptr_t)map_get(&frames, MAP_KEY(c->frame));
        struct rank_row *row = row_of(l, c->frame, number, c->id.compile, true);

        if (c->id.compile > 0)
            row->before = row_of(l, c->frame, number, c->id.compile - 1, false);
        add_cell(l, m, row, c);
    }
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* Members that compiled the same rows in the same order. */
struct sequence {
    const struct rank_member *first;
    size_t members;
};

static struct digest digest_of_rows(const struct rank_member *m)
{
    struct digest_state state;

    digest_begin(&state);
    for (size_t i = 0; i < m->cells.n; i++)
        digest_add(&state, MAP_KEY(m->cells.v[i]->row));
    return digest_end(&state);
}

static int by_members(const void *pa, const void *pb)
{
    const struct sequence *a = *(struct sequence *const *)pa, *b = *(struct sequence *const *)pb;

    if (a->members != b->members)
        return a->members > b->members ? -1 : 1;
    return (a->first->index > b->first->index) - (a->first->index < b->first->index);
}

/* What only few ranks compiled stands behind what they compiled before it. */
static void place_rows(struct rank_set *set, const struct rank_member *m)
{
    struct rank_row *last = NULL;

    for (size_t i = 0; i < m->cells.n; i++) {
        struct rank_row *row = m->cells.v[i]->row, **at = last ? &last->next : &set->first;

        if (!row->placed) {
            row->next = *at;
            *at = row;
            row->placed = true;
        }
        last = row;
    }
}

/* As most ranks compiled; positions are numbered. */
static void order_rows(struct arena *a, struct rank_set *set)
{
    struct map sequences;
    VEC(struct sequence *) list = {0};

    map_init(&sequences, a);
    for (size_t i = 0; i < set->members.n; i++) {
        struct digest digest = digest_of_rows(set->members.v[i]);
        void **slot = map_at_copy(&sequences, MAP_KEY(digest));
        struct sequence *q = *slot;

        if (!q) {
            *slot = q = ARENA_NEW(a, struct sequence);
            q->first = set->members.v[i];
            vec_push(a, &list, q);
        }
        q->members++;
    }
    qsort(list.v, list.n, sizeof *list.v, by_members);
    for (size_t i = 0; i < list.n; i++)
        place_rows(set, list.v[i]->first);
    for (struct rank_row *row = set->first; row; row = row->next)
        row->position = set->rows++;
}

/* Ranks whose texts are read before any of them is looked at. */
enum { AHEAD = 64 };

static void read_ahead(struct signer *s, struct rank_member *const *members, size_t n)
{
    const struct process *processes[AHEAD];

    n = n < AHEAD ? n : AHEAD;
    for (size_t i = 0; i < n; i++)
        processes[i] = members[i]->process;
    signer_read_ahead(s, processes, n);
}

void rank_align(struct arena *a, const struct run *r, uint32_t group, struct signer *s, struct rank_set *out)
{
    struct aligner l = {.arena = a, .signer = s};

    *out = (struct rank_set){0};
    find_members(a, r, group, out);
    if (out->members.n < 2)
        return;
    map_init(&l.rows, a);
    for (size_t i = 0; i < out->members.n; i++) {
        if (i % AHEAD == 0)
            read_ahead(s, &out->members.v[i], out->members.n - i);
        add_compiles(&l, out->members.v[i]);
    }
    order_rows(a, out);
    buf_free(&l.key);
}
