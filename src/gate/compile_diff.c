#include "gate/compile_diff.h"

#include "analysis/time/cache_keys.h"
#include "model/read/artifact_text.h"
#include "text/guards/guard_tree.h"
#include "text/messages/rank_neutral.h"
#include "util/map.h"

enum { LOOKUPS_MAX = 64 }; /* lookups of one compile */

/* --- lines that can be compared ----------------------------------------------------------------------------------- */

/*
 * The length of a symbol ("s77", "u0") at the beginning of s, which follows the character `before`; 0 if there is
 * none.
 */
static size_t symbol_length(struct str s, char before)
{
    size_t n = 1;

    if (s.n < 2 || (*s.p != 's' && *s.p != 'u') || str_is_word_char(before))
        return 0;
    while (n < s.n && str_is_digit(s.p[n]))
        n++;
    return n > 1 && (n == s.n || !str_is_word_char(s.p[n])) ? n : 0;
}

/* Symbols are renumbered in the order of their first use, because versions of PyTorch number them differently. */
static struct str number_symbols(struct arena *a, struct map *symbols, struct str line)
{
    struct buf b = {0};
    uint64_t *number;
    struct str out;

    for (size_t i = 0; i < line.n;) {
        size_t n = symbol_length(str_skip(line, i), i ? line.p[i - 1] : ' ');
        struct str name = str_take(str_skip(line, i), n);

        if (n == 0) {
            buf_char(&b, line.p[i++]);
            continue;
        }
        number = map_number_at(symbols, name);
        *number = *number ? *number : symbols->n;
        buf_printf(&b, "%c%llu", *name.p, (unsigned long long)*number);
        i += n;
    }
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

/* Comments and directories of this machine are not code; "#pragma omp" is. */
static bool is_no_code(struct str line)
{
    return line.n == 0 || str_starts(line, STR("# ")) || str_eq(line, STR("#")) || str_starts(line, STR("#include"));
}

/* State for rewriting the lines of one text so that they can be compared. */
struct neutral_lines {
    struct arena *arena;
    struct rank_neutral neutral;
    struct map symbols;
    struct buf line;
};

static void add_line(struct neutral_lines *n, struct str raw, graph_lines *out)
{
    n->line.n = 0;
    rank_neutral_line(&n->neutral, raw, &n->line);
    vec_push(n->arena, out, number_symbols(n->arena, &n->symbols, str_trim(buf_view(&n->line))));
}

static void add_lines(struct arena *a, struct str text, graph_lines *out)
{
    struct neutral_lines n = {.arena = a};
    struct str raw;

    map_init(&n.symbols, a);
    while (str_next_line(&text, &raw))
        if (!is_no_code(str_trim(raw)))
            add_line(&n, raw, out);
    buf_free(&n.line);
}

static void add_guards(struct arena *a, struct str text, bool json, graph_lines *out)
{
    struct neutral_lines n = {.arena = a, .neutral = {.guards = true}};
    struct guard_tree tree;

    if (json && !guard_tree_parse_json(a, text, &tree))
        return;
    if (!json)
        guard_tree_parse_checks(a, text, &tree);
    map_init(&n.symbols, a);
    for (size_t i = 0; i < tree.guards.n; i++)
        add_line(&n, tree.guards.v[i]->text, out);
    buf_free(&n.line);
}

static bool is_of(const struct artifact *x, enum compile_text which)
{
    if (which == COMPILE_GUARDS)
        return x->info && x->info->guards;
    return x->info && x->info->facet == (which == COMPILE_GRAPH ? FACET_GRAPH : FACET_CODE);
}

/* For code, all parts, forward and backward; for graphs and guards, those of the last attempt. */
static bool read_lines(struct arena *a, const struct compile *c, enum compile_text which, graph_lines *out)
{
    struct buf text = {0};
    bool any = false;

    for (size_t i = c ? c->artifacts.n : 0; i-- > 0;) {
        const struct artifact *x = c->artifacts.v[i];

        text.n = 0;
        if (!is_of(x, which) || !artifact_read(x, READ_TEXT, &text))
            continue;
        any = true;
        if (which == COMPILE_GUARDS)
            add_guards(a, arena_str(a, buf_view(&text)), x->info->guards == GUARDS_JSON, out);
        else
            add_lines(a, arena_str(a, buf_view(&text)), out);
        if (which != COMPILE_CODE)
            break;
    }
    buf_free(&text);
    return any;
}

/* --- two of them -------------------------------------------------------------------------------------------------- */

/* Lines that only one side has, in any order, because guards on the members of a set are ordered by address. */
static void lines_only_in(struct arena *a, const graph_lines *one, const graph_lines *other, graph_lines *out)
{
    struct map there;

    map_init(&there, a);
    vec_each(const struct str, line, other) *map_at(&there, *line) = &there;
    vec_each(const struct str, line, one)
    {
        void **slot = map_at(&there, *line);

        if (!*slot)
            vec_push(a, out, *line);
        *slot = &there;
    }
}

/* How many lines of each side are shown. */
static const size_t lines_shown[COMPILE_TEXTS] = {[COMPILE_GRAPH] = 12, [COMPILE_CODE] = 4, [COMPILE_GUARDS] = 6};

static json_t *lines_of(const graph_lines *l, size_t most)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < l->n && i < most; i++)
        json_push(list, json_of_str(l->v[i]));
    return list;
}

