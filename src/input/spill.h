/*
 * spill: a copy of bytes that can be read only once, to be read back by offset. All copies are in one unlinked
 * temporary file, each in pieces of its own, because there may be more copies than a process may have files open. One
 * thread writes a copy; when it is complete, any thread may read it. All copies together take at most nine tenths of
 * the free space: a small gzip file may unpack to a thousand times its size, and other programs need the disk, too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct spill {
    uint64_t *pieces; /* where in the file each piece begins */
    size_t n;
    uint64_t bytes;
    bool open;
};

/* 0 or -errno if no file can be created in temp_file_dir(). */
int spill_open(struct spill *s);
/* Appends. 0 or -errno; -EDQUOT if all copies together would exceed their limit. */
int spill_write(struct spill *s, const void *p, size_t n);
/* Exactly n bytes at offset, or fewer at the end. The number or -errno. */
ssize_t spill_read_at(const struct spill *s, void *p, size_t n, uint64_t offset);
/* Closing the last copy deletes the file. */
void spill_close(struct spill *s);
