#include "unit.h"

#include "util/formats/deflate.h"

#include <zlib.h>

/* Unpacks raw DEFLATE with zlib, whichever library packed it. */
static void check(struct deflate *d, struct str in)
{
    struct buf packed = {0}, got = {0};
    z_stream z = {0};

    buf_str(&packed, STR("before"));
    deflate_block(d, in, &packed);
    assert_true(packed.n > 6);
    assert_memory_equal(packed.p, "before", 6);
    assert_int_equal(inflateInit2(&z, -15), Z_OK);
    z.next_in = (Bytef *)packed.p + 6;
    z.avail_in = (uInt)packed.n - 6;
    z.next_out = (Bytef *)buf_room(&got, in.n + 1);
    z.avail_out = (uInt)in.n + 1;
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    buf_added(&got, in.n + 1 - z.avail_out);
    inflateEnd(&z);
    assert_same(buf_view(&got), in);
    buf_free(&packed);
    buf_free(&got);
}

static void round_trips(void **state)
{
    struct deflate *d = deflate_new();
    struct buf b = {0};
    uint64_t seed = 3;

    (void)state;
    check(d, STR(""));
    check(d, STR("a"));
    check(d, STR("abcabcabcabcabcabcabcabcabcabc\0\0\0\n"));
    while (b.n < 300000) /* repeats itself */
        buf_printf(&b, "tmp%llu = tl.load(in_ptr%llu)\n", (unsigned long long)(test_random(&seed) % 50),
                   (unsigned long long)(test_random(&seed) % 5));
    check(d, buf_view(&b));
    for (size_t i = 0; i < b.n; i++) /* cannot be compressed */
        b.p[i] = (char)test_random(&seed);
    check(d, buf_view(&b));
    check(d, STR("once more"));
    buf_free(&b);
    deflate_free(d);
}

static void compresses(void **state)
{
    struct deflate *d = deflate_new();
    struct buf b = {0}, packed = {0};

    (void)state;
    for (int i = 0; i < 1000; i++)
        buf_str(&b, STR("the same line again and again\n"));
    deflate_block(d, buf_view(&b), &packed);
    assert_in_range(packed.n, 1, b.n / 20);
    buf_free(&b);
    buf_free(&packed);
    deflate_free(d);
}

static void names_its_library(void **state)
{
    struct str name = str_of(deflate_library());

    (void)state;
    assert_true(str_starts(name, STR("libdeflate ")) || str_starts(name, STR("zlib ")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(compresses),
        cmocka_unit_test(names_its_library),
    };

    return RUN(tests);
}
