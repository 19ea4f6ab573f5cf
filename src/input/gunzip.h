/*
 * gunzip: unpacks a stream that may be gzip, with one member or several; any other data passes through. In a damaged
 * stream, everything before the damage is returned; zlib's own gzread would withhold up to a whole buffer of it. One
 * thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gunzip;

/* Reads from fd, which the caller still owns. */
struct gunzip *gunzip_new(int fd);
void gunzip_free(struct gunzip *g); /* NULL is allowed */

/* Up to n bytes; 0 at the end, at damage in the stream, and after a read error. */
size_t gunzip_read(struct gunzip *g, void *p, size_t n);

/* The state so far. */
struct gunzip_facts {
    bool is_gzip;
    bool damaged;    /* cut off or corrupt */
    int error;       /* the error of read(), as -errno */
    uint64_t stored; /* bytes of fd that were used */
};
struct gunzip_facts gunzip_facts(const struct gunzip *g);
