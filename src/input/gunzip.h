/*
 * gunzip: unpacks a stream that may be gzip, of one member or several; what is no gzip passes through. Of a damaged
 * stream everything before the damage comes out, where zlib's own gzread would keep up to a whole buffer of it. One
 * thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gunzip;

/* Reads from fd, which stays the caller's. */
struct gunzip *gunzip_new(int fd);
void gunzip_free(struct gunzip *g); /* NULL is fine */

/* Up to n bytes; 0 at the end, where the stream is damaged, and after a read error. */
size_t gunzip_read(struct gunzip *g, void *p, size_t n);

/* What was found so far. */
struct gunzip_facts {
    bool is_gzip;
    bool damaged;    /* cut off or corrupt */
    int error;       /* of read, as -errno */
    uint64_t stored; /* bytes read from fd and used up */
};
struct gunzip_facts gunzip_facts(const struct gunzip *g);
