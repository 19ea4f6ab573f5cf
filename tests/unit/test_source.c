#include "gzip_text.h"
#include "temp.h"

#include "input/source.h"

#include <errno.h>
#include <sys/wait.h>
#include <utime.h>

static struct str read_all(struct source *s, struct buf *out, size_t at_once)
{
    size_t k;

    out->n = 0;
    while ((k = source_read(s, buf_room(out, at_once), at_once)) > 0)
        buf_added(out, k);
    assert_int_equal(s->read_bytes, out->n);
    source_end_reading(s);
    return buf_view(out);
}

/* Pieces from all over the text, and behind its end, come back as they were read. */
static void check_read_back(const struct source *s, struct str text)
{
    uint64_t seed = 9;
    char got[5000];

    for (int i = 0; i < 200 && text.n; i++) {
        size_t at = (size_t)(test_random(&seed) % text.n), n = (size_t)(test_random(&seed) % sizeof got);
        size_t expected = n < text.n - at ? n : text.n - at;

        assert_int_equal(source_read_at(s, got, n, at), expected);
        assert_memory_equal(got, text.p + at, expected);
    }
    assert_int_equal(source_read_at(s, got, 10, text.n), 0);
    assert_int_equal(source_read_at(s, got, 10, text.n + 1000), 0);
}

static void plain_files(void **state)
{
    struct buf text = {0}, got = {0};
    static const size_t sizes[] = {0, 1, 2, 3, 1000, 700000};

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct str t = gzip_text(&text, sizes[i]);
        const char *path = temp_write("plain", t);
        uint64_t progress = 5;
        struct source s;

        assert_int_equal(source_open(&s, path, true), 0);
        assert_string_equal(s.path, path);
        s.progress = &progress;
        assert_int_equal(s.bytes, t.n);
        assert_same(read_all(&s, &got, 4096), t);
        assert_int_equal(progress, 5 + t.n);
        assert_false(s.gzip);
        assert_int_equal(s.error, 0);
        assert_false(s.spill.open); /* read back from the file itself */
        check_read_back(&s, t);
        assert_false(source_changed(&s));
        source_close(&s);
    }
    buf_free(&text);
    buf_free(&got);
}

static void gzip_files(void **state)
{
    struct buf text = {0}, packed = {0}, got = {0};
    static const size_t sizes[] = {0, 1, 1000, 700000};

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct str t = gzip_text(&text, sizes[i]);
        uint64_t progress = 0;
        struct source s;

        packed.n = 0;
        gzip_add(&packed, t);
        assert_int_equal(source_open(&s, temp_write("x.gz", buf_view(&packed)), true), 0);
        s.progress = &progress;
        assert_int_equal(s.bytes, packed.n);
        assert_same(read_all(&s, &got, 100000), t);
        assert_true(s.gzip);
        assert_false(s.gzip_damaged);
        assert_in_range(progress, t.n ? packed.n / 2 : 0, packed.n);
        check_read_back(&s, t);
        assert_false(source_changed(&s));
        source_close(&s);
    }
    buf_free(&text);
    buf_free(&packed);
    buf_free(&got);
}

/* `cat a.gz b.gz` is a gzip file: both texts, one after the other. */
static void several_gzip_members(void **state)
{
    struct buf text = {0}, packed = {0}, got = {0};
    struct str t = gzip_text(&text, 500000);
    struct source s;

    (void)state;
    gzip_add(&packed, str_take(t, 200000));
    gzip_add(&packed, STR(""));
    gzip_add(&packed, str_skip(t, 200000));
    assert_int_equal(source_open(&s, temp_write("two.gz", buf_view(&packed)), true), 0);
    assert_same(read_all(&s, &got, 300000), t);
    assert_false(s.gzip_damaged);
    check_read_back(&s, t);
    source_close(&s);
    buf_free(&text);
    buf_free(&packed);
    buf_free(&got);
}

/* A file that was cut off gives what is there, and says that it was. */
static void truncated_gzip(void **state)
{
    struct buf text = {0}, packed = {0}, got = {0};
    struct str t = gzip_text(&text, 300000);

    (void)state;
    gzip_add(&packed, t);
    for (size_t missing = 1; missing < packed.n - 3; missing = missing < 20 ? missing + 1 : missing * 2) {
        struct source s;
        struct str r;

        assert_int_equal(source_open(&s, temp_write("cut.gz", str_drop(buf_view(&packed), missing)), true), 0);
        r = read_all(&s, &got, 65536);
        assert_true(s.gzip);
        assert_true(s.gzip_damaged);
        assert_int_equal(s.error, 0);
        assert_true(str_starts(t, r));
        if (missing < 1000)
            assert_true(r.n > t.n - 10000);
        check_read_back(&s, r);
        source_close(&s);
    }
    buf_free(&text);
    buf_free(&packed);
    buf_free(&got);
}

