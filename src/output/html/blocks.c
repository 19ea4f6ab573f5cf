#include "output/html/blocks.h"

#include "util/base64.h"
#include "util/formats/deflate.h"
#include "util/map.h"
#include "util/mem.h"
#include "util/system/file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK_TEXT = 256 * 1024, TASKS_PER_THREAD = 2 };

/* --- which payloads, in which order ------------------------------------------------------------------------------- */

struct entry {
    const struct artifact *artifact;
    uint32_t rank; /* the index among all artifacts, which breaks ties in comparisons */
    uint8_t bulk;
    bool same; /* in a compile that an earlier rank did in the same way */
};

struct entries {
    struct entry *v;
    size_t n;
};

static bool fits_in_browser(const struct artifact *a)
{
    return (a->payload.flags & PAYLOAD_PRESENT) && !(a->payload.flags & PAYLOAD_UNREADABLE) &&
           a->payload.text_bytes <= BLOCKS_PAYLOAD_MAX &&
           !payload_is_scattered(&a->payload);
}

/*
 * Sizes are compared in powers of two, so that payloads of one kind and of similar size stay in the order of the
 * trace: related payloads are then next to each other and compress better.
 */
static unsigned magnitude(const struct artifact *a)
{
    return a->payload.text_bytes ? 63 - (unsigned)__builtin_clzll(a->payload.text_bytes) : 0;
}

static int by_worth(const void *pa, const void *pb)
{
    const struct entry *a = pa, *b = pb;
    unsigned ma = magnitude(a->artifact), mb = magnitude(b->artifact);

    if (a->same != b->same)
        return a->same ? 1 : -1;
    if (a->bulk != b->bulk)
        return a->bulk < b->bulk ? -1 : 1;
    if (ma != mb)
        return ma < mb ? -1 : 1;
    return a->rank < b->rank ? -1 : 1;
}

static struct entries collect(const struct answers *answers)
{
    const struct run *run = answers->run;
    struct entries e = {0};
    size_t n = 0;

    for (size_t i = 0; i < run->inputs.n; i++)
        n += run->inputs.v[i]->artifacts.n;
    e.v = xcalloc(n, sizeof *e.v);
    for (size_t i = 0; i < run->inputs.n; i++)
        for (size_t k = 0; k < run->inputs.v[i]->artifacts.n; k++) {
            const struct artifact *a = run->inputs.v[i]->artifacts.v[k];

            if (fits_in_browser(a))
                e.v[e.n] = (struct entry){a, (uint32_t)e.n, a->info ? a->info->bulk : 5,
                                          rank_same_as(&answers->ranks, a->compile) != NULL};
            e.n += fits_in_browser(a);
        }
    qsort(e.v, e.n, sizeof *e.v, by_worth);
    return e;
}

/* --- compressing -------------------------------------------------------------------------------------------------- */

/* One block being made, from a run of entries. */
struct block_job {
    const struct entry *first;
    size_t n;
    struct buf text, packed, encoded;
    struct deflate *deflate;
    uint64_t *offsets; /* the offset of each entry in the text */
    uint64_t *lengths;
    bool *ok;
    size_t cap;
    struct task task;
};

/*
 * In a log, a prefix that became known after a message is removed when the message is read back. A filter may change
 * anything.
 */
static bool is_as_long(const struct payload_source *from, const struct payload *p, uint64_t length)
{
    return (p->flags & PAYLOAD_LOG) || from->filter.apply || p->text_bytes == length;
}

static void pack(void *arg)
{
    struct block_job *j = arg;

    j->text.n = j->packed.n = j->encoded.n = 0;
    for (size_t i = 0; i < j->n; i++) {
        const struct artifact *a = j->first[i].artifact;
        struct payload_source from = input_payloads(a->input);

        j->offsets[i] = j->text.n;
        j->ok[i] = payload_read(&from, &a->payload, READ_ALL, &j->text) == 0;
        j->lengths[i] = j->text.n - j->offsets[i];
        j->ok[i] = j->ok[i] && is_as_long(&from, &a->payload, j->lengths[i]);
    }
    deflate_block(j->deflate, buf_view(&j->text), &j->packed);
    base64_encode(&j->encoded, buf_view(&j->packed));
}

