#include "torchlog/notes/printed.h"

#include <math.h>
#include <stdlib.h>

#include "util/utf8.h"

enum { LOOKED_AT = 400, VALUES_LOOKED_AT = 8192, NUMBERS_MAX = 256, SHOWN_MAX = 60 };

/* --- values ------------------------------------------------------------------------------------------------------- */

enum printed_side { SIDE_NONE, SIDE_EAGER, SIDE_COMPILED };

struct numbers {
    double v[NUMBERS_MAX];
    struct str digits[NUMBERS_MAX]; /* as they are printed */
    size_t n;
    enum printed_side side;
};

/* The numbers of "[[0., nan],\n [1., 2.]]" up to the last bracket, or the one of "2.)". */
static void read_numbers(struct str s, struct numbers *out)
{
    size_t depth = 0, n;

    out->n = 0;
    for (s = str_take(s, VALUES_LOOKED_AT); s.n && out->n < NUMBERS_MAX; s = str_skip(s, 1)) {
        if (memchr(" \t\r\n", *s.p, 4))
            continue;
        depth += *s.p == '[';
        depth -= *s.p == ']' && depth > 0;
        n = str_number(s, &out->v[out->n]);
        if (n) {
            out->digits[out->n++] = str_take(s, n);
            s = str_skip(s, n - 1);
        }
        if (depth == 0)
            break;
    }
}

/*
 * "eager: [0.1, 0.2" and "compiled output: tensor([0.1, 0.3": a program prints both results under their names. Returns
 * where the list begins.
 */
static ptrdiff_t list_of_side(struct str line, enum printed_side *side)
{
    enum { LABEL_MAX = 40 };
    static const struct str without[] = {STR_INIT("eager"), STR_INIT("uncompiled"), STR_INIT("not compiled"),
                                         STR_INIT("without compile"), STR_INIT("without torch.compile"),
                                         STR_INIT("no compile")};
    static const struct str with[] = {STR_INIT("compiled"), STR_INIT("inductor"), STR_INIT("torch.compile")};
    char room[LABEL_MAX + 1];
    ptrdiff_t colon = str_chr(line, ':');
    struct str label = str_take(line, colon < 0 ? 0 : (size_t)colon), list = str_trim(str_skip(line, label.n + 1));

    *side = SIDE_NONE;
    str_consume(&list, STR("tensor("));
    if (label.n == 0 || label.n > LABEL_MAX || !str_starts(list, STR("[")))
        return -1;
    label = str_lower(label, room, sizeof room);
    *side = STR_HAS_ANY(label, without) ? SIDE_EAGER : STR_HAS_ANY(label, with) ? SIDE_COMPILED : SIDE_NONE;
    return *side ? list.p - line.p : -1;
}

/* "tensor(" as a result is printed, which is no call of torch.tensor(). */
static ptrdiff_t list_of_tensor(struct str line)
{
    static const struct str name = STR_INIT("tensor(");
    ptrdiff_t at = str_find(line, name);

    if (at < 0 || (at > 0 && (line.p[at - 1] == '.' || str_is_word_char(line.p[at - 1]))))
        return -1;
    return at + (ptrdiff_t)name.n;
}

/* `rest` is the text behind the line: a tensor may have more lines. */
static bool read_tensor(struct str line, struct str rest, bool named, struct numbers *out)
{
    ptrdiff_t at = list_of_side(line, &out->side);

    if (at < 0 && !named)
        at = list_of_tensor(line);
    if (at < 0)
        return false;
    read_numbers(str_range(line.p + at, rest.p + rest.n), out);
    return out->n > 0;
}

