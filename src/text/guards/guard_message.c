#include "text/guards/guard_message.h"

#include "text/guards/guard_name.h"
#include "text/guards/guard_tensor.h"
#include "text/python/python_code.h"
#include "util/utf8.h"

/* "["x", "y"]": lists of sources that are the same tensor. PyTorch quotes each source. */
static bool read_duplicates(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    struct str names = STR(""), quoted;

    (void)form;
    out->class = GUARD_TENSOR_ALIASING;
    for (int n = 0; n < 8 && str_between(text, STR("\""), STR("\""), &quoted); n++) {
        struct str name;

        text = str_skip(text, (size_t)(quoted.p - text.p) + quoted.n + 1);
        name = words_clip(a, guard_name(a, quoted));
        names = arena_printf(a, "%.*s%s`%.*s`", STR_ARG(names), n ? ", " : "", STR_ARG(name));
        names = utf8_cut(names, 400);
    }
    out->words = arena_printf(a, "inputs that were different tensors are now the same one%s%.*s", names.n ? ": " : "",
                              STR_ARG(names));
    return true;
}

/* --- the state of the process ------------------------------------------------------------------------------------- */

/* The words of GlobalStateGuard::reason. From 2.8 on, "autocast(cpu)_enabled " is composed for each device. */
static const struct {
    struct str token;
    const char *words;
} global_states[] = {
    {STR_INIT("grad_mode"), "gradient mode (torch.no_grad, enable_grad)"},
    {STR_INIT("autocast"), "autocast"},
    {STR_INIT("autocast_cache_enabled"), "autocast's cache of weights"},
    {STR_INIT("torch_function"), "whether torch functions can be overridden"},
    {STR_INIT("deterministic_algorithms"), "use_deterministic_algorithms"},
    {STR_INIT("deterministic_algorithms_warn_only"), "use_deterministic_algorithms(warn_only=…)"},
    {STR_INIT("allow_tf32"), "TF32 in matrix products"},
    {STR_INIT("allow_fp16_reduce"), "reduced precision of float16 matrix products"},
    {STR_INIT("allow_bf16_reduce"), "reduced precision of bfloat16 matrix products"},
    {STR_INIT("num_threads"), "number of threads"},
    {STR_INIT("default_dtype"), "default dtype"},
};

static struct str words_of_state(struct arena *a, struct str token)
{
    struct str device;

    for (size_t i = 0; i < sizeof global_states / sizeof *global_states; i++)
        if (str_eq(token, global_states[i].token))
            return str_of(global_states[i].words);
    token = words_clip(a, token);
    if (str_starts(token, STR("autocast(")) && str_between(token, STR("("), STR(")"), &device)) {
        if (str_ends(token, STR("_enabled")))
            return arena_printf(a, "whether autocast is on for %.*s", STR_ARG(device));
        if (str_ends(token, STR("_dtype")))
            return arena_printf(a, "autocast's dtype for %.*s", STR_ARG(device));
    }
    return token;
}

static bool read_global_state(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    struct str words = STR("");
    unsigned n = 0;

    (void)form;
    out->class = GUARD_GLOBAL_STATE;
    text = str_trim(text);
    while (text.n && n < 12) {
        struct str token = str_split(&text, ' '), state;

        if (token.n == 0)
            continue;
        state = words_of_state(a, token);
        words = arena_printf(a, "%.*s%s%.*s", STR_ARG(words), n++ ? "; " : "", STR_ARG(state));
        words = utf8_cut(words, 400);
    }
    if (n == 0)
        out->words = STR("a global setting changed; PyTorch does not say which");
    else
        out->words = arena_printf(a, "global settings changed: %.*s", STR_ARG(words));
    return true;
}

/* "L['fn'] got deallocated", and other reasons that PyTorch may write. */
static bool read_invalidated(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    struct str why = str_trim(text), name;

    (void)form;
    out->class = GUARD_INVALIDATED;
    if (str_ends(why, STR(" got deallocated"))) {
        words_about(a, out, GUARD_INVALIDATED, str_drop(why, 16));
        name = words_name(a, out);
        out->words = arena_printf(a, "the compiled code was dropped because %.*s no longer exists", STR_ARG(name));
        return true;
    }
    why = words_clip(a, why);
    out->words = arena_printf(a, "the compiled code was dropped: %.*s", STR_ARG(why));
    return true;
}