struct making {
    struct blocks *blocks;
    struct placements *placements;
    uint64_t budget;
    struct map by_digest; /* digest and length -> struct placement of the first one */
    struct pool *pool;
    struct block_job *jobs;
    size_t job_count, head, queued; /* a ring: jobs wait in order */
    bool full;
    int error;
};

struct digest_key {
    struct digest digest;
    uint64_t bytes;
};

static struct placement *placement_of(struct making *m, const struct artifact *a)
{
    return &m->placements->inputs[a->input->index][a->number];
}

/*
 * Equal digests and lengths mean equal payloads only if the digests were verified; otherwise one of them may be
 * damaged.
 */
static bool is_checked(const struct artifact *a)
{
    return (a->payload.flags & (PAYLOAD_CHECKED | PAYLOAD_BAD)) == PAYLOAD_CHECKED;
}

static void **shared_slot(struct making *m, const struct artifact *a)
{
    struct digest_key key;

    if (!is_checked(a))
        return NULL;
    key = (struct digest_key){a->payload.digest, a->payload.text_bytes};
    return map_at_copy(&m->by_digest, MAP_KEY(key));
}

/* The entries of a block are either all from compiles that an earlier rank did in the same way, or none is. */
static void leave_out(struct blocks *b, const struct entry *first, size_t n)
{
    if (n && !first->same)
        b->left_out += n;
}

/* Adds the block of the oldest job to the report, if it still fits. */
static void finish_oldest(struct making *m)
{
    struct block_job *j = &m->jobs[m->head];
    struct blocks *b = m->blocks;

    pool_wait(m->pool, &j->task);
    m->head = (m->head + 1) % m->job_count;
    m->queued--;
    if (m->full || m->error || b->bytes + j->encoded.n > m->budget) {
        m->full = true;
        leave_out(b, j->first, j->n);
        return;
    }
    m->error = write_all(b->spill, j->encoded.p, j->encoded.n);
    b->bytes += j->encoded.n;
    b->ends = xrealloc(b->ends, (b->count + 1) * sizeof *b->ends);
    b->ends[b->count] = b->bytes;
    for (size_t i = 0; i < j->n; i++) {
        struct placement *p = placement_of(m, j->first[i].artifact);

        if (j->ok[i])
            *p = (struct placement){
                .stored = STORED_INLINE, .block = (uint32_t)b->count, .offset = j->offsets[i], .length = j->lengths[i]};
        else
            p->lost = true;
    }
    b->count++;
}

static void start_job(struct making *m, const struct entry *first, size_t n)
{
    struct block_job *j;

    while (m->queued == m->job_count)
        finish_oldest(m);
    if (m->full) {
        leave_out(m->blocks, first, n);
        return;
    }
    j = &m->jobs[(m->head + m->queued++) % m->job_count];
    if (j->cap < n) {
        j->cap = n;
        j->offsets = xrealloc(j->offsets, n * sizeof *j->offsets);
        j->lengths = xrealloc(j->lengths, n * sizeof *j->lengths);
        j->ok = xrealloc(j->ok, n * sizeof *j->ok);
    }
    j->first = first;
    j->n = n;
    j->task = (struct task){.run = pack, .arg = j};
    pool_submit_leaf(m->pool, &j->task);
}

static void free_jobs(struct making *m)
{
    for (size_t i = 0; i < m->job_count; i++) {
        struct block_job *j = &m->jobs[i];

        buf_free(&j->text);
        buf_free(&j->packed);
        buf_free(&j->encoded);
        deflate_free(j->deflate);
        free(j->offsets);
        free(j->lengths);
        free(j->ok);
    }
    free(m->jobs);
}

/* Drops entries whose payload an earlier entry has, and records which in `same`. */
static size_t drop_equal(struct making *m, struct entries *e, const struct artifact **same)
{
    size_t kept = 0, dropped = 0;

    for (size_t i = 0; i < e->n; i++) {
        void **slot = shared_slot(m, e->v[i].artifact);

        if (slot && *slot) {
            same[dropped * 2] = e->v[i].artifact;
            same[dropped++ * 2 + 1] = *slot;
            continue;
        }
        if (slot)
            map_put_const(slot, e->v[i].artifact);
        e->v[kept++] = e->v[i];
    }
    e->n = kept;
    return dropped;
}