/* Rounding changes no finite number to NaN or infinity, and not the first digit of one that is not close to zero. */
static bool is_far(double a, double b)
{
    static const double share = 0.1, zero = 1e-3;

    if (isnan(a) != isnan(b) || isinf(a) != isinf(b))
        return true;
    return isfinite(a) && isfinite(b) && fabs(a - b) > zero && fabs(a - b) > share * fmax(fabs(a), fabs(b));
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

/* Both have the same numbers, but not in the same order. */
static bool is_reordered(struct numbers x, struct numbers y)
{
    for (size_t i = 0; i < x.n; i++)
        if (!isfinite(x.v[i]) || !isfinite(y.v[i]))
            return false;
    qsort(x.v, x.n, sizeof *x.v, by_value);
    qsort(y.v, y.n, sizeof *y.v, by_value);
    for (size_t i = 0; i < x.n; i++)
        if (is_far(x.v[i], y.v[i]))
            return false;
    return true;
}

/* A whole number that 32 bits do not hold, and what they keep of it. */
static bool is_wrapped(double whole, double kept)
{
    static const double limit = 9007199254740992.; /* up to here each whole number has a double of its own */

    return fabs(whole) >= 2147483648. && fabs(whole) < limit && whole == floor(whole) &&
           (double)(int32_t)(uint32_t)(int64_t)whole == kept;
}

/* Eager mode's numbers are what so many bits keep of the others, some of which have more; 0 if they are not. */
static int narrower_bits(const struct numbers *eager, const struct numbers *other)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        double range = ldexp(1, bits);
        size_t i = 0, wrapped = 0;

        for (; i < eager->n; i++) {
            double kept = eager->v[i], low = kept < 0 ? -range / 2 : 0, high = kept < 0 ? range / 2 : range;
            double more = fabs(other->v[i] - kept);

            if (kept != floor(kept) || kept < low || kept >= high || fmod(more, range) != 0)
                break;
            wrapped += more > 0 && kept != 0 && (other->v[i] < low || other->v[i] >= high);
        }
        if (i == eager->n && wrapped)
            return bits;
    }
    return 0;
}

/* Infinity of eager mode, where the number is one that float32 holds and float16 does not. */
static bool is_overflow(double eager, double kept)
{
    static const double largest = 65504, far = 1e38;

    return isinf(eager) && isfinite(kept) && fabs(kept) > largest && fabs(kept) < far && (eager < 0) == (kept < 0);
}

/*
 * "twice as much", "half of it", "the same with the other sign": by what all numbers of `one` differ from those of
 * eager mode; empty if that is no such factor.
 */
static struct str simple_factor(const struct numbers *eager, const struct numbers *one)
{
    static const struct {
        double factor;
        struct str words;
    } factors[] = {{2, STR_INIT("twice as much")},
                   {0.5, STR_INIT("half of it")},
                   {-1, STR_INIT("the same with the other sign")}};
    static const double rounding = 1e-3;

    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        size_t n = 0, i = 0;

        for (; i < one->n; i++) {
            double wanted = factors[k].factor * eager->v[i];

            if (!isfinite(one->v[i]) || !isfinite(wanted) || fabs(one->v[i] - wanted) > rounding * fabs(wanted))
                break;
            n += wanted != 0;
        }
        if (i == one->n && n)
            return factors[k].words;
    }
    return (struct str){0};
}

/* ": -1.34 where eager mode has -0.67; 2 of 3 numbers differ, by up to 2.51"; empty if no number differs by far. */
static struct str difference(struct arena *a, const struct numbers *x, const struct numbers *y)
{
    const struct numbers *other = y->side == SIDE_EAGER ? y : x, *one = other == x ? y : x;
    size_t n = 0, first = 0;
    double most = 0;
    bool finite = true, wrapped = true, overflow = x->side && y->side;
    struct str out, factor;
    int bits;

