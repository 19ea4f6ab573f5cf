#include "model/stack.h"

struct call_key {
    const struct call *parent;
    const char *file, *function, *source; /* interned, so pointers identify them */
    int64_t line;
};

void stack_tree_init(struct stack_tree *t, struct arena *a)
{
    *t = (struct stack_tree){0};
    map_init(&t->calls, a);
    map_init(&t->strings, a);
}

const struct call *stack_push(struct stack_tree *t, const struct call *parent, struct str file, int64_t line,
                              struct str function, struct str source)
{
    struct call_key key;
    void **slot;
    struct call *c;

    file = intern(&t->strings, file);
    function = intern(&t->strings, function);
    source = intern(&t->strings, source);
    key = (struct call_key){parent, file.p, function.p, source.p, line};
    slot = map_at_copy(&t->calls, MAP_KEY(key));
    if (*slot)
        return *slot;
    c = ARENA_NEW(t->calls.arena, struct call);
    *c = (struct call){.parent = parent,
                       .file = file,
                       .function = function,
                       .source = source,
                       .line = line,
                       .depth = parent ? parent->depth + 1 : 1,
                       .index = (uint32_t)t->all.n};
    vec_push(t->calls.arena, &t->all, c);
    *slot = c;
    return c;
}

const struct call **stack_list(struct arena *a, const struct call *innermost)
{
    uint32_t n = innermost ? innermost->depth : 0;
    const struct call **list = ARENA_ARRAY(a, const struct call *, n ? n : 1);

    for (; innermost; innermost = innermost->parent)
        list[--n] = innermost;
    return list;
}

/* The path behind the last site-packages or (Debian's) dist-packages directory; empty when there is none. */
static struct str package_path(struct str file)
{
    static const struct str dirs[] = {STR_INIT("/site-packages/"), STR_INIT("/dist-packages/")};
    struct str package = {0};

    for (size_t i = 0; i < 2; i++)
        for (ptrdiff_t at; (at = str_find(file, dirs[i])) >= 0;)
            file = package = str_skip(file, (size_t)at + dirs[i].n);
    return package;
}

bool is_package_file(struct str file)
{
    return package_path(file).n > 0;
}

static bool is_torch_path(struct str s)
{
    return str_starts(s, STR("torch/")) || str_starts(s, STR("torchgen/")) || str_starts(s, STR("functorch/")) ||
           str_starts(s, STR("triton/"));
}

/* "…/lib/python3.11/contextlib.py", or lib64; not of a package. */
static bool is_standard_library(struct str file)
{
    static const struct str dirs[] = {STR_INIT("/lib/python3"), STR_INIT("/lib64/python3")};

    for (size_t i = 0; i < 2; i++) {
        ptrdiff_t at = str_find(file, dirs[i]);

        if (at >= 0 && str_chr(str_skip(file, (size_t)at + dirs[i].n), '/') >= 0)
            return true;
    }
    return false;
}

bool is_framework_file(struct str file)
{
    struct str package = package_path(file);

    if (file.n == 0 || file.p[0] == '<' || is_torch_path(file) || str_has(file, STR("/torchinductor_")))
        return true;
    if (package.n)
        return is_torch_path(package);
    if (is_standard_library(file))
        return true;
    /* A checkout of PyTorch itself: only its package directory, not the tests beside it. */
    return str_has(file, STR("/pytorch/torch/")) || str_has(file, STR("/torch/_dynamo/")) ||
           str_has(file, STR("/torch/_inductor/")) || str_has(file, STR("/torch/nn/modules/"));
}

/* Framework frames may be innermost (a module's forward inside nn/modules), between and outermost. */
const struct call *stack_user_call(const struct call *innermost)
{
    for (const struct call *c = innermost; c; c = c->parent)
        if (!is_framework_file(c->file))
            return c;
    return innermost;
}
