/*
 * The stack trie: where in the user's program things were compiled. The calls of all compiles of a process form a tree
 * (model/stack.h); it is shown as indented rows, one level deeper only where it branches, with consecutive frames of
 * PyTorch and Python folded into one row.
 */
#include "view/page.h"

#include "util/map.h"

struct node {
    const struct call *call;
    struct node *first_child, *last_child, *next;
    VEC(const struct compile *) compiles; /* compiles whose stack ends here */
};

struct trie {
    struct arena *arena;
    struct map nodes; /* call -> struct node */
    struct node root;
};

static struct node *node_of(struct trie *t, const struct call *c)
{
    struct node *parent, *n;
    void **slot;

    if (!c)
        return &t->root;
    slot = map_at_copy(&t->nodes, MAP_KEY(c));
    if (*slot)
        return *slot;
    *slot = n = ARENA_NEW(t->arena, struct node);
    n->call = c;
    parent = node_of(t, c->parent); /* as deep as a stack: LIMIT_STACK_FRAMES */
    if (parent->last_child)
        parent->last_child->next = n;
    else
        parent->first_child = n;
    parent->last_child = n;
    return n;
}

struct rows {
    const struct view *v;
    json_t *list;
    VEC(const struct call *) folded;
    size_t hidden;
};

enum { INDENT_MAX = 24 };

static void add_row(struct rows *r, json_t *row, unsigned indent)
{
    if (json_array_size(r->list) >= PAGE_STACK_ROWS_MAX) {
        json_decref(row);
        r->hidden++;
        return;
    }
    json_put_i64(row, "indent", indent < INDENT_MAX ? indent : INDENT_MAX);
    json_push(r->list, row);
}

static void flush_folded(struct rows *r, unsigned indent)
{
    if (r->folded.n > 0)
        add_row(r, page_stack_row(r->v, &(struct stack_row){r->folded.v, r->folded.n}), indent);
    r->folded.n = 0;
}

static void add_call(struct rows *r, const struct node *n, unsigned indent)
{
    const struct call *c = n->call;
    json_t *row = json_new_object(), *marks = json_new_array();

    for (size_t i = 0; i < n->compiles.n && i < PAGE_MARKS_MAX; i++) {
        json_t *mark = page_link(r->v, n->compiles.v[i]);

        json_put_bool(mark, "recompile", compile_is_recompile(n->compiles.v[i]));
        json_push(marks, mark);
    }
    json_put(row, "function", view_text(c->function));
    json_put(row, "place", page_place(r->v, c->file, c->line));
    json_put(row, "source", view_text(str_trim(c->source)));
    json_put(row, "marks", marks);
    json_put_str(row, "more", page_hidden(r->v, n->compiles.n, PAGE_MARKS_MAX));
    add_row(r, row, indent);
}

/* Depth first without recursion: a hostile stack is thousands of calls deep. */
struct visit {
    const struct node *node;
    unsigned indent;
};

static void walk(struct rows *r, const struct trie *t, struct arena *a)
{
    VEC(struct visit) todo = {0};

    vec_push(a, &todo, ((struct visit){t->root.first_child, 0}));
    while (todo.n) {
        struct visit v = todo.v[--todo.n];
        const struct node *n = v.node;
        bool branches;

        if (!n)
            continue;
        vec_push(a, &todo, ((struct visit){n->next, v.indent}));
        branches = n->first_child && n->first_child->next;
        if (is_framework_file(n->call->file) && n->compiles.n == 0 && !branches && n->first_child) {
            vec_push(a, &r->folded, n->call);
        } else {
            flush_folded(r, v.indent);
            add_call(r, n, v.indent);
        }
        vec_push(a, &todo,
                 ((struct visit){n->first_child,
                                 v.indent + (branches || n->compiles.n || (n->call && n->call->depth == 1))}));
    }
}

bool page_has_trie(const struct view *v, const struct process *p)
{
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->stack && !page_is_repeated(v, p->compiles.v[i]))
            return true;
    return p->unattributed->stacks.n > 0 && !page_is_repeated(v, p->unattributed);
}

json_t *page_trie(const struct view *v, const struct process *p)
{
    struct trie t = {.arena = v->scratch};
    struct rows r = {.v = v, .list = json_new_array()};
    json_t *o = json_new_object();

    map_init(&t.nodes, v->scratch);
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->stack)
            vec_push(v->scratch, &node_of(&t, p->compiles.v[i]->stack)->compiles, p->compiles.v[i]);
    for (size_t i = 0; i < p->unattributed->stacks.n; i++) {
        struct node *n = node_of(&t, stack_user_call(p->unattributed->stacks.v[i]));

        if (n->compiles.n == 0 || n->compiles.v[n->compiles.n - 1] != p->unattributed)
            vec_push(v->scratch, &n->compiles, p->unattributed);
    }
    walk(&r, &t, v->scratch);
    json_put(o, "name", v->run->processes.n == 1 ? json_null() : json_of_str(page_process_name(v, p)));
    json_put(o, "rows", r.list);
    json_put(o, "hidden", r.hidden ? json_of_i64((int64_t)r.hidden) : json_null());
    return o;
}
