/*
 * A file of a torch_compile_debug directory: the first line is where it lies, the rest what it holds. Any path is taken
 * apart; of one that is an artifact, all outputs can be made.
 */
#include "fuzz.h"

#include <stdlib.h>

static void check_views(struct str path, const struct debug_file *f)
{
    fuzz_check(f->graph.n <= path.n, "the name of a graph is no longer than the path");
    fuzz_check(f->began.month <= 12 && f->began.day <= 31, "the date of a folder is one");
    fuzz_check(!(f->name.n && f->why_not.n), "a file that is of no use is no artifact");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, line = str_split(&rest, '\n');
    char *path = strndup(line.p ? line.p : "", line.n);
    struct debug_file f = debug_file_of(str_of(path));
    struct run *r;

    check_views(str_of(path), &f);
    if (f.name.n) {
        r = fuzz_read_debug(path, (const uint8_t *)rest.p, rest.n);
        fuzz_check_artifacts(r);
        fuzz_check_outputs(r);
        run_free(r);
    }
    free(path);
    return 0;
}

/* The same bytes as each kind of file. */
void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    static const char *const paths[] = {
        "run_2026_11_21_08_10_31_248992-pid_357/torchinductor/model__0_forward_1.0/output_code.py",
        "run_2026_11_21_08_10_31_248992-pid_357/torchinductor/model__0_inference_0.0/ir_pre_fusion.txt",
        "model__0_backward_2.1/fx_graph_runnable.py",
        "run_2026_11_21_08_10_31_248992-pid_357/torchinductor/aot_model___0_debug.log",
        "run_2026_11_21_08_10_31_248992-pid_357/minifier/checkpoints/12.py",
        "run_2026_13_40_99_10_31_248992-pid_357/minifier/minifier_launcher.py",
        "model__0_forward_1.0/graph_diagram.svg",
    };

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct buf bytes = {0};

        buf_printf(&bytes, "%s\n", paths[i]);
        buf_add(&bytes, data, size < 4096 ? size : 4096);
        take(buf_view(&bytes));
        buf_free(&bytes);
    }
}
