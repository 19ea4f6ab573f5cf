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

/* Code that a file executes: launchers, dataclasses. What `python -c` runs is the user's. */
static bool is_executed(const struct call *c)
{
    while (c && str_eq(c->file, STR("<string>")))
        c = c->parent;
    return c != NULL;
}

static bool is_own(const struct call *c)
{
    return !is_framework_file(c->file) && !(str_eq(c->file, STR("<string>")) && is_executed(c));
}

/* Whether code follows the head of a function in its line, from the bracket of its arguments: "(x): return x + 1". */
static bool has_body(struct str head)
{
    int depth = 0;

    for (size_t i = 0; i < head.n; i++) {
        depth += strchr("([{", head.p[i]) != NULL;
        depth -= strchr(")]}", head.p[i]) != NULL;
        if (head.p[i] == ':' && depth == 0) {
            struct str body = str_trim(str_skip(head, i + 1));

            return body.n && body.p[0] != '#';
        }
    }
    return false;
}

/* "def sell(x):" in sell: where compiled code runs, the line of the call is above. */
static bool is_definition(const struct call *c)
{
    struct str source = str_trim(c->source);

    str_consume(&source, STR("async "));
    return c->parent && str_consume(&source, STR("def ")) && str_consume(&source, c->function) &&
           str_starts(source, STR("(")) && !has_body(source);
}

/* The outermost file that is not a framework's, if the stack begins where a program begins. */
static struct str script_of(const struct call *innermost)
{
    struct str script = {0};

    for (; innermost; innermost = innermost->parent)
        if (str_eq(innermost->function, STR("<module>")) && is_program_file(innermost->file))
            script = innermost->file;
    return script;
}

static const struct call *first_own(const struct call *innermost, bool libraries)
{
    const struct call *definition = NULL;
    struct str script = libraries ? (struct str){0} : script_of(innermost);

    for (const struct call *c = innermost; c; c = c->parent) {
        if (!is_own(c) || (!libraries && (is_library_file(c->file) || is_other_checkout(c->file, script))))
            continue;
        if (!is_definition(c) && !code_file_has(c->file, STR("vllm/compilation/"))) /* which calls what is compiled */
            return c;
        definition = definition ? definition : c;
    }
    return definition;
}

bool stack_calls(const struct call *innermost, struct str names)
{
    struct str name;

    while (str_next_line(&names, &name))
        for (const struct call *c = innermost; c; c = c->parent)
            if (str_chr(name, '/') < 0 ? str_eq(c->function, name) : code_file_has(c->file, name))
                return true;
    return false;
}

/* Who replaces something with mock.patch, which fails within: not what calls the compiled function. */
static const struct call *patcher(const struct call *innermost)
{
    static const struct str mock = STR_INIT("unittest/mock.py");
    const struct call *c = innermost;

    while (c && code_file_has(c->file, mock))
        c = c->parent;
    return c != innermost && c && is_own(c) ? c : NULL;
}

const struct call *stack_own_call(const struct call *innermost)
{
    const struct call *replaces = patcher(innermost);

    return replaces ? replaces : first_own(innermost, true);
}

const struct call *stack_program_call(const struct call *innermost)
{
    return first_own(innermost, false);
}

/* Framework frames may be innermost (a module's forward inside nn/modules), in between, and outermost. */
const struct call *stack_user_call(const struct call *innermost)
{
    const struct call *own = stack_own_call(innermost);

    return own ? own : innermost;
}
