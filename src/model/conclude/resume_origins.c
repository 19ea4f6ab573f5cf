#include "model/conclude/resume_origins.h"

#include "util/map.h"

#include <stdlib.h>

struct namesake {
    struct frame *frame;
    size_t order; /* the order of appearance */
};

/* Frames with the same function name in one file and epoch, sorted by line and appearance. */
struct namesakes {
    VEC(struct namesake) list;
};

static int by_line(const void *pa, const void *pb)
{
    const struct namesake *a = pa, *b = pb;

    if (a->frame->line != b->frame->line)
        return a->frame->line < b->frame->line ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static void sort_namesakes(const struct map *by_name)
{
    for (size_t i = 0; i < by_name->n; i++) {
        struct namesakes *same = by_name->entries[i].value;

        qsort(same->list.v, same->list.n, sizeof *same->list.v, by_line);
    }
}

/* The index of the first frame that begins at or below `line`. */
static size_t first_from(const struct namesakes *same, int64_t line)
{
    size_t at = 0, end = same->list.n;

    while (at < end) {
        size_t middle = at + (end - at) / 2;

        if (same->list.v[middle].frame->line < line)
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

static struct str namesakes_key(struct arena *scratch, const struct frame *f, struct str function)
{
    return arena_printf(scratch, "%u %.*s\n%.*s", f->epoch, STR_ARG(f->file), STR_ARG(function));
}

/*
 * A file may have several functions F: the one that a resume function continues begins at or above the line where it
 * continues.
 */
static const struct frame *origin_of(const struct frame *resume, const struct namesakes *same)
{
    size_t behind;

    if (!same || resume->resumes_line == INT64_MAX)
        return NULL;
    behind = first_from(same, resume->resumes_line + 1);
    return behind ? same->list.v[first_from(same, same->list.v[behind - 1].frame->line)].frame : NULL;
}

void resume_origins_find(struct process *p, struct arena *scratch)
{
    struct map by_name;

    map_init(&by_name, scratch);
    for (size_t i = 0; i < p->frames.n; i++) {
        struct frame *f = p->frames.v[i];
        void **slot;

        f->origin = f;
        if (f->is_resume)
            continue;
        slot = map_at(&by_name, namesakes_key(scratch, f, f->name));
        if (!*slot)
            *slot = ARENA_NEW(scratch, struct namesakes);
        vec_push(scratch, &((struct namesakes *)*slot)->list, ((struct namesake){f, i}));
    }
    sort_namesakes(&by_name);
    for (size_t i = 0; i < p->frames.n; i++) {
        struct frame *f = p->frames.v[i];

        if (f->is_resume)
            f->origin = origin_of(f, map_get(&by_name, namesakes_key(scratch, f, f->resumes)));
    }
}
