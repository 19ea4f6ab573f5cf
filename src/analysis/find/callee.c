#include "analysis/find/callee.h"

#include "analysis/find/caller.h"

/* --- the wrapped function ----------------------------------------------------------------------------------------- */

/*
 * The index of *args and **kwargs among the variables: variables that a function captures come after them. -1 if there
 * are none.
 */
static int64_t last_parameter(const struct guard_facts *facts)
{
    int64_t args = guard_facts_position(facts, STR("L['args']"));
    int64_t kwargs = guard_facts_position(facts, STR("L['kwargs']"));

    return args > kwargs ? args : kwargs;
}

struct str callee_wrapped(const struct guard_facts *facts)
{
    int64_t last = last_parameter(facts);

    return last < 0 ? (struct str){0} : guard_facts_function_behind(facts, last);
}

/* The frame passes its arguments on: to the function in one of its variables, or it is a wrapper of PyTorch's own. */
static bool is_wrapper(const struct frame *fr, const struct guard_facts *facts)
{
    return fr && (caller_is_wrapper(fr) || (!fr->is_resume && callee_wrapped(facts).n > 0));
}

bool callee_passes_on(const struct frame *fr, const struct guard_facts *facts)
{
    return is_wrapper(fr, facts) || (fr && is_library_file(fr->file));
}

/* --- the class ---------------------------------------------------------------------------------------------------- */

/* "Sequential" of "torch.nn.modules.container.Sequential"; empty if it is not a user's class. */
static struct str class_name(struct str type)
{
    static const struct str others[] = {STR_INIT("function"),
                                        STR_INIT("method"),
                                        STR_INIT("functools.partial"),
                                        STR_INIT("builtin_function_or_method"),
                                        STR_INIT("torch.Tensor"),
                                        STR_INIT("torch.nn.parameter.Parameter"),
                                        STR_INIT("dict"),
                                        STR_INIT("list"),
                                        STR_INIT("tuple"),
                                        STR_INIT("int"),
                                        STR_INIT("float"),
                                        STR_INIT("bool"),
                                        STR_INIT("str"),
                                        STR_INIT("NoneType"),
                                        STR_INIT("type")};

    if (STR_IS_ANY(type, others))
        return (struct str){0};
    return str_skip(type, (size_t)(str_rchr(type, '.') + 1));
}

/* A decorator's wrapper around a method often has no `self` of its own. */
struct str callee_owner(const struct guard_facts *facts)
{
    if (class_name(guard_facts_type(facts, STR("L['self']"))).n)
        return STR("L['self']");
    if (guard_facts_type(facts, STR("L['args'][0]._modules")).n ||
        guard_facts_type(facts, STR("L['args'][0].__dict__")).n)
        return STR("L['args'][0]");
    return (struct str){0};
}

/* The facts of the first compile that has guards: a failed compile has none. */
static const struct guard_facts *facts_of(struct finder *f, const struct frame *fr)
{
    for (size_t i = 0; i < fr->compiles.n; i++)
        if (compile_guard_tree(fr->compiles.v[i]))
            return guard_facts_of(f, fr->compiles.v[i]);
    return NULL;
}

/* PyTorch's wrapper calls an object or a method. The guards have that object, but not its name. */
static struct str wrapped_class(const struct guard_facts *facts, bool *method)
{
    struct str name = class_name(guard_facts_type(facts, STR("L['fn']")));

    if (name.n)
        return name;
    name = class_name(guard_facts_type(facts, STR("L['fn'].__self__")));
    *method = name.n > 0;
    return name;
}

static struct str owner_class(const struct frame *fr, const struct guard_facts *facts, bool *method)
{
    struct str name = caller_is_wrapper(fr) ? wrapped_class(facts, method) : (struct str){0};

    return name.n ? name : class_name(guard_facts_type(facts, callee_owner(facts)));
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* A wrapper's name says nothing; a module is called through its forward. */
static struct str method_name(const struct compile *c, const struct guard_facts *facts)
{
    const struct frame *fr = c->frame;

    if (fr->is_resume)
        return fr->resumes;
    if (caller_is_wrapper(fr))
        return (struct str){0};
    if (!facts || callee_wrapped(facts).n == 0)
        return fr->name;
    return caller_is_module_call(c) ? STR("forward") : (struct str){0};
}

struct str callee_words(struct finder *f, const struct compile *c)
{
    const struct frame *fr = c->frame;
    const struct guard_facts *facts = facts_of(f, fr);
    bool method = false;
    struct str class = facts ? str_take(owner_class(fr, facts, &method), 120) : (struct str){0};
    struct str name = method_name(c, facts);
    const struct call *caller = NULL;

    if (class.n && name.n)
        return arena_printf(f->arena, "`%.*s.%.*s`", STR_ARG(class), STR_ARG(str_take(name, 120)));
    if (class.n)
        return arena_printf(f->arena, "%s`%.*s`", method ? "A method of " : "", STR_ARG(class));
    if (caller_is_wrapper(fr) && (caller = caller_of(c)) != NULL && caller->source.n)
        return arena_printf(f->arena, "The function that `%.*s` calls", STR_ARG(str_take(caller->source, 80)));
    if (caller_is_wrapper(fr))
        return STR("The compiled function");
    name = name.n ? name : fr->name;
    return name.n ? arena_printf(f->arena, "`%.*s`", STR_ARG(name)) : STR("A function");
}
