#include "temp.h"

#include "input/limits.h"
#include "input/lines.h"

enum { READ_BLOCK = 256 * 1024 };

static void add(struct buf *b, int c, size_t n)
{
    if (n)
        memset(buf_room(b, n), c, n);
    buf_added(b, n);
}

/* A source that holds `text`. */
static struct source open_text(struct str text)
{
    struct source s;

    assert_int_equal(source_open(&s, temp_write("lines", text), false), 0);
    return s;
}

/* Reads the text back in lines, each checked against its place in the text; returns how many there were. */
static size_t check(struct str text)
{
    struct source s = open_text(text);
    struct line_reader r;
    struct line line;
    size_t at = 0, count = 0;

    lines_begin(&r, &s);
    while (lines_next(&r, &line)) {
        const char *nl = memchr(text.p + at, '\n', text.n - at);
        size_t n = nl ? (size_t)(nl - text.p) - at : text.n - at;

        assert_same(line.text, ((struct str){text.p + at, n}));
        assert_int_equal(line.offset, at);
        assert_int_equal(line.number, ++count);
        assert_int_equal(line.stored, n + (nl != NULL));
        assert_int_equal(line.newline, nl != NULL);
        assert_false(line.cut);
        at += n + (nl != NULL);
    }
    assert_int_equal(at, text.n);
    assert_false(lines_next(&r, &line));
    lines_end(&r);
    source_close(&s);
    return count;
}

static void cuts_at_newlines_alone(void **state)
{
    (void)state;
    assert_int_equal(check(STR("")), 0);
    assert_int_equal(check(STR("\n")), 1);
    assert_int_equal(check(STR("a")), 1);
    assert_int_equal(check(STR("a\nb")), 2);
    assert_int_equal(check(STR("a\nb\n")), 2);
    assert_int_equal(check(STR("\n\n\n")), 3);
    assert_int_equal(check(STR("a\r\nb\r\n\r")), 3);
    assert_int_equal(check(STR("a\fb\vc\xe2\x80\xa8" "d\x1c\xc2\x85" "e")), 1);
    assert_int_equal(check(STR("a\0b\n\0\n")), 2);
}

/* Lines that end just before, at and behind the border of what is read at once. */
static void borders_of_blocks(void **state)
{
    struct buf text = {0};

    (void)state;
    for (int first = READ_BLOCK - 2; first <= READ_BLOCK + 2; first++)
        for (int second = 0; second <= 2; second++) {
            text.n = 0;
            add(&text, 'a', (size_t)first);
            buf_char(&text, '\n');
            for (int i = 0; i < second; i++)
                buf_str(&text, STR("b\n"));
            add(&text, 'c', READ_BLOCK - (size_t)second);
            assert_int_equal(check(buf_view(&text)), 2 + second);
            buf_char(&text, '\n');
            assert_int_equal(check(buf_view(&text)), 2 + second);
        }
    buf_free(&text);
}

static void lines_of_all_lengths(void **state)
{
    struct buf text = {0};
    uint64_t seed = 21;
    size_t count = 0;

    (void)state;
    while (text.n < 3 * READ_BLOCK) {
        size_t n = (size_t)(test_random(&seed) % (count % 100 ? 200 : 100000));

        add(&text, 'a' + (int)(count % 26), n);
        buf_char(&text, '\n');
        count++;
    }
    assert_int_equal(check(buf_view(&text)), count);
    buf_free(&text);
}

/* With the limit at ten bytes: what is delivered of each line, and that what follows is in its place. */
static void lines_over_the_limit(void **state)
{
    struct source s = open_text(STR("0123456789\n0123456789x\nshort\n0123456789 and much more\n\n0123456789 end"));
    static const struct {
        const char *text;
        uint64_t offset, stored;
        bool cut, newline;
    } expected[] = {
        {"0123456789", 0, 11, false, true},  {"0123456789", 11, 12, true, true}, {"short", 23, 6, false, true},
        {"0123456789", 29, 25, true, true}, {"", 54, 1, false, true},           {"0123456789", 55, 14, true, false},
    };
    struct line_reader r;
    struct line line;

    (void)state;
    lines_begin(&r, &s);
    assert_int_equal(r.limit, LIMIT_LINE);
    r.limit = 10;
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_true(lines_next(&r, &line));
        assert_str(line.text, expected[i].text);
        assert_int_equal(line.number, i + 1);
        assert_int_equal(line.offset, expected[i].offset);
        assert_int_equal(line.stored, expected[i].stored);
        assert_int_equal(line.cut, expected[i].cut);
        assert_int_equal(line.newline, expected[i].newline);
    }
    assert_false(lines_next(&r, &line));
    lines_end(&r);
    source_close(&s);
}

