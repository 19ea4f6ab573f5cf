#include "util/fingerprint.h"

#include <xxhash.h>

bool fingerprint_of(struct str text, struct fingerprint *out)
{
    XXH128_hash_t h = XXH3_128bits(text.p, text.n);

    *out = (struct fingerprint){h.low64, h.high64};
    return true;
}
