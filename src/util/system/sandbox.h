/*
 * sandbox: the process gives up what reading a trace does not take, so that a fault which a hostile trace finds in the
 * program is of little use: it reads the files that are named, writes where it is allowed to, starts no program and
 * opens no connection. By Landlock and seccomp, each as far as the kernel has it (Linux 5.19 and 3.17). Where there is
 * nothing of the kind (sandbox_none.c), or a sanitizer needs more than that, nothing is given up.
 *
 * There is no way back. To be called while there is one thread: those that it makes later are bound as well. Files that
 * are open stay open.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum sandbox_access {
    SANDBOX_READ,        /* the file, or all below the directory */
    SANDBOX_WRITE,       /* all below the directory may be read, made, changed and removed; or the file changed */
    SANDBOX_REMOVE_DIRS, /* directories below the directory that are empty may be removed */
};

struct sandbox_path {
    const char *path; /* what is not there is left out */
    enum sandbox_access access;
};

void sandbox_enter(const struct sandbox_path *paths, size_t n);

/* "Landlock and seccomp", for --version: what would be used here. */
const char *sandbox_describe(void);
