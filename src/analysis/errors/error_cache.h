/*
 * error_cache: where the compiler's cache is that an error is about: advice to remove it names that directory, not the
 * one that it most often is. Any thread.
 */
#pragma once

#include "util/arena.h"

/* "/tmp/torchinductor_me" of a path in the message, "C:\Temp\torchinductor_me" also where Python shows it; or empty. */
struct str error_cache_root(struct arena *a, struct str message);

/*
 * The words of an advice, with that directory where they speak of one that is to be removed; where the message has
 * none, with `set`, which the text gives the compiler as its cache (may be empty).
 */
struct str error_cache_named(struct arena *a, struct str words, struct str message, struct str set);

/* The same of the cache of vLLM or SGLang, where the text names its directory. */
struct str error_cache_of_vllm(struct arena *a, struct str words, struct str directory);

/* The words about code that vLLM loaded, where an option (may be empty) has another value than when it was compiled. */
struct str error_cache_of_option(struct arena *a, struct str words, struct str option);
