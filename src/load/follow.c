#include "load/follow.h"

#include "load/classify.h"
#include "util/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The state of a file at the last look. */
struct followed {
    struct str path;
    uint64_t size, device, inode;
    int64_t mtime_ns;
    uint64_t seen;    /* the number of the last look that found it; 0: it is gone */
    bool whole;       /* a trace that cannot be read in pieces */
    struct input *in; /* NULL: it is not a trace, or not yet */
    struct trace_reader *reader;
};

struct follow {
    const char *const *paths;
    size_t n;
    struct arena *arena;
    struct arena *of_look;
    struct trace_options options;
    struct pool *pool;  /* for this thread only: threads do not survive fork */
    struct map by_path; /* -> struct followed */
    uint64_t looks;
};

struct follow *follow_new(const char *const *paths, size_t n)
{
    struct follow *f = xcalloc(1, sizeof *f);

    *f = (struct follow){.paths = paths, .n = n, .arena = arena_new(), .of_look = arena_new(), .pool = pool_new(1)};
    map_init(&f->by_path, f->arena);
    return f;
}

static void drop(struct followed *x)
{
    if (x->reader)
        trace_drop(x->reader);
    if (x->in)
        input_free(x->in);
    x->reader = NULL;
    x->in = NULL;
}

void follow_free(struct follow *f)
{
    for (size_t i = 0; i < f->by_path.n; i++)
        drop(f->by_path.entries[i].value);
    pool_free(f->pool);
    arena_free(f->of_look);
    arena_free(f->arena);
    free(f);
}

/* Updates the state. False if the file has not changed. */
static bool note_state(struct followed *x)
{
    struct followed before = *x;
    struct stat st;

    if (stat(x->path.p, &st) != 0)
        return true;
    x->size = (uint64_t)st.st_size;
    x->device = (uint64_t)st.st_dev;
    x->inode = (uint64_t)st.st_ino;
    x->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    return x->size != before.size || x->inode != before.inode || x->device != before.device ||
           x->mtime_ns != before.mtime_ns;
}

/* A trace is read as it grows, once its first record shows that it is one. Packed files do not grow. */
static void begin(struct follow *f, struct followed *x, const struct found_file *found)
{
    struct input *in;

    assert(!x->in && !x->reader);
    if (x->whole || found->once || found->copy)
        return;
    in = input_new(x->path);
    load_classify(in, found);
    if (in->used && in->kind == INPUT_TORCH_TRACE && !in->of_digest && input_open(in) == 0 && !in->source.spill.open) {
        x->in = in;
        x->reader = trace_begin(in, &f->options, f->pool);
    } else {
        input_free(in);
    }
}

/* Reads the bytes that were added. */
static void go_on(struct follow *f, struct followed *x, const struct found_file *found, struct follow_look *out)
{
    if (!x->in)
        begin(f, x, found);
    if (!x->in || trace_more(x->reader))
        return;
    x->whole = trace_is_stuck(x->reader);
    drop(x);
    if (!x->whole)
        out->restarted = arena_str(f->of_look, x->path);
    begin(f, x, found);
    if (x->in && !trace_more(x->reader))
        drop(x); /* it changes while it is being read: the next look tries again */
}

static struct followed *followed_at(struct follow *f, struct str path)
{
    void **slot = map_at_copy(&f->by_path, path);

    if (!*slot) {
        struct followed *x = ARENA_NEW(f->arena, struct followed);

        x->path = arena_str(f->arena, path);
        *slot = x;
    }
    return *slot;
}

static void drop_those_gone(struct follow *f, struct follow_look *out)
{
    for (size_t i = 0; i < f->by_path.n; i++) {
        struct followed *x = f->by_path.entries[i].value;

        if (x->seen == 0 || x->seen == f->looks)
            continue;
        drop(x);
        x->seen = 0;
        out->changed = true;
    }
}

struct follow_look follow_look(struct follow *f)
{
    struct follow_look out = {.files = 0};
    struct found_files found;

    f->looks++;
    arena_reset(f->of_look);
    found_files_init(&found, f->of_look);
    for (size_t i = 0; i < f->n && out.error == 0; i++) {
        out.error = discover(&found, f->paths[i]);
        out.path = f->paths[i];
    }
    if (out.error)
        return out;
    vec_each(const struct found_file, file, &found.list)
    {
        struct followed *x = followed_at(f, file->path);

        if (note_state(x) || x->seen == 0) {
            out.changed = true;
            go_on(f, x, file, &out);
        }
        x->seen = f->looks;
        out.traces += x->in != NULL;
    }
    drop_those_gone(f, &out);
    out.files = found.list.n;
    return out;
}

struct input *follow_input(const struct follow *f, struct str path)
{
    const struct followed *x = map_get(&f->by_path, path);

    return x ? x->in : NULL;
}

struct trace_reader *follow_reader(const struct follow *f, struct str path)
{
    const struct followed *x = map_get(&f->by_path, path);

    return x ? x->reader : NULL;
}
