#include "text/guards/guard_tensor.h"

/* The names of ScalarType, and their names in Python. */
static const struct {
    struct str cpp, python;
} dtypes[] = {
    {STR_INIT("Float"), STR_INIT("float32")},
    {STR_INIT("Double"), STR_INIT("float64")},
    {STR_INIT("Half"), STR_INIT("float16")},
    {STR_INIT("BFloat16"), STR_INIT("bfloat16")},
    {STR_INIT("Long"), STR_INIT("int64")},
    {STR_INIT("Int"), STR_INIT("int32")},
    {STR_INIT("Short"), STR_INIT("int16")},
    {STR_INIT("Char"), STR_INIT("int8")},
    {STR_INIT("Byte"), STR_INIT("uint8")},
    {STR_INIT("UInt16"), STR_INIT("uint16")},
    {STR_INIT("UInt32"), STR_INIT("uint32")},
    {STR_INIT("UInt64"), STR_INIT("uint64")},
    {STR_INIT("Bool"), STR_INIT("bool")},
    {STR_INIT("ComplexHalf"), STR_INIT("complex32")},
    {STR_INIT("ComplexFloat"), STR_INIT("complex64")},
    {STR_INIT("ComplexDouble"), STR_INIT("complex128")},
    {STR_INIT("Float8_e5m2"), STR_INIT("float8_e5m2")},
    {STR_INIT("Float8_e4m3fn"), STR_INIT("float8_e4m3fn")},
};

static struct str dtype_name(struct str s)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (str_eq(s, dtypes[i].cpp))
            return dtypes[i].python;
    return s;
}

/* Sizes of parameters stay static unless torch._dynamo.config.force_parameter_static_shapes is turned off. */
static void say_size(struct arena *a, struct guard_reason *out, bool parameter)
{
    struct str name = words_name(a, out), from = words_clip(a, out->expected), to = words_clip(a, out->actual);

    out->could_be_dynamic = !parameter && !words_is_specialized(out->expected) && !words_is_specialized(out->actual);
    out->words = arena_printf(a, "dimension %lld of %s%.*s went from %.*s to %.*s", (long long)out->index,
                              parameter ? "the parameter " : "", STR_ARG(name), STR_ARG(from), STR_ARG(to));
}

static void say_stride(struct arena *a, struct guard_reason *out, bool parameter)
{
    struct str name = words_name(a, out), from = words_clip(a, out->expected), to = words_clip(a, out->actual);

    out->words = arena_printf(a, "the stride of dimension %lld of %s%.*s went from %.*s to %.*s", (long long)out->index,
                              parameter ? "the parameter " : "", STR_ARG(name), STR_ARG(from), STR_ARG(to));
}

/* Up to 2.1, each dimension's stride is compared before the sizes of those behind it, which it follows. */
static void say_old_stride(struct arena *a, struct guard_reason *out, bool parameter)
{
    struct str name = words_name(a, out), from = words_clip(a, out->expected), to = words_clip(a, out->actual);

    out->could_be_dynamic = !parameter;
    out->words = arena_printf(a,
                              "the sizes of %s%.*s changed: the stride of its dimension %lld went from %.*s to %.*s",
                              parameter ? "the parameter " : "", STR_ARG(name), (long long)out->index, STR_ARG(from),
                              STR_ARG(to));
    out->index++;
}

static void say_ndim(struct arena *a, struct guard_reason *out, bool parameter)
{
    struct str name = words_name(a, out), from = words_clip(a, out->expected), to = words_clip(a, out->actual);

    (void)parameter;
    out->words = arena_printf(a, "%.*s had %.*s dimension%s and now has %.*s", STR_ARG(name), STR_ARG(from),
                              str_eq(from, STR("1")) ? "" : "s", STR_ARG(to));
}

static void say_dtype(struct arena *a, struct guard_reason *out, bool parameter)
{
    struct str name = words_name(a, out), from, to;

    (void)parameter;
    out->expected = dtype_name(out->expected);
    out->actual = dtype_name(out->actual);
    from = words_clip(a, out->expected);
    to = words_clip(a, out->actual);
    out->words = arena_printf(a, "%.*s went from %.*s to %.*s", STR_ARG(name), STR_ARG(from), STR_ARG(to));
}

static void say_device(struct arena *a, struct guard_reason *out, bool parameter)
{
    struct str name = words_name(a, out), from = words_clip(a, out->expected), to = words_clip(a, out->actual);

    (void)parameter;
    out->words = arena_printf(a, "%.*s moved from device number %.*s to %.*s (-1 is a device without a number)",
                              STR_ARG(name), STR_ARG(from), STR_ARG(to));
}

