/*
 * file: reading at an offset, unnamed temporary files, and output files that appear whole or not at all. Errors are
 * returned as negative errno; the caller words them. One thread per object, except that any thread may call read_at.
 */
#pragma once

#include "util/buf.h"

#include <sys/types.h>

/* Exactly n bytes from offset, or fewer at the end of the file. Returns the number read or -errno. */
ssize_t read_at(int fd, void *p, size_t n, uint64_t offset);

/* All of n bytes. 0 or -errno. */
int write_all(int fd, const void *p, size_t n);
int write_at(int fd, const void *p, size_t n, uint64_t offset);

/* $TMPDIR, or /tmp. */
const char *temp_file_dir(void);

/* An unnamed file in that directory; temp_file_close deletes it. The file descriptor or -errno. */
int temp_file(void);
void temp_file_close(int fd);
/*
 * To be called before a sandbox starts, inside which no file can be made: opens as many as a command uses. Errors are
 * kept for temp_file.
 */
void temp_files_open(void);

/* Reads a whole small file, of at most max bytes. 0 or -errno (-EFBIG; a larger regular file is not read at all). */
int read_file(const char *path, size_t max, struct buf *out);

/* Whether a directory is empty; false if it cannot be read. */
bool directory_is_empty(const char *path);

/* Like mkdir -p. 0 or -errno (-ENOTDIR if a file is in the way). */
int make_dirs(const char *path);

/*
 * Makes a directory, or a symbolic link to `target` if that is not NULL, that is removed when a signal ends the
 * program. A signal waits until it is both made and noted. 0 or -errno. Must not be called between signals_block and
 * signals_unblock.
 */
int make_removable(const char *path, const char *target);

/*
 * An output file. It is written under a temporary name next to `path`, which does not change until the file is
 * published. If a signal ends the program before that, the temporary file is removed.
 */
struct outfile {
    char *path, *temp;
    int fd;
    int error;     /* the first error, as -errno; later writes do nothing */
    bool in_place; /* a device or a pipe: written to directly, never replaced by a file */
    uint64_t size;
    struct buf buf;
};

/* 0 or -errno: -EEXIST if the temporary name is taken. After an error there is nothing to commit or abort. */
int outfile_open(struct outfile *o, const char *path);
/* The same without a temporary name, for a `path` that is temporary itself: there is nothing to publish. */
int outfile_create(struct outfile *o, const char *path);
/* Only the owner may read the new file. A device or a pipe that was there keeps its mode: others use it, too. */
void outfile_make_private(struct outfile *o);
/* Errors are kept for outfile_commit. */
void outfile_write(struct outfile *o, struct str s);
/* Discards what was written. */
void outfile_restart(struct outfile *o);
/*
 * Flushes and closes: the file is then complete under its temporary name. 0 or the first error, after which the file
 * is removed.
 */
int outfile_complete(struct outfile *o);
/* Renames a complete file to `path`. 0 or -errno, after which the file is removed. */
int outfile_publish(const char *path);
/* outfile_complete and outfile_publish. */
int outfile_commit(struct outfile *o);
/* Removes the temporary file. */
void outfile_abort(struct outfile *o);

/* The temporary name, which only this process uses. The caller frees it. */
char *outfile_temp_name(const char *path);

/* A sink receives what renderers write. `write` may buffer; errors are kept in the object behind it. */
struct sink {
    void (*write)(void *object, struct str s);
    void *object;
    uint64_t bytes; /* written so far */
};

static inline void sink_str(struct sink *k, struct str s)
{
    k->bytes += s.n;
    k->write(k->object, s);
}

struct sink sink_to_outfile(struct outfile *o);
struct sink sink_to_buf(struct buf *b);