static void corrupt_gzip(void **state)
{
    struct buf text = {0}, packed = {0}, got = {0};
    struct str t = gzip_text(&text, 3000000);
    struct source s;
    struct str r;

    (void)state;
    gzip_add(&packed, t);
    memset(packed.p + packed.n - 1000, 0xff, 500);
    assert_int_equal(source_open(&s, temp_write("bad.gz", buf_view(&packed)), true), 0);
    r = read_all(&s, &got, 65536);
    assert_true(s.gzip_damaged);
    assert_true(r.n > t.n / 2);
    assert_memory_equal(r.p, t.p, t.n / 2);
    source_close(&s);

    packed.n = 0; /* the checksum alone is wrong: the text is complete */
    gzip_add(&packed, str_take(t, 1000));
    packed.p[packed.n - 8] ^= 1;
    assert_int_equal(source_open(&s, temp_write("bad.gz", buf_view(&packed)), true), 0);
    read_all(&s, &got, 65536);
    assert_true(s.gzip_damaged);
    source_close(&s);
    buf_free(&text);
    buf_free(&packed);
    buf_free(&got);
}

/* Runs source_open("-") with `text` coming through a pipe in small pieces. */
static void through_pipe(struct str bytes, struct str expected, bool gzip)
{
    struct buf got = {0};
    struct source s;
    int ends[2], keep = dup(STDIN_FILENO), status;
    pid_t writer;

    assert_int_equal(pipe(ends), 0);
    writer = fork();
    if (writer == 0) {
        close(ends[0]);
        while (bytes.n) {
            ssize_t k = write(ends[1], bytes.p, bytes.n < 777 ? bytes.n : 777);

            if (k <= 0)
                _exit(1);
            bytes = str_skip(bytes, (size_t)k);
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(source_open(&s, "-", true), 0);
    assert_int_equal(s.bytes, 0);
    assert_same(read_all(&s, &got, 65536), expected);
    assert_int_equal(s.gzip, gzip);
    assert_int_equal(s.bytes, expected.n);
    check_read_back(&s, expected);
    assert_false(source_changed(&s));
    source_close(&s);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    dup2(keep, STDIN_FILENO);
    close(keep);
    buf_free(&got);
}

static void pipes(void **state)
{
    struct buf text = {0}, packed = {0};
    struct str t = gzip_text(&text, 400000);

    (void)state;
    gzip_add(&packed, t);
    through_pipe(t, t, false);
    through_pipe(buf_view(&packed), t, true);
    through_pipe(STR(""), STR(""), false);
    through_pipe(STR("\x1f"), STR("\x1f"), false);
    buf_free(&text);
    buf_free(&packed);
}

static void cannot_be_opened(void **state)
{
    struct source s;

    (void)state;
    assert_int_equal(source_open(&s, temp_path("missing"), true), -ENOENT);
    assert_int_equal(source_open(&s, temp_dir(), true), -EISDIR);
    assert_int_equal(source_open(&s, "/dev/null", false), 0);
    source_end_reading(&s);
    source_close(&s);
    source_close(&s); /* once more does no harm */
}

static void notices_changes(void **state)
{
    const char *path = temp_write("grows", STR("abc"));
    struct utimbuf times = {1000, 1000};
    struct source s;
    FILE *f;

    (void)state;
    assert_int_equal(source_open(&s, path, true), 0);
    assert_false(source_changed(&s));
    f = fopen(path, "a");
    fputs("more", f);
    fclose(f);
    assert_true(source_changed(&s));
    source_close(&s);
    assert_int_equal(source_open(&s, path, true), 0);
    assert_false(source_changed(&s));
    assert_int_equal(utime(path, &times), 0);
    assert_true(source_changed(&s));
    source_close(&s);
}

/* Without room for the copy of a gzip file, reading goes on nowhere and the error is known. */
static void no_room_to_keep(void **state)
{
    struct buf text = {0}, packed = {0};
    const char *before = getenv("TMPDIR");
    char *keep = before ? strdup(before) : NULL;
    struct source s;

    (void)state;
    gzip_add(&packed, gzip_text(&text, 1000));
    temp_write("keep.gz", buf_view(&packed));
    setenv("TMPDIR", temp_path("nowhere"), 1);
    assert_int_equal(source_open(&s, temp_path("keep.gz"), true), -ENOENT);
    assert_int_equal(source_open(&s, temp_path("keep.gz"), false), 0);
    source_close(&s);
    if (keep)
        setenv("TMPDIR", keep, 1);
    else
        unsetenv("TMPDIR");
    free(keep);
    buf_free(&text);
    buf_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_files),
        cmocka_unit_test(gzip_files),
        cmocka_unit_test(several_gzip_members),
        cmocka_unit_test(truncated_gzip),
        cmocka_unit_test(corrupt_gzip),
        cmocka_unit_test(pipes),
        cmocka_unit_test(cannot_be_opened),
        cmocka_unit_test(notices_changes),
        cmocka_unit_test(no_room_to_keep),
    };

    return RUN(tests);
}
