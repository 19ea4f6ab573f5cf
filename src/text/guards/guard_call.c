#include "text/guards/guard_call.h"

#include "text/guards/guard_words.h"
#include "text/python/python_code.h"

/* --- pieces of Python --------------------------------------------------------------------------------------------- */

/* Takes "ARGUMENTS)" off the text after "name(". */
static bool take_arguments(struct str *text, struct str *arguments)
{
    ptrdiff_t end = python_find(*text, STR(")"), PYTHON_TOP_LEVEL);

    if (end < 0)
        return false;
    *arguments = str_take(*text, (size_t)end);
    *text = str_trim(str_skip(*text, (size_t)end + 1));
    return true;
}

/* Takes the first argument off; the rest is trimmed. */
static struct str take_argument(struct str *arguments)
{
    ptrdiff_t comma = python_find(*arguments, STR(","), PYTHON_TOP_LEVEL);
    struct str first = comma < 0 ? *arguments : str_take(*arguments, (size_t)comma);

    *arguments = str_trim(str_skip(*arguments, first.n + 1));
    return str_trim(first);
}

static struct str unquote(struct str s)
{
    if (s.n >= 2 && (s.p[0] == '\'' || s.p[0] == '"') && s.p[s.n - 1] == s.p[0])
        return str_range(s.p + 1, s.p + s.n - 1);
    return s;
}

/* --- what kind of object ------------------------------------------------------------------------------------------ */

/* "n, 1402), type=<class 'int'>"; 2.5 and earlier do not have the type. */
static bool read_type(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out)
{
    struct str arguments, type, hint = out->hint, name;

    (void)form;
    if (!take_arguments(&rest, &arguments))
        return false;
    words_say(a, out, GUARD_TYPE, take_argument(&arguments), "",
              " has a different type from the one it was compiled for");
    name = words_name(a, out);
    if (str_consume(&rest, STR(", type=")))
        out->expected = words_type(rest);
    else if (str_consume(&hint, STR("type ")))
        out->expected = hint;
    type = words_clip(a, out->expected);
    if (type.n)
        out->words = arena_printf(a, "%.*s had type %.*s and now has another", STR_ARG(name), STR_ARG(type));
    return true;
}

static bool is_function_type(struct str type)
{
    return str_eq(type, STR("code")) || str_eq(type, STR("function")) || str_eq(type, STR("method")) ||
           str_eq(type, STR("builtin_function_or_method"));
}

/*
 * "fn.__code__, 1402), type=<class 'code'>". The type is the class of the expected object or, if that object is a
 * class, the class itself; so it describes the object only if it cannot be a class.
 */
static bool read_identity(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out)
{
    static const char other_function[] = " is a different function from the one it was compiled for";
    struct str arguments, source, type = {0};

    (void)form;
    if (!take_arguments(&rest, &arguments))
        return false;
    source = take_argument(&arguments);
    if (str_consume(&rest, STR(", type=")))
        type = words_type(rest);
    if (str_ends(source, STR(".__code__")))
        words_say(a, out, GUARD_FUNCTION, str_drop(source, 9), "", other_function);
    else if (is_function_type(type))
        words_say(a, out, GUARD_FUNCTION, source, "", other_function);
    else if (str_eq(type, STR("module")))
        words_say(a, out, GUARD_IDENTITY, source, "",
                  " is a different Python module from the one it was compiled for");
    else if (str_ends(source, STR(".training")))
        words_say(a, out, GUARD_MODULE_ATTRIBUTE, source, "", " changed (model.train() and model.eval() set it)");
    else if (str_eq(type, STR("NoneType")))
        words_say(a, out, GUARD_NONE, source, "", " was None and has changed");
    else
        words_say(a, out, GUARD_IDENTITY, source, "", " is a different object from the one it was compiled for");
    return true;
}

/* --- attributes, keys, members ------------------------------------------------------------------------------------ */

/* "o, 'z')", possibly followed by " == False": the attribute existed, or did not. */
static bool read_attribute(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out)
{
    struct str arguments, source, attribute, name, clipped;
    const char *mark;
    bool had;

    if (!take_arguments(&rest, &arguments))
        return false;
    source = take_argument(&arguments);
    attribute = unquote(arguments);
    had = form->negated == str_eq(rest, STR("== False"));
    mark = words_mark(attribute);
    words_about(a, out, mark ? GUARD_DYNAMIC_MARKING : GUARD_ATTRIBUTE, source);
    name = words_name(a, out);
    clipped = words_clip(a, attribute);
    if (mark)
        out->words = arena_printf(a, "%.*s %s marked with %s; the one compiled for was%s", STR_ARG(name),
                                  had ? "is no longer" : "is now", mark, had ? "" : " not");
    else
        out->words = arena_printf(a, "%.*s %s the attribute `%.*s`", STR_ARG(name), had ? "no longer has" : "now has",
                                  STR_ARG(clipped));
    return true;
}

