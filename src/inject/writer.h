/*
 * writer: the file of one process, in the format of inject/format.h. Lines are buffered until writer_flush, so that
 * the file ends with a whole line unless the process is killed while it writes. Never ends the program and never calls
 * CUDA: it runs in another program's process, where a full disk must not matter. One thread at a time.
 */
#pragma once

#include "inject/record.h"

#include <stddef.h>

struct writer {
    int fd; /* -1: there is no file, and all lines are dropped */
    char *text;
    size_t n;
    uint64_t written, limit; /* bytes in the file, and their maximum */
    uint64_t base;           /* the CUPTI time that starts are relative to; 0 before the first clock line */
    uint64_t lost;      /* activities since the last `d` line */
    char **names;       /* a hash table of the names that were written ... */
    uint32_t *ids;      /* ... and their numbers */
    size_t name_slots, name_count;
};

/* Creates a file in `directory`, which is created if necessary, and writes the first line. False on failure. */
bool writer_open(struct writer *w, const char *directory, uint64_t limit);

void writer_header(struct writer *w, const char *key, const char *value);
void writer_header_number(struct writer *w, const char *key, uint64_t value);
void writer_clock(struct writer *w, uint64_t cupti_ns, uint64_t unix_ns);
void writer_record(struct writer *w, const struct gpu_record *r);
void writer_lost(struct writer *w, uint64_t count);
void writer_aside(struct writer *w, uint64_t unix_ns, const char *reason);
void writer_end(struct writer *w);

/* Passes the lines to the system, which keeps them even if the process is killed. */
void writer_flush(struct writer *w);

/* For a forked child: the file stays with the parent, and nothing more is written. */
void writer_forget(struct writer *w);
