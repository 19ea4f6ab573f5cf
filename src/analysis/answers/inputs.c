#include "analysis/answers/inputs.h"

#include "text/guards/guard_words.h"

/* --- symbols ------------------------------------------------------------------------------------------------------ */

bool input_parse_size(struct str text, struct str *source, int64_t *dim)
{
    ptrdiff_t at = str_find(text, STR(".size()["));
    struct str index;

    *source = str_take(text, at < 0 ? 0 : (size_t)at);
    return at > 0 && str_between(text, STR(".size()["), STR("]"), &index) && str_i64(index, dim);
}

/* "L['x'].size()[0]" for L['x'] and 0. */
static bool is_source_of(struct str symbol, struct str source, int64_t dim)
{
    int64_t n;

    if (!str_consume(&symbol, source))
        return false;
    if (dim == INPUT_NUMBER)
        return symbol.n == 0;
    return str_consume(&symbol, STR(".size()[")) && str_ends(symbol, STR("]")) && str_i64(str_drop(symbol, 1), &n) &&
           n == dim;
}

/* Each attempt creates its own symbols: the last one counts. */
static const struct symbol *symbol_of(const struct compile *c, struct str source, int64_t dim)
{
    for (size_t i = c->symbols.n; i > 0; i--)
        if (!c->symbols.v[i - 1].unbacked && is_source_of(c->symbols.v[i - 1].source, source, dim))
            return &c->symbols.v[i - 1];
    return NULL;
}

/* "s1" as a word of "Eq(s30 + s70 + 11, s1)" */
static bool has_symbol(struct str expression, struct str name)
{
    ptrdiff_t at;

    for (size_t begin = 0; name.n && (at = str_find(str_skip(expression, begin), name)) >= 0; begin += name.n) {
        begin += (size_t)at;
        if ((begin == 0 || !str_is_word_char(expression.p[begin - 1])) &&
            (begin + name.n == expression.n || !str_is_word_char(expression.p[begin + name.n])))
            return true;
    }
    return false;
}

/* A number of the call, as opposed to a size, a stride or what a tensor holds. */
static bool is_number(const struct symbol *s)
{
    return !s->unbacked && str_starts(s->name, STR("s")) && s->source.n && str_chr(s->source, '(') < 0;
}

bool input_is_tied_to_number(const struct compile *c, struct str source, int64_t dim, struct str *number)
{
    const struct symbol *size = dim == INPUT_NUMBER ? NULL : symbol_of(c, source, dim);

    vec_each(const struct shape_guard, g, &c->shape_guards)
    {
        if (!size || !str_starts(g->expr, STR("Eq(")) || !has_symbol(g->expr, size->name))
            continue;
        vec_each(const struct symbol, s, &c->symbols) if (is_number(s) && has_symbol(g->expr, s->name))
        {
            if (number)
                *number = s->source;
            return true;
        }
    }
    return false;
}

/* --- tensors ------------------------------------------------------------------------------------------------------ */

const struct tensor *input_tensor(const struct compile *c, struct str source)
{
    for (size_t i = c->tensors.n; i > 0; i--)
        if (str_eq(c->tensors.v[i - 1].source, source))
            return &c->tensors.v[i - 1];
    return NULL;
}

/* Takes the first size off "2, 12"; false if there is none. */
static bool take_size(struct str *sizes, struct str *size)
{
    if (str_trim(*sizes).n == 0)
        return false;
    *size = str_trim(str_split(sizes, ','));
    return true;
}

/* "2, 12" of "[2, 12]" */
static struct str sizes_of(const struct tensor *t)
{
    struct str s = t->shape;

    str_consume(&s, STR("["));
    return str_ends(s, STR("]")) ? str_drop(s, 1) : s;
}

static struct str size_of(const struct tensor *t, int64_t dim)
{
    struct str sizes = sizes_of(t), size = {0};

    while (take_size(&sizes, &size))
        if (dim-- == 0)
            return size;
    return (struct str){0};
}

enum { DIMS_MAX = 64 };

