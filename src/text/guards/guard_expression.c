#include "text/guards/guard_expression.h"

#include "text/guards/guard_name.h"
#include "text/guards/guard_words.h"
#include "text/python/python_code.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* --- what the sides are ------------------------------------------------------------------------------------------- */

/* "12", "1.5", "1e-06", "2j"; if more follows the digits, it is a computation. */
static enum guard_class class_of_number(struct str s)
{
    enum guard_class class = GUARD_INT;

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == 'j')
            return GUARD_CONSTANT;
        if (s.p[i] == '.' || s.p[i] == 'e')
            class = GUARD_FLOAT;
        else if (!str_is_digit(s.p[i]) && (s.p[i] != '-' && s.p[i] != '+'))
            return GUARD_SHAPE_EXPRESSION;
    }
    return class;
}

static bool has_any(struct str s, const struct str *marks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (python_find(s, marks[i], PYTHON_NOT_IN_STRING) >= 0)
            return true;
    return false;
}

/*
 * Text that occurs in the repr of a constant, but not in a plain name: "torch.float64", "<Color.RED: 1>", "(1, 2)",
 * "b'ab'".
 */
static bool looks_like_repr(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (memchr("(<[{.'\"", s.p[i], 7))
            return true;
    return false;
}

/* The kind of constant that a literal is; GUARD_SHAPE_EXPRESSION for a name or a computation. */
static enum guard_class class_of_literal(struct str s)
{
    struct str number = s;

    str_consume(&number, STR("-"));
    if (number.n && str_is_digit(number.p[0]))
        return class_of_number(number);
    if (str_eq(number, STR("inf")) || str_eq(number, STR("nan")))
        return GUARD_FLOAT;
    if (str_eq(s, STR("True")) || str_eq(s, STR("False")))
        return GUARD_BOOL;
    if (str_eq(s, STR("None")))
        return GUARD_NONE;
    if (s.n && (s.p[0] == '\'' || s.p[0] == '"'))
        return GUARD_STRING;
    return looks_like_repr(s) || str_eq(s, STR("Ellipsis")) ? GUARD_CONSTANT : GUARD_SHAPE_EXPRESSION;
}

/* Text that occurs in a condition on symbolic sizes. */
static bool is_about_sizes(struct str s)
{
    static const struct str marks[] = {
        STR_INIT(".size()["),
        STR_INIT(".stride()["),
        STR_INIT(".storage_offset()"),
        STR_INIT(".item()"),
    };

    return has_any(s, marks, LENGTH(marks));
}

/* Arithmetic in the notation of symbolic numbers (torch/fx/experimental/symbolic_shapes.py). */
static bool is_computed(struct str s)
{
    static const struct str marks[] = {
        STR_INIT("math."), STR_INIT("min("), STR_INIT("max("), STR_INIT("abs("), STR_INIT(" + "),
        STR_INIT(" - "),   STR_INIT("*"),    STR_INIT(" // "), STR_INIT(" % "),
    };

    return has_any(s, marks, LENGTH(marks));
}

static bool is_module_source(struct str source)
{
    return str_ends(source, STR(".training")) || str_has(source, STR("._modules[")) ||
           str_has(source, STR("._parameters[")) || str_has(source, STR("._buffers["));
}

/*
 * Ints that automatic dynamic shapes never make dynamic: those reached through globals, and default values of
 * parameters (2.13).
 */
static bool is_always_static(struct str source)
{
    return str_starts(source, STR("G[")) || str_has(source, STR("defaults__["));
}

/* PyTorch adds the name of a variable captured by a closure: (HINT: guard on "n"). */
static void use_closure_hint(struct guard_reason *out)
{
    struct str name;

    if (str_has(out->name, STR(".__closure__[")) && str_starts(out->hint, STR("guard on \"")) &&
        str_between(out->hint, STR("\""), STR("\""), &name) && name.n)
        out->name = name;
}

/* --- comparisons -------------------------------------------------------------------------------------------------- */

/* `a is b` for two values. */
static void say_same(struct arena *a, struct guard_reason *out, struct str left, struct str right, bool now)
{
    struct str name, other;

    words_about(a, out, GUARD_IDENTITY, right);
    use_closure_hint(out);
    other = words_name(a, out);
    words_about(a, out, GUARD_IDENTITY, left);
    use_closure_hint(out);
    name = words_name(a, out);
    out->words = arena_printf(a, "%.*s and %.*s %s the same object", STR_ARG(name), STR_ARG(other),
                              now ? "are now" : "are no longer");
}

/* `x is None`, `x is not None`, `a is b` */
static bool read_is(struct arena *a, struct guard_reason *out)
{
    ptrdiff_t at = python_find(out->guard, STR(" is "), PYTHON_TOP_LEVEL);
    struct str left, right;
    bool negated;

    if (at < 0)
        return false;
    left = str_take(out->guard, (size_t)at);
    right = str_skip(out->guard, (size_t)at + 4);
    negated = str_consume(&right, STR("not "));
    if (!str_eq(str_trim(right), STR("None"))) {
        say_same(a, out, left, right, negated);
        return true;
    }
    out->expected = negated ? STR("") : STR("None");
    out->actual = negated ? STR("None") : STR("");
    words_say(a, out, GUARD_NONE, left, "", negated ? " is now None" : " was None and has changed");
    return true;
}

