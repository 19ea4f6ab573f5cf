/*
 * kernel_name: shortens names of GPU kernels for people. Generated names are short already; kernels of libraries are
 * C++ functions, mangled or not, with template arguments of any length: only the qualified name of the function is
 * kept.
 *
 *   _ZN2at6native29vectorized_elementwise_kernelILi4E…          at::native::vectorized_elementwise_kernel
 *   void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm…>(…)    cutlass::Kernel2
 *
 * Any thread.
 */
#pragma once

#include "util/arena.h"

/* The name itself if there is nothing to shorten; else a text in the arena. */
struct str kernel_name_short(struct arena *a, struct str name);
