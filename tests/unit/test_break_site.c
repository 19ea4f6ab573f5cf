/* What stops the graph, by the words of the message and by the stack, and how a program writes its name. */
#include "unit.h"

#include "analysis/breaks/break_site.h"

static struct str name_of(struct arena *a, struct break_name n)
{
    return n.module.n ? arena_printf(a, "%.*s:%.*s", STR_ARG(n.module), STR_ARG(n.function)) : n.function;
}

static struct str called(struct arena *a, struct break_words w)
{
    struct break_site site;

    break_site_find(a, &w, &site);
    return name_of(a, site.called);
}

/* Each form that a message has: "module:function". */
static void in_messages(void **state)
{
    static const struct {
        const char *text, *called;
    } cases[] = {
        {"", ""},
        {"nothing that is known", ""},
        /* what is skipped, since 2.7 */
        {"module: zlib, qualname: crc32, skip reason: x", "zlib:crc32"},
        {"module: <unknown module>, qualname: Random.random, skip reason: x", "Random.random"},
        {"qualname: f, name: f, filename: `/v/lib/python3.11/json/decoder.py`, skip reason: x", "json.decoder:f"},
        {"qualname: f, name: f", "f"},
        {"module: zlib, qualname: crc32", ""},
        /* and before */
        {"'skip function shuffle in file /v/lib/python3.11/random.py'", "random:shuffle"},
        {"skip function shuffle", ""},
        {"'inline in skipfiles: Thread.start | start /v/lib/python3.11/threading.py, x", "threading:Thread.start"},
        {"'inline in skipfiles: f | wrap /v/lib/python3.11/functools.py, x", "functools:wrap around f"},
        {"'inline in skipfiles: f | wrap /v/site-packages/torch/_dynamo/x.py, x", "torch._dynamo.x:f"},
        {"Graph break due to unsupported builtin zlib.crc32.", "zlib:crc32"},
        {"Graph break due to unsupported Python builtin zlib.crc32. This function is", "zlib:crc32"},
        {"Graph break due to unsupported builtin None.Thing.get.", "Thing.get"},
        {"Graph break due to unsupported builtin print.", "print"},
        {"Graph break due to unsupported thing zlib.crc32.", ""},
        {"builtin zlib.crc32.", "builtins:zlib.crc32."},
        /* loggers and methods */
        {"method: <Logger shop (WARNING)>.warning, args: x", "logging:Logger.warning"},
        {"methods: <Logger shop (WARNING)>.warning, args: x", ""},
        {"call_method UserDefinedObjectVariable(lock) acquire [] {}", "lock.acquire"},
        {"call_method UserDefinedObjectVariable(lock)", "lock"},
        {"call_method UserDefinedObjectVariable(lock) [x]", "lock"},
        {"call_method NumpyNdarrayVariable()", "numpy:ndarray"},
        {"call_method GenericContextWrappingVariable(timer) start [] {}", "timer.start"},
        {"call_method UserDefinedClassVariable(<class '_io.BytesIO'>) read [] {}", "_io:BytesIO.read"},
        {"call_method UserDefinedClassVariable(<class 'BytesIO'>) read [] {}", "BytesIO.read"},
        {"call_method NumpyNdarrayVariable(a b) tobytes [] {}", "numpy:ndarray.tobytes"},
        {"call_method OptimizerVariable(SGD) step [] {}", "torch.optim:Optimizer.step"},
        {"call_method OptimizerVariable(f(g h) i) step [] {}", "torch.optim:Optimizer.step"},
        {"call_method OptimizerVariable(f)) step [] {}", "torch.optim:Optimizer.step"},
        {"call_method TensorVariable() step [] {}", ""},
        /* functions that are printed */
        {"<function f at 0x7f>", "f"},
        {"<function f.<locals>.g.<locals>.helper at 0x7f>", "helper"},
        {"<built-in function mod>", "mod"},
        {"<cyfunction default_rng at 0x7f>", "default_rng"},
        {"<bound method Shop.sell of x>", "Shop.sell"},
        {"numpy function: <function einsum at 0x7f>", "numpy:einsum"},
        {"<function  at 0x7f>", ""},
        /* classes and managers */
        {"UserDefinedClassVariable(<class '_io.BytesIO'>)", "_io:BytesIO"},
        {"Got: <class 'shop.Thing'>", ""},
        {"UserDefinedObjectVariable(lock)", "lock"},
        {"UserDefinedObjectVariable()", ""},
        {"Unsupported context manager <shop.Timer object at 0x7f>'s __enter__ function", "Timer"},
        {"Unsupported context manager <Timer object at 0x7f>'s __enter__ function", "Timer"},
        {"Unsupported context manager <shop. object at 0x7f>'s __enter__ function", ""},
        /* builtins */
        {"builtin print [x]", "builtins:print"},
        {"builtin: print", "builtins:print"},
        {"call_function BuiltinVariable(sorted) [x]", "builtins:sorted"},
        {"print", "builtins:print"},
        {"print x", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str text = str_of(cases[i].text), of_context = called(a, (struct break_words){.context = text});
        struct str of_type = called(a, (struct break_words){.type = text});

        if (!str_eq(of_context, str_of(cases[i].called)) || !str_eq(of_type, of_context))
            fail_msg("%s: \"%.*s\" and \"%.*s\", not \"%s\"", cases[i].text, STR_ARG(of_context), STR_ARG(of_type),
                     cases[i].called);
    }
    assert_str(called(a, (struct break_words){.context = STR("none"), .type = STR("Unsupported: 'print")}),
               "builtins:print");
    assert_str(called(a, (struct break_words){.explanation = STR("the builtin operator `iter` x")}), "builtins:iter");
    arena_free(a);
}

/* How programs write the names of what implements them. */
static void written(void **state)
{
    static const struct {
        const char *module, *function, *text;
    } cases[] = {
        {"", "f", "f"},
        {"builtins", "print", "print"},
        {"zlib", "crc32", "zlib.crc32"},
        {"zlib", "", "zlib"},
        {"posix", "urandom", "os.urandom"},
        {"nt", "urandom", "os.urandom"},
        {"genericpath", "exists", "os.path.exists"},
        {"posixpath", "join", "os.path.join"},
        {"ntpath", "join", "os.path.join"},
        {"_io", "open", "io.open"},
        {"__main__", "f", "__main__.f"},
        {"_", "f", "_.f"},
        {"torch.distributed.tensor._api", "distribute", "torch.distributed.tensor.distribute"},
        {"torch._a._b", "f", "torch.f"},
        {"torch.a._b.c", "f", "torch.a._b.c.f"},
        {"torch._dynamo.x", "f", "f"},
        {"torch.nn.modules.module", "f", "f"},
        {"contextlib", "f", "f"},
        {"torch.utils._contextlib", "f", "torch.utils.f"},
        {"logging", "Logger.info", "Logger.info"},
        {"shop", "Thing.__init__", "shop.Thing"},
        {"shop", "Thing.__new__", "shop.Thing"},
        {"shop", "Timer.__enter__", "shop.Timer"},
        {"", "Random.random", "random.random"},
        {"random", "Random.choice", "random.choice"},
        {"shop", "Random.choice", "Random.choice"},
        {"torch.optim.optimizer", "wrapper", "Optimizer.step"},
        {"torch.optim.optimizer", "step", "torch.optim.optimizer.step"},
        {"shop", "wrapper", "shop.wrapper"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(break_name_text(a, (struct break_name){str_of(cases[i].module), str_of(cases[i].function)}),
                   cases[i].text);
    arena_free(a);
}

/* A name that the line of the program has, in place of one that it does not have. */
static void as_in_the_line(void **state)
{
    static const struct {
        const char *module, *function, *line, *text;
    } cases[] = {
        {"asyncio.runners", "run", "z = asyncio.run(g(x))", "asyncio.run"},
        {"asyncio.runners", "run", "z = run(g(x))", "asyncio.runners.run"},
        {"", "run", "z = asyncio.run(x)", "run"},
        {"shop.tools", "wrapper", "y = dist.barrier()", "dist.barrier"},
        {"shop.tools", "inner", "barrier()", "barrier"},
        {"shop.tools", "wrapped", "y = a(b(x))", "shop.tools.wrapped"},
        {"shop.tools", "_fn", "y = (x)", "shop.tools._fn"},
        {"shop.tools", "_wrapper", "y = x", "shop.tools._wrapper"},
        {"shop.tools", "decorate_context", "y = f(x)", "f"},
        {"shop.tools", "decorate", "y = f(x)", "shop.tools.decorate"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct call line = {.source = str_of(cases[i].line)};
        struct break_site site = {.own = &line,
                                  .called = {str_of(cases[i].module), str_of(cases[i].function)}};

        assert_str(break_site_name(a, &site), cases[i].text);
        site.own = NULL;
        assert_str(break_site_name(a, &site), break_name_text(a, site.called).p);
    }
    arena_free(a);
}

#define LIB "/usr/lib/python3.11/"
#define SITE LIB "site-packages/"
#define CALL(file_, function_, source_)                                                                                \
    {.file = STR_INIT(file_), .function = STR_INIT(function_), .source = STR_INIT(source_)}
#define PROGRAM CALL("/srv/shop.py", "f", "y = g(x)")

/* From the innermost call to the program's line: "callee|called|line of the program", "inside" if it is below. */
static void on_the_stack(void **state)
{
    static const struct {
        struct call calls[4];
        const char *site;
        enum break_kind kind;
    } cases[] = {
        {{PROGRAM}, "||f", BREAK_UNNAMED},
        {{CALL(LIB "uuid.py", "uuid4", "x"), PROGRAM}, "uuid:uuid4|uuid:uuid4|f inside", BREAK_HOST},
        {{CALL(LIB "logging/__init__.py", "info", "x"), PROGRAM},
         "logging:info|logging:info|f inside", BREAK_OUTPUT_FUNCTION},
        {{CALL(LIB "logging/__init__.py", "_log", "x"), CALL(LIB "logging/__init__.py", "info", "x"), PROGRAM},
         "logging:info|logging:info|f inside", BREAK_OUTPUT_FUNCTION},
        {{CALL(SITE "quokka/burrow.py", "dig", "x"), PROGRAM}, "quokka.burrow:dig||f inside", BREAK_UNNAMED},
        {{CALL(LIB "random.py", "shuffle", "x"), CALL(SITE "quokka/burrow.py", "dig", "random.shuffle(x)"), PROGRAM},
         "quokka.burrow:dig|random:shuffle|f inside", BREAK_RANDOM},
        {{CALL(SITE "quokka/burrow.py", "dig", "x"),
          CALL(SITE "quokka/wrap.py", "inner", "return f(*args, **kwargs)"), PROGRAM},
         "quokka.burrow:dig||f inside", BREAK_UNNAMED},
        {{CALL(SITE "quokka/burrow.py", "dig", "return f(*args, **kwargs)"), PROGRAM},
         "quokka.burrow:dig||f inside", BREAK_UNNAMED},
        {{CALL(SITE "quokka/burrow.py", "dig", "x"), CALL(SITE "torch/nn/modules/module.py", "_call_impl", "x"),
          PROGRAM},
         "quokka.burrow:dig||f inside", BREAK_UNNAMED},
        {{CALL(LIB "functools.py", "__get__", "x"), PROGRAM},
         "functools:cached_property|functools:cached_property|f inside", BREAK_ONCE},
        {{CALL(LIB "contextlib.py", "__enter__", "x"), PROGRAM}, "||f inside", BREAK_UNNAMED},
        {{CALL(SITE "torch/_dynamo/x.py", "g", "x")}, "||g", BREAK_UNNAMED},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct call calls[4];
        struct break_site site;
        struct str got;

        memcpy(calls, cases[i].calls, sizeof calls);
        for (size_t k = 0; k + 1 < COUNT(calls) && calls[k + 1].file.n; k++)
            calls[k].parent = &calls[k + 1];
        break_site_find(a, &(struct break_words){.stack = calls}, &site);
        got = name_of(a, site.callee);
        got = arena_printf(a, "%.*s|%.*s|%.*s%s", STR_ARG(got), STR_ARG(name_of(a, site.called)),
                           STR_ARG(site.own->function), site.inside ? " inside" : "");
        assert_str(got, cases[i].site);
        assert_int_equal(site.kind, cases[i].kind);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_messages),
        cmocka_unit_test(written),
        cmocka_unit_test(as_in_the_line),
        cmocka_unit_test(on_the_stack),
    };

    return RUN(tests);
}