    if (x->n != y->n || (x->side && x->side == y->side))
        return (struct str){0};
    for (size_t i = x->n; i-- > 0;) {
        if (!is_far(x->v[i], y->v[i]))
            continue;
        n++;
        first = i;
        most = fmax(most, fabs(x->v[i] - y->v[i]));
        finite = finite && isfinite(x->v[i]) && isfinite(y->v[i]);
        overflow = overflow && is_overflow(other->v[i], one->v[i]);
        wrapped = wrapped && is_wrapped(other->v[i], one->v[i]);
    }
    if (n == 0)
        return (struct str){0};
    bits = narrower_bits(other, one);
    out = arena_printf(a, ": %.*s where %s has %.*s", STR_ARG(one->digits[first]),
                       x->side && y->side ? "eager mode" : "the other result", STR_ARG(other->digits[first]));
    if (x->n > 1)
        out = arena_printf(a, "%.*s; %zu of the %zu numbers shown differ", STR_ARG(out), n, x->n);
    if (x->n > 1 && n > 1 && finite && !wrapped && !bits)
        out = arena_printf(a, "%.*s, by up to %.3g", STR_ARG(out), most);
    if (overflow)
        out = arena_printf(a, "%.*s" PRINTED_OVERFLOW, STR_ARG(out));
    else if (wrapped)
        out = arena_printf(a, "%.*s: as if computed in 32 bits", STR_ARG(out));
    else if (bits)
        out = arena_printf(a, "%.*s: as if not kept in %d bits", STR_ARG(out), bits);
    else if (n > 1 && is_reordered(*x, *y))
        out = arena_printf(a, "%.*s: they are the same numbers in another order", STR_ARG(out));
    else if (x->side && y->side && (factor = simple_factor(other, one)).n)
        out = arena_printf(a, "%.*s: %s%.*s", STR_ARG(out), x->n > 1 ? "each is " : "", STR_ARG(factor));
    return out;
}

/* "compiled native_dropout order: [[16, 8], [2048, 1024]]": shapes, counts or an order of calls are no results. */
static bool is_of_shapes(struct str line)
{
    static const char words[] = "order\nsequence\nshape\nstride\ndims\nsize\ncalls\ncounts";
    ptrdiff_t colon = str_chr(line, ':'), list = str_chr(line, '[');

    return colon > 0 && colon < list && str_has_any_line(str_take(line, (size_t)colon), str_of(words));
}

struct series_found printed_values(struct arena *a, struct str text, bool named)
{
    struct numbers numbers, before = {.n = 0};
    struct str line, line_before = {0}, message;

    while (str_next_line(&text, &line)) {
        line = str_trim(str_take(line, LOOKED_AT));
        if (str_has(line, STR(" = ")) || is_of_shapes(line) || !read_tensor(line, text, named, &numbers))
            continue;
        message = before.n ? difference(a, &before, &numbers) : (struct str){0};
        if (message.n)
            return (struct series_found){message, line_before};
        before = numbers;
        line_before = line;
    }
    return (struct series_found){0};
}

/* --- results of backends ------------------------------------------------------------------------------------------ */

/* What was done when the result was printed: nothing was compiled, or up to where. */
enum printed_stage { STAGE_PLAIN, STAGE_EAGER, STAGE_AOT_EAGER, STAGE_DECOMP, STAGE_INDUCTOR, STAGES };

static const struct str stage_names[STAGES] = {[STAGE_EAGER] = STR_INIT("eager"),
                                               [STAGE_AOT_EAGER] = STR_INIT("aot_eager"),
                                               [STAGE_DECOMP] = STR_INIT("aot_eager_decomp_partition"),
                                               [STAGE_INDUCTOR] = STR_INIT("inductor")};

static enum printed_stage stage_named(struct str name)
{
    for (size_t i = STAGE_EAGER; i < STAGES; i++)
        if (str_eq(name, stage_names[i]))
            return (enum printed_stage)i;
    return STAGES;
}

