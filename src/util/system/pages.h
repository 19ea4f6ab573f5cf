/* pages: a large block of memory, of which only the pages that are written to exist. */
#pragma once

#include <stddef.h>

/* The block, which lasts until the program ends; NULL if there is no room for it. Any thread. */
void *pages_reserve(size_t bytes);
