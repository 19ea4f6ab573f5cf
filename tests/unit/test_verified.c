#include "unit.h"

#include "trace/verified.h"
#include "util/buf.h"

static struct str filled(struct buf *b, size_t n, char with)
{
    b->n = 0;
    while (b->n < n)
        buf_char(b, with);
    return buf_view(b);
}

/* Each text is asked for three times: the first computes, the others may remember; the wrong digest misleads none. */
static void check(struct verified *v, struct str text, bool expected_utf8)
{
    struct digest right = digest_of(text), wrong = digest_of(STR("something else"));

    for (int i = 0; i < 3; i++) {
        bool utf8 = !expected_utf8;
        struct digest got = verified_digest(v, &right, text, &utf8);

        assert_true(digest_eq(&got, &right));
        assert_int_equal(utf8, expected_utf8);
        utf8 = !expected_utf8;
        got = verified_digest(v, &wrong, text, &utf8);
        assert_true(digest_eq(&got, &right));
        assert_int_equal(utf8, expected_utf8);
    }
}

static void tells_the_md5(void **state)
{
    static const size_t sizes[] = {0, 1, 511, 512, 513, 5000, 100000};
    struct verified *memories[] = {verified_new(), NULL};
    struct buf b = {0};

    (void)state;
    for (size_t m = 0; m < COUNT(memories); m++)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            check(memories[m], filled(&b, sizes[i], 'a'), true);
            if (sizes[i])
                check(memories[m], filled(&b, sizes[i], '\xff'), false);
        }
    buf_free(&b);
    verified_free(memories[0]);
    verified_free(NULL);
}

/* One rank's payload was damaged: of the same length, under the digest of the others. */
static void a_changed_byte_is_seen(void **state)
{
    struct verified *v = verified_new();
    struct buf b = {0};
    struct digest announced, got;
    bool utf8;

    (void)state;
    filled(&b, 4000, 'x');
    announced = digest_of(buf_view(&b));
    check(v, buf_view(&b), true);
    for (size_t at = 0; at < b.n; at += 397) {
        b.p[at] = 'y';
        got = verified_digest(v, &announced, buf_view(&b), &utf8);
        assert_false(digest_eq(&got, &announced));
        b.p[at] = 'x';
    }
    got = verified_digest(v, &announced, str_take(buf_view(&b), b.n - 1), &utf8);
    assert_false(digest_eq(&got, &announced));
    buf_free(&b);
    verified_free(v);
}

/* Its memory has an end; answers stay right behind it. */
static void many_payloads(void **state)
{
    struct verified *v = verified_new();
    struct buf b = {0};

    (void)state;
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < 100000; i++) {
            struct digest announced, got;
            bool utf8;

            filled(&b, 512, 'z');
            memcpy(b.p, &i, sizeof i);
            announced = digest_of(buf_view(&b));
            if (i % 7 == 3)
                b.p[100]++;
            got = verified_digest(v, &announced, buf_view(&b), &utf8);
            assert_int_equal(digest_eq(&got, &announced), i % 7 != 3);
        }
    buf_free(&b);
    verified_free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_md5),
        cmocka_unit_test(a_changed_byte_is_seen),
        cmocka_unit_test(many_payloads),
    };

    return RUN(tests);
}
