/*
 * discover: which files a path stands for. A file stands for itself, a directory for every regular file in it, at any
 * depth, links included, each file once. The order is that of the names, whatever the file system says. One thread.
 */
#pragma once

#include "util/map.h"
#include "util/vec.h"

struct found_file {
    struct str path;
    bool named;    /* given by the user, and not only found in a directory */
    bool once;     /* no regular file (a pipe, standard input): what is read from it is gone */
    int error;     /* it (or its directory) cannot be read: a positive errno */
};

struct found_files {
    struct arena *arena;
    struct map seen; /* device and inode -> 1 + position in the list (of a file) */
    VEC(struct found_file) list;
};

void found_files_init(struct found_files *f, struct arena *a);

/*
 * Adds what `path` stands for; "-" is standard input. Returns 0, or -errno when the path itself cannot be looked at.
 * A path below it that cannot is added with its error.
 */
int discover(struct found_files *out, const char *path);
