#include "ranks/compare/matrix.h"

#include <stdlib.h>

const struct rank_cell *rank_cell_of(const struct rank_row *row, const struct rank_member *m)
{
    size_t at = 0, end = row->cells.n;

    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (row->cells.v[middle]->member->index < m->index)
            at = middle + 1;
        else
            end = middle;
    }
    return at < row->cells.n && row->cells.v[at]->member == m ? row->cells.v[at] : NULL;
}

/* Where only recompiles are logged, the first is [1/1]. */
bool rank_member_is_cut(const struct rank_member *m)
{
    const struct input *in = m->process->input;

    return process_is_cut(m->process) || (in && stated_has(&in->stated, STATED_READ) && m->cells.n &&
                                          m->cells.v[0]->compile->id.compile > 1);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* What other ranks know about the id of a frame that has no name in some rank. */
struct nameless_frame {
    const struct frame *named; /* the frame of another rank; NULL */
    bool differ;               /* ranks have different functions with this id, so it is no evidence */
};

static bool lacks_name(const struct frame *f)
{
    return f->name.n == 0 && f->id != ID_NONE;
}

static struct str id_key(struct matrix_maker *k, const struct frame *f)
{
    k->key.n = 0;
    buf_printf(&k->key, "%u %d %d", f->epoch, f->autograd, f->id);
    return buf_view(&k->key);
}

static void note_nameless(struct matrix_maker *k, const struct process *p)
{
    for (size_t i = 0; i < p->frames.n; i++)
        if (lacks_name(p->frames.v[i])) {
            void **slot = map_at_copy(&k->nameless, id_key(k, p->frames.v[i]));

            if (!*slot)
                *slot = ARENA_NEW(k->arena, struct nameless_frame);
        }
}

/* Finds the frames of ids without a name on the ranks that have the name. */
static void note_named(struct matrix_maker *k, const struct process *p)
{
    for (size_t i = 0; i < p->frames.n; i++) {
        const struct frame *f = p->frames.v[i];
        struct nameless_frame *n = map_get(&k->nameless, id_key(k, f));

        if (!n || lacks_name(f))
            continue;
        if (!n->named)
            n->named = f;
        n->differ |= !str_eq(n->named->name, f->name) || n->named->line != f->line;
    }
}

void matrix_note_frames(struct matrix_maker *k, const struct process *const *members, size_t n)
{
    for (size_t i = 0; i < n; i++)
        note_nameless(k, members[i]);
    for (size_t i = 0; k->nameless.n && i < n; i++)
        note_named(k, members[i]);
}

static void print_frame(struct matrix_maker *k, const struct frame *f)
{
    const struct nameless_frame *n = k->nameless.n ? map_get(&k->nameless, id_key(k, f)) : NULL;
    struct buf *out = &k->key;
    struct str file;

    if (n && n->named && !n->differ)
        f = n->named;
    file = code_file_name(f->file);
    out->n = 0;
    buf_printf(out, "%u %d %lld %.*s\n%.*s", f->epoch, f->autograd != ID_NONE && f->id == ID_NONE, (long long)f->line,
               STR_ARG(file), STR_ARG(f->name));
}

/*
 * Lambdas on one line, and functions that each call creates, have the same name, file and line, so they are numbered.
 */
static void number_frames(struct matrix_maker *k, const struct process *p)
{
    struct map named; /* code object -> how many frames had it */

    map_init(&named, k->arena);
    map_init(&k->frames, k->arena);
    for (size_t i = 0; i < p->frames.n; i++) {
        print_frame(k, p->frames.v[i]);
        *map_number_at(&k->frames, MAP_KEY(p->frames.v[i])) = ++*map_number_at(&named, buf_view(&k->key));
    }
}

/* The row of a compile of a frame; NULL if there is none and `make` is false. */
static struct rank_row *row_of(struct matrix_maker *k, const struct frame *f, int32_t compile, bool make)
{
    void **slot;

    print_frame(k, f);
    buf_printf(&k->key, "\n%llu %d", (unsigned long long)map_number(&k->frames, MAP_KEY(f)), compile);
    if (!make)
        return map_get(&k->rows, buf_view(&k->key));
    slot = map_at_copy(&k->rows, buf_view(&k->key));
    if (!*slot)
        *slot = ARENA_NEW(k->arena, struct rank_row);
    return *slot;
}

void matrix_begin(struct matrix_maker *k, struct arena *a, struct rank_matrix *out)
{
    *out = (struct rank_matrix){0};
    *k = (struct matrix_maker){.arena = a, .matrix = out};
    map_init(&k->rows, a);
    map_init(&k->nameless, a);
}

void matrix_add_member(struct matrix_maker *k, const struct process *p)
{
    k->member = ARENA_NEW(k->arena, struct rank_member);
    k->member->process = p;
    k->member->index = (uint32_t)k->matrix->members.n;
    vec_push(k->arena, &k->matrix->members, k->member);
    number_frames(k, p);
}

void matrix_add_compile(struct matrix_maker *k, const struct compile *c, struct fingerprint *print)
{
    struct rank_row *row = row_of(k, c->frame, c->id.compile, true);
    struct rank_cell *cell;

    if (c->id.compile > 0)
        row->before = row_of(k, c->frame, c->id.compile - 1, false);
    if (row->cells.n && row->cells.v[row->cells.n - 1]->member == k->member)
        return; /* a forged trace may have one compile twice */
    cell = ARENA_NEW(k->arena, struct rank_cell);
    *cell = (struct rank_cell){.row = row, .member = k->member, .compile = c, .print = print};
    vec_push(k->arena, &row->cells, cell);
    vec_push(k->arena, &k->member->cells, cell);
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

/* A row that only few ranks compiled comes after the row that they compiled before it. */
static void place_rows(struct rank_matrix *matrix, const struct rank_member *m)
{
    struct rank_row *last = NULL;

    for (size_t i = 0; i < m->cells.n; i++) {
        struct rank_row *row = m->cells.v[i]->row, **at = last ? &last->next : &matrix->first;

        if (!row->placed) {
            row->next = *at;
            *at = row;
            row->placed = true;
        }
        last = row;
    }
}

void matrix_end(struct matrix_maker *k)
{
    struct rank_matrix *matrix = k->matrix;
    struct map sequences;
    VEC(struct sequence *) list = {0};

    map_init(&sequences, k->arena);
    for (size_t i = 0; i < matrix->members.n; i++) {
        struct digest digest = digest_of_rows(matrix->members.v[i]);
        void **slot = map_at_copy(&sequences, MAP_KEY(digest));
        struct sequence *q = *slot;

        if (!q) {
            *slot = q = ARENA_NEW(k->arena, struct sequence);
            q->first = matrix->members.v[i];
            vec_push(k->arena, &list, q);
        }
        q->members++;
    }
    if (list.n)
        qsort(list.v, list.n, sizeof *list.v, by_members);
    for (size_t i = 0; i < list.n; i++)
        place_rows(matrix, list.v[i]->first);
    for (struct rank_row *row = matrix->first; row; row = row->next)
        row->position = matrix->rows++;
    buf_free(&k->key);
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* Whether two ranks that compiled the same number of graphs of a kind got different ones. */
static bool has_other_graphs(const struct rank_row *row)
{
    static const enum rank_facet graphs[] = {FACET_GRAPH, FACET_JOINT, FACET_PARTITION, FACET_POST_GRAD, FACET_TENSORS};
    const struct fingerprint *first = row->cells.v[0]->print;

    for (size_t i = 1; i < row->cells.n; i++)
        for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
            const struct fingerprint *print = row->cells.v[i]->print;

            if (print->counts[graphs[g]] == first->counts[graphs[g]] &&
                print->facets[graphs[g]] != first->facets[graphs[g]])
                return true;
        }
    return false;
}

static void set_sizes_apart(struct fingerprinter *f, const struct rank_matrix *m)
{
    for (struct rank_row *row = m->first; row; row = row->next) {
        size_t n = has_other_graphs(row) ? row->cells.n : 0;

        for (size_t i = 0; i < n; i++)
            fingerprint_set_sizes_apart(f, row->cells.v[i]->compile, row->cells.v[i]->print);
    }
}

/* --- from a run --------------------------------------------------------------------------------------------------- */

/* If a rank printed only warnings, or its log has no compile, nobody knows what it compiled. */
static bool is_candidate(const struct process *p, uint32_t group, enum input_kind kind)
{
    return p->group == group && p->rank != RANK_UNKNOWN && !p->joined && p->input->kind == kind && !p->only_warned &&
           (kind != INPUT_TORCH_LOGS || p->compiles.n);
}

/* Traces contain more than logs, so traces are only compared with traces, and logs with logs. */
static enum input_kind kind_of(const struct run *r, uint32_t group)
{
    for (size_t i = 0; i < r->processes.n; i++)
        if (is_candidate(r->processes.v[i], group, INPUT_TORCH_TRACE))
            return INPUT_TORCH_TRACE;
    return INPUT_TORCH_LOGS;
}

struct main_processes {
    VEC(const struct process *) list; /* one process for each rank, ascending */
};

/* Processes are sorted by rank. The main process of a rank is the one that compiled most. */
static void find_main_processes(struct arena *a, const struct run *r, uint32_t group, struct main_processes *out,
                                uint32_t *left_out)
{
    enum input_kind kind = kind_of(r, group);

    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];
        const struct process **last = out->list.n ? &out->list.v[out->list.n - 1] : NULL;

        if (!is_candidate(p, group, kind))
            continue;
        if (!last || (*last)->rank != p->rank) {
            vec_push(a, &out->list, p);
            continue;
        }
        ++*left_out;
        if (p->compiles.n > (*last)->compiles.n)
            *last = p;
    }
}

