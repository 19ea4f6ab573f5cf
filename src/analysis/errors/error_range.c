#include "analysis/errors/error_range.h"

enum { BOUNDS_MAX = 4, SUGGESTED_MAX = 4, NO_BOUND = -1, DIVISOR_MAX = 1024 };

struct size_range {
    int64_t least, most; /* or NO_BOUND */
};

static bool take_size(struct str number, int64_t *n)
{
    return str_i64(number, n) && *n >= 0 && *n < INT64_MAX;
}

/* A size may not be n: that leaves a range where n is an end of it, as of "x1 <= 512" or "2 <= x1". */
static void leave_out(struct size_range *r, struct str number, struct str range)
{
    int64_t n;

    if (!take_size(number, &n))
        return;
    if (str_ends(range, number) && str_ends(str_drop(range, number.n), STR("<= ")))
        r->most = n - 1;
    else if ((str_starts(range, number) && str_starts(str_skip(range, number.n), STR(" <="))) ||
             (n == 1 && range.n == 0)) /* a size of 0 is a constant, as one of 1 is */
        r->least = n + 1;
}

/*
 * "8 <= L['x'].size()[0]", "L['x'].size()[0] < 40"; "Ne(512, L['x'].size()[1])" and "L['x'].size()[1] != 512" of later
 * versions, with "x1 <= 512" beside it
 */
static void narrow(struct size_range *r, struct str condition, struct str range)
{
    static const struct str unequal = STR_INIT("Ne("), differs = STR_INIT(" != ");
    struct str left = condition, number;
    ptrdiff_t at = str_find(condition, differs);
    int64_t n;

    if (str_consume(&left, unequal)) {
        leave_out(r, str_split(&left, ','), range);
        return;
    }
    if (at >= 0) {
        leave_out(r, str_trim(str_skip(condition, (size_t)at + differs.n)), range);
        return;
    }
    number = str_trim(str_split(&left, '<'));
    if (left.n && take_size(number, &n))
        r->least = str_consume(&left, STR("=")) ? n : n + 1;
    else if (left.n && take_size(str_trim(str_skip(left, str_starts(left, STR("=")))), &n))
        r->most = str_starts(left, STR("=")) ? n : n - 1;
}

static struct str guard_of(struct str message)
{
    static const struct str lead = STR_INIT("satisfy the generated guard ");
    ptrdiff_t at = str_find(message, lead);

    return at < 0 ? (struct str){0} : str_trim(str_first_line(str_skip(message, (size_t)at + lead.n)));
}

/*
 * "Dim(\"x1\", max=511)" for "- Not all values of x1 = L['x'].size()[1] in the specified range x1 <= 512 satisfy the
 * generated guard Ne(512, L['x'].size()[1])."; without a name, the marks of a tensor. A Dim of a single size is an
 * error: such a range is none.
 */
static struct str declared_range(struct arena *a, struct str message)
{
    struct str name, range, guard, bounds = {0};
    struct size_range r = {NO_BOUND, NO_BOUND};
    ptrdiff_t at;

    if (!str_between(message, STR("Not all values of "), STR(" = "), &name) ||
        !str_between(message, STR(" in the specified range"), STR(" satisfy "), &range))
        return (struct str){0};
    range = str_trim(range);
    guard = guard_of(message);
    guard = str_ends(guard, STR(".")) ? str_drop(guard, 1) : guard;
    for (size_t i = 0; guard.n && i < BOUNDS_MAX; i++) {
        at = str_find(guard, STR(" and "));

        narrow(&r, str_trim(at < 0 ? guard : str_take(guard, (size_t)at)), str_trim(range));
        guard = at < 0 ? (struct str){0} : str_skip(guard, (size_t)at + 5);
    }
    if (r.most != NO_BOUND && r.most <= (r.least > 0 ? r.least : 0))
        return bounds;
    if (r.least != NO_BOUND)
        bounds = arena_printf(a, ", min=%lld", (long long)r.least);
    if (r.most != NO_BOUND)
        bounds = arena_printf(a, "%.*s, max=%lld", STR_ARG(bounds), (long long)r.most);
    if (bounds.n == 0)
        return bounds;
    return str_chr(name, '[') < 0 ? arena_printf(a, "Dim(\"%.*s\"%.*s)", STR_ARG(name), STR_ARG(bounds))
                                  : arena_printf(a, "mark_dynamic(x, 0%.*s)", STR_ARG(bounds));
}

