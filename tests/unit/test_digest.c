#include "unit.h"

#include "util/digest.h"

/* RFC 1321, appendix A.5. */
static const struct {
    const char *text, *hex;
} vectors[] = {
    {"", "d41d8cd98f00b204e9800998ecf8427e"},
    {"a", "0cc175b9c0f1b6a831c399e269772661"},
    {"abc", "900150983cd24fb0d6963f7d28e17f72"},
    {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
    {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
    {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
     "57edf4a22be3c955ac49da2e2107b67a"},
};

static void known_digests(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(vectors); i++) {
        struct digest whole = digest_of(str_of(vectors[i].text)), parts, parsed;
        struct digest_state d;
        struct str rest = str_of(vectors[i].text);
        char hex[DIGEST_HEX + 1];

        memset(hex, 'x', sizeof hex);
        digest_hex(&whole, hex);
        assert_string_equal(hex, vectors[i].hex);
        digest_begin(&d);
        for (; rest.n; rest = str_skip(rest, 3))
            digest_add(&d, str_take(rest, 3));
        digest_add(&d, (struct str){0});
        parts = digest_end(&d);
        assert_true(digest_eq(&whole, &parts));
        assert_true(digest_parse(str_of(vectors[i].hex), &parsed));
        assert_true(digest_eq(&whole, &parsed));
        assert_true(digest_eq(&whole, &parsed));
    }
}

static void parses_hex(void **state)
{
    static const char *const bad[] = {
        "",
        "d41d8cd98f00b204e9800998ecf8427",
        "d41d8cd98f00b204e9800998ecf8427e0",
        "d41d8cd98f00b204e9800998ecf8427g",
        "d41d8cd98f00b204 9800998ecf8427e",
        "d41d8cd98f00b204@9800998ecf8427e",
        "d41d8cd98f00b204e9800998ecf8427\xff",
    };
    struct digest lower, upper, empty = digest_of(STR(""));

    (void)state;
    assert_true(digest_parse(STR("d41d8cd98f00b204e9800998ecf8427e"), &lower));
    assert_true(digest_parse(STR("D41D8CD98F00B204E9800998ECF8427E"), &upper));
    assert_true(digest_eq(&lower, &upper));
    assert_true(digest_eq(&lower, &empty));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(digest_parse(str_of(bad[i]), &lower));
}

static void differences(void **state)
{
    struct digest a = digest_of(STR("a")), b = a;

    (void)state;
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        b.bytes[i] ^= 1;
        assert_false(digest_eq(&a, &b));
        b.bytes[i] ^= 1;
    }
    assert_true(digest_eq(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_digests),
        cmocka_unit_test(parses_hex),
        cmocka_unit_test(differences),
    };

    return RUN(tests);
}
