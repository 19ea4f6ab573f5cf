#include "load/repeated.h"

#include "digest/digest_file.h"
#include "model/merge/run.h"

#include <stdlib.h>

/* The most files of the same rank and size, or of the same name, that are compared with each other. */
enum { COMPARED_MAX = 8 };

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_rank(const struct input *a, const struct input *b)
{
    return (a->name_rank > b->name_rank) - (a->name_rank < b->name_rank);
}

/* The file itself may have been moved or renamed since. */
static int compare_size(const struct input *a, const struct input *b)
{
    int c = compare_rank(a, b);

    return c ? c : compare_u64(a->source.read_bytes, b->source.read_bytes);
}

/* ... or it has grown. */
static int compare_name(const struct input *a, const struct input *b)
{
    int c = compare_rank(a, b);

    return c ? c : str_cmp(str_file_name(a->path), str_file_name(b->path));
}

/* Within a group, the input to keep comes first: the longest, and the file itself before its digests. */
static int compare_worth(const struct input *a, const struct input *b)
{
    int c = compare_u64(b->source.read_bytes, a->source.read_bytes);

    c = c ? c : (int)a->of_digest - (int)b->of_digest;
    return c ? c : str_cmp(a->path, b->path);
}

static int by_size(const void *pa, const void *pb)
{
    const struct input *a = *(struct input *const *)pa, *b = *(struct input *const *)pb;
    int c = compare_size(a, b);

    return c ? c : compare_worth(a, b);
}

static int by_name(const void *pa, const void *pb)
{
    const struct input *a = *(struct input *const *)pa, *b = *(struct input *const *)pb;
    int c = compare_name(a, b);

    return c ? c : compare_worth(a, b);
}

static int by_path(const void *pa, const void *pb)
{
    const struct input *a = *(struct input *const *)pa, *b = *(struct input *const *)pb;
    int c = str_cmp(a->path, b->path);

    c = c ? c : (int)a->of_digest - (int)b->of_digest;
    return c ? c : memcmp(a->content.bytes, b->content.bytes, DIGEST_BYTES);
}

typedef int (*order)(const void *, const void *);
typedef int (*likeness)(const struct input *, const struct input *);

static void sort(struct run *r, order by)
{
    if (r->inputs.n)
        qsort(r->inputs.v, r->inputs.n, sizeof *r->inputs.v, by);
}

/* Several files of a torch_compile_debug directory, or of one digest, may have the same contents. */
static bool may_hold(const struct input *other, const struct input *in)
{
    return (!other->of_digest && in->file.name.n == 0) || str_eq(other->path, in->path);
}

/* Whether one of the `n` inputs that end at `last`, all similar to `in`, contains the same. */
static bool is_held(const struct input *in, struct input *const *last, size_t n, likeness like)
{
    for (size_t i = 0; i < n && i < COMPARED_MAX; i++) {
        const struct input *other = last[-(ptrdiff_t)i - 1];

        if (like(other, in) != 0)
            break;
        if (may_hold(other, in) && digest_is_beginning(in, other))
            return true;
    }
    return false;
}

static void drop(struct run *r, order by, likeness like)
{
    size_t kept = 0;

    sort(r, by);
    for (size_t i = 0; i < r->inputs.n; i++) {
        struct input *in = r->inputs.v[i];

        if (in->of_digest && in->read && is_held(in, r->inputs.v + kept, kept, like))
            input_free(in);
        else
            r->inputs.v[kept++] = in;
    }
    r->inputs.n = kept;
}

void repeated_drop(struct run *r)
{
    bool digests = false;

    for (size_t i = 0; i < r->inputs.n; i++)
        digests |= r->inputs.v[i]->of_digest;
    if (digests) {
        drop(r, by_size, compare_size);
        drop(r, by_name, compare_name);
    }
    sort(r, by_path);
}
