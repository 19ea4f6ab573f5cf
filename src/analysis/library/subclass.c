#include "analysis/library/subclass.h"

enum { ARGUMENTS_MAX = 4096 };

/* PyTorch's own, around a tensor within a transform of torch.func: no library has a rule for them. */
static const struct str wrappers[] = {STR_INIT("GradTrackingTensor"), STR_INIT("BatchedTensor")};

static const struct {
    const char *names, *words; /* parts of the class's name, separated by '\n' */
} classes[] = {
    {"DTensor\nAsyncCollectiveTensor",
     "Take the local part before the call (`.to_local()`), and make a DTensor of the result again "
     "(`DTensor.from_local`), or keep that call uncompiled (`@torch.compiler.disable`)."},
    {"NestedTensor",
     "Only some operators take a nested tensor. Call it on a padded one (`x.to_padded_tensor(0.0)`) or on its values "
     "(`x.values()`), or keep that call uncompiled (`@torch.compiler.disable`)."},
    {"MaskedTensor\nShardedTensor\nSparseSemiStructured",
     "The class is PyTorch's own: try a newer version, then report it to PyTorch. Or keep that call uncompiled "
     "(`@torch.compiler.disable`)."},
    {"",
     "Most likely the library of that class (torchao, for a quantized one) has no rule for the operator, or one for "
     "another PyTorch: take a version of it that was made for this PyTorch, most often a newer one, and report it "
     "there. Or keep that call uncompiled (`@torch.compiler.disable`)."},
};

/* Operators that draw: DTensor keeps a state of its own for them. */
static bool draws(struct str operator_)
{
    static const struct str parts[] = {STR_INIT("rand"),        STR_INIT("dropout"), STR_INIT("bernoulli"),
                                       STR_INIT("multinomial"), STR_INIT("normal_"), STR_INIT("uniform_")};

    return STR_HAS_ANY(operator_, parts);
}

static bool is_class(struct str name)
{
    static const struct str plain[] = {STR_INIT("FakeTensor"), STR_INIT("FunctionalTensor"), STR_INIT("Tensor")};
    static const struct str states[] = {STR_INIT("OptimState")}; /* of torchao's optimizers */

    return name.n && name.p[0] >= 'A' && name.p[0] <= 'Z' && !STR_IS_ANY(name, plain) &&
           (str_ends(name, STR("Tensor")) || STR_STARTS_ANY(name, states));
}

struct str subclass_of_call(struct str message)
{
    ptrdiff_t at = str_find(message, STR("(*("));
    struct str rest = str_take(str_skip(message, at < 0 ? message.n : (size_t)at + 3), ARGUMENTS_MAX), wrapper = {0};

    for (ptrdiff_t open; (open = str_chr(rest, '(')) >= 0; rest = str_skip(rest, (size_t)open + 1)) {
        size_t begin = (size_t)open;
        struct str name;

        while (begin > 0 && str_is_name_char(rest.p[begin - 1]))
            begin--;
        name = str_range(rest.p + begin, rest.p + open);
        if (is_class(name) && !STR_IS_ANY(name, wrappers))
            return name;
        if (is_class(name) && wrapper.n == 0)
            wrapper = name;
    }
    return wrapper;
}

/*
 * Measured with 2.6 and 2.13: `vmap(hessian(f))` and `vmap(jacfwd(jacfwd(f)))` fail within compiled code;
 * `vmap(jacrev(jacrev(f)))` and `vmap(jacrev(jacfwd(f)))` compile.
 */
static struct str transform_step(struct arena *a, struct str class, struct str source, bool reason)
{
    static const char forward[] = "hessian\njacfwd\njvp", others[] = "grad(\njacrev\nvjp\nvmap";
    const char *other = str_has_any_line(source, str_of(forward))
                            ? "The line computes in forward mode: in reverse mode (`jacrev(jacrev(f))`) it may compile."
                        : str_has_any_line(source, str_of(others))
                            ? "Another order or kind of them may compile."
                            : "In place of forward mode (`hessian`, `jacfwd`, `jvp`), `jacrev` may compile.";

    return arena_printf(a,
                        "`%.*s` is PyTorch's own class, of torch.func. %s %s Or keep them out of the compiled part "
                        "(`@torch.compiler.disable`). A newer PyTorch may do it; else report it to PyTorch.",
                        STR_ARG(class),
                        reason ? "Run the line without torch.compile: the same error there is the program's. Else the "
                                 "compiler fails on these transforms."
                               : "Most likely the compiler fails on these transforms.",
                        other);
}

/* "...}): got RuntimeError('...", or the reason in the next line */
static bool gives_reason(struct str message)
{
    message = str_take(message, ARGUMENTS_MAX);
    return str_has_any_line(message, STR("): got \n}):"));
}

struct str subclass_step(struct arena *a, struct str message, struct str operator_, struct str source)
{
    struct str class = subclass_of_call(message);
    size_t i = 0;

    if (STR_IS_ANY(class, wrappers))
        return transform_step(a, class, source, gives_reason(message));
    while (classes[i].names[0] && !str_has_any_line(class, str_of(classes[i].names)))
        i++;
    return arena_printf(
        a, "The compiler has no result for `%.*s` of a tensor subclass, `%.*s`. %s%s%s", STR_ARG(operator_),
        STR_ARG(class),
        str_has(source, STR(".step(")) ? "Keep the optimizer's step out of the compiler (`@torch.compiler.disable` on "
                                         "the function that calls it); if the optimizer is one of a library (torchao), "
                                         "try a newer version of it first, which may compile the step. "
                                       : "",
        classes[i].words,
        i == 0 && draws(operator_) ? " A random operator on a DTensor keeps a state of its own: draw outside of the "
                                     "compiled function and pass the numbers in."
                                   : "");
}