/* "eager" is most often what is not compiled, and with `backend="eager"` it is not. */
static enum printed_stage stage_of_name(struct str label)
{
    static const struct str plain[] = {STR_INIT("uncompiled"), STR_INIT("not compiled"), STR_INIT("no compile"),
                                       STR_INIT("without compile"), STR_INIT("without torch.compile")};
    bool backend = str_consume(&label, STR("backend="));
    enum printed_stage stage;

    label = str_drop_any(str_skip_any(label, "\"'`"), "\"'`");
    if (STR_IS_ANY(label, plain))
        return STAGE_PLAIN;
    stage = str_eq(label, STR("compiled")) ? STAGE_INDUCTOR : stage_named(label);
    return stage == STAGE_EAGER && !backend ? STAGE_PLAIN : stage;
}

/* "inductor  42.0 [0.0, 1.0] [1.0]": a name, and numbers without a mark between. */
static enum printed_stage stage_of_row(struct str line, struct str *list)
{
    ptrdiff_t blank = str_chr(line, ' ');
    struct str name = str_take(line, blank < 0 ? 0 : (size_t)blank), rest = str_skip(line, name.n);

    *list = str_trim(rest);
    while (rest.n && strchr(" \t[](),.-+e0123456789", *rest.p))
        rest = str_skip(rest, 1);
    return name.n && rest.n == 0 && str_has(*list, STR("[")) ? stage_named(name) : STAGES;
}

/* All numbers of a line, in whatever brackets. */
static void read_row(struct str s, struct numbers *out)
{
    out->n = 0;
    for (s = str_take(s, LOOKED_AT); s.n && out->n < NUMBERS_MAX;) {
        size_t n = *s.p == ' ' ? 0 : str_number(s, &out->v[out->n]);

        if (n)
            out->digits[out->n++] = str_take(s, n);
        s = str_skip(s, n ? n : 1);
    }
}

struct str printed_compared(struct arena *a, struct str eager, struct str other, bool plain)
{
    struct numbers of_eager = {.n = 0}, of_other = {.n = 0};

    (plain ? read_row : read_numbers)(plain ? str_first_line(eager) : eager, &of_eager);
    (plain ? read_row : read_numbers)(plain ? str_first_line(other) : other, &of_other);
    of_eager.side = SIDE_EAGER;
    of_other.side = SIDE_COMPILED;
    return difference(a, &of_eager, &of_other);
}

/* "aot_eager   : [0, 16384]", "eager tensor([1.])", "inductor: 0.25": *list is what stands behind the name. */
static enum printed_stage stage_of_label(struct str line, bool named, struct str *list)
{
    ptrdiff_t tensor = str_find(line, STR(" tensor(")),
              colon = str_chr(str_take(line, tensor < 0 ? line.n : (size_t)tensor), ':'),
              end_of_label = colon >= 0 ? colon : tensor >= 0 ? tensor : 0;
    struct str label = str_trim(str_take(line, (size_t)end_of_label)), rest;
    enum printed_stage stage = stage_of_name(label);
    double value;
    size_t n;

    *list = rest = str_trim(str_skip(line, (size_t)end_of_label + (colon >= 0)));
    if (str_consume(&rest, STR("tensor(")))
        *list = rest;
    if (str_starts(rest, STR("[")))
        return stage;
    n = str_number(rest, &value);
    while (n && n < rest.n && strchr(") ", rest.p[n]))
        n++;
    return !named && n && n == rest.n ? stage : STAGES;
}

/* "print(torch.compile(till, backend="aot_eager")(x))", and "print(till(x))" where the text compiles `till`. */
static enum printed_stage stage_of_print(struct arena *a, struct str line, struct str text)
{
    static const struct str calls[] = {STR_INIT("backend=\""), STR_INIT("backend='")};
    struct str name, call;

    if (!str_consume(&line, STR("print(")))
        return STAGES;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        ptrdiff_t at = str_find(line, calls[i]);

