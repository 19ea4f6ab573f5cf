#include "torchlog/numbers/settings.h"

enum { LOOKED_AT = 300, ROWS_MAX = 64, COLUMNS_MAX = 8, PARTS_MAX = 8, RIGHT_MIN = 2 };

/* "compile, shop.checkpoint    0.00000   0.29834": settings, and numbers behind them. */
struct setting_row {
    struct str line, parts[PARTS_MAX];
    double values[COLUMNS_MAX]; /* NaN: no number */
    size_t n, columns;
    bool wrong;
};

struct setting_table {
    struct setting_row v[ROWS_MAX];
    size_t n;
};

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Takes the last cell, before which a bar, a tab or two blanks stand. */
static struct str take_cell(struct str *row)
{
    size_t n = row->n;
    struct str cell;

    while (n > 0 && row->p[n - 1] != '|' && row->p[n - 1] != '\t' &&
           !(row->p[n - 1] == ' ' && n > 1 && row->p[n - 2] == ' '))
        n--;
    cell = str_trim(str_skip(*row, n));
    *row = str_take(*row, n);
    *row = str_drop_any(*row, "| \t");
    return cell;
}

/* A number with a point, or NaN: whole numbers most often count something. */
static bool take_value(struct str cell, double *value)
{
    cell = str_drop_any(str_skip_any(cell, "*`"), "*`");
    if (str_chr(cell, '.') < 0 && !str_eq(cell, STR("nan")) && !str_eq(cell, STR("NaN")))
        return false;
    return cell.n && str_number(cell, value) == cell.n;
}

/* Takes what stands before the next comma, plus or bar outside of parentheses. */
static struct str next_part(struct str *label)
{
    size_t n = 0, depth = 0;
    struct str part;

    while (n < label->n) {
        char c = label->p[n];

        depth += c == '(';
        depth -= c == ')' && depth > 0;
        if (depth == 0 && strchr(",+|&", c))
            break;
        n++;
    }
    part = str_take(*label, n);
    *label = str_skip(*label, n + (n < label->n));
    return str_trim(part);
}

/* "compile" of `compile(backend="eager")`: how it is set is another matter. */
static struct str bare_part(struct str part)
{
    ptrdiff_t at = str_chr(part, '(');

    part = at > 0 ? str_trim(str_take(part, (size_t)at)) : part;
    part = str_drop_any(str_skip_any(part, "*`'\""), "*`'\"");
    return part;
}

static bool read_row(struct str line, struct setting_row *r)
{
    struct str rest = str_trim(line);
    double values[COLUMNS_MAX];

    *r = (struct setting_row){.line = line};
    if (line.n > LOOKED_AT)
        return false;
    rest = str_drop_any(rest, "| ");
    while (rest.n && r->columns < COLUMNS_MAX) {
        struct str before = rest;

        if (!take_value(take_cell(&rest), &values[r->columns])) {
            rest = before;
            break;
        }
        r->columns++;
    }
    for (size_t i = 0; i < r->columns; i++)
        r->values[i] = values[r->columns - 1 - i];
    while (rest.n && r->n < PARTS_MAX) {
        struct str part = bare_part(next_part(&rest));

        if (part.n)
            r->parts[r->n++] = part;
    }
    return r->columns && r->n;
}

/* --- what they share ---------------------------------------------------------------------------------------------- */

static bool is_wrong(double value)
{
    return value == 0 || value != value;
}

/* A column that is 0 in all rows says nothing of the settings. */
static void find_wrong(struct setting_table *t)
{
    for (size_t column = 0; column < t->v[0].columns; column++) {
        size_t right = 0;

        for (size_t i = 0; i < t->n; i++)
            right += !is_wrong(t->v[i].values[column]);
        for (size_t i = 0; right && i < t->n; i++)
            t->v[i].wrong |= is_wrong(t->v[i].values[column]);
    }
}

static bool has_part(const struct setting_row *r, struct str part)
{
    for (size_t i = 0; i < r->n; i++)
        if (str_eq(r->parts[i], part))
            return true;
    return false;
}

static bool all_wrong_have(const struct setting_table *t, struct str part)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].wrong && !has_part(&t->v[i], part))
            return false;
    return true;
}

static bool has_parts(const struct setting_row *r, const struct str *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!has_part(r, parts[i]))
            return false;
    return true;
}

static struct series_found shared_by_wrong(struct arena *a, const struct setting_table *t)
{
    struct str shared[PARTS_MAX], names = {0};
    const struct setting_row *first = NULL;
    size_t n = 0, wrong = 0;
    bool dynamo = false, nan = false;

    for (size_t i = 0; i < t->n; i++) {
        const struct setting_row *r = &t->v[i];

        first = r->wrong && !first ? r : first;
        wrong += r->wrong;
        dynamo |= r->wrong && str_has_any_line(r->line, STR("=\"eager\"\n='eager'"));
        for (size_t k = 0; r->wrong && k < r->columns; k++)
            nan |= r->values[k] != r->values[k];
    }
    if (!first || t->n - wrong < RIGHT_MIN)
        return (struct series_found){.line = {0}};
    for (size_t i = 0; i < first->n; i++)
        if (all_wrong_have(t, first->parts[i]))
            shared[n++] = first->parts[i];
    for (size_t i = 0; i < t->n; i++)
        if (n == 0 || (!t->v[i].wrong && has_parts(&t->v[i], shared, n)))
            return (struct series_found){.line = {0}};
    for (size_t i = 0; i < n; i++)
        names = arena_printf(a, "%.*s%s`%.*s`", STR_ARG(names), i ? " and " : "", STR_ARG(shared[i]));
    return (struct series_found){
        arena_printf(a, ": %s in %zu of %zu rows, those with %.*s%s%s", nan ? "NaN" : "0", wrong, t->n, STR_ARG(names),
                     n > 1 ? " together" : "", dynamo ? ", also with `backend=\"eager\"`, before Inductor" : ""),
        first->line,
    };
}

/* Rows of one table follow one another, and have as many numbers. */
struct series_found settings_wrong(struct arena *a, struct str text)
{
    struct setting_table *t = ARENA_NEW(a, struct setting_table);
    struct str line;

    t->n = 0;
    for (bool more = true; more;) {
        struct setting_row *r = &t->v[t->n];
        bool is_row;

        more = str_next_line(&text, &line);
        is_row = more && t->n + 1 < ROWS_MAX && read_row(line, r) && (t->n == 0 || r->columns == t->v[0].columns);
        if (is_row) {
            t->n++;
            continue;
        }
        if (t->n > RIGHT_MIN) {
            struct series_found found;

            find_wrong(t);
            found = shared_by_wrong(a, t);
            if (found.line.n)
                return found;
        }
        t->n = 0;
    }
    return (struct series_found){.line = {0}};
}
