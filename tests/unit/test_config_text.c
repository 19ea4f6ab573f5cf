#include "unit.h"

#include "text/versions/config_text.h"
#include "util/buf.h"

static struct arena *arena;

static int begin(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* "$NAME=VALUE | config.x=VALUE": a dollar for what is of the environment. */
static struct str settings_of(struct str text)
{
    struct settings settings = {0};
    struct str out = STR("");

    settings_parse(arena, text, &settings);
    vec_each(const struct setting, s, &settings.list) out =
        arena_printf(arena, "%.*s%s%s%.*s=%.*s", STR_ARG(out), out.n ? " | " : "", s->environment ? "$" : "",
                     STR_ARG(s->name), STR_ARG(s->value));
    return out;
}

/* The head of a program as 2.13 writes it. */
static void a_head(void **state)
{
    static const char text[] = "\nimport os\n"
                               "os.environ['TORCHINDUCTOR_CACHE_DIR'] = '/tmp/cache'\n"
                               "os.environ['TORCH_LOGS'] = '+dynamo,guards'\n"
                               "os.environ.pop('TORCHDYNAMO_REPRO_AFTER', None)\n"
                               "    \nimport torch\nfrom torch import tensor, device\n"
                               "import torch._inductor.config\n\n"
                               "torch._dynamo.config.recompile_limit = 4\n"
                               "torch._dynamo.config.reorderable_logging_functions = { _warnings.warn, print }\n"
                               "torch._inductor.config.triton.cudagraphs = True\n"
                               "torch.fx.experimental._config.use_duck_shape = False\n"
                               "isolate_fails_code_str = None\n"
                               "torch.set_default_device('cpu')\n"
                               "class Repro(torch.nn.Module):\n"
                               "torch._inductor.config.x = 1\n";

    (void)state;
    assert_str(settings_of(str_of(text)), "$TORCHINDUCTOR_CACHE_DIR='/tmp/cache' | $TORCH_LOGS='+dynamo,guards' | "
                                          "torch._dynamo.config.recompile_limit=4 | "
                                          "torch._dynamo.config.reorderable_logging_functions={ _warnings.warn, print "
                                          "} | torch._inductor.config.triton.cudagraphs=True | "
                                          "torch.fx.experimental._config.use_duck_shape=False");
}

static void single_lines(void **state)
{
    static const char *const cases[][2] = {
        {"os.environ['A'] = 'x = y'", "$A='x = y'"},
        {"os.environ[\"A\"] = 'it is \"quoted\"'", "$A='it is \"quoted\"'"},
        {"os.environ['A'] = ''\r", "$A=''"},
        {"os.environ['A'] = ", "$A="},
        {"os.environ['A']", ""},
        {"os.environ['A'", ""},
        {"os.environ['A", ""},
        {"os.environ[A] = 'x'", ""},
        {"os.environ[xAx] = 'x'", ""},
        {"os.environ[", ""},
        {" os.environ['A'] = 'x'", ""},
        {"torch._inductor.config.a = 'b = c'", "torch._inductor.config.a='b = c'"},
        {"torch._inductor.config.a = [1, 2]  ", "torch._inductor.config.a=[1, 2]"},
        {"torch._inductor.config.a", ""},
        {"torch._inductor.config.a == 3", ""},
        {"torch._inductor.a = config.b", ""},
        {"torch._inductor.config.a, b = 3", ""},
        {"torch._inductor.config.update(a = 3)", ""},
        {"x = torch._inductor.config.a = 3", ""},
        {"import torch._inductor.config", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (!str_eq(settings_of(str_of(cases[i][0])), str_of(cases[i][1])))
            fail_msg("%s: %.*s", cases[i][0], STR_ARG(settings_of(str_of(cases[i][0]))));
}

/* The program behind the head may be of any length: it is not searched. */
static void long_programs(void **state)
{
    struct buf text = {0};

    (void)state;
    for (int i = 0; i < 399; i++)
        buf_str(&text, STR("import x\n"));
    buf_str(&text, STR("torch._inductor.config.a = 1\ntorch._inductor.config.b = 2\n"));
    assert_str(settings_of(buf_view(&text)), "torch._inductor.config.a=1");
    buf_free(&text);
}

static void build(void **state)
{
    static const char head[] = "\nimport torch\n\n# torch version: 2.8.0a0+git87f8139\n# torch cuda version: 12.0\n"
                               "# torch git version: 87f81399\n\n# CUDA Info: \n# nvcc not found\n"
                               "# GPU Hardware Info: \n# NVIDIA H100 : 8 \n\nclass Repro:\n# torch version: 9\n";
    struct build b;

    (void)state;
    build_parse(str_of(head), &b);
    assert_str(b.pytorch, "2.8.0a0+git87f8139");
    assert_str(b.cuda, "12.0");
    assert_str(b.commit, "87f81399");
    assert_str(b.gpu, "NVIDIA H100 : 8");
    build_parse(STR("# torch cuda version: None\n# GPU Hardware Info: \n\n# more\n"), &b);
    assert_str(b.cuda, "");
    assert_str(b.gpu, "");
    build_parse((struct str){0}, &b);
    assert_str(b.pytorch, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_head, begin, end),
        cmocka_unit_test_setup_teardown(single_lines, begin, end),
        cmocka_unit_test_setup_teardown(long_programs, begin, end),
        cmocka_unit_test(build),
    };

    return RUN(tests);
}