        name = str_skip(line, at < 0 ? line.n : (size_t)at + calls[i].n);
        if (at >= 0)
            return stage_named(str_split(&name, calls[i].p[calls[i].n - 1]));
    }
    if (str_has(line, STR("compile(")))
        return STAGE_INDUCTOR;
    name = str_take(line, str_chr(line, '(') < 0 ? 0 : (size_t)str_chr(line, '('));
    call = arena_printf(a, "compile(%.*s,", STR_ARG(name));
    return name.n && (str_has(text, call) ||
                      str_has(text, arena_printf(a, "compile(%.*s)", STR_ARG(name)))) ? STAGE_PLAIN : STAGES;
}

/* " with inductor, and right with aot_eager: ...", of the first stage that differs from what is not compiled. */
static struct str stage_at_fault(struct arena *a, const struct numbers results[STAGES], enum printed_stage *wrong)
{
    enum printed_stage right = STAGES;
    bool between = false;

    for (size_t i = STAGE_EAGER; i < STAGES; i++) {
        struct str found;

        if (!results[i].n || results[i].n != results[STAGE_PLAIN].n)
            continue;
        between |= i < STAGE_INDUCTOR;
        found = difference(a, &results[STAGE_PLAIN], &results[i]);
        *wrong = (enum printed_stage)i;
        if (str_ends(found, STR(PRINTED_OVERFLOW)))
            return found;
        if (found.n && between)
            return right == STAGES ? arena_printf(a, " with %.*s already%.*s", STR_ARG(stage_names[i]), STR_ARG(found))
                                   : arena_printf(a, " with %.*s, and right with %.*s%.*s", STR_ARG(stage_names[i]),
                                                  STR_ARG(stage_names[right]), STR_ARG(found));
        if (found.n)
            break;
        right = (enum printed_stage)i;
    }
    return (struct str){0};
}

struct series_found printed_stages(struct arena *a, struct str text, bool named)
{
    struct numbers results[STAGES] = {{.n = 0}}, numbers;
    struct str lines[STAGES] = {{0}}, line, list, rest = text, message;
    enum printed_stage printed = STAGES, stage, wrong = STAGES;
    bool row;