/* The numbers of "2, 3, 4"; false if one is not a number, such as a symbol, or if there are too many. */
static bool read_numbers(struct str list, int64_t *out, size_t *n)
{
    struct str item;

    for (*n = 0; take_size(&list, &item); ++*n)
        if (*n == DIMS_MAX || !str_i64(item, &out[*n]))
            return false;
    return *n > 0;
}

/* "[2, 3, 4]" and "[12, 4, 1]"; a dimension of size 1 may have any stride, and an empty tensor any strides. */
enum input_layout input_layout(const struct tensor *t)
{
    int64_t size[DIMS_MAX], stride[DIMS_MAX], expected = 1;
    struct str strides = t->stride;
    size_t n, k;
    bool fits = true;

    str_consume(&strides, STR("["));
    strides = str_ends(strides, STR("]")) ? str_drop(strides, 1) : strides;
    if (!read_numbers(sizes_of(t), size, &n) || !read_numbers(strides, stride, &k) || n != k)
        return LAYOUT_UNKNOWN;
    for (; n > 0; n--) {
        if (size[n - 1] == 0)
            return LAYOUT_CONTIGUOUS;
        if (size[n - 1] < 0 || expected > INT64_MAX / size[n - 1])
            return LAYOUT_UNKNOWN;
        fits = fits && (size[n - 1] == 1 || stride[n - 1] == expected);
        expected *= size[n - 1];
    }
    return fits ? LAYOUT_CONTIGUOUS : LAYOUT_OTHER;
}

struct str input_value(struct arena *a, const struct compile *c, struct str source, int64_t dim)
{
    const struct symbol *s = symbol_of(c, source, dim);
    const struct tensor *t;

    if (s)
        return arena_str(a, s->hint);
    if (dim == INPUT_NUMBER || !(t = input_tensor(c, source)))
        return (struct str){0};
    return size_of(t, dim);
}

/* --- states ------------------------------------------------------------------------------------------------------- */

/* Equal sizes share one symbol under dynamic=True, and its source is only the first of them. */
static const struct symbol *shared_symbol(const struct compile *c, struct str size)
{
    for (size_t i = c->symbols.n; i > 0; i--) {
        const struct symbol *s = &c->symbols.v[i - 1];

        if (!s->unbacked && s->specialized_to.n == 0 && str_eq(s->hint, size) && str_has(s->source, STR(".size()[")))
            return s;
    }
    return NULL;
}

/* 2.5 and earlier record which symbols became constants, but not that they existed. */
static const struct specialization *specialization_of(const struct compile *c, struct str source, int64_t dim)
{
    for (size_t i = c->symbols.n == 0 ? c->specializations.n : 0; i > 0; i--)
        if (is_source_of(c->specializations.v[i - 1].source, source, dim))
            return &c->specializations.v[i - 1];
    return NULL;
}

enum input_state input_state_of(const struct compile *c, struct str source, int64_t dim, const struct call **at)
{
    const struct symbol *s = symbol_of(c, source, dim);
    const struct specialization *only = specialization_of(c, source, dim);
    const struct tensor *t = dim == INPUT_NUMBER ? NULL : input_tensor(c, source);
    struct str size = t ? size_of(t, dim) : (struct str){0};

    *at = only ? only->user_stack : NULL;
    if (only)
        return INPUT_SPECIALIZED;
    if (!s && size.n && !words_is_specialized(size))
        s = shared_symbol(c, size);
    if (!s)
        return t || c->tensors.n ? INPUT_STATIC : INPUT_UNKNOWN;
    if (s->specialized_to.n == 0)
        return INPUT_DYNAMIC;
    *at = s->specialized_at;
    return INPUT_SPECIALIZED;
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* A parameter keeps its size as long as the module exists; a buffer may be replaced by another. */
static bool is_parameter_of_module(const struct tensor *t)
{
    return str_has(t->source, STR("._parameters["));
}

static bool is_of_module(const struct tensor *t)
{
    return is_parameter_of_module(t) || str_has(t->source, STR("._modules[")) || str_has(t->source, STR("._buffers["));
}

/* Passed to the function, possibly in a dict by the index of its key, and not part of a module in it. */
static bool is_passed(const struct tensor *t)
{
    bool passed = str_starts(t->source, STR("L['")) || str_starts(t->source, STR("dict.__getitem__(L['"));

    return passed && !t->is_parameter && !str_has(t->source, STR("._base")) && !is_of_module(t);
}

static bool is_listed(const struct input_changes *list, struct str source)
{
    vec_each(const struct input_change, x, &list->list) if (str_eq(x->source, source)) return true;
    return false;
}

static void compare_sizes(struct arena *a, const struct tensor *earlier, const struct tensor *later,
                          struct input_changes *out)
{
    struct str before = sizes_of(earlier), now = sizes_of(later), from, to;