/* Like /dev/zero; counts what was read. */
static size_t read_zeros(void *object, void *p, size_t n)
{
    uint64_t *count = object;

    memset(p, 0, n);
    *count += n;
    return n;
}

/* A line without an end is read up to a limit, and nothing after it. */
static void endless_line(void **state)
{
    uint64_t count = 0;
    struct line_reader r;
    struct line line;

    (void)state;
    lines_begin_with(&r, read_zeros, &count);
    r.limit = 1000;
    assert_true(lines_next(&r, &line));
    assert_true(line.cut && !line.newline && r.gave_up);
    assert_int_equal(line.text.n, 1000);
    assert_in_range(count, LIMIT_BARREN, LIMIT_BARREN + 2 * READ_BLOCK);
    assert_false(lines_next(&r, &line));
    assert_in_range(count, LIMIT_BARREN, LIMIT_BARREN + 2 * READ_BLOCK);
    lines_end(&r);
}

/* Where a line is cut depends on the line alone: not on where it stands in what is read at once. */
static void limit_across_blocks(void **state)
{
    enum { LIMIT = READ_BLOCK + 1000 };
    struct buf text = {0};

    (void)state;
    for (size_t before = 0; before < 2 * READ_BLOCK; before += READ_BLOCK / 3)
        for (size_t over = 0; over < 2; over++) {
            struct source s;
            struct line_reader r;
            struct line line;

            text.n = 0;
            add(&text, '-', before);
            buf_char(&text, '\n');
            add(&text, 'x', LIMIT + over);
            buf_str(&text, STR("\nlast"));
            s = open_text(buf_view(&text));
            lines_begin(&r, &s);
            r.limit = LIMIT;
            assert_true(lines_next(&r, &line));
            assert_true(lines_next(&r, &line));
            assert_int_equal(line.text.n, LIMIT);
            assert_int_equal(line.cut, over);
            assert_int_equal(line.stored, LIMIT + over + 1);
            assert_true(lines_next(&r, &line));
            assert_str(line.text, "last");
            assert_int_equal(line.offset, text.n - 4);
            lines_end(&r);
            source_close(&s);
        }
    buf_free(&text);
}

/* Lines that are skipped count as those that are delivered. */
static void skipped_lines(void **state)
{
    struct source s = open_text(STR("a\nb\r\n\r\nc\rc\nd\ne"));
    struct lines_skipped skipped;
    struct line_reader r;
    struct line line;

    (void)state;
    lines_begin(&r, &s);
    assert_int_equal(lines_ahead(&r).n, 0);
    assert_true(lines_next(&r, &line));
    assert_str(lines_ahead(&r), "b\r\n\r\nc\rc\nd\ne");
    skipped = lines_skip(&r, 9);
    assert_int_equal(skipped.lines, 3);
    assert_int_equal(skipped.crlf, 2);
    assert_true(lines_next(&r, &line));
    assert_str(line.text, "d");
    assert_int_equal(line.number, 5);
    assert_int_equal(line.offset, 11);
    lines_end(&r);
    source_close(&s);
}

/* More than a byte can count. */
static void many_skipped_lines(void **state)
{
    struct buf text = {0};
    struct line_reader r;
    struct source s;
    struct line line;

    (void)state;
    for (int i = 0; i < 1001; i++)
        buf_str(&text, STR("\r\n"));
    s = open_text(buf_view(&text));
    lines_begin(&r, &s);
    assert_true(lines_next(&r, &line));
    assert_int_equal(lines_skip(&r, lines_ahead(&r).n).crlf, 1000);
    assert_int_equal(r.number, 1001);
    assert_false(lines_next(&r, &line));
    lines_end(&r);
    source_close(&s);
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_at_newlines_alone),
        cmocka_unit_test(borders_of_blocks),
        cmocka_unit_test(lines_of_all_lengths),
        cmocka_unit_test(lines_over_the_limit),
        cmocka_unit_test(endless_line),
        cmocka_unit_test(limit_across_blocks),
        cmocka_unit_test(skipped_lines),
        cmocka_unit_test(many_skipped_lines),
    };

    return RUN(tests);
}
