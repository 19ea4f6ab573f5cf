/*
 * discover: finds the files that a path stands for. A file stands for itself, and a directory for every regular file
 * in it, at any depth. Links to files are included, and each file appears once. Links to directories are not followed
 * below the given path, because in a directory unpacked from someone's archive they may lead anywhere, for example to
 * /. Pipes and devices found there are not read either.
 *
 * Reports are not read (input/report_files.h), even if they are named: one entry stands for all files of a report.
 * Files that are not read are listed with the reason. The list is sorted by path, whatever order the file system
 * returns. One thread.
 */
#pragma once

#include "util/map.h"
#include "util/vec.h"

struct found_file {
    struct str path;
    bool named;     /* given by the user, not found in a directory */
    bool linked;    /* the name is a link, which may lead anywhere */
    bool once;      /* can be read only once: a pipe or a device */
    uint64_t bytes; /* 0 unless it is a regular file */
    int error;      /* a positive errno if the file or its directory cannot be read */
    struct str why_not; /* set if it must not be read ... */
    bool copy;          /* ... unless there is nothing else: a copy of a trace that another tool made */
};

struct found_files {
    struct arena *arena;
    struct map seen; /* device and inode -> position in the list, from 1 */
    struct map ours; /* paths of report files that the walk will meet */
    VEC(struct str) markers; /* markers that were read */
    VEC(struct found_file) list;
};

void found_files_init(struct found_files *f, struct arena *a);

/*
 * Adds what `path` stands for; "-" is standard input. Returns 0, or -errno if the path itself cannot be accessed. A
 * path below it that cannot be accessed is added with its error.
 */
int discover(struct found_files *out, const char *path);
