#include "gzip_text.h"
#include "temp.h"

#include "input/gunzip.h"

#include <errno.h>

/* What came out of a stream, and what was found out about it. */
struct unpacked {
    struct buf text;
    struct gunzip_facts facts;
};

/* Reads `at_once` bytes at a time. */
static void unpack_fd(int fd, size_t at_once, struct unpacked *out)
{
    struct gunzip *g = gunzip_new(fd);
    size_t k;

    out->text.n = 0;
    while ((k = gunzip_read(g, buf_room(&out->text, at_once), at_once)) > 0) {
        assert_true(k <= at_once);
        buf_added(&out->text, k);
    }
    assert_int_equal(gunzip_read(g, buf_room(&out->text, 1), 1), 0); /* the end stays the end */
    out->facts = gunzip_facts(g);
    gunzip_free(g);
}

static void unpack(struct str stored, size_t at_once, struct unpacked *out)
{
    int fd = open(temp_write("x.gz", stored), O_RDONLY);

    assert_true(fd >= 0);
    unpack_fd(fd, at_once, out);
    close(fd);
}

static void nothing_packed(void **state)
{
    static const struct str texts[] = {STR_INIT(""), STR_INIT("x"), STR_INIT("\x1f"), STR_INIT("\x1f\x8a text"),
                                       STR_INIT("a text\n")};
    struct unpacked u = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        unpack(texts[i], 3, &u);
        assert_same(buf_view(&u.text), texts[i]);
        assert_false(u.facts.is_gzip);
        assert_false(u.facts.damaged);
        assert_int_equal(u.facts.stored, texts[i].n);
    }
    buf_free(&u.text);
    gunzip_free(NULL);
}

/* Members are one text, wherever the buffer of 128 kB ends between them; an empty member is nothing. */
static void members(void **state)
{
    struct unpacked u = {0};
    struct buf text = {0}, packed = {0};
    struct str t = gzip_text(&text, 900000);

    (void)state;
    for (size_t cut = 100; cut < 260000; cut = cut * 5 / 3 + 1) {
        packed.n = 0;
        gzip_add(&packed, str_take(t, cut));
        gzip_add(&packed, STR(""));
        gzip_add(&packed, str_skip(t, cut));
        for (size_t at_once = 1000; at_once <= 1000000; at_once *= 1000) {
            unpack(buf_view(&packed), at_once, &u);
            assert_true(str_eq(buf_view(&u.text), t));
            assert_true(u.facts.is_gzip);
            assert_false(u.facts.damaged);
            assert_int_equal(u.facts.stored, packed.n);
        }
    }
    buf_free(&text);
    buf_free(&packed);
    buf_free(&u.text);
}

/* What follows the last member and is none is padding. */
static void padding(void **state)
{
    static const struct str behind[] = {STR_INIT("\0\0\0\0\0\0\0\0"), STR_INIT("\x1f"), STR_INIT("text\n")};
    struct unpacked u = {0};
    struct buf packed = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(behind); i++) {
        packed.n = 0;
        gzip_add(&packed, STR("a text\n"));
        buf_str(&packed, behind[i]);
        unpack(buf_view(&packed), 100, &u);
        assert_same(buf_view(&u.text), STR("a text\n"));
        assert_true(u.facts.is_gzip);
        assert_false(u.facts.damaged);
        assert_int_equal(u.facts.stored, packed.n - behind[i].n);
    }
    buf_free(&packed);
    buf_free(&u.text);
}

/* As much as the packed bytes yield, by zlib itself. */
static size_t length_in_text(struct str packed)
{
    char out[4096];
    z_stream z = {.next_in = (Bytef *)packed.p, .avail_in = (uInt)packed.n};

    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    do {
        z.next_out = (Bytef *)out;
        z.avail_out = sizeof out;
    } while (inflate(&z, Z_SYNC_FLUSH) == Z_OK && z.avail_out == 0);
    inflateEnd(&z);
    return z.total_out;
}

