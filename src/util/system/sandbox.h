/*
 * sandbox: gives up the rights that reading a trace does not need, so that a hostile trace gains little from a bug in
 * the program. The process may then only read the files that are named and write where it is allowed to; it can start
 * no program and open no connection.
 *
 * It uses Landlock and seccomp, as far as the kernel has them (Linux 5.19 and 3.17). Without them (sandbox_none.c), or
 * in builds with a sanitizer that needs more rights, nothing is given up. The step cannot be undone. Call it while
 * there is only one thread: threads started later are restricted as well. Open files stay open.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum sandbox_access {
    SANDBOX_READ, /* the file, or everything below the directory */
    /* everything below the directory may be read, created, changed and removed; a file may be changed */
    SANDBOX_WRITE,
    SANDBOX_REMOVE_DIRS, /* empty directories below the directory may be removed */
};

struct sandbox_path {
    const char *path; /* ignored if it does not exist */
    enum sandbox_access access;
};

void sandbox_enter(const struct sandbox_path *paths, size_t n);

/* "Landlock and seccomp", for --version: what this system would use. */
const char *sandbox_describe(void);
