/* The guards of a compile: the tree, how many of each kind, and what the previous compile did not check. */
#include "view/page.h"

#include "model/read/artifact_text.h"
#include "text/guards/guard_kind.h"
#include "text/guards/guard_tree.h"
#include "util/frequency.h"
#include "util/utf8.h"
#include "view/format.h"

static json_t *guard_kinds(const struct view *v, const struct guard_tree *t)
{
    json_t *list = json_new_array();
    const struct frequency **order;
    struct map kinds;

    map_init(&kinds, v->scratch);
    for (size_t i = 0; i < t->guards.n; i++)
        frequency_add(&kinds, t->guards.v[i]->kind);
    order = frequency_ranked(v->scratch, &kinds);
    for (size_t i = 0; i < kinds.n; i++) {
        const char *words = guard_kind_words(order[i]->name);
        json_t *o = json_new_object();

        json_put_str(o, "kind", order[i]->name);
        json_put_str(o, "count", format_count(v->scratch, order[i]->n));
        json_put(o, "words", words ? json_of_str(str_of(words)) : json_null());
        json_push(list, o);
    }
    return list;
}

enum { GUARD_TEXT_MAX = 400, GUARD_INDENT_MAX = 24 };

static json_t *guard_row(const struct view *v, const struct guard_node *n)
{
    struct str text = n->is_guard ? n->text : n->source, cut = utf8_cut(text, GUARD_TEXT_MAX);
    json_t *o = json_new_object();

    json_put_i64(o, "indent", n->depth < GUARD_INDENT_MAX ? n->depth : GUARD_INDENT_MAX);
    json_put_str(o, "kind", n->kind);
    json_put_bool(o, "guard", n->is_guard);
    json_put(o, "text", view_text(cut));
    json_put_bool(o, "cut", cut.n < text.n);
    json_put(o, "type", view_text(n->type));
    json_put(o, "user_code", view_text(n->user_code));
    json_put(o, "place", page_place(v, n->user_file, n->user_line));
    return o;
}

/* A subtree in the order of its text; managers without a guard below them are left out. */
static void add_guard_rows(const struct view *v, const struct guard_node *root, json_t *rows)
{
    VEC(const struct guard_node *) todo = {0};

    vec_push(v->scratch, &todo, root);
    while (todo.n && json_array_size(rows) < PAGE_GUARDS_MAX) {
        const struct guard_node *n = todo.v[--todo.n];

        if (n->is_guard || n->children.n)
            json_push(rows, guard_row(v, n));
        for (size_t i = n->children.n; i-- > 0;)
            vec_push(v->scratch, &todo, n->children.v[i]);
    }
}

static const struct artifact *guards_artifact(const struct compile *c)
{
    for (size_t i = c->artifacts.n; i-- > 0;)
        if (c->artifacts.v[i]->info && c->artifacts.v[i]->info->guards)
            return c->artifacts.v[i];
    return NULL;
}

struct str page_guards_anchor(const struct view *v, const struct compile *c)
{
    const struct artifact *a = guards_artifact(c);

    if (view_shown(v, c) != SHOWN_DETAILED || !a || a->payload.text_bytes == 0 || payload_is_scattered(&a->payload))
        return (struct str){0};
    return arena_printf(v->scratch, "%.*s-guards", STR_ARG(page_anchor(v->scratch, c)));
}

static bool read_guards(const struct view *v, const struct artifact *a, struct guard_tree *t)
{
    struct buf text = {0};
    struct str copy;
    bool ok = artifact_read(a, READ_TEXT, &text) && text.n;

    if (ok) {
        copy = arena_str(v->scratch, buf_view(&text));
        if (a->info->guards == GUARDS_JSON)
            ok = guard_tree_parse_json(v->scratch, copy, t);
        else
            guard_tree_parse(v->scratch, copy, t);
    }
    buf_free(&text);
    return ok;
}

/* --- against the compile before it -------------------------------------------------------------------------------- */

/* A check and its subject: two compiles of a frame have the same key for the same guard. */
static struct str guard_identity(const struct view *v, const struct guard_node *n)
{
    char *p = arena_alloc(v->scratch, n->kind.n + 1 + n->source.n + 1 + n->text.n), *end = p;

