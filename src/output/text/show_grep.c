#include "output/text/show_grep.h"

#include "util/map.h"
#include "util/utf8.h"
#include "view/format.h"

/* Payloads are hostile: lines are cut before a pattern is applied to them, and the answer is limited. */
enum { LINES_MAX = 2000, LINE_BYTES_MAX = 4096, SHOWN_BYTES_MAX = 300 };

struct grepping {
    struct text *t;
    const regex_t *pattern;
    struct map seen; /* digest -> compile: equal payloads are searched once */
    struct buf payload;
    int found;
    int error;
};

static bool fits(const struct grepping *g, struct str line, char *room)
{
    struct str cut = str_take(line, LINE_BYTES_MAX);

    str_terminate(cut, room, LINE_BYTES_MAX + 1);
    for (size_t i = 0; i < cut.n; i++)
        if (room[i] == '\0')
            room[i] = ' ';
    return regexec(g->pattern, room, 0, NULL, 0) == 0;
}

static void write_match(struct grepping *g, const struct artifact *a, size_t number, struct str line)
{
    struct str shown = utf8_cut(line, SHOWN_BYTES_MAX);

    if (++g->found > LINES_MAX)
        return;
    text_printf(g->t, TEXT_BOLD, "%.*s %.*s:%zu: ", STR_ARG(format_compile(g->t->arena, a->compile)), STR_ARG(a->name),
                number);
    text_str(g->t, TEXT_PLAIN, shown);
    text_newline(g->t);
}

static void search(struct grepping *g, const struct artifact *a)
{
    struct payload_source from = input_payloads(a->input);
    char room[LINE_BYTES_MAX + 1];
    struct str rest, line;
    size_t number = 0;

    g->payload.n = 0;
    g->error = payload_read(&from, &a->payload, READ_COMPLETE, &g->payload);
    rest = buf_view(&g->payload);
    while (rest.n && g->found <= LINES_MAX && g->error == 0) {
        const char *end = memchr(rest.p, '\n', rest.n);

        line = str_take(rest, end ? (size_t)(end - rest.p) : rest.n);
        rest = str_skip(rest, end ? line.n + 1 : line.n);
        number++;
        if (fits(g, line, room))
            write_match(g, a, number, line);
    }
}

/* If a compile has several identical payloads, only the first one counts. */
static bool is_new(struct grepping *g, const struct artifact *a)
{
    struct {
        struct digest digest;
        const struct compile *compile;
    } key;
    void **slot;

    if (!(a->payload.flags & PAYLOAD_DIGEST))
        return true;
    memset(&key, 0, sizeof key);
    key.digest = a->payload.digest;
    key.compile = a->compile;
    slot = map_at_copy(&g->seen, MAP_KEY(key));
    if (*slot)
        return false;
    *slot = g;
    return true;
}

int show_grep_write(struct text *t, const struct answers *answers, const struct show_query *q, const regex_t *pattern)
{
    struct grepping g = {.t = t, .pattern = pattern};
    const struct compile *c;

    map_init(&g.seen, t->arena);
    for (struct compile_walk w = {.run = answers->run}; (c = compile_next(&w));)
        for (size_t i = 0; show_is_asked(q, c) && i < c->artifacts.n && g.error == 0; i++)
            if ((c->artifacts.v[i]->payload.flags & PAYLOAD_PRESENT) && is_new(&g, c->artifacts.v[i]))
                search(&g, c->artifacts.v[i]);
    if (g.found > LINES_MAX) {
        text_printf(t, TEXT_DIM, "more than %d lines; a compile id or --rank narrows it", LINES_MAX);
        text_newline(t);
    }
    buf_free(&g.payload);
    return g.error ? g.error : g.found;
}
