#include "gate/graph_diff.h"

#include "text/graphs/fx_graph.h"
#include "util/buf.h"
#include "util/map.h"
#include "util/mem.h"

#include <stdlib.h>

/*
 * Beyond that many cells (number of nodes times number of nodes), everything between the common beginning and the
 * common end counts as different.
 */
enum { CELLS_MAX = 16 << 20 };

struct sides {
    struct arena *arena;
    const graph_lines *lines[2];
    graph_lines shapes[2]; /* without the numbers in names */
    size_t head, tail;     /* lines that both begin and end with */
    size_t *partner;       /* for a line before: its line after, plus 1; 0 if none */
};

/*
 * "add_12" is an add: numbers identify nodes within one graph only. Freed variables (";  x = None") are not part of a
 * node.
 */
static struct str shape_of(struct arena *a, struct str line)
{
    ptrdiff_t freed = str_find(line, STR(";  "));
    struct buf b = {0};
    struct str out;

    if (freed >= 0)
        line = str_take(line, (size_t)freed);
    for (size_t i = 0; i < line.n;) {
        size_t from = i, end;

        while (i < line.n && str_is_word_char(line.p[i]))
            i++;
        for (end = i; end > from && str_is_digit(line.p[end - 1]); end--)
            ;
        end = end > from + 1 && end < i && line.p[end - 1] == '_' ? end - 1 : i;
        buf_add(&b, line.p + from, end - from);
        if (i < line.n)
            buf_char(&b, line.p[i++]);
    }
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

static void match(struct sides *s, size_t before, size_t after)
{
    s->partner[before] = after + 1;
}

static bool same_shape(const struct sides *s, size_t before, size_t after)
{
    return str_eq(s->shapes[0].v[before], s->shapes[1].v[after]);
}

/* The longest common subsequence of the middle parts, with a table of lengths that is read from its beginning. */
static void match_between(struct sides *s, size_t n, size_t m)
{
    uint32_t *length;
    size_t i = 0, k = 0;

    if (n == 0 || m == 0 || (n + 1) > CELLS_MAX / (m + 1))
        return;
    length = xcalloc((n + 1) * (m + 1), sizeof *length);
    for (i = n; i-- > 0;)
        for (k = m; k-- > 0;) {
            uint32_t down = length[(i + 1) * (m + 1) + k], right = length[i * (m + 1) + k + 1];

            length[i * (m + 1) + k] = same_shape(s, s->head + i, s->head + k) ? length[(i + 1) * (m + 1) + k + 1] + 1
                                      : down > right                          ? down
                                                                              : right;
        }
    for (i = k = 0; i < n && k < m;) {
        if (same_shape(s, s->head + i, s->head + k))
            match(s, s->head + i++, s->head + k++);
        else if (length[(i + 1) * (m + 1) + k] >= length[i * (m + 1) + k + 1])
            i++;
        else
            k++;
    }
    free(length);
}

static void match_lines(struct sides *s)
{
    size_t n = s->lines[0]->n, m = s->lines[1]->n, least = n < m ? n : m;

    s->partner = ARENA_ARRAY(s->arena, size_t, n + 1);
    while (s->head < least && same_shape(s, s->head, s->head)) {
        match(s, s->head, s->head);
        s->head++;
    }
    while (s->tail < least - s->head && same_shape(s, n - 1 - s->tail, m - 1 - s->tail)) {
        match(s, n - 1 - s->tail, m - 1 - s->tail);
        s->tail++;
    }
    match_between(s, n - s->head - s->tail, m - s->head - s->tail);
}

/* The next word of a line; empty at its end. */
static struct str next_word(struct str *line)
{
    size_t from = 0, to;
    struct str word;

    while (from < line->n && !str_is_word_char(line->p[from]))
        from++;
    for (to = from; to < line->n && str_is_word_char(line->p[to]); to++)
        ;
    word = str_range(line->p + from, line->p + to);
    *line = str_skip(*line, to);
    return word;
}

/* Of names of nodes that have partners, the partner's name; and which names are a partner. */
struct partners {
    struct map after_of, taken;
};

static void add_partners(struct partners *p, struct arena *a, struct str before, struct str after)
{
    struct str *name;

    if (before.n == 0)
        return;
    name = ARENA_NEW(a, struct str);
    *name = after;
    *map_at(&p->after_of, before) = *map_at(&p->taken, after) = name;
}

/* A word without a partner must be equal in both lines: a function, an input, or a node whose expression changed. */
static bool same_word(const struct partners *p, struct str before, struct str after)
{
    const struct str *partner = map_get(&p->after_of, before);

    return partner ? str_eq(*partner, after) : str_eq(before, after) && !map_get(&p->taken, after);
}

/* Whether the nodes in two lines of the same shape are partners. */
static bool same_nodes(struct str before, struct str after, const struct partners *partners)
{
    ptrdiff_t freed[2] = {str_find(before, STR(";  ")), str_find(after, STR(";  "))};

    before = freed[0] >= 0 ? str_take(before, (size_t)freed[0]) : before;
    after = freed[1] >= 0 ? str_take(after, (size_t)freed[1]) : after;
    for (;;) {
        struct str a = next_word(&before), b = next_word(&after);

        if (a.n == 0 && b.n == 0)
            return true;
        if (!same_word(partners, a, b))
            return false;
    }
}

bool graph_diff(struct arena *a, const graph_lines *before, const graph_lines *after, struct graph_diff *out)
{
    struct sides s = {.arena = a, .lines = {before, after}};
    bool *used = ARENA_ARRAY(a, bool, after->n + 1);
    struct partners partners;

    *out = (struct graph_diff){.gone = {0}};
    map_init(&partners.after_of, a);
    map_init(&partners.taken, a);
    for (int side = 0; side < 2; side++)
        vec_each(const struct str, line, s.lines[side]) vec_push(a, &s.shapes[side], shape_of(a, *line));
    match_lines(&s);
    for (size_t i = 0; i < before->n; i++)
        if (s.partner[i])
            add_partners(&partners, a, fx_name_of(before->v[i]), fx_name_of(after->v[s.partner[i] - 1]));
    for (size_t i = 0; i < before->n; i++) {
        if (s.partner[i] && same_nodes(before->v[i], after->v[s.partner[i] - 1], &partners))
            used[s.partner[i] - 1] = true;
        else
            vec_push(a, &out->gone, before->v[i]);
    }
    for (size_t i = 0; i < after->n; i++)
        if (!used[i])
            vec_push(a, &out->added, after->v[i]);
    return out->gone.n || out->added.n;
}
