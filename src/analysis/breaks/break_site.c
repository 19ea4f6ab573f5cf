#include "analysis/breaks/break_site.h"

#include "text/python/python_code.h"

/* --- names of modules --------------------------------------------------------------------------------------------- */

struct str break_module_of(struct arena *a, struct str file)
{
    char buffer[CODE_MODULE_MAX];
    struct str module = code_file_module(file, buffer);

    return module.n ? arena_str(a, module) : (struct str){0};
}

/* Frames between a line and the function it calls that no code calls directly. */
static bool is_machinery(struct str module)
{
    static const struct str modules[] = {STR_INIT("torch.nn.modules.module"), STR_INIT("torch._dynamo"),
                                         STR_INIT("torch._compile"), STR_INIT("torch.utils._contextlib"),
                                         STR_INIT("contextlib")};

    if (module.n == 0)
        return true;
    return STR_STARTS_ANY(module, modules);
}

/* Modules that implement others in Python's library: programs do not import "_io" and "posix". */
static struct str public_module(struct str module)
{
    if (str_eq(module, STR("posix")) || str_eq(module, STR("nt")))
        return STR("os");
    if (str_eq(module, STR("genericpath")) || str_eq(module, STR("posixpath")) || str_eq(module, STR("ntpath")))
        return STR("os.path");
    for (ptrdiff_t dot; (dot = str_rchr(module, '.')) >= 0 && str_starts(str_skip(module, (size_t)dot), STR("._"));)
        module = str_take(module, (size_t)dot); /* "torch.distributed.tensor._api" */
    return module.n > 1 && module.p[0] == '_' && module.p[1] != '_' ? str_skip(module, 1) : module;
}

struct str break_name_text(struct arena *a, struct break_name name)
{
    static const struct str constructors[] = {STR_INIT(".__init__"), STR_INIT(".__new__"), STR_INIT(".__enter__")};
    struct str module = public_module(name.module), method;

    for (size_t i = 0; i < sizeof constructors / sizeof *constructors; i++)
        if (str_ends(name.function, constructors[i]))
            name.function = str_drop(name.function, constructors[i].n);
    method = name.function;
    if (str_eq(module, STR("torch.optim.optimizer")) && str_eq(method, STR("wrapper")))
        return STR("Optimizer.step");
    if ((module.n == 0 || str_eq(module, STR("random"))) && str_consume(&method, STR("Random.")))
        return arena_printf(a, "random.%.*s", STR_ARG(method)); /* `random.random` is a method of a hidden object */
    if (module.n == 0 || str_eq(module, STR("builtins")) || is_machinery(module) || str_chr(name.function, '.') >= 0)
        return name.function;
    if (name.function.n == 0)
        return module;
    return arena_printf(a, "%.*s.%.*s", STR_ARG(module), STR_ARG(name.function));
}

static bool is_word(char c)
{
    return str_is_word_char(c) || c == '.';
}

/* Decorators give functions uninformative names. */
static bool is_of_a_decorator(struct str function)
{
    static const struct str names[] = {STR_INIT("wrapper"), STR_INIT("inner"),    STR_INIT("wrapped"),
                                       STR_INIT("_fn"),     STR_INIT("_wrapper"), STR_INIT("decorate_context")};

    return STR_IS_ANY(function, names);
}

/* "dist.barrier" for a line with one call: `y = dist.barrier()`. Empty if there are several, or none. */
static struct str only_call(struct str source)
{
    ptrdiff_t open = str_chr(source, '(');
    size_t n = open < 0 ? 0 : (size_t)open, start = n;

    while (start > 0 && is_word(source.p[start - 1]))
        start--;
    if (n == start || str_chr(str_skip(source, n + 1), '(') >= 0)
        return (struct str){0};
    return str_range(source.p + start, source.p + n);
}

struct str break_site_name(struct arena *a, const struct break_site *site)
{
    struct str module = site->called.module, package = str_split(&module, '.'), written;

    if (site->own && is_of_a_decorator(site->called.function) && only_call(site->own->source).n)
        return only_call(site->own->source);
    if (module.n == 0 || !site->own)
        return break_name_text(a, site->called);
    written = arena_printf(a, "%.*s.%.*s", STR_ARG(package), STR_ARG(site->called.function));
    return str_has(site->own->source, written) ? written : break_name_text(a, site->called);
}

/* --- names in messages -------------------------------------------------------------------------------------------- */

/* The letters, digits, "_" and "." at the start of the text. */
static struct str word_at_start(struct str text)
{
    size_t n = 0;

    while (n < text.n && is_word(text.p[n]))
        n++;
    return str_take(text, n);
}

static struct break_name split_last(struct str path)
{
    ptrdiff_t dot = str_rchr(path, '.');

