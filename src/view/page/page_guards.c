/* The guards of a compile: the tree, how many of each kind, and what the previous compile did not check. */
#include "view/page.h"
#include "view/page_objects.h"

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
    for (size_t i = 0; i < kinds.n; i++)
        json_push(list, page_guard_kind(v, order[i]));
    return list;
}

enum { GUARD_TEXT_MAX = 400, GUARD_INDENT_MAX = 24 };

struct guard_tree_shown {
    const struct compile *compile;
    struct guard_tree tree;
    VEC(const struct guard_node *) rows; /* the first of the tree */
};

/* In the order of the text; managers without a guard below them are left out. */
static void find_rows(struct arena *a, struct guard_tree_shown *t)
{
    VEC(const struct guard_node *) todo = {0};

    vec_push(a, &todo, t->tree.root);
    while (todo.n && t->rows.n < PAGE_GUARDS_MAX) {
        const struct guard_node *n = todo.v[--todo.n];

        if (n->is_guard || n->children.n)
            vec_push(a, &t->rows, n);
        for (size_t i = n->children.n; i-- > 0;)
            vec_push(a, &todo, n->children.v[i]);
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

struct guard_list {
    const struct guard_node **v;
    size_t n;
};

struct guard_changes {
    const struct compile *before;
    struct guard_list added, gone;
};

/* NULL if the trace does not have the guards of the previous compile. */
static const struct guard_changes *changes_of(const struct view *v, const struct guard_tree_shown *now)
{
    struct guard_changes *changes = ARENA_NEW(v->scratch, struct guard_changes);
    struct guard_tree then = {0};
    struct guards_alone alone;

    changes->before = compile_guards_before(now->compile);
    if (!changes->before || !compile_guards_read(v->scratch, compile_guards_artifact(changes->before), &then))
        return NULL;
    compile_guards_compare(v->scratch, &then, &now->tree, &alone);
    changes->added = (struct guard_list){alone.added.v, alone.added.n};
    changes->gone = (struct guard_list){alone.gone.v, alone.gone.n};
    return changes;
}

json_t *page_guards(const struct view *v, const struct compile *c)
{
    const struct artifact *a = compile_guards_artifact(c);
    struct guard_tree_shown t = {.compile = c};

    if (!a || !compile_guards_read(v->scratch, a, &t.tree))
        return json_null();
    find_rows(v->scratch, &t);
    return page_guard_tree(v, &t);
}

#include "view/page_rows.h"

#include "view/sections/guards.def"
