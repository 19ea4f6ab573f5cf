#include "unit.h"

#include "text/graphs/kernel_name.h"

static void names(void **state)
{
    static const struct {
        const char *name, *wanted;
    } cases[] = {
        {"triton_poi_fused_add_0", "triton_poi_fused_add_0"},
        {"", ""},
        {"_ZN2at6native29vectorized_elementwise_kernelILi4EZZZNS0_3fooE", "at::native::vectorized_elementwise_kernel"},
        {"_ZN2at6native12_GLOBAL__N_119CatArrayBatchedCopyIjE", "at::native::CatArrayBatchedCopy"},
        {"_Z6kernelPf", "kernel"},
        {"_ZNK3fooE", "foo"},
        {"_Z", "_Z"},
        {"_Z99999999999999999999x", "_Z99999999999999999999x"},
        {"_Z9x", "_Z9x"},
        {"void cutlass::Kernel2<cutlass_80_gemm>(Params)", "cutlass::Kernel2"},
        {"at::native::f(int)", "at::native::f"},
        {"(anonymous)", "(anonymous)"},
        {"ampere_sgemm_128x64_tn", "ampere_sgemm_128x64_tn"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(kernel_name_short(a, str_of(cases[i].name)), cases[i].wanted);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names)};

    return RUN(tests);
}