    for (int i = 0; i < 3; i++) {
        struct str part = i == 0 ? n->kind : i == 1 ? n->source : n->text;

        if (i)
            *end++ = '\n';
        if (part.n)
            memcpy(end, part.p, part.n);
        end += part.n;
    }
    return str_range(p, end);
}

/* Guards that only one of two compiles has: how many, and rows for the first ones. */
struct guards_alone {
    size_t n;
    json_t *rows;
};

static void add_alone(const struct view *v, struct guards_alone *to, const struct guard_node *n)
{
    if (to->n++ < PAGE_CHANGES_MAX)
        json_push(to->rows, guard_row(v, n));
}

static json_t *guards_alone_json(const struct view *v, const struct guards_alone *g)
{
    json_t *o = json_new_object();

    json_put_str(o, "count", format_counted(v->scratch, g->n, "check", "checks"));
    json_put_bool(o, "any", g->n > 0);
    json_put(o, "rows", g->rows);
    json_put(o, "hidden", page_hidden(v, g->n, PAGE_CHANGES_MAX));
    return o;
}

/* A check that a compile makes twice counts once. */
static void compare_guards(const struct view *v, const struct guard_tree *then, const struct guard_tree *now,
                           struct guards_alone *added, struct guards_alone *gone)
{
    static const struct guard_node seen;
    struct map old;

    map_init(&old, v->scratch);
    for (size_t i = 0; i < then->guards.n; i++)
        *map_at(&old, guard_identity(v, then->guards.v[i])) = then->guards.v[i];
    for (size_t i = 0; i < now->guards.n; i++) {
        void **slot = map_at(&old, guard_identity(v, now->guards.v[i]));

        if (!*slot)
            add_alone(v, added, now->guards.v[i]);
        map_put_const(slot, &seen);
    }
    for (size_t i = 0; i < old.n; i++)
        if (old.entries[i].value != &seen)
            add_alone(v, gone, old.entries[i].value);
}

enum { LOOK_BACK_MAX = 8 };

/* The last compile of the same frame before c whose guards are in the trace; NULL if it is too far away. */
static const struct compile *compile_before(const struct compile *c)
{
    size_t at = c->frame ? page_position_in_frame(c) : 0;

    for (int i = 0; i < LOOK_BACK_MAX && at > 0; i++)
        if (guards_artifact(c->frame->compiles.v[--at]))
            return c->frame->compiles.v[at];
    return NULL;
}

static json_t *guard_changes(const struct view *v, const struct compile *c, const struct guard_tree *now)
{
    const struct compile *before = compile_before(c);
    struct guards_alone added = {0}, gone = {0};
    struct guard_tree then = {0};
    json_t *o;

    if (!before || !read_guards(v, guards_artifact(before), &then))
        return json_null();
    added.rows = json_new_array();
    gone.rows = json_new_array();
    compare_guards(v, &then, now, &added, &gone);
    o = json_new_object();
    json_put(o, "before", page_link(v, before));
    json_put(o, "added", guards_alone_json(v, &added));
    json_put(o, "gone", guards_alone_json(v, &gone));
    return o;
}

json_t *page_guards(const struct view *v, const struct compile *c)
{
    const struct artifact *a = guards_artifact(c);
    struct guard_tree t = {0};
    json_t *o, *rows;

    if (!a || !read_guards(v, a, &t))
        return json_null();
    o = json_new_object();
    rows = json_new_array();
    add_guard_rows(v, t.root, rows);
    json_put_str(o, "count", format_counted(v->scratch, t.guards.n, "check", "checks"));
    json_put(o, "latency",
             t.latency_us >= 0 ? json_of_str(arena_printf(v->scratch, "%.1f \xc2\xb5s", t.latency_us)) : json_null());
    json_put(o, "kinds", guard_kinds(v, &t));
    json_put_bool(o, "cut", json_array_size(rows) >= PAGE_GUARDS_MAX);
    json_put(o, "changes", guard_changes(v, c, &t));
    json_put(o, "rows", rows);
    return o;
}