    while (str_next_line(&rest, &line)) {
        line = str_trim(str_take(line, LOOKED_AT));
        stage = stage_of_print(a, line, text);
        if (stage != STAGES) {
            printed = stage;
            continue;
        }
        line = str_skip_any(line, "# ");
        stage = stage_of_row(line, &list);
        row = stage != STAGES;
        /* what is not compiled comes first, below its name: a loop over backends prints the name again */
        if (stage == STAGE_EAGER && !results[STAGE_PLAIN].n)
            stage = STAGE_PLAIN;
        if (!row)
            stage = stage_of_label(line, named, &list);
        if (stage == STAGES && printed != STAGES && str_starts(line, STR("tensor("))) {
            stage = printed;
            list = str_skip(line, STR("tensor(").n);
        }
        if (stage == STAGES) {
            printed = line.n == 0 || str_has(line, STR("utput")) ? printed : STAGES;
            continue;
        }
        printed = STAGES;
        if (results[stage].n)
            continue;
        if (row)
            read_row(list, &numbers);
        else
            read_numbers(str_range(list.p, rest.p + rest.n), &numbers);
        numbers.side = stage == STAGE_PLAIN ? SIDE_EAGER : SIDE_COMPILED;
        results[stage] = numbers;
        lines[stage] = line;
    }
    message = results[STAGE_PLAIN].n ? stage_at_fault(a, results, &wrong) : (struct str){0};
    return message.n ? (struct series_found){message, lines[wrong]} : (struct series_found){.line = {0}};
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

/* --- compilers ---------------------------------------------------------------------------------------------------- */

/* Whether the name of a program stands in the line, with or without its path: what follows is no part of it. */
static bool runs(struct str line, struct str program)
{
    for (ptrdiff_t at; (at = str_find(line, program)) >= 0; line = str_skip(line, (size_t)at + program.n)) {
        struct str behind = str_skip(line, (size_t)at + program.n);

        if ((at == 0 || line.p[at - 1] == ' ' || line.p[at - 1] == '/') &&
            (!behind.n || behind.p[0] == ' ' || behind.p[0] == '-' || str_is_digit(behind.p[0])))
            return true;
    }
    return false;
}

/* Drivers, which wait for the compilers that they start, stand behind these. */
static struct str compiler_of(struct str line, size_t *rank)
{
    static const struct str programs[] = {STR_INIT("cc1plus"), STR_INIT("ptxas"), STR_INIT("cicc"), STR_INIT("clang++"),
                                          STR_INIT("clang"),   STR_INIT("icpx"), STR_INIT("nvcc"), STR_INIT("g++")};

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (runs(line, programs[i])) {
            *rank = i;
            return programs[i];
        }
    return (struct str){0};
}

/* "01:07:31", "2-03:04:05", "12:30" and "67:22.31" among the columns before the command. */
static struct str elapsed_in(struct str line)
{
    while (line.n) {
        struct str word = str_split(&line, ' ');
        size_t digits = 0, colons = 0;

        for (size_t i = 0; i < word.n; i++) {
            digits += str_is_digit(word.p[i]);
            colons += word.p[i] == ':';
        }
        if (colons && colons <= 2 && digits >= 3 && digits + colons + str_has(word, STR("-")) +
                str_has(word, STR(".")) == word.n)
            return word;
        if (str_chr(word, '/') >= 0) /* the command */
            break;
    }
    return (struct str){0};
}

/* "78412" of "78412 /tmp/torchinductor_me/cq/cq3.cpp", as `wc -l` prints it. */
static struct str lines_of_file(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str rest = str_trim(line);
        size_t n = 0;

        while (n < rest.n && str_is_digit(rest.p[n]))
            n++;
        if (n && str_has(rest, STR("torchinductor")) && str_starts(str_skip(rest, n), STR(" /")) &&
            str_chr(str_skip(rest, n + 1), ' ') < 0)
            return str_take(rest, n);
    }
    return (struct str){0};
}

/* A line of a list of processes begins with numbers, or with a user and a number. */
static bool is_process(struct str line)
{
    struct str first = str_split(&line, ' ');
    uint64_t n;

    line = str_trim(line);
    if (str_take_u64(&first, &n) && first.n == 0)
        return line.n > 0;
    return str_take_u64(&line, &n) && str_starts(line, STR(" "));
}

struct series_found printed_compilers(struct arena *a, struct str text)
{
    struct str rest = text, line, best = {0}, name = {0}, elapsed, lines;
    size_t n = 0, rank, best_rank = SIZE_MAX;

    if (!str_has_any_line(text, STR("torchinductor\nTORCH_INDUCTOR\ntmp/triton")))
        return (struct series_found){0};
    while (str_next_line(&rest, &line)) {
        struct str words = str_trim(str_take(line, LOOKED_AT)), program = compiler_of(words, &rank);

        if (program.n == 0 || !is_process(words) || rank > best_rank)
            continue;
        n = rank == best_rank ? n + 1 : 1;
        if (rank < best_rank) {
            best = line;
            name = program;
        }
        best_rank = rank;
    }
    if (n == 0)
        return (struct series_found){0};
    elapsed = elapsed_in(str_trim(str_take(best, LOOKED_AT)));
    lines = lines_of_file(text);
    if (n > 1)
        return (struct series_found){arena_printf(a, ": %zu processes of %.*s", n, STR_ARG(name)), best};
    return (struct series_found){arena_printf(a, ": %.*s%s%.*s, at one file%s%.*s%s", STR_ARG(name),
                                              elapsed.n ? ", for " : "", STR_ARG(elapsed), lines.n ? " of " : "",
                                              STR_ARG(lines), lines.n ? " lines" : ""),
                                 best};
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
