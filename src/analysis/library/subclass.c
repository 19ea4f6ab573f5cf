#include "analysis/library/subclass.h"

enum { ARGUMENTS_MAX = 4096 };

static const struct {
    const char *names, *words; /* parts of the class's name, separated by '\n' */
} classes[] = {
    {"DTensor\nAsyncCollectiveTensor",
     "Take the local part before the call (`.to_local()`), and make a DTensor of the result again "
     "(`DTensor.from_local`), or keep that call uncompiled (`@torch.compiler.disable`)."},
    {"NestedTensor",
     "Only some operators take a nested tensor. Call it on a padded one (`x.to_padded_tensor(0.0)`) or on its values "
     "(`x.values()`), or keep that call uncompiled (`@torch.compiler.disable`)."},
    {"",
     "Most likely the library of that class (torchao, for a quantized one) has no rule for the operator, or one for "
     "another PyTorch: take a version of it that was made for this PyTorch, most often a newer one, and report it "
     "there. Or keep that call uncompiled (`@torch.compiler.disable`)."},
};

/* Operators that draw: DTensor keeps a state of its own for them. */
static bool draws(struct str operator_)
{
    static const struct str parts[] = {STR_INIT("rand"), STR_INIT("dropout"), STR_INIT("bernoulli"),
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
    struct str rest = str_take(str_skip(message, at < 0 ? message.n : (size_t)at + 3), ARGUMENTS_MAX);

    for (ptrdiff_t open; (open = str_chr(rest, '(')) >= 0; rest = str_skip(rest, (size_t)open + 1)) {
        size_t begin = (size_t)open;

        while (begin > 0 && str_is_name_char(rest.p[begin - 1]))
            begin--;
        if (is_class(str_range(rest.p + begin, rest.p + open)))
            return str_range(rest.p + begin, rest.p + open);
    }
    return (struct str){0};
}

struct str subclass_step(struct arena *a, struct str class, struct str operator_, struct str source)
{
    size_t i = 0;

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
