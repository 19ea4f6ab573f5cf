/*
 * inject: libpt2trace_gpu.so, a library that the CUDA driver loads into each process with CUDA_INJECTION64_PATH set to
 * it, and that records what the GPU does there. It contains no other code of pt2trace than this folder. It must never
 * harm the process: whatever fails, the program runs on without it.
 *
 *   PT2TRACE_GPU_DIR        the directory for its files; if unset, nothing is recorded
 *   PT2TRACE_GPU_GRAPHS     "whole": launches of CUDA graphs as a whole, which costs less, not the kernels in them
 *   PT2TRACE_GPU_FLUSH_MS   how often records are written to the file; 1000 by default
 *   PT2TRACE_GPU_MAX_BYTES  the maximum size of a file; 1 GiB by default. Records beyond it are only counted
 *   PT2TRACE_GPU_BUFFERS    the maximum number of 1 MiB buffers for CUPTI; 64 by default
 *   PT2TRACE_CUPTI          the libcupti to use
 *
 * Who else uses CUPTI comes first. CUPTI has one subscriber per process (cuptiSubscribe, cupti_callbacks.h), and one
 * pair of buffer callbacks: the last one registered. torch.profiler (libkineto) subscribes when a profiler begins for
 * the first time, and does without the GPU for as long as the process lives when it cannot; then it registers its
 * callbacks, in which it leaves buffers alone that are not its own (CuptiActivityApi::bufferCompleted). So the
 * subscription is not kept: it is taken and given back at once, only to see whether somebody has it. If so when CUDA
 * starts, nothing is recorded. If later, which shows when buffers stop coming back, recording ends there, nothing of
 * CUPTI is called any more, and the file says so: enabled kinds are left to the other one, who disables what it wants.
 *
 * Newer CUPTIs also have activity functions that belong to a subscriber (cuptiSubscribe_v2), and refuse a process that
 * mixes the two sorts (CUPTI_ERROR_NOT_COMPATIBLE). Those of the whole process are used here, as libkineto does; what
 * needs the others, such as the CUPTI monitor of later PyTorches, is to be run without this library.
 */
#pragma once

/* The driver calls it once, while CUDA starts. Always returns 1. */
__attribute__((visibility("default"))) int InitializeInjection(void);
