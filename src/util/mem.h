/*
 * mem: heap memory that cannot fail. Out of memory ends the program with one line on stderr, because no caller could
 * handle it. Any thread.
 */
#pragma once

#include <stddef.h>

void *xmalloc(size_t n);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t n);
/* A NUL-terminated copy; free() it. */
char *xstrdup(const char *z);
/* Like asprintf, never NULL; free() it. */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program with status 3 and a line that says so. For libraries that report a failed allocation. */
void out_of_memory(void) __attribute__((noreturn));