static void add_process(struct matrix_maker *k, struct fingerprinter *f, const struct process *p)
{
    matrix_add_member(k, p);
    for (size_t i = 0; i < p->compiles.n; i++) {
        struct fingerprint *print = ARENA_NEW(k->arena, struct fingerprint);

        fingerprint_take(f, p->compiles.v[i], print);
        matrix_add_compile(k, p->compiles.v[i], print);
    }
}

/* The texts of this many ranks are read before the first of them is used. */
enum { AHEAD = 64 };

void matrix_make(struct arena *a, const struct run *r, uint32_t group, struct fingerprinter *f, struct rank_matrix *out)
{
    struct main_processes processes = {0};
    struct matrix_maker k;
    uint32_t left_out = 0;
    size_t n;

    find_main_processes(a, r, group, &processes, &left_out);
    n = processes.list.n;
    matrix_begin(&k, a, out);
    out->left_out = left_out;
    matrix_note_frames(&k, processes.list.v, n);
    for (size_t i = 0; i < n && n >= 2; i++) {
        if (i % AHEAD == 0)
            contents_read_ahead(f->contents, processes.list.v + i, n - i < AHEAD ? n - i : AHEAD);
        add_process(&k, f, processes.list.v[i]);
    }
    matrix_end(&k);
    set_sizes_apart(f, out);
}

