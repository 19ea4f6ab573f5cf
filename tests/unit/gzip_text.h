/*
 * gzip_text: texts for tests, and the gzip members they are packed into.
 */
#pragma once

#include "unit.h"

#include "util/buf.h"

#include <zlib.h>

/* A text of n bytes that does not compress to nothing. */
static inline struct str gzip_text(struct buf *b, size_t n)
{
    uint64_t seed = n;

    b->n = 0;
    while (b->n < n)
        buf_printf(b, "%llx\n", (unsigned long long)test_random(&seed));
    b->n = n;
    return buf_view(b);
}

/* Appends one gzip member. */
static inline void gzip_add(struct buf *out, struct str text)
{
    z_stream z = {0};
    size_t room;

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    room = deflateBound(&z, text.n);
    z.next_in = (Bytef *)text.p;
    z.avail_in = (uInt)text.n;
    z.next_out = (Bytef *)buf_room(out, room);
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    buf_added(out, room - z.avail_out);
    deflateEnd(&z);
}
