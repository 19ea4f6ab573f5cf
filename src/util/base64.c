#include "util/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode3(char *out, const unsigned char *in)
{
    uint32_t v = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];

    out[0] = digits[v >> 18];
    out[1] = digits[v >> 12 & 63];
    out[2] = digits[v >> 6 & 63];
    out[3] = digits[v & 63];
}

void base64_encode(struct buf *out, struct str in)
{
    size_t n = (in.n + 2) / 3 * 4, i = 0;
    char *p = buf_room(out, n);
    unsigned char last[3] = {0};

    for (; i + 3 <= in.n; i += 3, p += 4)
        encode3(p, (const unsigned char *)in.p + i);
    if (i < in.n) {
        memcpy(last, in.p + i, in.n - i);
        encode3(p, last);
        p[3] = '=';
        if (in.n - i == 1)
            p[2] = '=';
    }
    buf_added(out, n);
}