/* --- compiles that another rank did, too -------------------------------------------------------------------------- */

/* Facets and counts, which are adjacent in memory. */
static struct str key_of(const struct fingerprint *print)
{
    _Static_assert(offsetof(struct fingerprint, cached) == sizeof print->facets + sizeof print->counts, "no padding");
    return (struct str){(const char *)print, offsetof(struct fingerprint, cached)};
}

static void note_alike_in_row(const struct rank_row *row, struct arena *scratch, struct arena *a, struct map *out)
{
    struct map known; /* what was done -> those that did it */

    map_init(&known, scratch);
    for (size_t i = 0; i < row->cells.n; i++) {
        const struct compile *c = row->cells.v[i]->compile;
        void **slot = map_at(&known, key_of(row->cells.v[i]->print));
        struct rank_alike *alike = *slot ? *slot : ARENA_NEW(a, struct rank_alike);

        vec_push(a, &alike->compiles, c);
        *slot = alike;
        *map_at_copy(out, MAP_KEY(c)) = alike;
    }
}

void matrix_note_alike(const struct rank_matrix *m, struct arena *a, struct map *out)
{
    struct arena *scratch = arena_new();

    for (const struct rank_row *row = m->first; row; row = row->next) {
        note_alike_in_row(row, scratch, a, out);
        arena_reset(scratch);
    }
    arena_free(scratch);
}
