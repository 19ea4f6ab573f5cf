#include "torchlog/notes/printed.h"

#include <math.h>
#include <stdlib.h>

#include "util/utf8.h"

enum { LOOKED_AT = 400, NUMBERS_MAX = 64, DIGITS_MAX = 32, SHOWN_MAX = 60 };

/* --- values ------------------------------------------------------------------------------------------------------- */

struct numbers {
    double v[NUMBERS_MAX];
    size_t n;
};

/* The numbers between the brackets of "tensor([0., nan])". */
static void read_numbers(struct str s, struct numbers *out)
{
    char room[DIGITS_MAX + 1], *end;

    out->n = 0;
    while (s.n && *s.p != ']' && out->n < NUMBERS_MAX) {
        str_terminate(str_take(s, DIGITS_MAX), room, sizeof room);
        out->v[out->n] = strtod(room, &end);
        out->n += end > room;
        s = str_skip(s, end > room ? (size_t)(end - room) : 1);
    }
}

/* "eager: [0.1, 0.2" and "compiled: [0.1, 0.3": a program prints both results under their names. */
static ptrdiff_t list_of_side(struct str line)
{
    static const struct str sides[] = {STR_INIT("eager"), STR_INIT("Eager"), STR_INIT("compiled"),
                                       STR_INIT("Compiled"), STR_INIT("inductor"), STR_INIT("Inductor")};
    ptrdiff_t colon = str_chr(line, ':');
    struct str list = str_trim(str_skip(line, colon < 0 ? line.n : (size_t)colon + 1));

    return STR_STARTS_ANY(line, sides) && str_starts(list, STR("[")) ? list.p - line.p : -1;
}

static bool read_tensor(struct str line, bool named, struct numbers *out)
{
    ptrdiff_t at = list_of_side(line);
    struct str rest;

    if (at < 0 && !named && (at = str_find(line, STR("tensor("))) >= 0)
        at += 7;
    rest = str_skip(line, at < 0 ? line.n : (size_t)at);
    while (rest.n && *rest.p == '[')
        rest = str_skip(rest, 1);
    read_numbers(rest, out);
    return at >= 0 && out->n > 0;
}

/* Rounding changes no finite number to NaN or infinity, and not the first digit of one that is not close to zero. */
static bool differ(const struct numbers *x, const struct numbers *y)
{
    static const double share = 0.1, zero = 1e-3;

    for (size_t i = 0; x->n == y->n && i < x->n; i++) {
        double a = x->v[i], b = y->v[i];

        if (isnan(a) != isnan(b) || isinf(a) != isinf(b))
            return true;
        if (isfinite(a) && isfinite(b) && fabs(a - b) > zero && fabs(a - b) > share * fmax(fabs(a), fabs(b)))
            return true;
    }
    return false;
}

struct series_found printed_values(struct arena *a, struct str text, bool named)
{
    struct numbers numbers, before = {.n = 0};
    struct str line, line_before = {0};

    while (str_next_line(&text, &line)) {
        line = str_trim(str_take(line, LOOKED_AT));
        if (!read_tensor(line, named, &numbers) || str_has(line, STR(" = ")))
            continue;
        if (before.n && differ(&before, &numbers))
            return (struct series_found){arena_printf(a, ": %.*s; %.*s",
                                                      STR_ARG(utf8_shorten(a, line_before, SHOWN_MAX)),
                                                      STR_ARG(utf8_shorten(a, line, SHOWN_MAX))),
                                         line_before};
        before = numbers;
        line_before = line;
    }
    return (struct series_found){0};
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

/* The second of two numbers, the first of which begins the line or stands behind a user's name. */
static uint64_t parent_of(struct str line)
{
    uint64_t pid, parent;

    line = str_trim(line);
    if (line.n && !str_is_digit(*line.p)) {
        str_split(&line, ' ');
        line = str_trim(line);
    }
    if (!str_take_u64(&line, &pid) || !str_starts(line, STR(" ")))
        return 0;
    line = str_trim(line);
    return str_take_u64(&line, &parent) && str_starts(line, STR(" ")) && str_has(line, STR("python")) ? parent : 0;
}

struct series_found printed_processes(struct arena *a, struct str text)
{
    enum { PROCESSES_MIN = 4 };
    uint64_t parent = 1;
    struct str line, first = {0};
    size_t n = 0;

    while (str_next_line(&text, &line)) {
        uint64_t of = parent_of(str_take(line, LOOKED_AT));

        if (of > 1 && of == parent) {
            n++;
            continue;
        }
        if (n >= PROCESSES_MIN)
            break;
        n = of > 1;
        parent = of;
        first = line;
    }
    if (n < PROCESSES_MIN)
        return (struct series_found){0};
    return (struct series_found){arena_printf(a, " %llu: %zu processes", (unsigned long long)parent, n), first};
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

enum { RANKS_SHOWN = 4, NO_RANK = -1 };

struct unwaited {
    int64_t rank;
    struct str numbers; /* "495 and 5" */
};

/* "[rank3]:[W929 ...": also where copying lost the first bracket. */
static int64_t rank_of(struct str line)
{
    static const struct str name = STR_INIT("rank");
    ptrdiff_t at = str_find(line, name);
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + name.n);
    uint64_t rank;

