/*
 * helper: a process that is created before the sandbox (cmd/confine.h) to start a program later: a pager, a browser.
 * It waits until something is written to it, and exits if nothing is. Not on systems that cannot start programs. One
 * thread.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct helper {
    pid_t pid; /* -1 if there is none */
    int to;    /* writing to it wakes the helper */
};

/*
 * Creates one. Returns true in the helper when it is woken, with the other end in *from; it should call exec, and must
 * not return. Returns false in this process.
 */
bool helper_begin(struct helper *h, int *from);

/* Nothing more will be written. */
void helper_close(struct helper *h);
