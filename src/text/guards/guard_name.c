#include "text/guards/guard_name.h"

#include "input/limits.h"
#include "util/utf8.h"

/* The text being written. The result is never longer than the source. */
struct guard_name_writer {
    char *p;
    size_t n;
};

static void put(struct guard_name_writer *w, struct str s)
{
    if (s.n)
        memcpy(w->p + w->n, s.p, s.n);
    w->n += s.n;
}

/* Takes "['KEY']" (or with double quotes) off the text. A key that contains a quote or a backslash is not taken. */
static bool take_key(struct str *text, struct str *key)
{
    struct str s = *text;
    ptrdiff_t end;
    char quote;

    if (!str_consume(&s, STR("[")) || s.n == 0 || (s.p[0] != '\'' && s.p[0] != '"'))
        return false;
    quote = s.p[0];
    s = str_skip(s, 1);
    end = str_chr(str_take(s, LIMIT_NAME), ']');
    if (end < 1 || s.p[end - 1] != quote)
        return false;
    *key = str_take(s, (size_t)end - 1);
    if (str_chr(*key, quote) >= 0 || str_chr(*key, '\\') >= 0)
        return false;
    *text = str_skip(s, (size_t)end + 1);
    return true;
}

static bool all_digits(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 0;
}

/* Dynamo names the module torch.nn that a traced function uses "__import_torch_dot_nn". */
static void put_global(struct guard_name_writer *w, struct str name)
{
    ptrdiff_t at;

    if (!str_consume(&name, STR("__import_"))) {
        put(w, name);
        return;
    }
    while ((at = str_find(name, STR("_dot_"))) >= 0) {
        put(w, str_take(name, (size_t)at));
        put(w, STR("."));
        name = str_skip(name, (size_t)at + 5);
    }
    put(w, name);
}

/* L['x'] and G['x'] at the start of an expression; a builtin is a key of a global with a generated name. */
static bool take_scope(struct str *text, struct guard_name_writer *w)
{
    struct str s = *text, key, builtin;

    if ((!str_consume(&s, STR("L")) && !str_consume(&s, STR("G"))) || !take_key(&s, &key))
        return false;
    if (str_starts(key, STR("__builtins_dict__")) && take_key(&s, &builtin))
        key = builtin;
    put_global(w, key);
    *text = s;
    return true;
}

/* The dicts in which a module finds `module.name`, and the __dict__ of any object. */
static const struct str attribute_dicts[] = {
    STR_INIT("._modules"), STR_INIT("._parameters"), STR_INIT("._buffers"),
    STR_INIT(".__dict__"), STR_INIT(".__dict__)"),
};

static bool take_attribute(struct str *text, struct guard_name_writer *w)
{
    for (size_t i = 0; i < sizeof attribute_dicts / sizeof *attribute_dicts; i++) {
        struct str s = *text, key;

        if (!str_consume(&s, attribute_dicts[i]) || !take_key(&s, &key))
            continue;
        put(w, all_digits(key) ? STR("[") : STR("."));
        put(w, key);
        put(w, all_digits(key) ? STR("]") : STR(""));
        *text = s;
        return true;
    }
    return false;
}

/* Functions around a whole source that only convert it. */
static struct str unwrap(struct str s)
{
    static const struct str wrappers[] = {STR_INIT("___from_numpy("), STR_INIT("___as_tensor(")};
    struct str inner = s;

    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (str_consume(&inner, wrappers[i]) && str_ends(inner, STR(")")))
            return str_drop(inner, 1);
    /* dict(type(k).__dict__)['v']: the closing bracket is dropped, too */
    if (str_has(s, STR(".__dict__)['")))
        str_consume(&s, STR("dict("));
    return s;
}

/*
 * "list(X.values())[0]" for "dict.__getitem__(X, list(dict.keys(X))[0])": Dynamo's notation for a value in a dict
 * subclass, such as the outputs of models.
 */
static struct str values_by_position(struct arena *a, struct str s)
{
    static const struct str begin = STR_INIT("dict.__getitem__("), keys = STR_INIT(", list(dict.keys(");
    struct str dict, rest = s, number;
    ptrdiff_t at;

    if (!str_consume(&rest, begin) || (at = str_find(rest, keys)) < 1)
        return s;
    dict = str_take(rest, (size_t)at);
    rest = str_skip(rest, (size_t)at + keys.n);
    if (!str_consume(&rest, dict) || !str_consume(&rest, STR("))[")) || (at = str_find(rest, STR("])"))) < 1 ||
        !all_digits(number = str_take(rest, (size_t)at)))
        return s;
    return arena_printf(a, "list(%.*s.values())[%.*s]%.*s", STR_ARG(dict), STR_ARG(number),
                        STR_ARG(str_skip(rest, (size_t)at + 2)));
}

/* A source may be in the middle of a longer expression; L and G only count at the beginning of a name. */
struct str guard_name(struct arena *a, struct str source)
{
    struct str s = values_by_position(a, unwrap(str_trim(source)));
    struct guard_name_writer w = {arena_alloc(a, s.n + 1), 0};
    bool in_name = false;

    while (s.n) {
        bool taken = (!in_name && take_scope(&s, &w)) || take_attribute(&s, &w);

        in_name = taken || str_is_name_char(s.p[0]);
        if (taken)
            continue;
        put(&w, str_take(s, 1));
        s = str_skip(s, 1);
    }
    return (struct str){w.p, w.n};
}

/* "self.till", and N of "self.till._forward_hooks[list(dict.keys(self.till._forward_hooks))[N]].__closure__". */
static bool take_hook(struct str name, struct str hooks, struct str *module, uint64_t *number)
{
    ptrdiff_t at = str_find(name, hooks), end;
    struct str rest = str_skip(name, at < 0 ? name.n : (size_t)at + hooks.n);

    *module = str_take(name, at < 0 ? 0 : (size_t)at);
    if (str_consume(&rest, STR("[list(dict.keys(")) && (end = str_find(rest, STR("))["))) >= 0)
        rest = str_skip(rest, (size_t)end + 3);
    else if (!str_consume(&rest, STR("[")))
        return false;
    return module->n && str_take_u64(&rest, number) && str_starts(rest, STR("]"));
}

struct str guard_subject(struct arena *a, struct str source)
{
    enum { SHOWN_MAX = 100 };
    static const struct {
        struct str hooks;
        const char *words;
    } kinds[] = {
        {STR_INIT("._forward_pre_hooks"), "forward pre-hook"},
        {STR_INIT("._forward_hooks"), "forward hook"},
        {STR_INIT("._backward_pre_hooks"), "backward pre-hook"},
        {STR_INIT("._backward_hooks"), "backward hook"},
    };
    struct str name = guard_name(a, source), module, cut;
    uint64_t number;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (take_hook(name, kinds[i].hooks, &module, &number))
            return arena_printf(a, "%s %llu of `%.*s`", kinds[i].words, (unsigned long long)number, STR_ARG(module));
    cut = utf8_cut(name, SHOWN_MAX);
    return arena_printf(a, "`%.*s`%s", STR_ARG(cut), cut.n < name.n ? " \xe2\x80\xa6" : "");
}