/* "getattr(x, '_dynamo_dynamic_indices', set()).issubset({0})) if hasattr(...) else True)", and older forms. */
static bool read_marking(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out)
{
    ptrdiff_t at = str_find(rest, STR("_dynamo_")), comma;
    struct str source;

    (void)form;
    if (at < 0 || !str_has(rest, STR("_indices")))
        return false;
    source = str_take(rest, (size_t)at);
    str_consume(&source, STR("getattr("));
    comma = str_rchr(source, ',');
    source = comma >= 0 ? str_take(source, (size_t)comma) : str_drop(source, 1);
    words_say(a, out, GUARD_DYNAMIC_MARKING, source, "",
              " is marked with mark_dynamic or mark_unbacked otherwise than the one compiled for");
    return true;
}

/* "'k', d)" for a dict, "s, 'a')" for a set. */
static bool read_member(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out)
{
    bool is_set = str_eq(str_of(form->words), STR("set"));
    struct str arguments, first, member, name;

    if (!take_arguments(&rest, &arguments))
        return false;
    first = take_argument(&arguments);
    words_about(a, out, GUARD_DICT, is_set ? first : arguments);
    member = words_clip(a, is_set ? arguments : first);
    name = words_name(a, out);
    if (is_set)
        out->words = arena_printf(a, "the set %.*s %s %.*s", STR_ARG(name),
                                  form->negated ? "now holds" : "no longer holds", STR_ARG(member));
    else
        out->words = arena_printf(a, "%.*s %s the key %.*s", STR_ARG(name), form->negated ? "now has" : "no longer has",
                                  STR_ARG(member));
    return true;
}

