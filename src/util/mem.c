#include "util/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void out_of_memory(void)
{
    static const char line[] = "pt2trace: out of memory: pass fewer files at once, such as those of one rank\n";

    /* write, not stdio, because stdio may allocate. */
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0)
        _exit(3);
    _exit(3);
}

void *xmalloc(size_t n)
{
    void *p = malloc(n ? n : 1);

    if (!p)
        out_of_memory();
    return p;
}

void *xcalloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);

    if (!p)
        out_of_memory();
    return p;
}

void *xrealloc(void *p, size_t n)
{
    p = realloc(p, n ? n : 1);
    if (!p)
        out_of_memory();
    return p;
}

char *xstrdup(const char *z)
{
    size_t n = strlen(z) + 1;

    return memcpy(xmalloc(n), z, n);
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    char *z;

    va_start(ap, fmt);
    if (vasprintf(&z, fmt, ap) < 0)
        out_of_memory();
    va_end(ap);
    return z;
}
