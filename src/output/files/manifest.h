/*
 * manifest: the files that pt2trace wrote into an output directory, listed there in a marker file
 * (input/report_files.h). Only a directory with that file is ever overwritten, and only files that it lists are ever
 * removed. Files are made in a stage (output/files/staging.h) and moved to their places when all are complete, in one
 * step: a run that fails or is interrupted at any point leaves either the old report or the new one. A lock on the
 * marker allows one process at a time.
 */
#pragma once

#include "output/files/staging.h"
#include "util/map.h"
#include "util/system/file.h"

/* What a directory contains, as far as pt2trace cares. */
enum directory_state {
    DIRECTORY_FREE,    /* it does not exist, is empty, or is from an interrupted run of pt2trace */
    DIRECTORY_OURS,    /* it contains a report of pt2trace */
    DIRECTORY_FOREIGN, /* it contains something else */
    DIRECTORY_BAD,     /* not a directory, or not accessible: errno */
};

enum directory_state directory_state(const char *dir, int *error);

/*
 * Adds the names of files that an export wrote, one per line, to a directory's marker, so that no later call reads
 * them as recorded data. 0 or -errno.
 */
int manifest_note(const char *dir, struct str names);

/*
 * A safe file name for a name from the trace, which may be hostile: at most 80 bytes, and it cannot lead out of the
 * directory.
 */
struct str manifest_safe_name(struct arena *a, struct str name);

struct manifest {
    const char *dir;
    struct arena *arena;
    struct staging stage;
    struct map names;     /* written by this run, and complete */
    struct map old_names; /* in the earlier marker */
    int marker;           /* open for appending and locked; -1 if not */
};

/*
 * Creates the directory, locks and reads its marker, and begins a stage. 0 or -errno: -EBUSY if another process is
 * writing there, -ENOTEMPTY if something has appeared since directory_state: another report, unless it may be
 * replaced, or other files.
 */
int manifest_begin(struct manifest *m, const char *dir, bool replace, struct arena *a);

/*
 * Opens a relative name for writing, and creates directories as needed. 0 or -errno: -EEXIST if a file of that name is
 * not ours, -ELOOP if a directory in the path is a symbolic link. Call manifest_complete or outfile_abort afterwards.
 */
int manifest_create(struct manifest *m, struct str name, struct outfile *out);

/* The file has been written; manifest_finish will move it to its place. 0 or the first write error. */
int manifest_complete(struct manifest *m, struct str name, struct outfile *out);

/*
 * Moves the complete files to their places, removes files of the previous report that this one does not have, and
 * writes the final marker. 0, or -errno with the previous report unchanged.
 */
int manifest_finish(struct manifest *m);

/* After an error, including one of manifest_begin: removes the files of this run. The previous report stays. */
void manifest_abort(struct manifest *m);
