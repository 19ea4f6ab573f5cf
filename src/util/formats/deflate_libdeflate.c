#include "util/formats/deflate.h"
#include "util/mem.h"

#include <libdeflate.h>

enum { LEVEL = 1 };

struct deflate *deflate_new(void)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(LEVEL);

    if (!c)
        out_of_memory();
    return (struct deflate *)c;
}

void deflate_free(struct deflate *d)
{
    libdeflate_free_compressor((struct libdeflate_compressor *)d);
}

void deflate_block(struct deflate *d, struct str in, struct buf *out)
{
    struct libdeflate_compressor *c = (struct libdeflate_compressor *)d;
    size_t room = libdeflate_deflate_compress_bound(c, in.n);

    buf_added(out, libdeflate_deflate_compress(c, in.p, in.n, buf_room(out, room), room));
}

const char *deflate_library(void)
{
    return "libdeflate " LIBDEFLATE_VERSION_STRING;
}