static void make_blocks_of(struct making *m, const struct entry *v, size_t n)
{
    size_t begin = 0;
    uint64_t bytes = 0;

    for (size_t i = 0; i < n; i++) {
        bytes += v[i].artifact->payload.text_bytes;
        if (bytes < BLOCK_TEXT && i + 1 < n)
            continue;
        start_job(m, v + begin, i + 1 - begin);
        begin = i + 1;
        bytes = 0;
    }
    while (m->queued)
        finish_oldest(m);
}

static void make_blocks(struct making *m, const struct entries *e)
{
    uint64_t share = m->budget / SAME_SHARE, left;
    size_t first = 0;

    while (first < e->n && !e->v[first].same)
        first++;
    make_blocks_of(m, e->v, first);
    left = m->budget > m->blocks->bytes ? m->budget - m->blocks->bytes : 0;
    m->budget = m->blocks->bytes + (left < share ? left : share);
    make_blocks_of(m, e->v + first, e->n - first);
}

int blocks_make(struct blocks *b, struct arena *arena, const struct answers *answers, struct placements *placements,
                uint64_t budget, struct pool *pool)
{
    const struct run *run = answers->run;
    struct making m = {.blocks = b, .placements = placements, .budget = budget, .pool = pool};
    struct arena *scratch = arena_new();
    struct entries e = collect(answers);
    const struct artifact **same = xcalloc(e.n * 2, sizeof *same);
    size_t dropped;

    *b = (struct blocks){.spill = temp_file()};
    m.error = b->spill < 0 ? b->spill : 0;
    placements->inputs = ARENA_ARRAY(arena, struct placement *, run->inputs.n);
    for (size_t i = 0; i < run->inputs.n; i++)
        placements->inputs[i] = ARENA_ARRAY(arena, struct placement, run->inputs.v[i]->artifacts.n);
    m.job_count = pool_threads(pool) * TASKS_PER_THREAD;
    m.jobs = xcalloc(m.job_count, sizeof *m.jobs);
    for (size_t i = 0; i < m.job_count; i++)
        m.jobs[i].deflate = deflate_new();
    map_init(&m.by_digest, scratch);
    dropped = drop_equal(&m, &e, same);
    make_blocks(&m, &e);
    for (size_t i = 0; i < dropped; i++)
        *placement_of(&m, same[2 * i]) = *placement_of(&m, same[2 * i + 1]);
    free_jobs(&m);
    free(same);
    free(e.v);
    arena_free(scratch);
    return m.error;
}

/* Clears the placements of payloads in blocks that were dropped. */
static void forget_placements(const struct blocks *b, const struct run *run, struct placements *placements)
{
    for (size_t i = 0; i < run->inputs.n; i++)
        for (size_t k = 0; k < run->inputs.v[i]->artifacts.n; k++) {
            struct placement *p = &placements->inputs[i][k];

            if (p->stored == STORED_INLINE && p->block >= b->count)
                *p = (struct placement){0};
        }
}

void blocks_drop(struct blocks *b, const struct run *run, struct placements *placements, uint64_t bytes)
{
    uint64_t keep = b->bytes > bytes ? b->bytes - bytes : 0;

    while (b->count && b->bytes > keep) {
        b->count--;
        b->bytes = b->count ? b->ends[b->count - 1] : 0;
    }
    forget_placements(b, run, placements);
}

int blocks_read(const struct blocks *b, size_t i, struct buf *out)
{
    uint64_t begin = i ? b->ends[i - 1] : 0;
    size_t n = (size_t)(b->ends[i] - begin);
    ssize_t k = read_at(b->spill, buf_room(out, n), n, begin);

    if (k != (ssize_t)n)
        return k < 0 ? (int)k : -EIO;
    buf_added(out, n);
    return 0;
}

void blocks_free(struct blocks *b)
{
    if (b->spill >= 0)
        temp_file_close(b->spill);
    free(b->ends);
    *b = (struct blocks){.spill = -1};
}
