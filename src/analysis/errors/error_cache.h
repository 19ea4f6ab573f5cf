/*
 * error_cache: where the compiler's cache is that an error is about: advice to remove it names that directory, not the
 * one that it most often is. Any thread.
 */
#pragma once

#include "util/arena.h"

/* "/tmp/torchinductor_me" of a path in the message, "C:\Temp\torchinductor_me" also where Python shows it; or empty. */
struct str error_cache_root(struct arena *a, struct str message);

/* The words of an advice, with that directory where they speak of one that is to be removed. */
struct str error_cache_named(struct arena *a, struct str words, struct str message);

/* The same of vLLM's cache, where the text names its directory. */
struct str error_cache_of_vllm(struct arena *a, struct str words, struct str directory);