/* The message has only the expected flag; the other value follows. */
static void say_requires_grad(struct arena *a, struct guard_reason *out, bool parameter)
{
    struct str name = words_name(a, out);
    bool expected = str_eq(out->expected, STR("1"));

    out->expected = expected ? STR("True") : STR("False");
    out->actual = expected ? STR("False") : STR("True");
    out->words =
        arena_printf(a, "%s%.*s %s", parameter ? "the parameter " : "", STR_ARG(name),
                     expected ? "required gradients and no longer does" : "now requires gradients; before, it did not");
}

/* --- dispatch key sets -------------------------------------------------------------------------------------------- */

enum { MAX_KEYS = 64 }; /* a DispatchKeySet is a 64-bit mask */

struct keys {
    struct str v[MAX_KEYS];
    size_t n;
};

/* "DispatchKeySet(CPU, BackendSelect, AutogradCPU)" */
static struct keys parse_keys(struct str s)
{
    struct keys keys = {.n = 0};

    str_consume(&s, STR("DispatchKeySet("));
    s = str_split(&s, ')');
    while (s.n && keys.n < MAX_KEYS)
        keys.v[keys.n++] = str_trim(str_split(&s, ','));
    return keys;
}

static bool has_key(const struct keys *keys, struct str key)
{
    for (size_t i = 0; i < keys->n; i++)
        if (str_eq(keys->v[i], key))
            return true;
    return false;
}

static struct keys without(const struct keys *keys, const struct keys *others)
{
    struct keys only = {.n = 0};

    for (size_t i = 0; i < keys->n; i++)
        if (!has_key(others, keys->v[i]))
            only.v[only.n++] = keys->v[i];
    return only;
}

static struct str join_keys(struct arena *a, const struct keys *keys)
{
    struct str s = STR("");

    for (size_t i = 0; i < keys->n && i < 6; i++) {
        struct str key = words_clip(a, keys->v[i]);

        s = arena_printf(a, "%.*s%s%.*s", STR_ARG(s), i ? ", " : "", STR_ARG(key));
    }
    return keys->n > 6 ? arena_printf(a, "%.*s, …", STR_ARG(s)) : s;
}

/* The key of a dense tensor is the name of its device. */
static struct str device_key(const struct keys *keys)
{
    static const char *const devices[] = {"CPU", "CUDA", "HIP",  "XLA",  "MPS",  "IPU",  "XPU",
                                          "HPU", "VE",   "Lazy", "MTIA", "MAIA", "Meta", "PrivateUse1"};

    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (has_key(keys, str_of(devices[i])))
            return str_of(devices[i]);
    return (struct str){0};
}

/* The meaning of a key for people, by how its name begins. */
static const struct {
    struct str begin;
    const char *words;
} key_words[] = {
    {STR_INIT("Autocast"), "autocast"},
    {STR_INIT("FuncTorch"), "a function transform such as vmap or grad"},
    {STR_INIT("Sparse"), "a sparse layout"},
    {STR_INIT("Nested"), "a nested tensor"},
    {STR_INIT("Quantized"), "a quantized tensor"},
    {STR_INIT("Mkldnn"), "the oneDNN layout"},
    {STR_INIT("Python"), "a tensor subclass"},
    {STR_INIT("Conjugate"), "lazy conjugation"},
    {STR_INIT("Negative"), "lazy negation"},
    {STR_INIT("ZeroTensor"), "a tensor known to be zero"},
};

static const char *words_of_keys(const struct keys *keys)
{
    for (size_t k = 0; k < sizeof key_words / sizeof *key_words; k++)
        for (size_t i = 0; i < keys->n; i++)
            if (str_starts(keys->v[i], key_words[k].begin))
                return key_words[k].words;
    return NULL;
}

/*
 * A dispatch key set combines device, layout, autograd and modes in one mask; the keys that were added or removed show
 * what changed. A change of device changes several keys; the device's own key is the one to mention.
 */
static void say_keys(struct arena *a, struct guard_reason *out, bool parameter)
{
    struct keys before = parse_keys(out->expected), now = parse_keys(out->actual);
    struct keys gone = without(&before, &now), added = without(&now, &before);
    struct str name = words_name(a, out), from = device_key(&gone), to = device_key(&added);
    const char *of_added = words_of_keys(&added), *of_gone = words_of_keys(&gone);
    struct str inplace = STR("ADInplaceOrView");

    (void)parameter;
    if (from.n && to.n) {
        out->class = GUARD_DEVICE;
        out->expected = from;
        out->actual = to;
        out->words = arena_printf(a, "%.*s moved from %s to %s", STR_ARG(name), from.p, to.p);
        return;
    }
    from = join_keys(a, &gone);
    to = join_keys(a, &added);
    if (!of_gone && has_key(&gone, inplace))
        of_gone = "as under torch.inference_mode";
    if (!of_added && has_key(&added, inplace))
        of_added = "as outside of torch.inference_mode";
    if (added.n)
        out->words = arena_printf(a, "%.*s now has the dispatch keys %.*s%s%.*s%s%s%s", STR_ARG(name), STR_ARG(to),
                                  gone.n ? " instead of " : "", STR_ARG(from), of_added ? " (" : "",
                                  of_added ? of_added : "", of_added ? ")" : "");
    else if (gone.n)
        out->words = arena_printf(a, "%.*s no longer has the dispatch keys %.*s%s%s%s", STR_ARG(name), STR_ARG(from),
                                  of_gone ? " (" : "", of_gone ? of_gone : "", of_gone ? ")" : "");
    else
        out->words = arena_printf(a, "device, layout or autograd state of %.*s changed", STR_ARG(name));
}

