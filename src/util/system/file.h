/*
 * file: reading at an offset, temporary storage without a name, and output that appears whole or not at all.
 * Errors are returned as negative errno; the caller words them. One thread per object, read_at from any.
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

/* A file without a name there, gone when closed by temp_file_close. The fd or -errno. */
int temp_file(void);
void temp_file_close(int fd);
/* Before a sandbox, in which none can be made: opens as many as are used at once. Errors are kept for temp_file. */
void temp_files_open(void);

/* A whole small file (at most max bytes). 0 or -errno (-EFBIG when it is larger). */
int read_file(const char *path, size_t max, struct buf *out);

/* Whether there is nothing in a directory; false when it cannot be looked at. */
bool directory_is_empty(const char *path);

/* As mkdir -p. 0 or -errno (-ENOTDIR when a file is in the way). */
int make_dirs(const char *path);

/*
 * Makes a directory, or a symbolic link to `target` where that is not NULL, that goes away again when a signal ends the
 * program. A signal waits until it is both made and noted. 0 or -errno. Not while
 * signals_block holds.
 */
int make_removable(const char *path, const char *target);

/*
 * An output file: written under a temporary name beside `path`, which stays as it is until the file is published. If a
 * signal ends the program before, the temporary file is removed.
 */
struct outfile {
    char *path, *temp;
    int fd;
    int error;     /* the first error, as -errno; later writes do nothing */
    bool in_place; /* a device or a pipe: it is written to as it is, and never replaced by a file */
    uint64_t size;
    struct buf buf;
};

/* 0 or -errno: -EEXIST when there is something under the temporary name. On an error there is nothing to commit or
 * abort. */
int outfile_open(struct outfile *o, const char *path);
/* The same without a temporary name, where it is `path` that is temporary: there is nothing to publish. */
int outfile_create(struct outfile *o, const char *path);
/* Errors are kept for outfile_commit. */
void outfile_write(struct outfile *o, struct str s);
/* Flushes and closes: the file is complete under its temporary name. 0 or the first error; then it is removed. */
int outfile_complete(struct outfile *o);
/* Renames a complete file to `path`. 0 or -errno; then it is removed. */
int outfile_publish(const char *path);
/* Both of them. */
int outfile_commit(struct outfile *o);
/* Gives up: removes the temporary file. */
void outfile_abort(struct outfile *o);

/* The temporary name: of this process alone. The caller frees it. */
char *outfile_temp_name(const char *path);

/*
 * A sink: where renderers write. `write` may buffer; errors stay in the object behind it.
 */
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
