#include "util/formats/deflate.h"
#include "util/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

enum { LEVEL = 1, RAW_WINDOW_BITS = -15, MEMORY_LEVEL = 9 };

struct deflate {
    z_stream z;
};

struct deflate *deflate_new(void)
{
    struct deflate *d = xcalloc(1, sizeof *d);

    if (deflateInit2(&d->z, LEVEL, Z_DEFLATED, RAW_WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        out_of_memory();
    return d;
}

void deflate_free(struct deflate *d)
{
    deflateEnd(&d->z);
    free(d);
}

void deflate_block(struct deflate *d, struct str in, struct buf *out)
{
    size_t room;
    int rc;

    deflateReset(&d->z);
    room = deflateBound(&d->z, in.n);
    d->z.next_in = (Bytef *)in.p;
    d->z.avail_in = (uInt)in.n;
    d->z.next_out = (Bytef *)buf_room(out, room);
    d->z.avail_out = (uInt)room;
    rc = deflate(&d->z, Z_FINISH);
    assert(rc == Z_STREAM_END);
    (void)rc;
    buf_added(out, room - d->z.avail_out);
}

const char *deflate_library(void)
{
    return "zlib " ZLIB_VERSION;
}
