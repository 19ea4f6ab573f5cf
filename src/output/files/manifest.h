/*
 * manifest: what the tool wrote into an output directory, kept there in a marker file (input/report_files.h). Only a
 * directory with that file is ever written over, and only files that it names are ever removed.
 *
 * Files are made in a stage (output/files/staging.h) and get their places when all of them are complete, all at once:
 * a run that fails or is interrupted, wherever, leaves the old report or the new one. One process at a time: it holds a
 * lock on the marker.
 */
#pragma once

#include "output/files/staging.h"
#include "util/map.h"
#include "util/system/file.h"

/* What a directory is to us. */
enum directory_state {
    DIRECTORY_FREE,    /* not there, empty, or begun by a run of ours that was interrupted */
    DIRECTORY_OURS,    /* holds a report of ours */
    DIRECTORY_FOREIGN, /* holds something else */
    DIRECTORY_BAD,     /* no directory, or cannot be looked at: errno */
};

enum directory_state directory_state(const char *dir, int *error);

/*
 * Adds the names of files that an export wrote, a line each, to the marker of a directory, so that no later call takes
 * them for what was recorded. 0 or -errno.
 */
int manifest_note(const char *dir, struct str names);

/* What becomes of a name of the trace, which is hostile: 80 bytes at most, and no path leads out of the directory. */
struct str manifest_safe_name(struct arena *a, struct str name);

struct manifest {
    const char *dir;
    struct arena *arena;
    struct staging stage;
    struct map names;     /* written by this run, complete */
    struct map old_names; /* in the marker from before */
    int marker;           /* open for appending, and locked; -1: not */
};

/*
 * Makes the directory, locks and reads its marker and begins a stage. 0 or -errno: -EBUSY when another process is
 * writing there, -ENOTEMPTY when something came to be there since directory_state was asked: another report, unless
 * that may be replaced, or files of somebody else.
 */
int manifest_begin(struct manifest *m, const char *dir, bool replace, struct arena *a);

/*
 * Opens a relative name for writing; directories on the way are made. 0 or -errno: -EEXIST when the file is somebody
 * else's, -ELOOP when a directory on the way is a symbolic link. Then manifest_complete, or outfile_abort.
 */
int manifest_create(struct manifest *m, struct str name, struct outfile *out);

/* The file is written; manifest_finish is going to put it into its place. 0 or the first error of writing. */
int manifest_complete(struct manifest *m, struct str name, struct outfile *out);

/*
 * Puts the complete files into place, takes away what an earlier report left and this one did not write, and writes
 * the final marker. 0, or -errno and the earlier report is as it was.
 */
int manifest_finish(struct manifest *m);

/* After an error, also of manifest_begin: removes the files of this run. The earlier report stays. */
void manifest_abort(struct manifest *m);
