/*
 * error_memory: what a message of PyTorch's allocator says about memory, and what of it the cause may be.
 *
 * c10/cuda/CUDACachingAllocator.cpp:
 *
 *   CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 94.97 GiB of which 1.02 GiB is free.
 *   ... Of the allocated memory 44.13 GiB is allocated by PyTorch, with 22.76 GiB allocated in private pools
 *   (e.g., CUDA Graphs), and 48.61 GiB is reserved by PyTorch but unallocated.
 *
 * and in 2.0 "(GPU 0; 23.69 GiB total capacity; 21.04 GiB already allocated; 512.00 MiB free; 22.00 GiB reserved ...)".
 *
 * Any thread.
 */
#pragma once

#include "model/model.h"

/* The amounts in one sentence; empty if the message has none. */
struct str error_memory_headline(struct arena *a, struct str message);

/* What to do about what holds the memory, if an amount or the stack shows it; NULL otherwise. */
const char *error_memory_step(const struct failure *f);

/*
 * What to do where code of Inductor's runs out of memory after a recompile for a smaller batch; empty for any other
 * failure.
 */
struct str error_memory_of_recompile(struct arena *a, const struct failure *f);

/* Whether Inductor times the choices of a kernel there: what the model's own work takes does not matter. */
bool error_memory_is_tuning(const struct failure *f);

/* Whether the GPU had more than was asked for, by the message. */
bool error_memory_is_refused(const struct failure *f);

/* Whether the compiler only begins to use the GPU there: the program needs no memory of it yet. */
bool error_memory_is_all_taken(const struct failure *f);
