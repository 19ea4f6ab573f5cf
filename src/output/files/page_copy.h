/*
 * page_copy: a page that was written to measure its size, kept in temporary storage, so that it need not be made twice.
 * One thread.
 */
#pragma once

#include "util/system/file.h"

struct page_copy {
    int fd; /* -1: there is no storage, or it is full: nothing is kept */
    struct buf buf;
    uint64_t bytes;
    bool failed;
};

void page_copy_begin(struct page_copy *k);
/* Forgets what is kept. */
void page_copy_restart(struct page_copy *k);
struct sink page_copy_sink(struct page_copy *k);
/* Whether all that was written is there. */
bool page_copy_is_whole(struct page_copy *k);
/* Hands all of it out. 0 or -errno. */
int page_copy_write(struct page_copy *k, struct sink *out);
void page_copy_end(struct page_copy *k);
