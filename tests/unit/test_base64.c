#include "unit.h"

#include "util/base64.h"

static void rfc_vectors(void **state)
{
    /* RFC 4648, section 10. */
    static const char *const pairs[][2] = {
        {"", ""},         {"f", "Zg=="},     {"fo", "Zm8="},       {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"},
    };
    struct buf b = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        b.n = 0;
        base64_encode(&b, str_of(pairs[i][0]));
        assert_str(buf_view(&b), pairs[i][1]);
    }
    buf_free(&b);
}

static void appends(void **state)
{
    struct buf b = {0};

    (void)state;
    base64_encode(&b, (struct str){0});
    assert_int_equal(b.n, 0);
    buf_str(&b, STR("x:"));
    base64_encode(&b, STR("\xfb\xff\xfe"));
    base64_encode(&b, STR("\0"));
    assert_str(buf_view(&b), "x:+//+AA==");
    buf_free(&b);
}

static int value_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);

    return c && at ? (int)(at - digits) : -1;
}

/* Decoded by the book, every length and byte comes back. */
static void round_trip(void **state)
{
    unsigned char in[512];
    struct buf b = {0};

    (void)state;
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 37);
    for (size_t n = 0; n <= sizeof in; n++) {
        size_t out = 0;
        uint32_t bits = 0;
        unsigned have = 0;

        b.n = 0;
        base64_encode(&b, (struct str){(const char *)in, n});
        assert_int_equal(b.n, (n + 2) / 3 * 4);
        for (size_t i = 0; i < b.n && b.p[i] != '='; i++) {
            int v = value_of(b.p[i]);

            assert_true(v >= 0);
            bits = bits << 6 | (uint32_t)v;
            have += 6;
            if (have < 8)
                continue;
            have -= 8;
            assert_int_equal((bits >> have) & 0xff, in[out++]);
        }
        assert_int_equal(out, n);
        assert_int_equal(bits & ((1u << have) - 1), 0);
    }
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rfc_vectors),
        cmocka_unit_test(appends),
        cmocka_unit_test(round_trip),
    };

    return RUN(tests);
}