/* --- the table of tensor mismatches ------------------------------------------------------------------------------- */

/*
 * One row per message. TensorCheck compares dispatch keys first and strides last, and reports the first difference, so
 * a tensor that changed in two ways shows only one.
 */
struct mismatch {
    struct str phrase;
    enum guard_class class;
    bool indexed; /* the phrase is followed by a dimension and ". expected " */
    void (*say)(struct arena *a, struct guard_reason *out, bool parameter);
};

static const struct mismatch mismatches[] = {
    {STR_INIT("' size mismatch at index "), GUARD_SIZE, true, say_size},
    {STR_INIT("' strides mismatch at index "), GUARD_SIZE, true, say_old_stride},
    {STR_INIT("' stride mismatch at index "), GUARD_STRIDE, true, say_stride},
    {STR_INIT("' rank mismatch. expected "), GUARD_NDIM, false, say_ndim},
    {STR_INIT("' dtype mismatch. expected "), GUARD_DTYPE, false, say_dtype},
    {STR_INIT("' Tensor device index mismatch. Expected device index to be "), GUARD_DEVICE, false, say_device},
    {STR_INIT("' requires_grad mismatch. expected requires_grad="), GUARD_REQUIRES_GRAD, false, say_requires_grad},
    {STR_INIT("' dispatch key set mismatch. expected "), GUARD_LAYOUT, false, say_keys},
};

/* `name` is everything before the phrase, with its quotes: names of module parameters contain quotes themselves. */
static void read_mismatch(struct arena *a, const struct mismatch *m, struct str name, struct str values,
                          struct guard_reason *out)
{
    ptrdiff_t remark = str_find(values, STR(". Guard failed on a parameter")), at; /* not in all versions */
    bool parameter = remark >= 0 || str_has(name, STR("._parameters["));
    uint64_t index;

    words_about(a, out, m->class, name);
    if (remark >= 0)
        values = str_take(values, (size_t)remark);
    if (m->indexed && str_take_u64(&values, &index) && index <= INT32_MAX) {
        out->index = (int64_t)index;
        str_consume(&values, STR(". expected "));
    }
    at = str_find(values, STR(", actual "));
    out->expected = str_trim(at < 0 ? values : str_take(values, (size_t)at));
    if (at >= 0)
        out->actual = str_trim(str_skip(values, (size_t)at + 9));
    m->say(a, out, parameter);
}

bool guard_tensor_read(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    (void)form;
    for (size_t i = 0; i < sizeof mismatches / sizeof *mismatches; i++) {
        ptrdiff_t at = str_find(text, mismatches[i].phrase);

        if (at < 0)
            continue;
        read_mismatch(a, &mismatches[i], str_take(text, (size_t)at),
                      str_skip(text, (size_t)at + mismatches[i].phrase.n), out);
        return true;
    }
    return false;
}

/* The message names the class of the object that was a tensor before. */
static void say_type(struct arena *a, struct guard_reason *out)
{
    struct str name = words_name(a, out), type = words_clip(a, out->actual);

    out->expected = STR("a tensor");
    if (str_eq(type, STR("NoneType"))) {
        out->class = GUARD_NONE;
        out->actual = STR("None");
        out->words = arena_printf(a, "%.*s was a tensor and is now None", STR_ARG(name));
    } else if (str_ends(type, STR("Tensor")) || str_ends(type, STR("Parameter"))) {
        out->expected = STR("");
        out->words = arena_printf(a, "%.*s is now a %.*s; it was another type of tensor", STR_ARG(name), STR_ARG(type));
    } else {
        out->words = arena_printf(a, "%.*s was a tensor and now has type %.*s", STR_ARG(name), STR_ARG(type));
    }
}

bool guard_tensor_type_read(struct arena *a, const struct guard_form *form, struct str text, struct guard_reason *out)
{
    ptrdiff_t at = str_find(text, STR("' to be a tensor type, "));
    struct str found;

    (void)form;
    if (at < 0)
        return false;
    words_say(a, out, GUARD_TYPE, str_take(text, (size_t)at), "", " was a tensor and now has another type");
    found = str_skip(text, (size_t)at);
    at = str_find(found, STR(" but found <class "));
    if (at >= 0) {
        out->actual = words_type(str_skip(found, (size_t)at + 11));
        say_type(a, out);
    }
    return true;
}