static json_t *diff_object(const struct graph_diff *diff, enum compile_text which)
{
    json_t *o = json_new_object();

    json_put_i64(o, "removed", (int64_t)diff->gone.n);
    json_put_i64(o, "added", (int64_t)diff->added.n);
    json_put(o, "before", lines_of(&diff->gone, lines_shown[which]));
    json_put(o, "after", lines_of(&diff->added, lines_shown[which]));
    return o;
}

json_t *compile_diff_text(const struct compile *before, const struct compile *after, enum compile_text which)
{
    struct arena *a = arena_new();
    graph_lines was = {0}, is = {0};
    struct graph_diff diff = {.gone = {0}};
    json_t *o = NULL;

    if (read_lines(a, before, which, &was) && read_lines(a, after, which, &is)) {
        if (which == COMPILE_GUARDS) {
            lines_only_in(a, &was, &is, &diff.gone);
            lines_only_in(a, &is, &was, &diff.added);
        } else {
            graph_diff(a, &was, &is, &diff);
        }
        o = diff.gone.n + diff.added.n ? diff_object(&diff, which) : NULL;
    }
    arena_free(a);
    return o;
}

bool compile_graph_digest(const struct compile *c, struct digest *out)
{
    struct arena *a = arena_new();
    struct digest_state state;
    graph_lines lines = {0};
    bool any = read_lines(a, c, COMPILE_GRAPH, &lines);

    digest_begin(&state);
    vec_each(const struct str, line, &lines)
    {
        digest_add(&state, *line);
        digest_add(&state, STR("\n"));
    }
    *out = digest_end(&state);
    arena_free(a);
    return any;
}

/* --- keys of caches ----------------------------------------------------------------------------------------------- */

/* The number of the lookup in its compile, for the same cache and for the forward or the backward graph. */
static uint64_t lookup_number(const struct compile *c, const struct cache_event *e)
{
    uint64_t n = 0;

    for (const struct cache_event *x = c->cache_events.v; x < e; x++)
        n += x->layer == e->layer && x->artifact && x->artifact->backward == e->artifact->backward;
    return n;
}

static const struct cache_event *same_lookup(const struct compile *c, const struct compile *of,
                                             const struct cache_event *e)
{
    uint64_t number = lookup_number(of, e);

    for (size_t i = 0; i < c->cache_events.n && i < LOOKUPS_MAX; i++) {
        const struct cache_event *x = &c->cache_events.v[i];

        if (x->artifact && x->layer == e->layer && x->artifact->backward == e->artifact->backward &&
            lookup_number(c, x) == number)
            return x;
    }
    return NULL;
}

void compile_diff_keys(struct arena *a, const struct compile *before, const struct compile *after, key_differences *out)
{
    for (size_t i = 0; before && after && i < after->cache_events.n && i < LOOKUPS_MAX; i++) {
        const struct cache_event *is = &after->cache_events.v[i],
                                 *was = is->artifact ? same_lookup(before, after, is) : NULL;
        struct key_changes changes = {0};

        if (!was || (is->outcome != CACHE_MISS && is->outcome == was->outcome))
            continue;
        cache_keys_compare(a, was, is, &changes);
        vec_each(const struct key_change, c, &changes.list)
            vec_push(a, out, ((struct key_difference){is->layer, c->name, c->before, c->now}));
    }
}
