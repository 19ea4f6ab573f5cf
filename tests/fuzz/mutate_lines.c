/*
 * Changes to console text that people and programs make: lines that are missing, doubled, out of order, joined,
 * wrapped, cut, indented, quoted or behind other output, prefixes that are lost or another line's.
 */
#include "mutate_pieces.h"

#include <stdlib.h>

enum { LINES_MAX = 16384, RUN_MAX = 12, WIDTH = 80 };

/* A prefix that ends with "] ", which may be empty, and the rest of the line with its end. */
enum { PREFIX, WORDS };

static struct piece line_of(struct str line)
{
    ptrdiff_t at = str_find(line, STR("] "));
    size_t n = at < 0 ? 0 : (size_t)at + 2;

    return (struct piece){{str_take(line, n), str_skip(line, n)}};
}

void mutate_parse(struct mutation *m, struct str text)
{
    while (text.n) {
        ptrdiff_t end = str_chr(text, '\n');
        struct str line = end < 0 || m->pieces.n == LINES_MAX ? text : str_take(text, (size_t)end + 1);

        vec_push(m->arena, &m->pieces, line_of(line));
        text = str_skip(text, line.n);
    }
}

static void drop(struct mutation *m)
{
    mutate_drop(m, RUN_MAX);
}

/* The same words before some lines. */
static void put_before(struct mutation *m)
{
    static const char *const words[] = {" ",        "    ", "\t",           "> ", "[rank1]: ",
                                        "step 3: ", "E   ", "\xef\xbb\xbf", "{",  "1: "};
    const char *before = words[mutate_any(m, sizeof words / sizeof *words)];
    size_t at = mutate_any(m, m->pieces.n), n = mutate_any(m, 4) ? 1 + mutate_any(m, RUN_MAX) : m->pieces.n;

    for (size_t i = at; i < m->pieces.n && i < at + n; i++)
        m->pieces.v[i].parts[PREFIX] = arena_printf(m->arena, "%s%.*s", before, STR_ARG(m->pieces.v[i].parts[PREFIX]));
}

static void lose_prefixes(struct mutation *m)
{
    size_t at = mutate_any(m, m->pieces.n), n = 1 + mutate_any(m, RUN_MAX);

    for (size_t i = at; i < m->pieces.n && i < at + n; i++)
        m->pieces.v[i].parts[PREFIX] = STR("");
}

static void take_prefix(struct mutation *m)
{
    struct str other = mutate_any_piece(m)->parts[PREFIX];

    mutate_any_piece(m)->parts[PREFIX] = other;
}

static void cut(struct mutation *m)
{
    struct str *words = &mutate_any_piece(m)->parts[WORDS];

    if (mutate_any(m, 2))
        *words = str_skip(*words, mutate_any(m, words->n));
    else
        *words = arena_printf(m->arena, "%.*s\n", STR_ARG(str_take(*words, mutate_any(m, words->n))));
}

static void join(struct mutation *m)
{
    struct str *words = &mutate_any_piece(m)->parts[WORDS];

    *words = arena_printf(m->arena, "%.*s%s", STR_ARG(str_drop(*words, words->n ? 1 : 0)), mutate_any(m, 2) ? " " : "");
}

static void wrap(struct mutation *m)
{
    struct str *words = &mutate_any_piece(m)->parts[WORDS], rest = *words;

    *words = (struct str){0};
    while (rest.n > WIDTH && words->n <= 100 * (size_t)WIDTH) {
        *words = arena_printf(m->arena, "%.*s%.*s\n", STR_ARG(*words), STR_ARG(str_take(rest, WIDTH)));
        rest = str_skip(rest, WIDTH);
    }
    *words = arena_printf(m->arena, "%.*s%.*s", STR_ARG(*words), STR_ARG(rest));
}

void mutate_change(struct mutation *m)
{
    static void (*const changes[])(struct mutation *m) = {
        drop, mutate_repeat, mutate_swap, put_before, put_before, lose_prefixes, take_prefix, cut, join, wrap,
    };

    changes[mutate_any(m, sizeof changes / sizeof *changes)](m);
}

/* A line is complete. */
void mutate_finish(struct mutation *m, struct piece *p)
{
    (void)m;
    (void)p;
}
