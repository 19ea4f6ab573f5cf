#include "torchlog/numbers/kernels.h"

enum { LOOKED_AT = 600, CELLS_MAX = 20, TABLES_MAX = 2, NAME_MAX_SHOWN = 90 };

/* One table: its kernel that takes longest. */
struct profile_table {
    size_t name_cell, gpu_cell, cpu_cell, calls_cell; /* columns; 0: none but for the name's */
    struct str name, calls, line;
    double kernel_s, cpu_total_s, gpu_total_s;
};

/* Cells are two blanks or more apart. */
static size_t cells_of(struct str line, struct str cells[CELLS_MAX])
{
    size_t n = 0;

    line = str_trim(line);
    while (line.n && n < CELLS_MAX) {
        ptrdiff_t end = str_find(line, STR("  "));

        cells[n++] = str_take(line, end < 0 ? line.n : (size_t)end);
        line = str_trim(str_skip(line, cells[n - 1].n));
    }
    return n;
}

/* "7.430s", "803.000us", in seconds; 0 for anything else. */
static double seconds_of(struct str cell)
{
    static const struct {
        struct str unit;
        double seconds;
    } units[] = {{STR_INIT("us"), 1e-6}, {STR_INIT("ms"), 1e-3}, {STR_INIT("s"), 1}};
    double value;
    size_t n = str_number(cell, &value);

    for (size_t i = 0; n && i < sizeof units / sizeof *units; i++)
        if (str_eq(str_skip(cell, n), units[i].unit))
            return value * units[i].seconds;
    return 0;
}

static bool take_head(struct str line, struct profile_table *t)
{
    struct str cells[CELLS_MAX];
    size_t n = cells_of(line, cells);

    if (n < 4 || !str_eq(cells[0], STR("Name")))
        return false;
    *t = (struct profile_table){.line = line};
    for (size_t i = 1; i < n; i++) {
        if (str_eq(cells[i], STR("Self CUDA")) || str_eq(cells[i], STR("Self XPU")))
            t->gpu_cell = i;
        if (str_eq(cells[i], STR("Self CPU")))
            t->cpu_cell = i;
        if (str_eq(cells[i], STR("# of Calls")))
            t->calls_cell = i;
    }
    return t->gpu_cell && t->cpu_cell;
}

/* A kernel of the GPU has no time of the CPU. */
static void take_row(struct str line, struct profile_table *t)
{
    struct str cells[CELLS_MAX];
    size_t n = cells_of(line, cells);
    double gpu_s;

    if (n <= t->gpu_cell || n <= t->cpu_cell || n <= t->calls_cell)
        return;
    gpu_s = seconds_of(cells[t->gpu_cell]);
    if (gpu_s <= t->kernel_s || seconds_of(cells[t->cpu_cell]) > 0)
        return;
    t->kernel_s = gpu_s;
    t->name = cells[0];
    t->calls = t->calls_cell ? cells[t->calls_cell] : (struct str){0};
    t->line = line;
}

static void take_total(struct str line, struct profile_table *t)
{
    if (str_consume(&line, STR("Self CPU time total: ")))
        t->cpu_total_s = seconds_of(str_trim(line));
    else if (str_consume(&line, STR("Self CUDA time total: ")) || str_consume(&line, STR("Self XPU time total: ")))
        t->gpu_total_s = seconds_of(str_trim(line));
}

static size_t read_tables(struct str text, struct profile_table tables[TABLES_MAX + 1])
{
    struct profile_table t;
    size_t n = 0;
    struct str line;

    while (str_next_line(&text, &line)) {
        line = str_trim(str_take(line, LOOKED_AT));
        if (take_head(line, &t)) {
            if (n > TABLES_MAX)
                return n;
            tables[n++] = t;
        } else if (n) {
            take_row(line, &tables[n - 1]);
            take_total(line, &tables[n - 1]);
        }
    }
    return n;
}

/* "till_kernel" of "till_kernel_0d1d2d3de4c": Triton 2 names the specialization of each argument behind the name. */
static struct str without_suffix(struct str name)
{
    ptrdiff_t at = str_rchr(name, '_');
    struct str suffix = str_skip(name, (size_t)(at + 1));
    size_t letters = 0;

    if (at <= 0 || suffix.n < 2 || !str_is_digit(suffix.p[0]))
        return name;
    for (size_t i = 0; i < suffix.n; i++) {
        if (!str_is_digit(suffix.p[i]) && !strchr("cde", suffix.p[i]))
            return name;
        letters += !str_is_digit(suffix.p[i]);
    }
    return letters ? str_take(name, (size_t)at) : name;
}

static struct str time_words(struct arena *a, double s)
{
    return s < 1e-3 ? arena_printf(a, "%.1f us", s * 1e6)
           : s < 1  ? arena_printf(a, "%.1f ms", s * 1e3)
                    : arena_printf(a, "%.2f s", s);
}

static struct series_found compare(struct arena *a, const struct profile_table *t, const struct profile_table *other)
{
    static const double more = 1.3;
    const struct profile_table *slow = t->kernel_s > other->kernel_s ? t : other, *fast = slow == t ? other : t;
    struct str name = without_suffix(slow->name);
    struct series_found found = {.line = {0}};

    if (fast->kernel_s <= 0 || slow->kernel_s < more * fast->kernel_s || !str_eq(slow->calls, fast->calls) ||
        !str_eq(name, without_suffix(fast->name)))
        return found;
    found.line = slow->line;
    found.message = arena_printf(a, " that takes longer in one of two profiles: `%.*s` takes %.*s on the GPU instead "
                                    "of %.*s (%.1f times)",
                                 STR_ARG(str_take(name, NAME_MAX_SHOWN)), STR_ARG(time_words(a, slow->kernel_s)),
                                 STR_ARG(time_words(a, fast->kernel_s)), slow->kernel_s / fast->kernel_s);
    if (slow->calls.n)
        found.message = arena_printf(a, "%.*s in %.*s calls", STR_ARG(found.message), STR_ARG(slow->calls));
    if (!str_eq(slow->name, fast->name))
        found.message = arena_printf(a, "%.*s, as another variant", STR_ARG(found.message));
    return found;
}

static struct series_found kernel_of(struct arena *a, const struct profile_table *t)
{
    static const double most = 0.5, busy = 0.7;
    struct series_found found = {.line = {0}};

    if (t->cpu_total_s <= 0 || t->gpu_total_s < busy * t->cpu_total_s || t->kernel_s < most * t->gpu_total_s)
        return found;
    found.line = t->line;
    found.message = arena_printf(a, " that has most of the time of a profile: `%.*s` takes %.*s of the %.*s in which "
                                    "the GPU computes",
                                 STR_ARG(str_take(t->name, NAME_MAX_SHOWN)), STR_ARG(time_words(a, t->kernel_s)),
                                 STR_ARG(time_words(a, t->gpu_total_s)));
    return found;
}

struct series_found kernels_slow(struct arena *a, struct str text)
{
    struct profile_table tables[TABLES_MAX + 1];
    size_t n = read_tables(text, tables);

    if (n == 2)
        return compare(a, &tables[0], &tables[1]);
    return n == 1 ? kernel_of(a, &tables[0]) : (struct series_found){.line = {0}};
}
