/* The programs that PyTorch writes for one graph, as they are edited before they run. */
#include "temp.h"

#include "relaunch/procedures/runnable.h"

#include <errno.h>

static void cleaned(void **state)
{
    static const struct {
        const char *text, *clean;
    } cases[] = {
        {"", ""},
        {"import torch", "import torch\n"},
        {"import os\nos.environ['TORCHINDUCTOR_CACHE_DIR'] = '/x'\nf()\n", "import os\nf()\n"},
        {"os.environ['TRITON_CACHE_DIR'] = '/x'\n", ""},
        {"os.environ['TORCH_TRACE'] = '/x'\n", ""},
        {"os.environ['TORCH_DTRACE'] = '/x'\n", ""},
        {"os.environ['TORCH_LOGS'] = '/x'\n", ""},
        {"os.environ['TORCH_LOGS_OUT'] = '/x'\n", ""},
        {"os.environ['TORCH_COMPILE_DEBUG_DIR'] = '/x'\n", ""},
        {"os.environ['TORCHELASTIC_ERROR_FILE'] = '/x'\n", ""},
        {"os.environ['TORCHDYNAMO_REPRO_AFTER'] = 'aot'\n", ""},
        {"os.environ['TORCHDYNAMO_REPRO_LEVEL'] = '2'\n", ""},
        {"os.environ['_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR'] = '1'\n", ""},
        {"os.environ['TORCHINDUCTOR_FREEZING'] = '1'\n", "os.environ['TORCHINDUCTOR_FREEZING'] = '1'\n"},
        {"os.environ['TORCH_LOGS'] + 'x'\n", "os.environ['TORCH_LOGS'] + 'x'\n"},
        {" os.environ['TORCH_LOGS'] = 'x'\n", " os.environ['TORCH_LOGS'] = 'x'\n"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(runnable_clean(a, str_of(cases[i].text)), cases[i].clean);
    arena_free(a);
}

#define HERE "__import__('os').path.dirname(__import__('os').path.abspath(__file__))"

static void moved(void **state)
{
    static const struct {
        const char *text, *dir, *moved;
    } cases[] = {
        {"run(save_dir='/a/b', x)", "/a/b", "run(save_dir=" HERE ", x)"},
        {"a(save_dir='/a')\nb(save_dir='/a')", "/a", "a(save_dir=" HERE ")\nb(save_dir=" HERE ")"},
        {"a(save_dir='/a')\nb(save_dir='/b')", "/a", "a(save_dir=" HERE ")\nb(save_dir='/b')"},
        {"run(save_dir='a\\'b')", "", "run(save_dir='a\\'b')"},
        {"run(save_dir=None)", "", "run(save_dir=None)"},
        {"run(save_dir='/a", "", "run(save_dir='/a"},
        {"", "", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str dir = runnable_save_dir(a, str_of(cases[i].text));

        assert_str(dir, cases[i].dir);
        assert_str(runnable_move(a, str_of(cases[i].text), dir), cases[i].moved);
    }
    arena_free(a);
}

static void symbolic(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_true(runnable_is_symbolic(STR("    reader.symint(s0)\n")));
    assert_false(runnable_is_symbolic(STR("    reader.tensor(s0)\n")));
    assert_str(runnable_make_symbolic(a, STR("f(tracing_mode='real', x='real')")),
               "f(tracing_mode='symbolic', x='real')");
    assert_str(runnable_make_symbolic(a, STR("f(tracing_mode='fake')")), "f(tracing_mode='fake')");
    arena_free(a);
}

/* Only digests: a name must not lead out of the directory. */
static void inputs(void **state)
{
    struct str text = STR("a = reader.storage('00ff', 3)\nb = reader.storage('../x', 3)\nc = reader.storage('', 1)\n"
                          "d = reader.storage('0G', 1)\ne = reader.storage('9a'"),
               name;

    (void)state;
    assert_true(runnable_next_input(&text, &name));
    assert_str(name, "00ff");
    assert_true(runnable_next_input(&text, &name));
    assert_str(name, "9a");
    assert_false(runnable_next_input(&text, &name));
}

static void written(void **state)
{
    struct arena *a = arena_new();
    const char *path = temp_path("program.py");

    (void)state;
    assert_int_equal(runnable_write(path, STR("import torch\n")), 0);
    assert_str(temp_read(a, path), "import torch\n");
    assert_int_equal(runnable_write(temp_path("nowhere/program.py"), STR("x")), -ENOENT);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cleaned), cmocka_unit_test(moved),   cmocka_unit_test(symbolic),
        cmocka_unit_test(inputs),  cmocka_unit_test(written),
    };

    return RUN(tests);
}
