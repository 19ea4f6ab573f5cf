/*
 * staging: moves all files of a report to their places in one step. They are written to a directory inside the output
 * directory:
 *
 *     DIR/.pt2trace-stage/new/...     the files of this report
 *     DIR/.pt2trace-stage/old/...     those of the previous report, while files change places
 *     DIR/.pt2trace-stage/current     a symbolic link to `old`, then to `new`
 *
 * To publish, each entry of DIR that belongs to either report is exchanged for a symbolic link that leads through
 * `current`, which changes nothing for readers. Then `current` is renamed from the one to the other, which changes all
 * of them in one step. Then the new files replace the links. At any moment, even if the process is killed, DIR
 * contains one complete report. The next process that writes there finishes or undoes what was left. On file systems
 * without symbolic links, files change places one after another.
 */
#pragma once

#include "util/map.h"

struct staging {
    const char *dir;
    struct arena *arena;
    bool plain; /* this file system has no symbolic links */
};

/*
 * Repairs what an interrupted run left in `dir`, and creates a new, empty stage. `names` are the files that reports
 * may have put there. 0 or -errno. The caller has locked the directory.
 */
int staging_begin(struct staging *s, const char *dir, const struct map *names, struct arena *a);

/* The path at which to write a file; its directories are created. NULL after an error, which is in errno. */
const char *staging_file(struct staging *s, struct str name);

/*
 * Publishes all files of the stage, and removes those files in `names` from DIR that the stage does not have. 0, or
 * -errno with everything unchanged. Files that are not in `names` stay in DIR. Block signals that end the program
 * meanwhile.
 */
int staging_publish(struct staging *s, const struct map *names);

/* Removes the stage. False if something stays in it for the next staging_begin, which then needs the same names. */
bool staging_end(struct staging *s, const struct map *names);