/* Whether the guard divides the size: only multiples satisfy it, or only other sizes. */
static bool divides(struct str message)
{
    struct str guard = guard_of(message);

    return str_has(guard, STR("Mod(")) || str_has(guard, STR("//")) || str_has(guard, STR(" % "));
}

/* "2" of "// 2)" and of ", 2)", a divisor at the beginning; 1 if there is none. */
static int64_t divisor(struct str text)
{
    uint64_t n;

    str_consume(&text, STR(" "));
    return str_take_u64(&text, &n) && n > 0 && n <= DIVISOR_MAX && str_starts(text, STR(")")) ? (int64_t)n : 1;
}

/*
 * 4 for "Ne(Mod(((L['x'].size()[2] - 1)//2), 2), 0)" and for "((((-1) + L['x'].size()[2]) // 2) % 2) != 0" (2.6): of
 * sizes for which strides leave no rest, as PyTorch asks where it compares the strides of tensors. 0 for other guards.
 */
static int64_t left_out_by_strides(struct str guard)
{
    static const struct str signs[] = {STR_INIT("//"), STR_INIT(" % "), STR_INIT(", ")};
    int64_t product = 1;

    guard = str_ends(guard, STR(".")) ? str_drop(guard, 1) : guard;
    if (!(str_starts(guard, STR("Ne(Mod(")) && str_ends(guard, STR(", 0)"))) &&
        !(str_has(guard, STR(" % ")) && str_ends(guard, STR(" != 0"))))
        return 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        for (struct str rest = guard; rest.n && product <= DIVISOR_MAX;) {
            ptrdiff_t at = str_find(rest, signs[i]);

            rest = str_skip(rest, at < 0 ? rest.n : (size_t)at + signs[i].n);
            product *= divisor(rest);
        }
    return product <= DIVISOR_MAX ? product : 0;
}

/* The largest of all guards of the message, if strides make all of them; else 0. */
static int64_t strides_of(struct str message)
{
    int64_t most = 0;

    for (struct str guard; (guard = guard_of(message)).n; message = str_skip(message, (size_t)(guard.p - message.p))) {
        int64_t n = left_out_by_strides(guard);

        if (n < 2)
            return 0;
        most = n > most ? n : most;
    }
    return most;
}

/* ", min=80, max=1920" for a multiple of 4 in "320 <= height <= 7680". */
static struct str divided_range(struct arena *a, struct str range, int64_t by)
{
    struct str part = str_split(&range, '<'), out = {0};
    struct size_range r = {NO_BOUND, NO_BOUND};
    int64_t n;

    for (bool first = true; part.n; first = false, part = str_split(&range, '<')) {
        str_consume(&part, STR("="));
        if (!take_size(str_trim(part), &n))
            continue;
        if (first)
            r.least = n / by + (n % by != 0);
        else
            r.most = n / by;
    }
    if (r.most != NO_BOUND && r.most <= (r.least > 0 ? r.least : 0))
        return out;
    if (r.least > 0)
        out = arena_printf(a, ", min=%lld", (long long)r.least);
    if (r.most != NO_BOUND)
        out = arena_printf(a, "%.*s, max=%lld", STR_ARG(out), (long long)r.most);
    return out;
}

/* Whether PyTorch suggests the range that the message rejects: "height = Dim('height', min=320, max=7680)". */
static bool is_declared(struct str message, struct str suggestion)
{
    struct str range, least, name, most, min, max;

    if (!str_between(message, STR(" in the specified range "), STR(" satisfy "), &range) ||
        !str_between(suggestion, STR(", min="), STR(","), &min) ||
        !str_between(suggestion, STR(", max="), STR(")"), &max))
        return false;
    least = str_trim(str_split(&range, '<'));
    str_consume(&range, STR("="));
    name = str_trim(str_split(&range, '<'));
    str_consume(&range, STR("="));
    most = str_trim(range);
    return name.n && str_starts(suggestion, name) && str_eq(least, min) && str_eq(most, max);
}

bool error_is_asked_by_compiler(struct str message)
{
    static const struct str begins[] = {STR_INIT("Caused by: (_inductor/"), STR_INIT("Caused by: (_functorch/"),
                                        STR_INIT("Caused by: (torch/_inductor/"),
                                        STR_INIT("Caused by: (torch/_functorch/")};

    return STR_HAS_ANY(message, begins);
}

