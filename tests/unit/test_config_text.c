#include "unit.h"

#include "text/config_text.h"

static const char head[] = "\nimport os\nos.environ['TORCH_LOGS'] = '+dynamo'\n\nimport torch\n"
                           "torch._inductor.config.max_autotune = True\n\n"
                           "# torch version: 2.8.0a0+git87f8139\n# torch cuda version: 12.0\n"
                           "# torch git version: 87f81399\n\n# CUDA Info: \n# nvcc not found\n"
                           "# GPU Hardware Info: \n# NVIDIA H100 : 8 \n\n"
                           "class Repro(torch.nn.Module):\n# torch version: 9\ntorch.x.config.y = 1\n";

static void settings(void **state)
{
    struct arena *a = arena_new();
    struct settings s = {0};

    (void)state;
    settings_parse(a, str_of(head), &s);
    assert_int_equal(s.list.n, 2);
    assert_str(s.list.v[0].name, "TORCH_LOGS");
    assert_str(s.list.v[0].value, "'+dynamo'");
    assert_true(s.list.v[0].environment);
    assert_str(s.list.v[1].name, "torch._inductor.config.max_autotune");
    assert_false(s.list.v[1].environment);
    arena_free(a);
}

static void build(void **state)
{
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(settings), cmocka_unit_test(build)};

    return RUN(tests);
}