/* "___guarded_code.valid" alone: PyTorch 2.5 and earlier do not say which object of the entry was freed. */
static bool read_valid(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    (void)a;
    (void)form;
    if (str_trim(text).n)
        return false;
    out->class = GUARD_INVALIDATED;
    out->words = STR("the compiled code was dropped because an object that it was made for no longer exists");
    return true;
}

/* "name (id=0x7f12)" without the address; the name in "_TorchCompileWrapper(compiler='name', dynamic=None)". */
static struct str backend_name(struct arena *a, struct str s)
{
    ptrdiff_t at = str_find(s, STR(" (id=0x"));
    struct str name;

    if (str_between(s, STR("_TorchCompileWrapper(compiler='"), STR("'"), &name))
        return words_clip(a, name);
    return words_clip(a, at < 0 ? s : str_take(s, (size_t)at));
}

static bool read_backend(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    struct str before, now;

    (void)form;
    out->class = GUARD_BACKEND;
    out->words = STR("the code was compiled with another backend");
    if (!str_between(text, STR("Cached backend: "), STR(". New backend: "), &out->expected) ||
        !str_between(text, STR("New backend: "), STR(". If this is unexpected"), &out->actual))
        return true;
    before = backend_name(a, out->expected);
    now = backend_name(a, out->actual);
    if (str_eq(before, now))
        out->words = arena_printf(a, "the backend is another `%.*s` than the one compiled with", STR_ARG(now));
    else
        out->words =
            arena_printf(a, "the backend is `%.*s`; the code was compiled with `%.*s`", STR_ARG(now), STR_ARG(before));
    return true;
}

/* --- objects: guard accessors ------------------------------------------------------------------------------------- */

/* "getattr failed on source o.v": the source is the attribute or, for hasattr, the object. */
static bool read_getattr(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    struct str name;

    (void)form;
    words_about(a, out, GUARD_ATTRIBUTE, text);
    name = words_name(a, out);
    if (str_chr(out->name, '.') >= 0)
        out->words = arena_printf(a, "%.*s, or an attribute of it, does not exist any more", STR_ARG(name));
    else
        out->words = arena_printf(a, "an attribute of %.*s does not exist any more", STR_ARG(name));
    return true;
}

/* The type of a dict that the guard walks, for example OrderedDict instead of dict. */
static bool read_dict_type(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    struct str name;

    (void)form;
    words_about(a, out, GUARD_TYPE, str_ends(text, STR(")")) ? str_drop(text, 1) : text);
    name = words_name(a, out);
    out->words = arena_printf(a, "%.*s has a different type from the one it was compiled for", STR_ARG(name));
    return true;
}

/* "len(d) != 1", from DictGuardManager: the expected length. */
static bool read_dict_length(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    ptrdiff_t at = str_find(text, STR(") != "));
    struct str name, length;
    uint64_t n;

    (void)form;
    if (at < 0)
        return false;
    length = str_trim(str_skip(text, (size_t)at + 5));
    if (!str_u64(length, &n))
        return false;
    words_about(a, out, GUARD_DICT, str_take(text, (size_t)at));
    out->expected = length;
    name = words_name(a, out);
    out->words = arena_printf(a, "the number of entries of %.*s is no longer %.*s", STR_ARG(name), STR_ARG(length));
    return true;
}

/* "'O' object has no attribute 'v'": Python's message, raised inside a check. */
static bool read_attribute_error(struct arena *a, const struct guard_form *form, struct str text,
                                 struct guard_reason *out)
{
    (void)form;
    if (python_find(text, STR(" object has no attribute "), PYTHON_NOT_IN_STRING) < 0)
        return false;
    text = words_clip(a, text);
    out->class = GUARD_ATTRIBUTE;
    out->words = arena_printf(a, "a check failed with the error: %.*s", STR_ARG(text));
    return true;
}

/* "name 'Trunc' is not defined": the code of the guard is wrong, and raises an exception in each call. */
static bool read_name_error(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    (void)form;
    text = str_trim(text);
    if (!str_ends(text, STR("' is not defined")))
        return false;
    text = words_clip(a, text);
    out->words = arena_printf(a, GUARD_ITSELF_FAILED "name '%.*s", STR_ARG(text));
    return true;
}

