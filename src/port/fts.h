/*
 * fts: the part of <fts.h> that pt2trace uses, for C libraries that lack it (musl). It walks with full paths and never
 * changes the working directory, whether FTS_NOCHDIR is given or not. There are no cycles, because links are not
 * followed.
 */
#pragma once

#include <sys/stat.h>

enum { FTS_COMFOLLOW = 1, FTS_NOCHDIR = 4, FTS_PHYSICAL = 16 }; /* options of fts_open */
enum { FTS_D = 1, FTS_DEFAULT = 3, FTS_DNR, FTS_DP = 6, FTS_ERR, FTS_F, FTS_NS = 10, FTS_SL = 12, FTS_SLNONE };
enum { FTS_ROOTLEVEL = 0 };
enum { FTS_SKIP = 4 }; /* an option of fts_set */

typedef struct fts_entry {
    struct fts_entry *fts_parent; /* the parent of a root is an entry without a name */
    struct fts_entry *fts_link;   /* the next in its directory */
    long fts_number;              /* for the caller; 0 at first */
    char *fts_path, *fts_name;    /* the name is the end of the path */
    struct stat *fts_statp, fts_stat;
    int fts_errno, fts_info, fts_level, fts_instr;
} FTSENT;

typedef struct fts_walk FTS;

FTS *fts_open(char *const *roots, int options, int (*compare)(const FTSENT **, const FTSENT **));
FTSENT *fts_read(FTS *walk); /* NULL at the end, with errno 0 */
int fts_set(FTS *walk, FTSENT *e, int instruction);
int fts_close(FTS *walk);
