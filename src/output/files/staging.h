/*
 * staging: how the files of a report get their places all at once. They are made in a directory of their own within the
 * output directory:
 *
 *     DIR/.pt2trace-stage/new/...     the files of this report
 *     DIR/.pt2trace-stage/old/...     those of the report before, while they change places
 *     DIR/.pt2trace-stage/current     a symbolic link to `old`, then to `new`
 *
 * To publish, each entry of DIR that belongs to either report is exchanged for a symbolic link that leads through
 * `current`, which changes nothing that a reader sees. Then `current` is renamed from the one to the other, which
 * changes all of them in one step. Then the new files take the places of the links. Whoever looks into DIR in between,
 * or after the process was killed in between, finds one whole report. The next process that writes there finishes, or
 * undoes, what was left.
 *
 * On file systems without symbolic links, files change places one after the other.
 */
#pragma once

#include "util/map.h"

struct staging {
    const char *dir;
    struct arena *arena;
    bool plain; /* symbolic links cannot be made here */
};

/*
 * Puts right what an interrupted run left in `dir`, and makes a new, empty stage. `names` are the files that reports
 * may have put there. 0 or -errno. The caller has locked the directory.
 */
int staging_begin(struct staging *s, const char *dir, const struct map *names, struct arena *a);

/* Where a file is to be made; directories on the way are there. NULL after an error, which is in errno. */
const char *staging_file(struct staging *s, struct str name);

/*
 * Publishes all files of the stage, and takes those of `names` out of DIR that are not in it. 0, or -errno and all is
 * as it was. Files that are not in `names` stay in DIR, whatever is moved. Signals that end the program should wait.
 */
int staging_publish(struct staging *s, const struct map *names);

/* Removes the stage. False when something stays in it for the next staging_begin, which needs the same names then. */
bool staging_end(struct staging *s, const struct map *names);
