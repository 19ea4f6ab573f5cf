/*
 * compile_entries: the entries of compiles in the page, which are most of its text. The threads of a pool render them,
 * a few at a time, and they are written in order: the page is the same for any number of threads.
 */
#pragma once

#include "output/html/mustache.h"
#include "util/system/pool.h"
#include "view/page.h"

struct compile_entries {
    const struct mustache *templates;
    const struct view *view; /* its scratch arena is used by the caller's thread */
    struct sink *out;
    struct pool *pool;       /* NULL: there is no other thread */
    uint64_t began;          /* size of the page where the entries begin */
    uint64_t max_bytes;      /* of them: details were chosen by an estimate, and what comes behind is without */
};

void compile_entries_write(const struct compile_entries *e, const struct compile *const *list, size_t n);
