/*
 * deflate: raw DEFLATE (RFC 1951) of one block, for the payload blocks of the report, which browsers unpack with
 * DecompressionStream("deflate-raw"). Two files have the same functions: deflate_libdeflate.c if that library is
 * available (twice as fast), else deflate_zlib.c; meson picks one. The level favors speed: reports are written far
 * more often than they are mailed. A `struct deflate` belongs to one thread at a time.
 */
#pragma once

#include "util/buf.h"

struct deflate;

struct deflate *deflate_new(void);
void deflate_free(struct deflate *d);

/* Appends the compressed form of `in` to out. */
void deflate_block(struct deflate *d, struct str in, struct buf *out);

/* "libdeflate 1.14" or "zlib 1.2.13", for --version. */
const char *deflate_library(void);
