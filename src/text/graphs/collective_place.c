#include "text/graphs/collective_place.h"

#include "text/graphs/collective_text.h"
#include "text/graphs/fx_graph.h"

/* A line of the user's code; without a file, the line is PyTorch's own or unknown. */
struct graph_place {
    struct str file, code;
    int64_t line;
};

enum { NO_CALL = -1 };

/* Facts about a call: the lines that make its input and use its result, and the lines around it. */
struct surroundings {
    struct str op;
    int64_t waits_for; /* the call it waits for; else NO_CALL */
    struct graph_place own, before, behind;
    struct graph_place above, below;
};

/* Facts about a value of the graph: the line that made it, and the call whose result it passes on. */
struct graph_value {
    struct graph_place made;
    int64_t call;
};

/* The state of a walk through the graph. */
struct graph_walk {
    struct arena *arena;
    struct map values;       /* name -> struct graph_value */
    struct graph_place at;   /* the place of the next nodes */
    struct graph_place last; /* the last line of the user's */
    VEC(struct surroundings) calls;
};

static void note_place(struct graph_walk *w, struct str comment)
{
    struct fx_place place;

    if (fx_place_parse(comment, &place))
        w->at = is_framework_file(place.file)
                    ? (struct graph_place){0}
                    : (struct graph_place){.file = place.file, .line = place.line, .code = place.code};
    else if (str_starts(comment, STR("# No stacktrace")))
        w->at = (struct graph_place){0};
}

/* Takes the next name or number off an expression; false at the end. */
static bool next_word(struct str *text, struct str *word)
{
    while (text->n && !str_is_word_char(text->p[0]))
        *text = str_skip(*text, 1);
    *word = str_word(*text);
    *text = str_skip(*text, word->n);
    return word->n > 0;
}

/* The expression that a node computes: after " = ", without the names that it deletes. */
static struct str expression_of(struct str line)
{
    ptrdiff_t equals = str_find(line, STR(" = ")), end;
    struct str expression = equals < 0 ? STR("") : str_skip(line, (size_t)(equals + 3));

    end = str_find(expression, STR(";"));
    return end < 0 ? expression : str_take(expression, (size_t)end);
}

/* Looks at the values that a node uses: they may be results of calls, and they show where a call's input was made. */
static struct graph_value follow_uses(struct graph_walk *w, struct str expression)
{
    struct graph_value found = {.call = NO_CALL};
    struct str word;

    while (next_word(&expression, &word)) {
        const struct graph_value *used = map_get(&w->values, word);
        struct surroundings *call = used && used->call != NO_CALL ? &w->calls.v[used->call] : NULL;

        if (!used)
            continue;
        if (found.made.file.n == 0)
            found.made = used->made;
        if (call && w->at.file.n == 0)
            found.call = used->call;
        else if (call && call->behind.file.n == 0)
            call->behind = w->at;
    }
    return found;
}

/* The next line of the user's belongs to this node. */
static void note_below(struct graph_walk *w)
{
    for (size_t i = w->calls.n; i-- > 0 && w->calls.v[i].below.file.n == 0;)
        w->calls.v[i].below = w->at;
}

static void add_node(struct graph_walk *w, struct str line)
{
    struct str name = fx_name_of(line), rest = line;
    struct collective_call call;
    struct graph_value value = follow_uses(w, expression_of(line)), *kept;

    if (collective_next(&rest, &call)) {
        struct surroundings *s = vec_add(w->arena, &w->calls);

        *s = (struct surroundings){
            .op = call.op, .waits_for = NO_CALL, .own = w->at, .before = value.made, .above = w->last};
        if (collective_is_wait(&call))
            s->waits_for = value.call;
        else
            value.call = (int64_t)w->calls.n - 1;
    }
    if (w->at.file.n)
        note_below(w);
    if (name.n == 0)
        return;
    if (w->at.file.n)
        value.made = w->last = w->at;
    *map_at(&w->values, name) = kept = ARENA_NEW(w->arena, struct graph_value);
    *kept = value;
}

bool collective_is_named(struct str code, struct str op)
{
    static const struct str stems[] = {STR_INIT("all_reduce"), STR_INIT("all_gather"), STR_INIT("reduce_scatter"),
                                       STR_INIT("all_to_all"), STR_INIT("broadcast")};

    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (str_has(op, stems[i]) && str_has(code, stems[i]))
            return true;
    return str_has(code, STR("redistribute")) || str_has(code, STR("full_tensor"));
}

static struct collective_place exactly(const struct graph_place *p)
{
    return (struct collective_place){.file = p->file, .line = p->line};
}

/* No value shows the line: the call is between the nearest lines above and below it. */
static struct collective_place place_between(const struct graph_place *above, const struct graph_place *below)
{
    struct collective_place place = exactly(below->file.n ? below : above);

    if (place.file.n == 0)
        return place;
    if (below->file.n == 0)
        place.from_line = above->line;
    else if (str_eq(above->file, below->file) && above->line < below->line)
        place.from_line = above->line;
    else
        place.from_line = 1;
    return place;
}

static struct collective_place place_of(const struct surroundings *s)
{
    struct collective_place place;

    if (s->own.file.n)
        return exactly(&s->own);
    if (s->behind.file.n && collective_is_named(s->behind.code, s->op))
        return exactly(&s->behind);
    if (s->before.file.n && collective_is_named(s->before.code, s->op))
        return exactly(&s->before);
    if (s->before.file.n == 0 && s->behind.file.n == 0)
        return place_between(&s->above, &s->below);
    place = exactly(s->behind.file.n ? &s->behind : &s->before);
    if (s->before.file.n && str_eq(s->before.file, place.file) && s->before.line <= place.line)
        place.from_line = s->behind.file.n && s->before.line == place.line ? 0 : s->before.line;
    return place;
}

void collective_places_find(struct arena *a, struct str text, struct collective_places *out)
{
    struct graph_walk w = {.arena = arena_new()};
    struct str line;

    *out = (struct collective_places){0};
    map_init(&w.values, w.arena);
    while (str_next_line(&text, &line)) {
        line = str_trim(line);
        if (str_starts(line, STR("#")))
            note_place(&w, line);
        else
            add_node(&w, line);
    }
    vec_each(const struct surroundings, s, &w.calls)
        vec_push(a, &out->list, place_of(s->waits_for == NO_CALL ? s : &w.calls.v[s->waits_for]));
    arena_free(w.arena);
}

struct str collective_place_words(struct arena *a, const struct collective_call *c)
{
    if (c->file.n == 0 || c->from_line == 0)
        return STR("");
    if (c->from_line == c->line)
        return arena_printf(a, "at or after line %lld", (long long)c->line);
    if (c->from_line == 1)
        return arena_printf(a, "at or before line %lld", (long long)c->line);
    return arena_printf(a, "between lines %lld and %lld", (long long)c->from_line, (long long)c->line);
}
