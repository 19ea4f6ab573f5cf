/*
 * kept: text that was written to be measured, in temporary storage, so that it need not be made again. One thread.
 */
#pragma once

#include "util/system/file.h"

struct kept {
    int fd; /* -1: there is no storage, or it is full: nothing is kept */
    struct buf buf;
    uint64_t bytes;
    bool failed;
};

void kept_begin(struct kept *k);
/* Forgets what is kept. */
void kept_restart(struct kept *k);
struct sink kept_sink(struct kept *k);
/* Whether all that was written is there. */
bool kept_is_whole(struct kept *k);
/* Hands all of it out. 0 or -errno. */
int kept_write(struct kept *k, struct sink *out);
void kept_end(struct kept *k);
