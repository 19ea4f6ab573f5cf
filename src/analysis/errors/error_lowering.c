#include "analysis/errors/error_lowering.h"


bool error_lowering_is_of_pytorch(struct str target)
{
    return str_starts(target, STR("aten.")) || str_starts(target, STR("prims.")) || str_chr(target, '.') < 0;
}

/* Arguments that are numbers in most programs, by their position in ATen's schema. */
static const struct {
    struct str target;
    int64_t position;
    const char *name;
} numbers[] = {{STR_INIT("aten.convolution.default"), 8, " (`groups` of the convolution)"}};

static bool is_size_symbol(struct str word)
{
    if (!str_consume(&word, STR("s")) || word.n == 0)
        return false;
    for (size_t i = 0; i < word.n; i++)
        if (!str_is_digit(word.p[i]))
            return false;
    return true;
}

/* "  args[8]: s0": an argument that is a dynamic size where the lowering asserts that it has a number. */
static bool say_symbol(struct arena *a, struct str target, struct str message, struct error_steps *out)
{
    struct str rest = str_take(message, ERROR_SEARCHED), line;

    if (!str_has(rest, STR("AssertionError")) && !str_has(rest, STR("Cannot convert symbols to int")))
        return false;
    while (str_next_line(&rest, &line)) {
        struct str position, value = str_trim(line);
        const char *name = "";
        int64_t n;

        if (!str_consume(&value, STR("args[")))
            continue;
        position = str_split(&value, ']');
        if (!str_consume(&value, STR(": ")) || !is_size_symbol(value) || !str_i64(position, &n))
            continue;
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            if (str_eq(target, numbers[i].target) && n == numbers[i].position)
                name = numbers[i].name;
        error_step_say(a, out,
                       arena_printf(a,
                                    "Argument %lld of `%.*s`%s is the dynamic size `%.*s`, and Inductor most likely "
                                    "needs a number there. Keep this size static: compile without `dynamic=True`, or "
                                    "mark its dimension before the call (`torch._dynamo.mark_static(x, DIM)`). Newer "
                                    "versions of PyTorch take it in more operators.",
                                    (long long)n, STR_ARG(target), name, STR_ARG(value)));
        return true;
    }
    return false;
}

void error_lowering_say(struct arena *a, struct str target, struct str message, struct error_steps *out)
{
    if (!error_lowering_is_of_pytorch(target))
        error_step_say(a, out,
                       arena_printf(a,
                                    "Inductor fails at the operator `%.*s`. Define it with `torch.library.custom_op` "
                                    "and register its fake kernel, fix its lowering if the program gives Inductor one, "
                                    "or update the package that it comes from.",
                                    STR_ARG(target)));
    else if (!say_symbol(a, target, message, out))
        error_step_say(a, out,
                       arena_printf(a,
                                    "Inductor cannot compile this call of `%.*s`. Write it in another way, or call it "
                                    "outside of the compiled function (`@torch.compiler.disable`); report it when a "
                                    "newer PyTorch fails, too.",
                                    STR_ARG(target)));
}
