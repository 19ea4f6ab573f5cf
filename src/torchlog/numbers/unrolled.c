#include "torchlog/numbers/unrolled.h"

#include <inttypes.h>

#include "model/code_file.h"
#include "text/graphs/fx_graph.h"
#include "util/utf8.h"

enum { NAMES = 48, MANY = 10, TIMES_MIN = 3, SHOWN_MAX = 80 };

/* The operators of one name, "cumprod" of "cumprod_31". */
struct operators {
    struct str name;
    struct fx_place place; /* of the first */
    struct str line;       /* of the first */
    uint64_t most;         /* the largest number behind the name */
    size_t times;
    bool backward;  /* in a graph that takes gradients */
    bool elsewhere; /* others of the name are of another line, or lines of others stand between them */
    size_t group;
};

struct printed_graph {
    struct operators v[NAMES];
    size_t n;
    struct fx_place place; /* of the comment above */
    size_t group;          /* the number of that comment */
    bool backward;
};

static bool read_comment(struct str line, struct printed_graph *g)
{
    struct fx_place place;

    if (!fx_place_parse(line, &place) || place.code.n == 0)
        return false;
    g->place = place;
    g->group++;
    return true;
}

/* "cumprod" and 31 of `cumprod_31: "f32[8]" = torch.ops.aten.cumprod.default(slice_120, 1)`. */
static bool read_node(struct str line, struct str *name, uint64_t *number)
{
    static const struct str call = STR_INIT(" = torch.ops.");
    ptrdiff_t under;
    struct str digits;

    *name = str_word(line);
    if (name->n == 0 || name->n == line.n || !strchr(": ", line.p[name->n]) || str_find(line, call) < 0)
        return false;
    under = str_rchr(*name, '_');
    digits = str_skip(*name, (size_t)(under + 1));
    if (under <= 0 || !str_u64(digits, number))
        *number = 0;
    else
        *name = str_take(*name, (size_t)under);
    return true;
}

static void count(struct printed_graph *g, struct str line, struct str name, uint64_t number)
{
    struct operators *o = NULL;

    for (size_t i = 0; i < g->n && !o; i++)
        o = str_eq(g->v[i].name, name) ? &g->v[i] : NULL;
    if (!o && g->n < NAMES) {
        o = &g->v[g->n++];
        *o = (struct operators){
            .name = name, .place = g->place, .line = line, .group = g->group, .backward = g->backward};
    }
    if (!o)
        return;
    o->times++;
    o->most = number > o->most ? number : o->most;
    o->elsewhere |= o->group != g->group;
}

/* The operator that the line of code names, or else none: slices and views stand beside it. */
static const struct operators *best_of(const struct printed_graph *g)
{
    const struct operators *best = NULL;

    for (size_t i = 0; i < g->n; i++) {
        const struct operators *o = &g->v[i];

        if (o->most >= MANY && o->times >= TIMES_MIN && !o->elsewhere && str_has(o->place.code, o->name) &&
            (!best || o->most > best->most))
            best = o;
    }
    return best;
}

struct series_found unrolled_line(struct arena *a, struct str text)
{
    struct printed_graph g = {.n = 0};
    const struct operators *best;
    struct str line, name;
    uint64_t number;

    if (!str_has(text, STR("# File: ")) || !str_has(text, STR("torch.ops.")))
        return (struct series_found){.line = {0}};
    while (str_next_line(&text, &line)) {
        struct str own = str_trim(line);

        if (str_starts(own, STR("def forward("))) {
            if ((best = best_of(&g)))
                break;
            g = (struct printed_graph){.backward = str_has(own, STR("tangents_"))};
        } else if (!read_comment(own, &g) && read_node(own, &name, &number)) {
            count(&g, line, name, number);
        }
    }
    best = best_of(&g);
    if (!best)
        return (struct series_found){.line = {0}};
    return (struct series_found){
        .message = arena_printf(a, "%s: %.*s:%" PRId64 " becomes `%.*s` up to number %" PRIu64 ": %.*s",
                                best->backward ? ", in the backward" : "", STR_ARG(code_file_name(best->place.file)),
                                best->place.line, STR_ARG(best->name), best->most,
                                STR_ARG(utf8_shorten(a, best->place.code, SHOWN_MAX))),
        .line = best->line,
    };
}
