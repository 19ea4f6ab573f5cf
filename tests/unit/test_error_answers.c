#include "unit.h"

#include "analysis/errors/error_answers.h"

/* A message of each kind, and a word of what is answered. */
static const struct {
    const char *type, *message, *answer;
} messages[] = {
    {"RuntimeError", "Expected to have finished reduction in the prior iteration", "find_unused_parameters"},
    {"RuntimeError", "Expected to mark a variable ready only once.", "static_graph"},
    {"", "Memory access fault by GPU node-1 on address (nil).", "AMD_SERIALIZE_KERNEL"},
    {"", "HSA_STATUS_ERROR_OUT_OF_RESOURCES: no memory", "rocm-smi"},
    {"SyntaxError", "failed to compile\nprogram_source:3:1: error: x", "Metal"},
    {"ValueError", "Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)", ".to("},
    {"AssertionError", "Input shapes should have M >= 16", "BLOCK"},
    {"RuntimeError", "Unhandled: found two different devices cuda:0, cpu", "same device"},
    {"NotImplementedError", "attempting to run unimplemented operator/function: aten.permute", "torchao"},
    {"RuntimeError", "aten.mm.default: got mixed torch.Tensor and DTensor", "distribute_tensor"},
    {"RuntimeError", "\"addmm_impl_cpu_\" not implemented for 'Half'", "float32"},
    {"AssertionError", "Tensor-likes are not close!", "float64"},
    {"AttributeError", "Can't pickle local object", "_orig_mod"},
    {"RuntimeError", "Error(s) in loading state_dict for M:", "_orig_mod"},
    {"", "LLVM ERROR: Failed to translate TritonGPU", "Triton"},
    {"UserWarning", "TensorFloat32 tensor cores for float32 matrix multiplication", "set_float32_matmul_precision"},
    {"TypeError", "compile() got an unexpected keyword argument 'x'", "version"},
    {"RuntimeError", "Cannot backprop, file a bug in PyTorch", "newer version"},
};

static const struct error_answer *answer_to(const char *type, const char *message, enum error_category category)
{
    struct failure f = {.type = str_of(type), .message = str_of(message)};

    return error_answer_of(&(struct error){.failure = &f, .category = category});
}

static void messages_have_their_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        const struct error_answer *a = answer_to(messages[i].type, messages[i].message, ERROR_OTHER);

        assert_non_null(a);
        if (!strstr(a->steps[0], messages[i].answer))
            fail_msg("%s: %s", messages[i].message, a->steps[0]);
    }
}

static void hints_of_breaks_are_no_bugs(void **state)
{
    static const char hint[] = "Some type\n  Hint: please file an issue on GitHub";

    (void)state;
    assert_null(answer_to("Unsupported", hint, ERROR_GRAPH_BREAK));
    assert_non_null(answer_to("RuntimeError", hint, ERROR_OTHER));
    assert_null(answer_to("ValueError", "3", ERROR_OTHER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_have_their_answer),
        cmocka_unit_test(hints_of_breaks_are_no_bugs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