static bool take_number_behind(struct str *text, struct str words, uint64_t *n)
{
    ptrdiff_t at = str_find(*text, words);

    *text = str_skip(*text, at < 0 ? text->n : (size_t)at + words.n);
    return str_take_u64(text, n);
}

struct str error_range_of_tensor(struct arena *a, struct str message)
{
    uint64_t one, other;

    if (!str_has(message, STR("resize a bounded tensor")) || !take_number_behind(&message, STR("capacity of "), &one) ||
        !take_number_behind(&message, STR(" to "), &other))
        return (struct str){0};
    return arena_printf(a,
                        "The input has %llu elements, and the exported program takes %llu at most: export with a "
                        "larger `max` of the size that varies (`torch.export.Dim(\"n\", max=...)`), or pass less at "
                        "once.%s",
                        (unsigned long long)(one > other ? one : other),
                        (unsigned long long)(one > other ? other : one),
                        one > other ? " This version of ExecuTorch prints the two numbers the other way round." : "");
}

/* Of a size that stays dynamic, in a smaller range than the mark asks for. */
#define IN_RANGE "The code holds only for sizes that satisfy the guard that the message names. "
#define MAKES_GUARD "See which line makes the guard: `TORCH_LOGS=\"+dynamic\"`"
static const char *const range_steps[ERROR_ANSWER_STEPS] = {
    IN_RANGE "Mark the size with these limits (`mark_dynamic(x, 0, min=..., max=...)`), or change the line.",
    MAKES_GUARD};
static const char *const range_steps_of_export[ERROR_ANSWER_STEPS] = {
    IN_RANGE "Declare the size with these limits (`torch.export.Dim(\"batch\", min=..., max=...)`), or change the "
             "line.",
    MAKES_GUARD};

/* 2**63 - 1 is the end of all sizes: the guard says only that the size is not 0 or 1. */
static const char *const endless_steps[ERROR_ANSWER_STEPS] = {
    "The largest size in it is the largest number that there is, so the model has no such limit: the size only must "
    "not be 0 or 1, and the range that was declared has no end. Take what PyTorch suggests, or declare the sizes that "
    "occur, with `min=2` and a `max` of the program.",
    "`Dim.AUTO` and `Dim.DYNAMIC` (2.6 and later) need no range."};

/* A name stands for a Dim of torch.export, also in "batch = L['x'].size()[0]". */
static bool is_of_dim(struct str message)
{
    struct str name;

    return str_has(message, STR("Dim(")) || (str_between(message, STR("Not all values of "), STR(" = "), &name) &&
                                             str_chr(name, '[') < 0 && str_chr(name, '(') < 0);
}

/* "2 <= L['x'].size()[1] and L['x'].size()[1] <= 9223372036854775807", of torch.export. */
static bool is_endless(struct str message)
{
    return str_ends(guard_of(message), STR("<= 9223372036854775807")) && str_has(message, STR("Dim("));
}

/* Of one that must be a multiple: strides and pools divide it. */
static const char *const multiple_steps[ERROR_ANSWER_STEPS] = {
    "The code holds only for some of the sizes: a stride, a pool or a view divides the size (`Mod` and `//` in the "
    "guard). Declare a multiple of the product of these numbers, `height = 32 * torch.export.Dim(\"n\")` for example "
    "(`min` and `max` divided by it), or let torch.export find it: `Dim.AUTO` (2.6 and later). Inputs of other sizes "
    "must be padded to a multiple."};

bool error_range_is_too_wide(const struct error *e)
{
    struct str m = str_take(e->failure->message, ERROR_SEARCHED);

    return e->category == ERROR_CONSTRAINT && str_has_words(m, STR("satisfy the generated guard ")) &&
           !str_has_words(m, STR(" to be a constant ("));
}

/*
 * Checked with a stem, a pool and blocks of stride 2: PyTorch 2.5 and 2.6 refuse the range, where a multiple works, and
 * `Dim.AUTO` from 2.6 on; 2.13 takes the range.
 */
