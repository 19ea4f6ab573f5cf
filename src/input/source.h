/*
 * source: one input file as a stream of bytes that can be read a second time by offset. Plain files are read back from
 * the file itself. If `keep` asks for it, gzip files and pipes are copied, unpacked, into a spill while they are read.
 * Offsets always count unpacked bytes. There may be more files than a process may have open: of those that were read,
 * only the first ones stay open, and the others are opened again for each read. source_read belongs to one thread;
 * source_read_at may be called from any thread once reading is over.
 */
#pragma once

#include "input/spill.h"
#include "util/str.h"

#include <stdint.h>
#include <sys/types.h>

struct gunzip;

struct source {
    char *path;             /* as given; "-" is standard input */
    uint64_t bytes;         /* on disk, from fstat; for a pipe, the bytes that were read */
    uint64_t read_bytes;    /* unpacked bytes returned so far */
    int64_t mtime_s;        /* last change, seconds since the epoch; 0 for a pipe */
    uint64_t device, inode; /* identify the file; 0 for a pipe */
    char tail[64];          /* the last bytes read from a plain file before source_pause ... */
    unsigned tail_n;        /* ... and how many */
    bool gzip;
    bool gzip_damaged;     /* the compressed stream is cut off or corrupt */
    bool bomb;             /* it unpacks to far more than any trace does, so reading stopped */
    int fd;                /* -1: not open, or closed again */
    bool held;             /* stays open after it was read */
    struct spill spill;    /* open if bytes are kept that the file does not hold in this form */
    int error;             /* the -errno of a read or spill error ... */
    /* ... which comes from the copy in temp_file_dir(), not from the file; also set if source_open failed */
    bool spill_failed;
    struct gunzip *gunzip; /* while reading a file that may be gzip */
    uint64_t stored_at;    /* stored bytes of the file that were used so far */
    /* less than read_bytes while source_read returns earlier bytes again: its position in them */
    uint64_t again_at;
    bool again;
    bool replaced;      /* source_replace was called */
    uint64_t *progress; /* if set, stored bytes read are added to it; several sources may share one */
};

/* 0 or -errno (-EISDIR for a directory). After an error there is nothing to close. */
int source_open(struct source *s, const char *path, bool keep);

/* Up to n bytes; 0 at the end or after an error (s->error, s->gzip_damaged and s->bomb say which). */
size_t source_read(struct source *s, void *p, size_t n);

/* Call it when reading is over; afterwards source_read_at works if `keep` was set. */
void source_end_reading(struct source *s);

/* With `keep`, before source_end_reading: source_read returns everything read so far again, and then continues. */
void source_rewind(struct source *s);

/*
 * With `keep`, before source_end_reading: from now on, all reads return this text instead of the file's contents. 0 or
 * -errno, in which case nothing changes.
 */
int source_replace(struct source *s, struct str text);

/* Exactly n unpacked bytes at offset, or fewer at the end. The number or -errno. */
ssize_t source_read_at(const struct source *s, void *p, size_t n, uint64_t offset);

/* True if the file was changed (size or time) since it was opened. */
bool source_changed(const struct source *s);

/*
 * A plain file that is still being written is read in several rounds and closed between them, because there may be
 * more such files than a process may have open. source_resume opens the file again, updates its size and time, and
 * returns whether it still begins with what was read. It does not if another file has taken its place, or if it was
 * truncated or written again from the beginning.
 */
void source_pause(struct source *s);
bool source_resume(struct source *s);

void source_close(struct source *s);
