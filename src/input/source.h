/*
 * source: one input file as a stream of bytes that can be read a second time by offset. Plain files are read back
 * from the file itself; gzip files and pipes are copied, unpacked, into a spill as they are read, when `keep` asks for
 * it. Offsets always count unpacked bytes.
 *
 * There may be more files than a process may have open: of those that were read only the first stay open. The others
 * are opened again for each read.
 *
 * source_read belongs to one thread; source_read_at may be called from any thread once reading is over.
 */
#pragma once

#include "input/spill.h"
#include "util/str.h"

#include <stdint.h>
#include <sys/types.h>

struct gunzip;

struct source {
    char *path;             /* as given; "-" is standard input */
    uint64_t bytes;         /* on disk, from fstat; what was read for a pipe */
    uint64_t read_bytes;    /* unpacked bytes handed out so far */
    int64_t mtime_s;        /* last change, seconds since the epoch; 0 for a pipe */
    uint64_t device, inode; /* which file it is; 0 for a pipe */
    char tail[64];          /* the last bytes that were read of a plain file, before source_pause ... */
    unsigned tail_n;        /* ... and how many */
    bool gzip;
    bool gzip_damaged;     /* the compressed stream is cut off or corrupt */
    bool bomb;             /* it unpacks to far more than any trace does: reading stopped */
    int fd;                /* -1: not open, or no longer */
    bool held;             /* it stays open after it was read */
    struct spill spill;    /* open where bytes are kept that the file does not have so */
    int error;             /* a read or spill error, -errno ... */
    bool spill_failed;     /* ... of the copy in temp_file_dir(), not of the file; also when source_open failed */
    struct gunzip *gunzip; /* while reading what may be gzip */
    uint64_t stored_at;    /* bytes of the file as it is stored that were used so far */
    uint64_t again_at;     /* when less than read_bytes: where source_read is in what was read before */
    bool again;
    bool replaced;      /* what is read is not what the file holds */
    uint64_t *progress; /* if set, stored bytes read are added to it; several sources may share it */
};

/* 0 or -errno (-EISDIR for a directory). On an error there is nothing to close. */
int source_open(struct source *s, const char *path, bool keep);

/* Up to n bytes; 0 at the end or after an error (s->error, s->gzip_damaged, s->bomb say which). */
size_t source_read(struct source *s, void *p, size_t n);

/* To be called when reading is over; afterwards source_read_at works if `keep` was set. */
void source_end_reading(struct source *s);

/* With `keep`, before source_end_reading: source_read hands out again what it did so far, and then goes on. */
void source_rewind(struct source *s);

/*
 * With `keep`, before source_end_reading: the text takes the place of what the file holds, for all reading from now on.
 * 0 or -errno, and then nothing is changed.
 */
int source_replace(struct source *s, struct str text);

/* Exactly n unpacked bytes at offset, or fewer at the end. The number or -errno. */
ssize_t source_read_at(const struct source *s, void *p, size_t n, uint64_t offset);

/* True when the file was changed (size or time) since it was opened. */
bool source_changed(const struct source *s);

/*
 * A plain file that is being written is read in several goes, and closed between them: there may be more such files
 * than a process may have open. source_resume opens it again, takes its size and time as they are now, and says whether
 * what was read is still the beginning of it: not so when another file took its place, when it was cut off, or
 * written again from its beginning.
 */
void source_pause(struct source *s);
bool source_resume(struct source *s);

void source_close(struct source *s);