/* "dict.keys(d))[0] == 'a'" and, for mappings and before 2.6, "d.keys()) == ['a', 'b']". */
static bool read_keys(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out)
{
    struct str source, index = {0}, name, value;

    (void)form;
    if (!take_arguments(&rest, &source))
        return false;
    if (str_consume(&source, STR("dict.keys(")))
        source = str_drop(source, 1);
    else if (str_ends(source, STR(".keys()")))
        source = str_drop(source, 7);
    else
        return false;
    if (str_consume(&rest, STR("[")))
        index = words_clip(a, str_split(&rest, ']'));
    rest = str_trim(rest);
    if (!str_consume(&rest, STR("== ")))
        return false;
    words_about(a, out, GUARD_DICT, source);
    out->expected = rest;
    name = words_name(a, out);
    value = words_clip(a, rest);
    if (index.n)
        out->words = arena_printf(a, "key number %.*s of %.*s was %.*s and has changed", STR_ARG(index),
                                  STR_ARG(name), STR_ARG(value));
    else
        out->words = arena_printf(a, "the keys of %.*s were %.*s and are now others", STR_ARG(name), STR_ARG(value));
    return true;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* "xs) == 2": the result of a function for a value. */
static bool read_measure(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out)
{
    struct str source, value, name;

    if (!take_arguments(&rest, &source) || !str_consume(&rest, STR("== ")))
        return false;
    words_about(a, out, form->class, source);
    out->expected = str_trim(rest);
    name = words_name(a, out);
    value = words_clip(a, out->expected);
    out->words = arena_printf(a, "%s %.*s was %.*s and has changed", form->words, STR_ARG(name), STR_ARG(value));
    return true;
}

/* "n)": a sentence about the argument. */
static bool read_about_argument(struct arena *a, const struct guard_form *form, struct str rest,
                                struct guard_reason *out)
{
    struct str source;

    if (!take_arguments(&rest, &source))
        return false;
    words_say(a, out, form->class, source, form->words, form->after);
    return true;
}

static bool read_default_device(struct arena *a, const struct guard_form *form, struct str rest,
                                struct guard_reason *out)
{
    struct str value;

    rest = str_trim(rest);
    if (!str_consume(&rest, STR("== ")))
        return false;
    out->class = form->class;
    out->expected = str_trim(rest);
    value = words_clip(a, out->expected);
    out->words = arena_printf(a, "the default device was %.*s and is now another", STR_ARG(value));
    return true;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define FORM_NOT(text, function) {.begin = STR_INIT(text), .negated = true, .read = function}
#define FORM_MEASURE(text, class_, what) {.begin = STR_INIT(text), .class = class_, .words = what, .read = read_measure}
#define FORM_MEMBER(text, what, not_) {.begin = STR_INIT(text), .words = what, .negated = not_, .read = read_member}
#define FORM_ARGUMENT(text, class_, before_, after_)                                                                   \
    {.begin = STR_INIT(text), .class = class_, .words = before_, .after = after_, .read = read_about_argument}
/* clang-format on */

static const char subclass[] = "the metadata of a tensor subclass (its layout, placement or inner tensors) changed";
static const char overlap[] = "other inputs share memory with each other than those compiled for";

static const struct guard_form calls[] = {
    FORM_READ("___check_type_id(", read_type),
    FORM_READ("___check_fake_script_type(", read_type),
    FORM_READ("___check_obj_id(", read_identity),
    FORM_READ("__check_obj_id(", read_identity),
    FORM_SENTENCE("___check_global_state(", GUARD_GLOBAL_STATE,
                  "gradient mode (torch.no_grad, enable_grad), autocast, threads or another global setting changed"),
    FORM_READ("hasattr(", read_attribute),
    FORM_NOT("not hasattr(", read_attribute),
    FORM_READ("((", read_marking),
    FORM_MEMBER("___dict_contains(", "dict", false),
    FORM_MEMBER("not ___dict_contains(", "dict", true),
    FORM_MEMBER("set.__contains__(", "set", false),
    FORM_MEMBER("not set.__contains__(", "set", true),
    FORM_READ("list(", read_keys),
    FORM_ARGUMENT("___dict_version(", GUARD_DICT, "the dict ", " was changed"),
    FORM_MEASURE("len(", GUARD_LENGTH, "the length of"),
    FORM_MEASURE("___tuple_iterator_len(", GUARD_LENGTH, "the number of items left in the iterator"),
    FORM_MEASURE("___normalize_range_iter(", GUARD_CONSTANT, "the state of the iterator"),
    FORM_MEASURE("___normalize_count_iter(", GUARD_CONSTANT, "the state of the iterator"),
    FORM_SENTENCE("check_overlapping(", GUARD_TENSOR_ALIASING, overlap),
    FORM_SENTENCE("check_no_aliasing(", GUARD_TENSOR_ALIASING,
                  "two inputs that were different tensors are now the same one"),
    FORM_SENTENCE("___check_metadata_", GUARD_LAYOUT, subclass),
    FORM_SENTENCE("__dtensor_spec_", GUARD_LAYOUT, subclass),
    FORM_SENTENCE("___check_opaque_guard_fn_", GUARD_OTHER, "what an opaque object says of itself changed"),
    FORM_SENTENCE("___check_torch_function_mode_stack(", GUARD_CONTEXT,
                  "the active torch function modes changed (a default device or `with torch.device(…)` is one)"),
    {.begin = STR_INIT("utils_device.CURRENT_DEVICE"), .class = GUARD_CONTEXT, .read = read_default_device},
    FORM_SENTENCE("torch.autograd.forward_ad.", GUARD_CONTEXT,
                  "the level of forward-mode differentiation (forward_ad.dual_level) changed"),
    FORM_SENTENCE("torch._functorch.pyfunctorch.", GUARD_CONTEXT,
                  "the active function transforms (vmap, grad …) changed"),
    FORM_SENTENCE("torch._functorch.aot_autograd.utils.top_saved_tensors_hooks", GUARD_CONTEXT,
                  "the active saved-tensors hooks changed"),
    FORM_ARGUMENT("not math.isnan(", GUARD_FLOAT, "the Python number ", " is now NaN"),
    FORM_ARGUMENT("not __math_isnan(", GUARD_FLOAT, "the Python number ", " is now NaN"),
    FORM_ARGUMENT("__math_isnan(", GUARD_FLOAT, "the Python number ", " was NaN and no longer is"),
    FORM_ARGUMENT("(type(", GUARD_FLOAT, "the Python number ", " was NaN and no longer is"),
};

bool guard_call_read(struct arena *a, struct guard_reason *out)
{
    return guard_forms_read(a, calls, sizeof calls / sizeof *calls, out->guard, out);
}
