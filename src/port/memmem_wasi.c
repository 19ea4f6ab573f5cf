/* As fast as in other C libraries: if the first and the last byte match, the rest is compared. */
#include <stddef.h>
#include <string.h>
#include <wasm_simd128.h>

enum { LANES = 16 };

void *memmem(const void *bytes, size_t n, const void *wanted, size_t k)
{
    const char *p = bytes, *needle = wanted;
    size_t places = n - k + 1; /* the number of places where it can begin */
    v128_t first, last;

    if (k == 0)
        return (void *)p;
    if (k > n)
        return NULL;
    first = wasm_i8x16_splat(needle[0]);
    last = wasm_i8x16_splat(needle[k - 1]);
    for (; places >= LANES; p += LANES, places -= LANES) {
        v128_t fits =
            wasm_v128_and(wasm_i8x16_eq(wasm_v128_load(p), first), wasm_i8x16_eq(wasm_v128_load(p + k - 1), last));

        for (unsigned at = wasm_i8x16_bitmask(fits); at; at &= at - 1)
            if (memcmp(p + __builtin_ctz(at), needle, k) == 0)
                return (void *)(p + __builtin_ctz(at));
    }
    for (; places > 0; p++, places--)
        if (*p == needle[0] && memcmp(p, needle, k) == 0)
            return (void *)p;
    return NULL;
}
