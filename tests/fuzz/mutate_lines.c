/*
 * Changes to console text that people and programs make: lines that are missing, doubled, out of order, joined,
 * wrapped, cut, indented, quoted or behind other output, prefixes that are lost or another line's.
 */
#include "fuzz.h"

#include "util/arena.h"
#include "util/str.h"
#include "util/vec.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 16384, CHANGES_MAX = 4, RUN_MAX = 12, WIDTH = 80 };

struct mutation {
    struct arena *arena;
    unsigned seed;
    VEC(struct str) lines; /* with their ends */
};

static size_t any(struct mutation *m, size_t n)
{
    return n ? (size_t)rand_r(&m->seed) % n : 0;
}

static void parse(struct mutation *m, struct str text)
{
    while (text.n && m->lines.n < LINES_MAX) {
        ptrdiff_t end = str_chr(text, '\n');
        struct str line = str_take(text, end < 0 ? text.n : (size_t)end + 1);

        vec_push(m->arena, &m->lines, line);
        text = str_skip(text, line.n);
    }
    if (text.n)
        vec_push(m->arena, &m->lines, text);
}

static struct str *any_line(struct mutation *m)
{
    return &m->lines.v[any(m, m->lines.n)];
}

static void drop(struct mutation *m)
{
    size_t at = any(m, m->lines.n), n = 1 + any(m, RUN_MAX);

    n = n < m->lines.n - at ? n : m->lines.n - at;
    memmove(m->lines.v + at, m->lines.v + at + n, (m->lines.n - at - n) * sizeof *m->lines.v);
    m->lines.n -= n;
}

static void repeat(struct mutation *m)
{
    struct str line = *any_line(m);

    vec_push(m->arena, &m->lines, line);
}

static void swap(struct mutation *m)
{
    struct str *a = any_line(m), *b = any_line(m), between = *a;

    *a = *b;
    *b = between;
}

/* The same words before some lines. */
static void put_before(struct mutation *m)
{
    static const char *const words[] = {" ",        "    ", "\t",           "> ", "[rank1]: ",
                                        "step 3: ", "E   ", "\xef\xbb\xbf", "{",  "1: "};
    const char *before = words[any(m, sizeof words / sizeof *words)];
    size_t at = any(m, m->lines.n), n = any(m, 4) ? 1 + any(m, RUN_MAX) : m->lines.n;

    for (size_t i = at; i < m->lines.n && i < at + n; i++)
        m->lines.v[i] = arena_printf(m->arena, "%s%.*s", before, STR_ARG(m->lines.v[i]));
}

/* Where the words of a message begin behind "...] "; 0 if there is no such prefix. */
static size_t prefix_of(struct str line)
{
    ptrdiff_t at = str_find(line, STR("] "));

    return at < 0 ? 0 : (size_t)at + 2;
}

static void lose_prefixes(struct mutation *m)
{
    size_t at = any(m, m->lines.n), n = 1 + any(m, RUN_MAX);

    for (size_t i = at; i < m->lines.n && i < at + n; i++)
        m->lines.v[i] = str_skip(m->lines.v[i], prefix_of(m->lines.v[i]));
}

static void take_prefix(struct mutation *m)
{
    struct str *line = any_line(m), other = *any_line(m);

    *line = arena_printf(m->arena, "%.*s%.*s", STR_ARG(str_take(other, prefix_of(other))),
                         STR_ARG(str_skip(*line, prefix_of(*line))));
}

static void cut(struct mutation *m)
{
    struct str *line = any_line(m);

    if (any(m, 2))
        *line = str_skip(*line, any(m, line->n));
    else
        *line = arena_printf(m->arena, "%.*s\n", STR_ARG(str_take(*line, any(m, line->n))));
}

static void join(struct mutation *m)
{
    struct str *line = any_line(m);

    *line = arena_printf(m->arena, "%.*s%s", STR_ARG(str_drop(*line, line->n ? 1 : 0)), any(m, 2) ? " " : "");
}

static void wrap(struct mutation *m)
{
    struct str *line = any_line(m), rest = *line;

    *line = (struct str){0};
    while (rest.n > WIDTH) {
        *line = arena_printf(m->arena, "%.*s%.*s\n", STR_ARG(*line), STR_ARG(str_take(rest, WIDTH)));
        rest = str_skip(rest, WIDTH);
        if (line->n > 100 * (size_t)WIDTH)
            break;
    }
    *line = arena_printf(m->arena, "%.*s%.*s", STR_ARG(*line), STR_ARG(rest));
}

static void change(struct mutation *m)
{
    static void (*const changes[])(struct mutation *m) = {
        drop, repeat, swap, put_before, put_before, lose_prefixes, take_prefix, cut, join, wrap,
    };

    changes[any(m, sizeof changes / sizeof *changes)](m);
}

static size_t write_lines(const struct mutation *m, uint8_t *data, size_t max)
{
    size_t n = 0;

    vec_each(const struct str, line, &m->lines)
    {
        if (n + line->n > max)
            return n;
        memcpy(data + n, line->p, line->n);
        n += line->n;
    }
    return n;
}

size_t mutate_text(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct mutation m = {.arena = arena_new(), .seed = seed};
    char *copy = arena_alloc(m.arena, size + 1);

    memcpy(copy, data, size);
    parse(&m, (struct str){copy, size});
    for (size_t i = 0; m.lines.n && i <= any(&m, CHANGES_MAX); i++)
        change(&m);
    size = write_lines(&m, data, max);
    arena_free(m.arena);
    return size;
}
