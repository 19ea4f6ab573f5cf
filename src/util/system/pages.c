#include "util/system/pages.h"

#include <sys/mman.h>

/* Not of malloc, which may write to all of it: glibc does with MALLOC_PERTURB_, and so do hardened allocators. */
void *pages_reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}