    return str_take_u64(&rest, &rank) && str_starts(rest, STR("]")) && rank < INT32_MAX ? (int64_t)rank : NO_RANK;
}

static bool read_unwaited(struct str line, uint64_t *n)
{
    static const struct str before = STR_INIT("there are still ");
    ptrdiff_t at = str_find(line, before);
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + before.n);

    if (!str_take_u64(&rest, n) || !str_consume(&rest, STR(" unwaited ")))
        return false;
    str_consume(&rest, STR("c10d_functional ")); /* up to 2.5 */
    return str_starts(rest, STR("collective call"));
}

/* A process may print several numbers. */
static void add_unwaited(struct arena *a, struct unwaited *list, size_t *n, int64_t rank, uint64_t number)
{
    size_t i = 0;

    while (i < *n && list[i].rank != rank)
        i++;
    if (i == RANKS_SHOWN)
        return;
    *n += i == *n;
    list[i].rank = rank;
    list[i].numbers = arena_printf(a, "%.*s%s%llu", STR_ARG(list[i].numbers), list[i].numbers.n ? " and " : "",
                                   (unsigned long long)number);
}

struct series_found printed_unwaited(struct arena *a, struct str text)
{
    struct unwaited list[RANKS_SHOWN] = {0};
    struct str line, first = {0}, out = {0};
    uint64_t number;
    size_t n = 0;

    while (str_next_line(&text, &line)) {
        if (!read_unwaited(str_take(line, LOOKED_AT), &number))
            continue;
        add_unwaited(a, list, &n, rank_of(str_take(line, LOOKED_AT)), number);
        first = first.n ? first : line;
    }
    for (size_t i = 0; i < n; i++) {
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), i ? ", " : ": ", STR_ARG(list[i].numbers));
        if (list[i].rank != NO_RANK)
            out = arena_printf(a, "%.*s on rank %lld", STR_ARG(out), (long long)list[i].rank);
    }
    return (struct series_found){out, first};
}

/* --- constants of graphs ------------------------------------------------------------------------------------------ */

/* "torch.ops.shop.norm(x, 3, 'layers.3')" of a line of a graph's code; *quoted is its string, with the quotes. */
static struct str operator_call(struct str line, struct str *quoted)
{
    static const struct str name = STR_INIT("= torch.ops.");
    ptrdiff_t at = str_find(line, name), begin, end;
    struct str call = str_skip(line, at < 0 ? line.n : (size_t)at + 2), rest;

    end = str_find(call, STR(");"));
    call = end < 0 ? str_trim(call) : str_take(call, (size_t)end + 1);
    begin = str_chr(call, '\'');
    rest = str_skip(call, begin < 0 ? call.n : (size_t)begin + 1);
    end = str_chr(rest, '\'');
    *quoted = end < 0 ? (struct str){0} : str_take(str_skip(call, (size_t)begin), (size_t)end + 2);
    return quoted->n ? call : (struct str){0};
}

/* Equal up to the string, and behind it. */
static bool differ_in_string(struct str x, struct str of_x, struct str y, struct str of_y)
{
    return !str_eq(of_x, of_y) && str_eq(str_range(x.p, of_x.p), str_range(y.p, of_y.p)) &&
           str_eq(str_skip(x, (size_t)(of_x.p + of_x.n - x.p)), str_skip(y, (size_t)(of_y.p + of_y.n - y.p)));
}

/* The code of one graph may call an operator for each layer. */
static bool is_of_other_graph(struct str from, struct str to)
{
    static const struct str heads[] = {STR_INIT("raph "), STR_INIT("def "), STR_INIT("class "), STR_INIT("```")};
    struct str between = str_range(from.p + from.n, to.p), line;

    while (str_next_line(&between, &line))
        if (STR_HAS_ANY(line, heads))
            return true;
    return false;
}

struct series_found printed_constants(struct arena *a, struct str text)
{
    static const char of_cache[] = "cache hit\ncache miss\n hits\ncache key\nfrom the cache\nmisses";
    struct str line, quoted, call, rest = text, before = {0}, of_before = {0}, first = {0};

    if (!str_has_any_line(text, str_of(of_cache)))
        return (struct series_found){0};
    while (str_next_line(&rest, &line)) {
        call = operator_call(str_take(line, LOOKED_AT), &quoted);
        if (call.n == 0)
            continue;
        if (before.n && differ_in_string(before, of_before, call, quoted) && is_of_other_graph(before, call))
            return (struct series_found){
                arena_printf(a, ": %.*s and %.*s, arguments of `%.*s`", STR_ARG(utf8_shorten(a, of_before, SHOWN_MAX)),
                             STR_ARG(utf8_shorten(a, quoted, SHOWN_MAX)), (int)str_chr(call, '('), call.p),
                first};
        before = call;
        of_before = quoted;
        first = line;
    }
    return (struct series_found){0};
}
