#include "load/copies.h"

#include "util/map.h"
#include "util/mem.h"

#include <stdlib.h>

enum { PIECE = 256 * 1024 };

/* The facts that are compared first. Files of a job's ranks may have the same length, but not the same process. */
struct glance {
    uint64_t bytes, records, pid;
    int64_t first_us, last_us;
    uint64_t kind;
};

static struct glance glance_at(const struct input *in)
{
    const struct process *p = in->processes.n ? in->processes.v[0] : NULL;

    return (struct glance){.bytes = in->source.read_bytes,
                           .records = in->totals.records,
                           .pid = p ? p->pid : 0,
                           .first_us = p ? p->first_us : 0,
                           .last_us = p ? p->last_us : 0,
                           .kind = in->kind};
}

/* As many bytes as there are; fewer at the end. */
static size_t read_piece(struct source *s, char *piece)
{
    size_t n = 0, k;

    while (n < PIECE && (k = source_read(s, piece + n, PIECE - n)) > 0)
        n += k;
    return n;
}

static bool same_streams(struct source *a, struct source *b)
{
    char *pieces = xmalloc(2 * PIECE);
    size_t n, m;
    bool same;

    do {
        n = read_piece(a, pieces);
        m = read_piece(b, pieces + PIECE);
        same = n == m && memcmp(pieces, pieces + PIECE, n) == 0;
    } while (same && n == PIECE);
    free(pieces);
    return same && !a->error && !b->error;
}

static bool same_files(const struct input *a, const struct input *b)
{
    struct source s, t;
    bool same;

    if (source_open(&s, a->path.p, false) != 0)
        return false;
    if (source_open(&t, b->path.p, false) != 0) {
        source_close(&s);
        return false;
    }
    same = same_streams(&s, &t);
    source_close(&s);
    source_close(&t);
    return same;
}

/* A pipe cannot be read again, and a digest keeps only the digest of the bytes. */
static bool has_same_bytes(const struct input *a, const struct input *b)
{
    if (a->of_digest || b->of_digest)
        return a->of_digest && b->of_digest && digest_eq(&a->content, &b->content);
    return a->source.mtime_s && b->source.mtime_s && same_files(a, b);
}

/* The file name that PyTorch gives contains a rank, so it wins over others. */
static bool is_better_named(const struct input *in, const struct input *than)
{
    return in->name_rank != RANK_UNKNOWN && than->name_rank == RANK_UNKNOWN;
}

static void drop(struct input *copy, struct input *kept)
{
    copy->used = false;
    copy->why_not = arena_printf(copy->arena, "same contents as %.*s, counted once", STR_ARG(kept->path));
    copy->processes.n = 0;
    messages_init(&copy->messages, copy->arena, copy->path);
    message_add(&kept->messages, MSG_FILE_REPEATED, 0, "%.*s has the same contents", STR_ARG(copy->path));
}

static int rank_of(const struct input *in)
{
    return in->processes.n ? in->processes.v[0]->rank : RANK_UNKNOWN;
}

/* If ranks are known only from the names of the files, and they differ, the user means two ranks. */
static bool are_two_ranks(const struct input *a, const struct input *b)
{
    return rank_of(a) != rank_of(b) && rank_of(a) == a->name_rank && rank_of(b) == b->name_rank &&
           a->name_rank != RANK_UNKNOWN && b->name_rank != RANK_UNKNOWN;
}

static bool may_be_copy(const struct input *in)
{
    return in->used && in->source.read_bytes && (in->kind == INPUT_TORCH_TRACE || in->kind == INPUT_TORCH_LOGS);
}

void copies_drop(struct run *r)
{
    struct arena *scratch = arena_new();
    struct map first; /* glance -> struct input */

    map_init(&first, scratch);
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct input *in = r->inputs.v[i], *kept;
        struct glance glance = glance_at(in);
        void **slot = may_be_copy(in) ? map_at_copy(&first, MAP_KEY(glance)) : NULL;

        kept = slot ? *slot : NULL;
        if (slot && !kept)
            *slot = in;
        if (!kept || !has_same_bytes(kept, in))
            continue;
        if (are_two_ranks(kept, in)) {
            message_add(&in->messages, MSG_FILE_REPEATED, 0,
                        "%.*s has the same contents; both are used because of "
                        "their names",
                        STR_ARG(kept->path));
            continue;
        }
        if (is_better_named(in, kept)) {
            *slot = in;
            in = kept;
            kept = *slot;
        }
        drop(in, kept);
    }
    arena_free(scratch);
}
