#include "input/gunzip.h"

#include "util/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { IN_BYTES = 128 * 1024, GZIP_WINDOW_BITS = 15 + 16, OUT_MAX = 1 << 30 };

/*
 * AT_BEGIN is followed by IN_MEMBER or PASSING_THROUGH. A member is followed by BETWEEN_MEMBERS, and that by another
 * member or OVER.
 */
enum gunzip_state { AT_BEGIN, IN_MEMBER, BETWEEN_MEMBERS, PASSING_THROUGH, OVER };

struct gunzip {
    int fd;
    enum gunzip_state state;
    struct gunzip_facts facts;
    z_stream z; /* next_in and avail_in are the bytes that were read but not used yet */
    unsigned char in[IN_BYTES];
};

struct gunzip *gunzip_new(int fd)
{
    struct gunzip *g = xcalloc(1, sizeof *g);

    g->fd = fd;
    g->z.next_in = g->in;
    if (inflateInit2(&g->z, GZIP_WINDOW_BITS) != Z_OK)
        out_of_memory();
    return g;
}

void gunzip_free(struct gunzip *g)
{
    if (!g)
        return;
    inflateEnd(&g->z);
    free(g);
}

/* Unused bytes in g->in do not count as read: the compression ratio is computed from what was unpacked. */
struct gunzip_facts gunzip_facts(const struct gunzip *g)
{
    struct gunzip_facts facts = g->facts;

    facts.stored -= g->z.avail_in;
    return facts;
}

/* Reads until g->in holds `want` bytes, or up to the end. */
static bool have(struct gunzip *g, unsigned want)
{
    memmove(g->in, g->z.next_in, g->z.avail_in);
    g->z.next_in = g->in;
    while (g->z.avail_in < want) {
        ssize_t k = read(g->fd, g->in + g->z.avail_in, IN_BYTES - g->z.avail_in);

        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            g->facts.error = -errno;
        if (k <= 0)
            return false;
        g->z.avail_in += (unsigned)k;
        g->facts.stored += (uint64_t)k;
    }
    return true;
}

/* Another member may follow a member; anything else there is padding. */
static void begin_member(struct gunzip *g)
{
    bool packed = have(g, 2) && g->in[0] == 0x1f && g->in[1] == 0x8b;

    if (packed) {
        inflateReset(&g->z);
        g->facts.is_gzip = true;
        g->state = IN_MEMBER;
    } else {
        g->state = g->state == AT_BEGIN ? PASSING_THROUGH : OVER;
    }
}

static void end_damaged(struct gunzip *g)
{
    g->facts.damaged = g->facts.error == 0;
    g->state = OVER;
}

/* Output that zlib held back for lack of room comes out even if no input follows. */
static size_t unpack(struct gunzip *g, void *p, size_t n)
{
    bool more = g->z.avail_in > 0 || have(g, 1);
    int rc;

    g->z.next_out = p;
    g->z.avail_out = (unsigned)n;
    rc = inflate(&g->z, Z_NO_FLUSH);
    if (rc == Z_STREAM_END)
        g->state = BETWEEN_MEMBERS;
    /* Z_BUF_ERROR only means that more input is wanted */
    else if ((rc != Z_OK && rc != Z_BUF_ERROR) || (!more && g->z.avail_out == n))
        end_damaged(g);
    return n - g->z.avail_out;
}

static size_t pass_through(struct gunzip *g, void *p, size_t n)
{
    if (g->z.avail_in == 0 && !have(g, 1)) {
        g->state = OVER;
        return 0;
    }
    n = n < g->z.avail_in ? n : g->z.avail_in;
    memcpy(p, g->z.next_in, n);
    g->z.next_in += n;
    g->z.avail_in -= (unsigned)n;
    return n;
}

size_t gunzip_read(struct gunzip *g, void *p, size_t n)
{
    size_t k = 0;

    n = n < OUT_MAX ? n : OUT_MAX;
    while (k == 0 && g->state != OVER) {
        if (g->state == IN_MEMBER)
            k = unpack(g, p, n);
        else if (g->state == PASSING_THROUGH)
            k = pass_through(g, p, n);
        else
            begin_member(g);
    }
    return k;
}