static bool say_strides(struct arena *a, struct str message, struct str version, struct error_steps *out)
{
    enum { TAKEN_SINCE = 2013 };
    int64_t stride = strides_of(message);
    struct str name, range;

    if (stride == 0 || !str_between(message, STR("Not all values of "), STR(" = "), &name) ||
        !str_between(message, STR(" in the specified range "), STR(" satisfy "), &range) || str_chr(name, '[') >= 0)
        return false;
    error_step_say(
        a, out,
        arena_printf(a,
                     "Strides or pools divide the size (`Mod` or `%%`, and `//` in the guard), and the guard leaves "
                     "out sizes for which there is a rest. It most likely comes from a comparison of strides, and not "
                     "from the model.%s Or let torch.export find the range, `Dim.AUTO` (2.6 and later). Else declare a "
                     "multiple, and pad inputs of other sizes to it: `%.*s = %lld * torch.export.Dim(\"n\"%.*s)`.",
                     pytorch_version(version) >= TAKEN_SINCE
                         ? ""
                         : " Try a newer PyTorch: 2.13 exports such models for the whole range.",
                     STR_ARG(name), (long long)stride, STR_ARG(divided_range(a, range, stride))));
    return true;
}

void error_range_say(struct arena *a, struct str message, struct str version, struct error_steps *out)
{
    struct str paste = declared_range(a, str_take(message, ERROR_SEARCHED));

    if (paste.n == 0 && say_strides(a, str_take(message, ERROR_SEARCHED), version, out))
        return;
    if (is_endless(message))
        error_step_say_each(a, out, endless_steps);
    else if (paste.n == 0 && divides(str_take(message, ERROR_SEARCHED)))
        error_step_say_each(a, out, multiple_steps);
    else if (paste.n)
        error_step_say(
            a, out,
            arena_printf(a,
                         "The code holds only for a smaller range of sizes. Declare that range (`%.*s`), or change the "
                         "line that makes the guard: `TORCH_LOGS=\"+dynamic\"` shows it.",
                         STR_ARG(paste)));
    else
        error_step_say_each(a, out, is_of_dim(message) ? range_steps_of_export : range_steps);
}

/* "4" of "batch = 4" and of "batch = None  # 4" (up to 2.4): the code needs this size, so the dimension is none. */
static struct str fixed_size(struct str line)
{
    ptrdiff_t at = str_find(line, STR(" = "));
    struct str value = str_skip(line, at < 0 ? line.n : (size_t)at + 3);
    uint64_t number;

    if (str_consume(&value, STR("None")))
        value = str_skip(value, (size_t)(str_chr(value, '#') + 1));
    return str_u64(str_trim(value), &number) ? str_trim(value) : (struct str){0};
}

/* Without suggestions: a size that the example makes a constant. */
static void add_zero_or_one(struct arena *a, struct str message, struct error_steps *out)
{
    struct str size;

    if (str_between(message, STR(" to be a constant ("), STR(")"), &size) &&
        (str_eq(size, STR("0")) || str_eq(size, STR("1"))))
        error_step_say(
            a, out,
            arena_printf(a,
                         "The example has a size of %.*s, which PyTorch takes for a constant: use one of size 2 or "
                         "more.",
                         STR_ARG(size)));
}

/* A line below "Suggested fixes:". `shown`: the message has the line of the code. */
static struct str suggestion(struct arena *a, struct str line, bool shown)
{
    struct str size = fixed_size(line), name = str_take(line, (size_t)(str_chr(line, ' ') + 1));

    if (str_eq(size, STR("0")) || str_eq(size, STR("1")))
        return arena_printf(a,
                            "The example has a size of %.*s, which PyTorch takes for a constant: export with one in "
                            "which `%.*s` is 2 or more.",
                            STR_ARG(size), STR_ARG(str_trim(name)));
    if (size.n)
        return arena_printf(a,
                            "The code needs `%.*s` to be %.*s: change the line that fixes it%s, or leave it out of the "
                            "dynamic shapes.",
                            STR_ARG(str_trim(name)), STR_ARG(size),
                            shown ? "" : ", which `TORCH_LOGS=\"+dynamic\"` prints at `[guard added]`");
    return arena_printf(a, "PyTorch suggests `%.*s`.", STR_ARG(line));
}

void error_range_say_suggested(struct arena *a, struct str message, struct error_steps *out)
{
    ptrdiff_t at = str_find(message, STR("Suggested fixes:"));
    struct str rest = str_skip(message, at < 0 ? message.n : (size_t)at), line;

    if (at < 0)
        add_zero_or_one(a, message, out);

    str_split(&rest, '\n');
    for (unsigned n = 0; n < SUGGESTED_MAX && str_next_line(&rest, &line);) {
        if (str_trim(line).n == 0)
            continue;
        if (!str_has(line, STR(" = "))) /* a sentence of its own */
            return;
        if (is_declared(message, str_trim(line)))
            continue;
        error_step_say(a, out, suggestion(a, str_trim(line), str_has(message, STR("File \""))));
        n++;
    }
}
