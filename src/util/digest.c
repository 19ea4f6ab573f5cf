#include "util/digest.h"

void digest_begin(struct digest_state *d)
{
    MD5Init(&d->md5);
}

void digest_add(struct digest_state *d, struct str bytes)
{
    MD5Update(&d->md5, (const uint8_t *)bytes.p, bytes.n);
}

struct digest digest_end(struct digest_state *d)
{
    struct digest out;

    MD5Final(out.bytes, &d->md5);
    return out;
}

struct digest digest_of(struct str bytes)
{
    struct digest_state d;

    digest_begin(&d);
    digest_add(&d, bytes);
    return digest_end(&d);
}

bool digest_parse(struct str hex, struct digest *out)
{
    if (hex.n != DIGEST_HEX)
        return false;
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        int hi = str_hex_digit(hex.p[2 * i]), lo = str_hex_digit(hex.p[2 * i + 1]);

        if (hi < 0 || lo < 0)
            return false;
        out->bytes[i] = (uint8_t)(hi << 4 | lo);
    }
    return true;
}

void digest_hex(const struct digest *d, char out[DIGEST_HEX + 1])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        out[2 * i] = digits[d->bytes[i] >> 4];
        out[2 * i + 1] = digits[d->bytes[i] & 15];
    }
    out[DIGEST_HEX] = '\0';
}

bool digest_eq(const struct digest *a, const struct digest *b)
{
    return memcmp(a->bytes, b->bytes, DIGEST_BYTES) == 0;
}