    for (int64_t dim = 0; take_size(&before, &from) && take_size(&now, &to); dim++)
        if (!str_eq(from, to))
            vec_push(a, &out->list, ((struct input_change){later->source, dim, from, to}));
}

void input_size_changes(struct arena *a, const struct compile *earlier, const struct compile *later,
                        struct input_changes *out)
{
    enum { TENSORS_MAX = 2000 }; /* compared with each other */

    for (size_t i = 0; i < later->tensors.n && i < TENSORS_MAX; i++) {
        const struct tensor *t = &later->tensors.v[i], *before;

        if (is_passed(t) && !is_listed(out, t->source) && (before = input_tensor(earlier, t->source)) != NULL)
            compare_sizes(a, before, input_tensor(later, t->source), out);
    }
}

void input_dtype_changes(struct arena *a, const struct compile *earlier, const struct compile *later,
                         struct input_changes *out)
{
    enum { TENSORS_MAX = 200 }; /* compared with each other; a model in another dtype shows that in its first tensors */

    for (size_t i = 0; i < later->tensors.n && i < TENSORS_MAX; i++) {
        const struct tensor *t = &later->tensors.v[i], *before, *now;

        if (t->source.n == 0 || is_listed(out, t->source) || !(before = input_tensor(earlier, t->source)))
            continue;
        now = input_tensor(later, t->source);
        if (!str_eq(before->dtype, now->dtype))
            vec_push(a, &out->list, ((struct input_change){t->source, INPUT_DTYPE, before->dtype, now->dtype}));
    }
}

bool input_module_change(struct arena *a, const struct compile *earlier, const struct compile *later,
                         struct input_change *out)
{
    enum { TENSORS_MAX = 200 }; /* most modules differ in their first tensor */
    struct input_changes found = {0};

    for (size_t i = 0; i < later->tensors.n && i < TENSORS_MAX && found.list.n == 0; i++) {
        const struct tensor *t = &later->tensors.v[i], *before;

        if (is_parameter_of_module(t) && (before = input_tensor(earlier, t->source)) != NULL)
            compare_sizes(a, before, input_tensor(later, t->source), &found);
    }
    if (found.list.n)
        *out = found.list.v[0];
    return found.list.n > 0;
}

void input_dynamic_sizes(struct arena *a, const struct compile *c, struct input_changes *out)
{
    vec_each(const struct tensor, t, &c->tensors)
    {
        struct str sizes = sizes_of(t), size;

        if (!is_passed(t) || is_listed(out, t->source) || input_tensor(c, t->source) != t)
            continue;
        for (int64_t dim = 0; take_size(&sizes, &size); dim++) {
            const struct symbol *s = symbol_of(c, t->source, dim);

            if (s && s->specialized_to.n == 0)
                vec_push(a, &out->list, ((struct input_change){t->source, dim, size, size}));
        }
    }
}

void inputs_to_mark_too(struct arena *a, const struct compile *c, struct str source, int64_t dim,
                        struct input_changes *out)
{
    struct str wanted = input_value(a, c, source, dim), sizes, size;

    vec_each(const struct tensor, t, &c->tensors)
    {
        int64_t at = 0;

        if (!is_passed(t) || str_eq(t->source, source) || is_listed(out, t->source) || wanted.n == 0)
            continue;
        for (sizes = sizes_of(t); take_size(&sizes, &size); at++)
            if (str_eq(size, wanted) && !symbol_of(c, t->source, at))
                vec_push(a, &out->list, ((struct input_change){t->source, at, size, {0}}));
    }
}