    if (dot < 0)
        return (struct break_name){.function = path};
    return (struct break_name){str_take(path, (size_t)dot), str_skip(path, (size_t)dot + 1)};
}

/* The word after a mark; false if the mark is missing or no word follows. */
static bool word_after(struct str text, struct str mark, struct str *word)
{
    ptrdiff_t at = str_find(text, mark);

    if (at < 0)
        return false;
    text = str_skip(text, (size_t)at + mark.n);
    *word = word_at_start(text);
    return word->n > 0;
}

/* "UserDefinedClassVariable(<class '_io.BytesIO'>)", "UserDefinedObjectVariable(lock)" with more around them. */
static bool class_of(struct str text, struct break_name *out)
{
    struct str path;

    if (str_has(text, STR("Got: <class '"))) /* of an argument, not of what is called */
        return false;
    if (str_between(text, STR("<class '"), STR("'>"), &path)) {
        *out = split_last(path);
        return true;
    }
    if (!word_after(text, STR("UserDefinedObjectVariable("), &path) &&
        !word_after(text, STR("GenericContextWrappingVariable("), &path))
        return false;
    *out = (struct break_name){.function = path};
    return true;
}

/* "call_method UserDefinedObjectVariable(TextIOWrapper) write [...] {}": the object, then the name. */
static bool method_of(struct arena *a, struct str text, struct break_name *out)
{
    struct str object = text, name;
    size_t depth = 0, n = 0;

    if (!str_consume(&text, STR("call_method ")))
        return false;
    for (; n < text.n && (depth > 0 || text.p[n] != ' '); n++)
        depth += text.p[n] == '(' ? 1 : text.p[n] == ')' && depth > 0 ? (size_t)-1 : 0;
    object = str_take(text, n);
    text = str_skip(text, n + 1);
    name = word_at_start(text);
    if (str_starts(object, STR("NumpyNdarrayVariable(")))
        *out = (struct break_name){STR("numpy"), STR("ndarray")};
    else if (str_starts(object, STR("OptimizerVariable(")))
        *out = (struct break_name){STR("torch.optim"), STR("Optimizer")};
    else if (!class_of(object, out))
        return false;
    if (name.n)
        out->function = arena_printf(a, "%.*s.%.*s", STR_ARG(out->function), STR_ARG(name));
    return true;
}

/* "module: zlib, qualname: crc32, skip reason: …", "qualname: f, name: f, filename: `F`, skip reason: …" */
static bool skipped_of(struct arena *a, struct str text, struct break_name *out)
{
    struct str file;

    if (!str_between(text, STR("qualname: "), STR(", "), &out->function))
        return false;
    str_consume(&out->function, STR("PyCapsule.")); /* by which pybind calls the functions of a module */
    if (str_between(text, STR("filename: `"), STR("`"), &file))
        out->module = break_module_of(a, file);
    else if (str_between(text, STR("module: "), STR(", qualname: "), &out->module) && str_starts(out->module, STR("<")))
        out->module = (struct str){0};
    return true;
}

/*
 * "'skip function shuffle in file F'", "Graph break due to unsupported [Python ]builtin zlib.crc32. This …" and
 * "'inline in skipfiles: Thread.start | start F, …" of 2.6 and earlier.
 */
static bool old_skipped_of(struct arena *a, struct str text, struct break_name *out)
{
    static const struct str excluding[] = {STR_INIT("_dynamo"), STR_INIT("torch/_compile.py"),
                                           STR_INIT("torch\\_compile.py")};
    struct str file, path, wrapper;

    if (str_between(text, STR("skip function "), STR(" in file "), &out->function) &&
        str_between(text, STR(" in file "), STR("'"), &file)) {
        out->module = break_module_of(a, file);
        return true;
    }
    if (str_between(text, STR("inline in skipfiles: "), STR(" | "), &out->function)) { /* explain() ends there */
        file = str_skip(text, (size_t)str_find(text, STR(" | ")) + 3);
        out->function = str_trim(out->function);
        wrapper = str_split(&file, ' ');
        /* functools.wraps keeps the name of what is in it; PyTorch's ways to exclude it are not the reader's code */
        if (wrapper.n && !str_ends(out->function, wrapper) && !STR_HAS_ANY(file, excluding))
            out->function = arena_printf(a, "%.*s around %.*s", STR_ARG(wrapper), STR_ARG(out->function));
        out->module = break_module_of(a, str_split(&file, ','));
        return true;
    }
    if (!str_starts(text, STR("Graph break due to unsupported ")) || !word_after(text, STR("builtin "), &path))
        return false;
    path = str_ends(path, STR(".")) ? str_drop(path, 1) : path;
    if (str_consume(&path, STR("None."))) /* not in a module: the method of a class */
        *out = (struct break_name){.function = path};
    else
        *out = split_last(path);
    return true;
}

