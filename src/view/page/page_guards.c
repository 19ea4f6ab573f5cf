/* The guards of a compile: the tree, how many of each kind, and what the previous compile did not check. */
#include "view/page.h"

#include "analysis/code/compile_guards.h"
#include "text/guards/guard_kind.h"
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

struct str page_guards_anchor(const struct view *v, const struct compile *c)
{
    const struct artifact *a = compile_guards_artifact(c);

    if (view_shown(v, c) != SHOWN_DETAILED || !a || a->payload.text_bytes == 0 || payload_is_scattered(&a->payload))
        return (struct str){0};
    return arena_printf(v->scratch, "%.*s-guards", STR_ARG(page_anchor(v->scratch, c)));
}

/* --- against the compile before it -------------------------------------------------------------------------------- */

static json_t *guards_alone_json(const struct view *v, const struct guard_node *const *guards, size_t n)
{
    json_t *o = json_new_object(), *rows = json_new_array();

    for (size_t i = 0; i < n && i < PAGE_CHANGES_MAX; i++)
        json_push(rows, guard_row(v, guards[i]));
    json_put_str(o, "count", format_counted(v->scratch, n, "check", "checks"));
    json_put_bool(o, "any", n > 0);
    json_put(o, "rows", rows);
    json_put_str(o, "hidden", page_hidden(v, n, PAGE_CHANGES_MAX));
    return o;
}

static json_t *guard_changes(const struct view *v, const struct compile *c, const struct guard_tree *now)
{
    const struct compile *before = compile_guards_before(c);
    struct guard_tree then = {0};
    struct guards_alone alone;
    json_t *o;

    if (!before || !compile_guards_read(v->scratch, compile_guards_artifact(before), &then))
        return json_null();
    compile_guards_compare(v->scratch, &then, now, &alone);
    o = json_new_object();
    json_put(o, "before", page_link(v, before));
    json_put(o, "added", guards_alone_json(v, alone.added.v, alone.added.n));
    json_put(o, "gone", guards_alone_json(v, alone.gone.v, alone.gone.n));
    return o;
}

json_t *page_guards(const struct view *v, const struct compile *c)
{
    const struct artifact *a = compile_guards_artifact(c);
    struct guard_tree t = {0};
    json_t *o, *rows;

    if (!a || !compile_guards_read(v->scratch, a, &t))
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