static bool read_shape_values(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    (void)form;
    out->class = GUARD_SHAPE_EXPRESSION;
    out->actual = str_split(&text, '"');
    text = words_clip(a, out->actual);
    out->words = arena_printf(a, "a condition on sizes does not hold for the values %.*s", STR_ARG(text));
    return true;
}

/* --- marks on dimensions: DIMENSION_DYNAMIC_MARKING_GUARD --------------------------------------------------------- */

/* The message names the mark, but not the tensor. */
static bool read_marking(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    struct str rest = text;
    const char *mark = words_mark(str_split(&rest, ' '));

    (void)form;
    if (!mark)
        return false;
    out->class = GUARD_DYNAMIC_MARKING;
    if (str_has(rest, STR("present on runtime tensor")))
        out->words = arena_printf(a, "a tensor is now marked with %s; the one compiled for was not", mark);
    else if (str_has(rest, STR("absent on runtime tensor")))
        out->words = arena_printf(a, "a tensor is no longer marked with %s; the one compiled for was", mark);
    else
        out->words = arena_printf(a, "a tensor is marked with %s otherwise than the one compiled for", mark);
    if (str_between(text, STR("of compiled "), STR("}"), &out->expected))
        out->expected.n++;
    if (str_between(text, STR("runtime "), STR(" is not a subset"), &out->actual))
        out->actual = str_trim(out->actual);
    return true;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static const char no_function[] = " is no longer a Python function";

/* The last two have no fixed beginning: they look for text in the middle. */
static const struct guard_form messages[] = {
    FORM_READ("tensor '", guard_tensor_read),
    FORM_READ("expected type of '", guard_tensor_type_read),
    FORM_READ("Duplicate tensors found: ", read_duplicates),
    FORM_SENTENCE("Duplicate tensor found", GUARD_TENSOR_ALIASING,
                  "two inputs that were different tensors are now the same one"),
    FORM_READ("GLOBAL_STATE changed:", read_global_state),
    FORM_READ("Cache line invalidated because ", read_invalidated),
    FORM_READ("___guarded_code.valid", read_valid),
    FORM_READ("BACKEND_MATCH failure: ", read_backend),
    FORM_READ("___check_current_backend(", read_backend),
    FORM_SENTENCE("Unexpected recompilation: ", GUARD_OTHER,
                  GUARD_HOLDS_AGAIN "; PyTorch calls this a bug"),
    FORM_ABOUT("KeyError on ", GUARD_DICT, "", " does not exist any more"),
    FORM_ABOUT("IndexError on ", GUARD_LENGTH, "", " does not exist any more"),
    FORM_READ("getattr failed on source ", read_getattr),
    FORM_ABOUT("FuncDefaultsGuardAccessor: Not a function on ", GUARD_FUNCTION, "", no_function),
    FORM_ABOUT("FuncKwDefaultsGuardAccessor: Not a function on ", GUARD_FUNCTION, "", no_function),
    FORM_ABOUT("ClosureGuardAccessor: Not a function on ", GUARD_FUNCTION, "", no_function),
    FORM_ABOUT("CodeGuardAccessor: Not a function on ", GUARD_FUNCTION, "", no_function),
    FORM_ABOUT("Not a callable obj ", GUARD_FUNCTION, "", " can no longer be called"),
    FORM_ABOUT("Not a weakref obj ", GUARD_TYPE, "", " is no longer a weak reference"),
    FORM_ABOUT("Not a weakref ", GUARD_TYPE, "", " is no longer a weak reference"),
    FORM_ABOUT("Weakref_GetRef failed ", GUARD_INVALIDATED, "the weak reference ", " could not be followed"),
    FORM_ABOUT("not a tensor - grad field is accessed ", GUARD_TYPE, "", " is no longer a tensor"),
    FORM_READ("TYPE_MISMATCH(", read_dict_type),
    FORM_READ("len(", read_dict_length),
    FORM_READ("Shape guard failed with values: ", read_shape_values),
    FORM_READ("name '", read_name_error),
    FORM_READ("\"Shape guard failed with values: ", read_shape_values),
    FORM_READ("", read_marking),
    FORM_READ("", read_attribute_error),
};

bool guard_message_read(struct arena *a, struct str text, struct guard_reason *out)
{
    return guard_forms_read(a, messages, sizeof messages / sizeof *messages, text, out);
}