/* "<function f.<locals>.helper at 0x7f…>", "<built-in function mod>", "<cyfunction default_rng at 0x7f…>" */
static bool function_of(struct str text, struct break_name *out)
{
    static const struct str marks[] = {STR_INIT("<function "), STR_INIT("<built-in function "),
                                       STR_INIT("<cyfunction "), STR_INIT("<bound method ")};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        ptrdiff_t at = str_find(text, marks[i]), locals;
        struct str name;

        if (at < 0)
            continue;
        name = str_skip(text, (size_t)at + marks[i].n);
        while ((locals = str_find(name, STR("<locals>."))) >= 0)
            name = str_skip(name, (size_t)locals + sizeof "<locals>." - 1);
        *out = (struct break_name){.function = word_at_start(name)};
        if (str_has(text, STR("numpy function: ")))
            out->module = STR("numpy");
        return out->function.n > 0;
    }
    return false;
}

/* "<Logger shop (WARNING)>.warning, args: …" */
static bool logger_of(struct arena *a, struct str text, struct break_name *out)
{
    struct str method;

    if (!str_between(text, STR(")>."), STR(","), &method) || !str_starts(text, STR("method: <")))
        return false;
    *out = (struct break_name){STR("logging"), arena_printf(a, "Logger.%.*s", STR_ARG(method))};
    return true;
}

/* "Unsupported context manager <shop.Timer object at 0x7f…>'s __enter__ function", of 2.6 and earlier */
static bool manager_of(struct str text, struct break_name *out)
{
    struct str class;

    if (!str_between(text, STR("context manager <"), STR(" object at "), &class))
        return false;
    *out = (struct break_name){.function = str_skip(class, (size_t)(str_rchr(class, '.') + 1))};
    return out->function.n > 0;
}

/* What was called, according to the message. */
static struct break_name called_in(struct arena *a, struct str text)
{
    struct break_name out = {0};

    if (skipped_of(a, text, &out) || old_skipped_of(a, text, &out) || logger_of(a, text, &out) ||
        method_of(a, text, &out) || function_of(text, &out) || manager_of(text, &out))
        return out;
    if (str_consume(&text, STR("builtin ")) || str_consume(&text, STR("builtin: ")) ||
        str_consume(&text, STR("call_function BuiltinVariable(")) || str_eq(text, STR("print")))
        return (struct break_name){STR("builtins"), word_at_start(text)};
    class_of(text, &out);
    return out;
}

struct str break_object(struct arena *a, struct str context)
{
    static const struct str begin = STR_INIT("functools.partial(<function ");
    struct str object = str_trim(str_first_line(context)), name = object;
    ptrdiff_t end, dot;

    if (!str_consume(&name, begin) || (end = str_find(name, STR(" at 0x"))) < 0)
        return object;
    object = str_skip(name, (size_t)end);
    name = str_take(name, (size_t)end);
    dot = str_rchr(name, '.');
    end = str_chr(object, '>');
    return end < 0 ? str_first_line(context)
                   : arena_printf(a, "functools.partial(%.*s%.*s", STR_ARG(str_skip(name, (size_t)(dot + 1))),
                                  STR_ARG(str_skip(object, (size_t)end + 1)));
}

/* --- the site ----------------------------------------------------------------------------------------------------- */

/* The number only says that something cannot be traced; its name says more. */
static bool goes_by_name(enum break_kind kind)
{
    switch (kind) {
    case BREAK_UNNAMED:
    case BREAK_CALL:
    case BREAK_BUILTIN:
    case BREAK_SKIPPED:
    case BREAK_NUMPY:
    case BREAK_TORCH_VALUE:
    case BREAK_CONTEXT:
    case BREAK_HINTED:
        return true;
    default:
        return false;
    }
}

/* A decorator's wrapper, which passes all its arguments to the original function. */
static bool hands_on(const struct call *c, const struct call *innermost)
{
    return c != innermost && str_has(c->source, STR("(")) && str_has(c->source, STR("*args, **kwargs)"));
}

/* A cached property, computed at first use: the line has its name, the frame only Python's internal call. */
static bool is_cached_property(struct str module, struct str function)
{
    return str_eq(module, STR("functools")) && str_eq(function, STR("__get__"));
}

/* The outermost frame below the line `end` is called by it; the outermost with a row determines the kind. */
static void look_at_stack(struct arena *a, const struct call *innermost, const struct call *end, struct break_site *out)
{
    for (const struct call *c = innermost; c && c != end; c = c->parent) {
        struct str module = break_module_of(a, c->file);
        enum break_kind kind;

        if (is_machinery(module) || hands_on(c, innermost))
            continue;
        out->callee = (struct break_name){module, c->function};
        if (is_cached_property(module, c->function))
            out->callee.function = STR("cached_property");
        kind = break_kind_of_name(module, out->callee.function);
        if (kind == BREAK_UNNAMED)
            continue;
        out->kind = kind;
        out->called = out->callee;
    }
}

