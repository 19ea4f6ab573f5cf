#include "analysis/library/library_line.h"

/* Options of libraries, by the function that has the line, or that the line calls. */
static const struct {
    struct str function;
    const char *words;
} switches[] = {
    /* torch_geometric/backend.py: None asks the heuristic, which reads sizes from a tensor */
    {STR_INIT("use_segment_matmul_heuristic"),
     " (of torch_geometric: `torch_geometric.backend.use_segment_matmul = False`)"},
    /* comfy/ops.py: moves the weights of a layer to the GPU when it is called */
    {STR_INIT("forward_comfy_cast_weights"), " (of ComfyUI: weights that stay on the GPU, without dynamic VRAM)"},
};

static const char *const means_words[] = {
    [LIBRARY_BREAKS] = "Else leave the module or function that the program calls there uncompiled "
                       "(`torch.compiler.disable`)",
    [LIBRARY_FULLGRAPH] = "Else call it outside of the compiled function, or compile without `fullgraph=True` if the "
                          "break is acceptable",
    [LIBRARY_FAILS] = "Else call it outside of the compiled function",
    [LIBRARY_EXPORT] = "Else replace that function before the export",
    [LIBRARY_WARNS] = "Else leave it as it is, as nothing failed",
};

/* "tills"; empty where the path does not show it. */
static struct str package_of(struct arena *a, struct str file)
{
    char buffer[CODE_MODULE_MAX];
    struct str module = code_file_module(file, buffer);

    return arena_str(a, str_split(&module, '.'));
}

static const char *switch_of(const struct call *c)
{
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (str_eq(c->function, switches[i].function) || str_has(c->source, switches[i].function))
            return switches[i].words;
    return "";
}

bool library_line_is_said(struct str advice)
{
    static const struct str words[] = {STR_INIT("newer"), STR_INIT("librar")};

    return STR_HAS_ANY(advice, words);
}

struct str library_line_step(struct arena *a, const struct call *c, enum library_means means)
{
    struct str package = package_of(a, c->file), whose = STR("a library's");

    if (code_file_is_librarys(c->file))
        whose = STR("most likely one of a file that a library wrote");
    else if (package.n)
        whose = arena_printf(a, "one of the library `%.*s`", STR_ARG(package));
    return arena_printf(a,
                        "The line is not the program's, but %.*s, %.*s:%lld: use newer versions of the library and of "
                        "PyTorch, or an option of it that avoids this code%s. %s, and report it there.",
                        STR_ARG(whose), STR_ARG(code_file_name(c->file)), (long long)c->line, switch_of(c),
                        means_words[means]);
}
