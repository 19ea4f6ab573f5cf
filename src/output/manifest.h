/*
 * manifest: what the tool wrote into an output directory, kept there in a marker file. Only a directory with that file
 * is ever written over, and only files that it names are ever removed. A name is noted before the file is made, so an
 * interrupted run leaves nothing unknown behind.
 *
 * Files are written under temporary names, and get their own when all of them are complete: a run that fails or is
 * interrupted before leaves the old report as it was. Between the two there is a moment without index.html and
 * report.json; never are there files of two reports that look like one.
 */
#pragma once

#include "util/file.h"
#include "util/map.h"

#define MANIFEST_NAME ".pt2trace-report"

/* What a directory is to us. */
enum directory_state {
    DIRECTORY_FREE,    /* not there, empty, or begun by a run of ours that was interrupted */
    DIRECTORY_OURS,    /* holds a report of ours */
    DIRECTORY_FOREIGN, /* holds something else */
    DIRECTORY_BAD,     /* no directory, or cannot be looked at: errno */
};

enum directory_state directory_state(const char *dir, int *error);

struct manifest {
    const char *dir;
    struct arena *arena;
    struct map names;     /* written by this run, complete */
    struct map old_names; /* in the marker from before */
    int marker;           /* open for appending */
};

/* Makes the directory, reads the old marker and starts the new one. 0 or -errno. */
int manifest_begin(struct manifest *m, const char *dir, struct arena *a);

/*
 * Opens a relative name for writing; directories on the way are made. 0 or -errno: -EEXIST when the file is somebody
 * else's, -ELOOP when a directory on the way is a symbolic link. Then manifest_complete, or outfile_abort.
 */
int manifest_create(struct manifest *m, struct str name, struct outfile *out);

/* The file is written; manifest_finish is going to give it its name. 0 or the first error of writing. */
int manifest_complete(struct manifest *m, struct str name, struct outfile *out);

/*
 * Puts the complete files into place, in their order, removes what an earlier report left and this one did not write,
 * and writes the final marker. 0 or -errno.
 */
int manifest_finish(struct manifest *m);

/* After an error: removes the files of this run. The earlier report stays, and everything noted. */
void manifest_abort(struct manifest *m);