static void say_constant(struct arena *a, struct guard_reason *out, enum guard_class class)
{
    static const char *const kinds[GUARD_CLASS_COUNT] = {
        [GUARD_INT] = "the Python number ",
        [GUARD_FLOAT] = "the Python number ",
        [GUARD_STRING] = "the string ",
        [GUARD_MODULE_ATTRIBUTE] = "the module attribute ",
    };
    struct str name = words_name(a, out), value = words_clip(a, out->expected);

    if (class == GUARD_BOOL || class == GUARD_NONE)
        out->words = arena_printf(a, "%.*s was %.*s and no longer is", STR_ARG(name), STR_ARG(value));
    else
        out->words = arena_printf(a, "%s%.*s was %.*s and has changed", kinds[out->class] ? kinds[out->class] : "",
                                  STR_ARG(name), STR_ARG(value));
}

/*
 * `n == 7`: a guard on a value if the right side is a constant, otherwise a condition between symbolic numbers. The
 * message does not have the value that failed.
 */
/* "___as_tensor(p).item()" is the float p: 2.6 and 2.7 print the tensor that they make from it. */
static struct str without_tensor(struct str source)
{
    struct str inner = source;

    return str_consume(&inner, STR("___as_tensor(")) && str_ends(inner, STR(").item()")) ? str_drop(inner, 8) : source;
}

static bool read_equals(struct arena *a, struct guard_reason *out)
{
    ptrdiff_t at = python_find(out->guard, STR(" == "), PYTHON_TOP_LEVEL);
    struct str left, right;
    enum guard_class class;
    bool in_module;

    if (at < 0)
        return false;
    left = without_tensor(str_trim(str_take(out->guard, (size_t)at)));
    right = str_trim(str_skip(out->guard, (size_t)at + 4));
    class = class_of_literal(right);
    if (class == GUARD_SHAPE_EXPRESSION || is_about_sizes(left) || is_computed(left))
        return false;
    in_module = is_module_source(left) || str_has(out->hint, STR("attributes of the nn.Module"));
    words_about(a, out, in_module ? GUARD_MODULE_ATTRIBUTE : class, left);
    use_closure_hint(out);
    out->expected = right;
    out->could_be_dynamic = out->class == GUARD_INT && !is_always_static(left);
    say_constant(a, out, class);
    return true;
}

static void say_condition(struct arena *a, struct guard_reason *out, enum guard_class class, const char *what)
{
    struct str check = words_clip(a, guard_name(a, out->guard));

    out->class = class;
    out->words = arena_printf(a, "%s `%.*s` no longer holds", what, STR_ARG(check));
}

/*
 * "2 <= x.size()[0]" and nothing else: the range of every size that is not fixed
 * (torch/fx/experimental/symbolic_shapes.py, create_symbol). Sizes of 0 and 1 are specialized.
 */
static bool read_size_range(struct arena *a, struct guard_reason *out)
{
    struct str source = out->guard, index, name;
    ptrdiff_t at = str_find(source, STR(".size()["));

    if (at < 0 || !str_consume(&source, STR("2 <= ")))
        return false;
    source = str_take(source, (size_t)at - 5);
    index = str_skip(out->guard, (size_t)at + 8);
    if (!str_ends(index, STR("]")) || !str_i64(str_drop(index, 1), &out->index) || str_chr(source, ' ') >= 0) {
        out->index = -1;
        return false;
    }
    words_about(a, out, GUARD_SIZE, source);
    out->expected = STR("2 or more");
    name = words_name(a, out);
    out->words = arena_printf(a, "dimension %lld of %.*s is now 0 or 1; the compiled code takes 2 and more",
                              (long long)out->index, STR_ARG(name));
    return true;
}

/* All other comparisons are about symbolic sizes, which PyTorch does not always print as such. */
static bool read_relation(struct arena *a, struct guard_reason *out)
{
    static const struct str marks[] = {STR_INIT(" == "), STR_INIT(" != "), STR_INIT(" <"),  STR_INIT(" >"),
                                       STR_INIT("Eq("),  STR_INIT("Ne("),  STR_INIT("Mod(")};
    bool of_sizes = is_about_sizes(out->guard);

    if (!of_sizes && !has_any(out->guard, marks, LENGTH(marks)))
        return false;
    say_condition(a, out, GUARD_SHAPE_EXPRESSION,
                  str_has(out->guard, STR(".item()")) ? "the condition on a tensor's value"
                  : of_sizes                          ? "the condition on sizes"
                                                      : "the condition");
    return true;
}

/* `not xs` means len(xs) == 0. */
static bool read_empty(struct arena *a, struct guard_reason *out)
{
    struct str source = out->guard;

    if (!str_consume(&source, STR("not ")))
        return false;
    out->expected = STR("0");
    words_say(a, out, GUARD_LENGTH, source, "", " was empty and no longer is");
    return true;
}

void guard_expression_read(struct arena *a, struct guard_reason *out)
{
    static bool (*const comparisons[])(struct arena *, struct guard_reason *) = {read_is, read_equals, read_size_range,
                                                                                 read_relation, read_empty};

    for (size_t i = 0; i < LENGTH(comparisons); i++)
        if (comparisons[i](a, out))
            return;
    say_condition(a, out, GUARD_OTHER, "the check");
}
