/*
 * page_copy: keeps a page that was written to measure its size in temporary storage, so that it need not be made
 * twice. One thread.
 */
#pragma once

#include "util/system/file.h"

struct page_copy {
    int fd; /* -1: there is no storage, or it is full, so nothing is kept */
    struct buf buf;
    uint64_t bytes;
    bool failed;
};

void page_copy_begin(struct page_copy *k);
/* Discards what was kept. */
void page_copy_restart(struct page_copy *k);
struct sink page_copy_sink(struct page_copy *k);
/* Whether everything that was written has been kept. */
bool page_copy_is_whole(struct page_copy *k);
/* Writes the whole copy to a sink. 0 or -errno. */
int page_copy_write(struct page_copy *k, struct sink *out);
void page_copy_end(struct page_copy *k);