/* Wherever it was cut off: nothing that is there is lost, and it is said that it was. */
static void cut_off(void **state)
{
    struct unpacked u = {0};
    struct buf text = {0}, packed = {0};
    struct str t = gzip_text(&text, 3000);

    (void)state;
    gzip_add(&packed, t);
    for (size_t n = 2; n < packed.n; n++) {
        unpack(str_take(buf_view(&packed), n), 1 + n % 500, &u);
        assert_same(buf_view(&u.text), str_take(t, length_in_text(str_take(buf_view(&packed), n))));
        assert_true(u.facts.is_gzip);
        assert_true(u.facts.damaged);
        assert_int_equal(u.facts.error, 0);
    }
    gzip_add(&packed, t); /* the second of two members */
    unpack(str_drop(buf_view(&packed), 20), 500, &u);
    assert_true(u.text.n > t.n);
    assert_true(u.facts.damaged);
    buf_free(&text);
    buf_free(&packed);
    buf_free(&u.text);
}

/* A wrong bit is noticed, but for those that fill the last byte before the checksum. */
static void corrupt(void **state)
{
    struct unpacked u = {0};
    struct buf text = {0}, packed = {0};
    struct str t = gzip_text(&text, 3000);
    size_t noticed = 0;

    (void)state;
    gzip_add(&packed, t);
    for (size_t i = 10; i < packed.n; i++) {
        packed.p[i] ^= 0x10;
        unpack(buf_view(&packed), 700, &u);
        noticed += u.facts.damaged;
        assert_true(u.facts.damaged || str_eq(buf_view(&u.text), t));
        packed.p[i] ^= 0x10;
    }
    assert_in_range(noticed, packed.n - 11, packed.n - 10);
    packed.p[packed.n - 8] ^= 1; /* the checksum: all of the text is there */
    unpack(buf_view(&packed), 700, &u);
    assert_same(buf_view(&u.text), t);
    assert_true(u.facts.damaged);
    buf_free(&text);
    buf_free(&packed);
    buf_free(&u.text);
}

/* A pipe gives a few bytes at a time. */
static void small_pieces(void **state)
{
    struct unpacked u = {0};
    struct buf packed = {0};
    int ends[2];

    (void)state;
    gzip_add(&packed, STR("one\n"));
    gzip_add(&packed, STR("two\n"));
    assert_int_equal(pipe(ends), 0);
    if (fork() == 0) {
        for (size_t i = 0; i < packed.n; i++) {
            usleep(500);
            if (write(ends[1], packed.p + i, 1) != 1)
                _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    unpack_fd(ends[0], 1, &u);
    assert_same(buf_view(&u.text), STR("one\ntwo\n"));
    assert_false(u.facts.damaged);
    close(ends[0]);
    buf_free(&packed);
    buf_free(&u.text);
}

static void read_errors(void **state)
{
    struct unpacked u = {0};
    int fd = open(temp_dir(), O_RDONLY | O_DIRECTORY);

    (void)state;
    unpack_fd(fd, 10, &u);
    assert_int_equal(u.facts.error, -EISDIR);
    assert_false(u.facts.damaged);
    assert_int_equal(u.text.n, 0);
    close(fd);
    unpack_fd(-1, 10, &u);
    assert_int_equal(u.facts.error, -EBADF);
    buf_free(&u.text);
}

/* In the middle of a member: it is the file that fails, not what is in it. */
static void a_read_error_in_a_member(void **state)
{
    struct unpacked u = {0};
    struct buf packed = {0};
    int ends[2];

    (void)state;
    gzip_add(&packed, STR("a text\n"));
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    assert_int_equal(write(ends[1], packed.p, packed.n - 4), packed.n - 4);
    unpack_fd(ends[0], 100, &u);
    assert_same(buf_view(&u.text), STR("a text\n"));
    assert_int_equal(u.facts.error, -EAGAIN);
    assert_false(u.facts.damaged);
    close(ends[0]);
    close(ends[1]);
    buf_free(&packed);
    buf_free(&u.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_packed), cmocka_unit_test(members),
        cmocka_unit_test(padding),        cmocka_unit_test(cut_off),
        cmocka_unit_test(corrupt),        cmocka_unit_test(small_pieces),
        cmocka_unit_test(read_errors),    cmocka_unit_test(a_read_error_in_a_member),
    };

    return RUN(tests);
}
