/*
 * The stack trie: where in the user's program things were compiled. The calls of all compiles of a process form a tree
 * (model/stack.h); it is shown as indented rows, one level deeper only where it branches, with consecutive frames of
 * PyTorch and Python folded into one row.
 */
#include "view/page.h"
#include "view/page_objects.h"

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

struct trie_shown {
    const struct view *v;
    const struct process *process;
    json_t *rows;
    VEC(const struct call *) folded;
    size_t hidden;
};

/* A call with the compiles whose stacks end there, or several that are folded. */
struct trie_row {
    struct stack_row calls;
    const struct node *node;
    unsigned indent;
};

enum { INDENT_MAX = 24 };

static void add_row(struct trie_shown *t, const struct trie_row *row)
{
    if (json_array_size(t->rows) < PAGE_STACK_ROWS_MAX)
        json_push(t->rows, page_trie_row(t->v, row));
    else
        t->hidden++;
}

static void flush_folded(struct trie_shown *t, unsigned indent)
{
    static const struct node no_compiles;

    if (t->folded.n > 0)
        add_row(t, &(struct trie_row){{t->folded.v, t->folded.n}, &no_compiles, indent});
    t->folded.n = 0;
}

static void add_call(struct trie_shown *t, const struct node *n, unsigned indent)
{
    add_row(t, &(struct trie_row){{&n->call, 0}, n, indent});
}

/* Depth first without recursion: a hostile stack is thousands of calls deep. */
struct visit {
    const struct node *node;
    unsigned indent;
};

static void walk(struct trie_shown *shown, const struct trie *t, struct arena *a)
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
            vec_push(a, &shown->folded, n->call);
        } else {
            flush_folded(shown, v.indent);
            add_call(shown, n, v.indent);
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

json_t *page_trie_of(const struct view *v, const struct process *p)
{
    struct trie t = {.arena = v->scratch};
    struct trie_shown shown = {.v = v, .process = p, .rows = json_new_array()};

    map_init(&t.nodes, v->scratch);
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->stack)
            vec_push(v->scratch, &node_of(&t, p->compiles.v[i]->stack)->compiles, p->compiles.v[i]);
    for (size_t i = 0; i < p->unattributed->stacks.n; i++) {
        struct node *n = node_of(&t, stack_user_call(p->unattributed->stacks.v[i]));

        if (n->compiles.n == 0 || n->compiles.v[n->compiles.n - 1] != p->unattributed)
            vec_push(v->scratch, &n->compiles, p->unattributed);
    }
    walk(&shown, &t, v->scratch);
    return page_trie(v, &shown);
}

#include "view/page_rows.h"

#include "view/sections/stacks.def"
