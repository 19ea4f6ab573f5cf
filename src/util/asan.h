/* asan: marks memory that must not be used at present; builds with the address sanitizer then catch any use of it. */
#pragma once

/* clang ships this header in a separate package, which only builds with sanitizers need. */
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif
