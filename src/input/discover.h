/*
 * discover: which files a path stands for. A file stands for itself, a directory for every regular file in it, at any
 * depth, links to files included, each file once. Links to directories are not followed below the path that was given:
 * in a directory that came out of somebody's archive they lead anywhere, to / for one. Nor are pipes and devices read
 * that are found. Reports are not read (input/report_files.h), whatever was given: one entry stands for all files of a
 * report. What is not to be read is listed with the reason. Sorted by path, whatever the file system
 * says. One thread.
 */
#pragma once

#include "util/map.h"
#include "util/vec.h"

struct found_file {
    struct str path;
    bool named;    /* given by the user, and not only found in a directory */
    bool linked;   /* the name is a link to it, which may lead anywhere */
    bool once;     /* can be read only once: a pipe, a device */
    uint64_t bytes; /* 0 unless it is a regular file */
    int error;     /* it (or its directory) cannot be read: a positive errno */
    struct str why_not; /* set when it is not to be read ... */
    bool copy;          /* ... unless there is nothing else: a trace that another tool copied */
};

struct found_files {
    struct arena *arena;
    struct map seen; /* device and inode -> position in the list, from 1 */
    struct map ours; /* paths of files of reports, as they are met */
    VEC(struct str) markers; /* of reports, that were read */
    VEC(struct found_file) list;
};

void found_files_init(struct found_files *f, struct arena *a);

/*
 * Adds what `path` stands for; "-" is standard input. Returns 0, or -errno when the path itself cannot be looked at.
 * A path below it that cannot is added with its error.
 */
int discover(struct found_files *out, const char *path);
