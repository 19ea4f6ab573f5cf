/* fake_cuda: a libcuda.so.1 of our own for tests. */
#include <cuda.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT CUresult CUDAAPI cuInit(unsigned flags)
{
    (void)flags;
    return CUDA_SUCCESS;
}
