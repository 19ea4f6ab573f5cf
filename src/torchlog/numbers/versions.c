#include "torchlog/numbers/versions.h"

enum { ROWS_MAX = 16, LINE_MAX = 160 };

struct version_row {
    struct str version, digits, line;
    double value;
    unsigned order; /* 2.10 is 210, 2.9.1 is 209 */
    bool compiled;
};

struct version_rows {
    struct version_row v[ROWS_MAX];
    size_t n;
};

/* "2.9.1" behind "Torch " or "torch ". */
static bool take_version(struct str *s, struct version_row *row)
{
    static const struct str names[] = {STR_INIT("orch "), STR_INIT("orch-"), STR_INIT("orch==")};
    uint64_t minor;
    size_t n = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ptrdiff_t at = str_find(*s, names[i]);
        struct str rest = str_skip(*s, at < 0 ? s->n : (size_t)at + names[i].n), version = rest;

        if (!str_consume(&rest, STR("2.")) || !str_take_u64(&rest, &minor) || minor > 99)
            continue;
        while (n < version.n && (str_is_digit(version.p[n]) || version.p[n] == '.'))
            n++;
        row->version = str_drop_any(str_take(version, n), ".");
        row->order = 200 + (unsigned)minor;
        *s = str_skip(version, n);
        return true;
    }
    return false;
}

/* "compiled" and "uncompiled", "not compiled", "eager"; false for a line that says neither. */
static bool take_state(struct str rest, bool *compiled)
{
    if (str_has_any_line(rest, STR("non-compiled\nnot compiled\nuncompiled\nno compile\nwithout compile\neager")))
        *compiled = false;
    else if (str_has(rest, STR("compile")))
        *compiled = true;
    else
        return false;
    return true;
}

/* The only number of the rest, which marks may surround. */
static bool take_number(struct str rest, struct version_row *row)
{
    size_t numbers = 0;

    for (size_t i = 0; i < rest.n;) {
        struct str at = str_skip(rest, i);
        size_t n = str_is_digit(*at.p) ? str_number(at, &row->value) : 0;

        if (n) {
            row->digits = str_take(at, n);
            numbers++;
        }
        i += n ? n : 1;
    }
    return numbers == 1 && row->value > 0;
}

static void read_rows(struct str text, struct version_rows *out)
{
    struct str line;

    while (out->n < ROWS_MAX && str_next_line(&text, &line)) {
        struct version_row row = {.line = line};
        struct str rest = str_take(line, LINE_MAX);

        if (take_version(&rest, &row) && take_state(rest, &row.compiled) && take_number(rest, &row))
            out->v[out->n++] = row;
    }
}

/* A row of an older version in the same state, whose number is about the `same`, or else clearly less; NULL if none. */
static const struct version_row *row_beside(const struct version_rows *rows, const struct version_row *of, bool same)
{
    static const double near = 1.05, far = 1.1;

    for (size_t i = 0; i < rows->n; i++) {
        const struct version_row *other = &rows->v[i];
        bool is_near = of->value <= near * other->value && other->value <= near * of->value;

        if (other->compiled == of->compiled && other->order < of->order &&
            (same ? is_near : of->value > far * other->value))
            return other;
    }
    return NULL;
}

struct series_found versions_worse(struct arena *a, struct str text)
{
    struct version_rows rows = {.n = 0};
    const struct version_row *worse = NULL, *eager = NULL, *before;

    read_rows(text, &rows);
    for (size_t i = 0; i < rows.n; i++) {
        if (rows.v[i].compiled && (!worse || rows.v[i].order > worse->order))
            worse = &rows.v[i];
        if (!rows.v[i].compiled && (!eager || rows.v[i].order > eager->order))
            eager = &rows.v[i];
    }
    if (!worse || !eager || worse->order != eager->order || !row_beside(&rows, eager, true))
        return (struct series_found){.line = {0}};
    before = row_beside(&rows, worse, false);
    if (!before)
        return (struct series_found){.line = {0}};
    return (struct series_found){
        .message = arena_printf(a, " %.*s and compiled: %.*s, %.*s with %.*s, and %.*s uncompiled",
                                STR_ARG(worse->version), STR_ARG(worse->digits), STR_ARG(before->digits),
                                STR_ARG(before->version), STR_ARG(eager->digits)),
        .line = worse->line,
    };
}
