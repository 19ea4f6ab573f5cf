/*
 * helper: a process that is made before the sandbox (cmd/confine.h), to start a program that may be wanted after it: a
 * pager, a browser. It waits until something is written to it, and is gone when nothing is. Not where no program can be
 * started. One thread.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct helper {
    pid_t pid; /* -1: there is none */
    int to;    /* what is written here wakes it */
};

/*
 * Makes one. Returns true in the helper, when it was woken, with the other end in *from; it should exec, and must not
 * return. Returns false in this process.
 */
bool helper_begin(struct helper *h, int *from);

/* No more is written. */
void helper_close(struct helper *h);