/* Without the prefix of messages in 2.6 and earlier. */
static struct str words_of(const struct break_words *w)
{
    struct str text = w->context.n && !str_eq(w->context, STR("none")) ? w->context : w->type;

    str_consume(&text, STR("Unsupported: "));
    str_consume(&text, STR("'"));
    return text;
}

/* "Norm.calls += 1", "type(self).calls = n", as opposed to "self.calls = n" and "x.calls = n". */
static bool sets_attribute_of_class(struct str source)
{
    static const struct str begins[] = {STR_INIT("cls."), STR_INIT("type("), STR_INIT("self.__class__.")};
    ptrdiff_t at = python_find(source, STR("="), PYTHON_TOP_LEVEL);

    return at > 0 && str_chr(str_take(source, (size_t)at), '.') > 0 &&
           ((source.p[0] >= 'A' && source.p[0] <= 'Z') || STR_STARTS_ANY(source, begins));
}

/*
 * DDPOptimizer's breaks have no number. For an attribute that cannot be set, 2.6 and earlier report nothing else: the
 * program's line has its name.
 */
static enum break_kind kind_of_message(const struct break_words *w)
{
    struct str source = w->stack ? w->stack->source : (struct str){0};

    if (str_starts(w->message, STR("DDPOptimizer intentional graph-break"))) /* torch/_dynamo/backends/distributed.py */
        return BREAK_BUCKETS;
    if (!str_has(w->message, STR("STORE_ATTR-caused graph break")))
        return BREAK_UNNAMED;
    if (str_has(source, STR(".data = ")))
        return BREAK_DATA;
    if (sets_attribute_of_class(str_trim(source)))
        return BREAK_CLASS_ATTRIBUTE;
    return str_has(source, STR(".requires_grad = ")) ? BREAK_REQUIRES_GRAD : BREAK_UNNAMED;
}

/* A function of a library that ctypes loaded: Dynamo names its class, whether it is called, made or looked up. */
static bool is_of_ctypes(const struct break_words *w)
{
    static const struct str class = STR_INIT("_FuncPtr");

    return str_has(w->context, class) || str_has(w->message, class) || str_has(w->type, class);
}

/* "price" of "return x + lib.price(x)" */
static struct str method_on(struct str line)
{
    size_t end = 0, begin;

    for (; end < line.n; end++) {
        for (begin = end; line.p[end] == '(' && begin > 0 && str_is_word_char(line.p[begin - 1]); begin--)
            ;
        if (begin > 0 && begin < end && line.p[begin - 1] == '.')
            return str_range(line.p + begin, line.p + end);
    }
    return (struct str){0};
}

void break_site_find(struct arena *a, const struct break_words *w, struct break_site *out)
{
    const struct call *program;
    struct str builtin;

    *out = (struct break_site){.gb_id = w->gb_id.n ? w->gb_id : break_id_of_words(w->message)};
    out->own = program = stack_program_call(w->stack);
    if (!out->own)
        out->own = stack_user_call(w->stack);
    out->inside = out->own != w->stack;
    if (is_of_ctypes(w)) {
        out->called.function = method_on(out->own ? out->own->source : (struct str){0});
        out->kind = BREAK_EXTENSION;
        return;
    }
    look_at_stack(a, w->stack, program, out);
    /* where a library's own code was compiled, PyTorch's reason says more than whose code it is */
    if (!program && out->kind == BREAK_OUTPUT_OBJECT && out->gb_id.n && !goes_by_name(break_kind_of_id(out->gb_id)))
        out->kind = BREAK_UNNAMED;
    if (!w->stack) /* 2.5 and earlier */
        out->kind = break_kind_of_name(break_module_of(a, w->file), (struct str){0});
    if (out->kind != BREAK_UNNAMED)
        return;
    out->called = called_in(a, words_of(w));
    /* if a text lacks its debug context, the explanation has the name */
    if (out->called.function.n == 0 && str_between(w->explanation, STR("builtin operator `"), STR("`"), &builtin))
        out->called = (struct break_name){STR("builtins"), builtin};
    if (goes_by_name(break_kind_of_id(out->gb_id)))
        out->kind = break_kind_of_name(out->called.module, out->called.function);
    if (out->kind == BREAK_UNNAMED)
        out->kind = kind_of_message(w);
    if (str_eq(out->called.function, STR("setattr")) && str_has(words_of(w), STR("UserDefinedClassVariable")) &&
        w->stack && sets_attribute_of_class(str_trim(w->stack->source)))
        out->kind = BREAK_CLASS_ATTRIBUTE;
}
