#include "output/html/compile_entries.h"

#include "util/formats/json_room.h"
#include "util/mem.h"
#include "view/page_objects.h"

#include <stdlib.h>

/* Details take milliseconds, entries without details microseconds. */
enum { ENTRIES_PER_TASK = 16, TASKS_PER_THREAD = 2 };

static bool wants_details(const struct compile_entries *e, const struct compile *c)
{
    return view_shown(e->view, c) == SHOWN_DETAILED;
}

/* Resets the view's scratch arena. */
static void render(const struct compile_entries *e, const struct view *v, const struct compile *c, bool detailed,
                   struct sink *out)
{
    struct json_room *room = json_room_take(), *outside = json_room_enter(room);
    json_t *o = detailed ? page_compile(v, c) : page_compile_row(v, c);

    mustache_render(e->templates, "compile", o, out);
    json_decref(o);
    json_room_enter(outside);
    json_room_give_back(room);
    arena_reset(v->scratch);
}

static bool has_room(const struct compile_entries *e)
{
    return e->out->bytes - e->began < e->max_bytes;
}

static void write_entry(const struct compile_entries *e, const struct compile *c)
{
    render(e, e->view, c, wants_details(e, c) && has_room(e), e->out);
}

/* --- by several threads ------------------------------------------------------------------------------------------- */

/* Some entries on their way. */
struct rendering {
    const struct compile_entries *entries;
    const struct compile *const *list;
    size_t n;
    size_t ends[ENTRIES_PER_TASK]; /* of each in the text */
    struct buf text;
    struct arena *scratch;
    struct task task;
};

static void render_some(void *arg)
{
    struct rendering *r = arg;
    struct view v = *r->entries->view;
    struct sink out = sink_to_buf(&r->text);

    v.scratch = r->scratch;
    r->text.n = 0;
    for (size_t i = 0; i < r->n; i++) {
        render(r->entries, &v, r->list[i], wants_details(r->entries, r->list[i]), &out);
        r->ends[i] = r->text.n;
    }
}

/* Details for which there turns out to be no room were rendered in vain. */
static void write_some(struct rendering *r)
{
    const struct compile_entries *e = r->entries;
    size_t from = 0;

    pool_wait(e->pool, &r->task);
    for (size_t i = 0; i < r->n; from = r->ends[i++]) {
        if (wants_details(e, r->list[i]) && !has_room(e))
            write_entry(e, r->list[i]);
        else
            sink_str(e->out, str_range(r->text.p + from, r->text.p + r->ends[i]));
    }
}

/* Takes entries up to the first one with details, so that the threads end their work at the same time. */
static void begin_some(struct rendering *r, const struct compile_entries *e, const struct compile *const *list,
                       size_t n)
{
    bool detailed = false;

    r->entries = e;
    r->list = list;
    for (r->n = 0; r->n < n && r->n < ENTRIES_PER_TASK && !detailed; r->n++)
        detailed = wants_details(e, list[r->n]);
    r->scratch = r->scratch ? r->scratch : arena_new();
    r->task = (struct task){.run = render_some, .arg = r};
    pool_submit_leaf(e->pool, &r->task);
}

/* A ring: those that were begun first are written first. */
static void write_in_parallel(const struct compile_entries *e, const struct compile *const *list, size_t n)
{
    size_t ring = (size_t)pool_threads(e->pool) * TASKS_PER_THREAD, begun = 0, written = 0;
    struct rendering *renderings = xcalloc(ring, sizeof *renderings);

    for (size_t at = 0; at < n || written < begun;) {
        if (at < n && begun - written < ring) {
            begin_some(&renderings[begun % ring], e, list + at, n - at);
            at += renderings[begun++ % ring].n;
        } else {
            write_some(&renderings[written++ % ring]);
        }
    }
    for (size_t i = 0; i < ring && renderings[i].scratch; i++) {
        arena_free(renderings[i].scratch);
        buf_free(&renderings[i].text);
    }
    free(renderings);
}

void compile_entries_write(const struct compile_entries *e, const struct compile *const *list, size_t n)
{
    if (e->pool && pool_threads(e->pool) > 1 && n > 1)
        write_in_parallel(e, list, n);
    else
        for (size_t i = 0; i < n; i++)
            write_entry(e, list[i]);
}
