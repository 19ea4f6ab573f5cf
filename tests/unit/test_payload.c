#include "temp.h"

#include "model/payload.h"

#include <errno.h>

static const struct str keys[] = {STR_INIT(""), STR_INIT("[rank0]:"), STR_INIT("[rank1]:")};

/* What a payload of `lines` lines reads back as, when all of `stored` lies in the file from byte 3 on. */
static struct str read_back(struct arena *a, struct str stored, struct payload p, const char *known, uint64_t max)
{
    struct buf file = {0}, out = {0};
    struct source s;
    struct payload_source from = {.source = &s, .keys = keys, .key_count = COUNT(keys), .known_prefix = str_of(known)};
    struct str text;

    buf_str(&file, STR("xx\n"));
    buf_str(&file, stored);
    buf_str(&file, STR("\tnot of this payload\n"));
    assert_int_equal(source_open(&s, temp_write("payload", buf_view(&file)), true), 0);
    p.offset = 3;
    p.stored = stored.n;
    p.flags |= PAYLOAD_PRESENT;
    buf_str(&out, STR("before:"));
    assert_int_equal(payload_read_rest(&from, &p, READ_ALL, max, &out), 0);
    assert_true(str_starts(buf_view(&out), STR("before:")));
    text = arena_str(a, str_skip(buf_view(&out), 7));
    source_close(&s);
    buf_free(&file);
    buf_free(&out);
    return text;
}

/* A file that is one artifact: bytes as they are, to the end of what is its own. */
static void whole(void **state)
{
    static const struct str bytes = STR_INIT("\tone\r\n[rank0]: two\n\0\xff\n\n");
    struct arena *a = arena_new();
    struct payload p = {.lines = 1, .flags = PAYLOAD_WHOLE};

    (void)state;
    assert_same(read_back(a, bytes, p, "", UINT64_MAX), bytes);
    assert_same(read_back(a, bytes, p, "", 3), str_take(bytes, 3));
    assert_same(read_back(a, (struct str){0}, p, "", UINT64_MAX), (struct str){0});
    arena_free(a);
}

static void check(const char *stored, uint32_t lines, uint8_t flags, uint32_t stream, const char *known,
                  const char *expected)
{
    struct arena *a = arena_new();
    struct payload p = {.lines = lines, .flags = flags, .stream = stream};

    assert_str(read_back(a, str_of(stored), p, known, UINT64_MAX), expected);
    arena_free(a);
}

static void plain(void **state)
{
    (void)state;
    check("\tone\n", 1, 0, 0, "", "one");
    check("\tone\n\ttwo\n\t\n\t\tfour\n", 4, 0, 0, "", "one\ntwo\n\n\tfour");
    check("\t\n", 1, 0, 0, "", "");
    check("\t\n\t\n", 2, 0, 0, "", "\n");
    check("\tone\n\ttwo", 2, 0, 0, "", "one\ntwo"); /* the file ends there */
    check("\ta\r\n\tb\r\r\n", 2, 0, 0, "", "a\r\nb\r\r"); /* the writer's own */
    check("\t[rank0]: \tx\n\t\x1b[31mred\n", 2, 0, 0, "", "[rank0]: \tx\n\x1b[31mred");
}

static void crlf(void **state)
{
    (void)state;
    check("\ta\r\n\tb\r\r\n\t\r\n\tc\n", 4, PAYLOAD_CRLF, 0, "", "a\nb\r\n\nc");
}

/* An editor that strips trailing blanks leaves empty lines where the payload had them. */
static void blank_lines(void **state)
{
    (void)state;
    check("\ta\n\n\n\tb\n", 4, 0, 0, "", "a\n\n\nb");
    check("\n\tb\n", 2, 0, 0, "", "\nb");
    check("\ta\n\r\n\tb\n", 3, 0, 0, "", "a\n\nb");
    check("\ta\n\n", 1, 0, 0, "", "a"); /* behind its last line nothing is the payload's */
}

static void prefixed(void **state)
{
    static const char mixed[] =
        "[rank0]: \ta0\n[rank1]: \ta1\n[rank0]:\tb0\n[rank1]: V1121 07:52:52.363000 1 x.py:3] {}\n"
        "something else\n\tnobody's\n[rank0]: \t\n[rank1]: \tc1\n";

    (void)state;
    check(mixed, 3, PAYLOAD_PREFIXED, 1, "", "a0\nb0\n");
    check(mixed, 2, PAYLOAD_PREFIXED, 2, "", "a1\nc1");
    check(mixed, 1, PAYLOAD_PREFIXED, 0, "", "nobody's");
    check(mixed, 2, PAYLOAD_PREFIXED, 1, "", "a0\nb0"); /* no more lines than were read */
    check("2026-11-21T07:54:38Z stdout F [rank0]: \tx\n2026-11-21T07:54:39Z stdout F [rank0]: \ty\n", 2,
          PAYLOAD_PREFIXED, 1, "", "x\ny");
    check("host> \tx\nhost> \ty\n", 2, PAYLOAD_PREFIXED, 0, "host> ", "x\ny");
    check("[rank0]: \tx\r\n[rank0]: \ty\r\n", 2, PAYLOAD_PREFIXED | PAYLOAD_CRLF, 1, "", "x\ny");
    check(mixed, 3, PAYLOAD_PREFIXED, 99, "", ""); /* a stream that is not there */
}

static void decorated(void **state)
{
    struct arena *a = arena_new();
    struct payload p = {.lines = 2, .flags = PAYLOAD_PREFIXED};

    (void)state;
    check("\x1b[2m\tx\x1b[0m\n\x1b[2m\ty\x1b[0m\n", 2, PAYLOAD_PREFIXED, 0, "", "x\ny");
    assert_str(read_back(a, STR("\0\0\0\tx\n\ty\n"), p, "", UINT64_MAX), "x\ny");
    arena_free(a);
}

static void no_more_than_asked_for(void **state)
{
    struct arena *a = arena_new();
    struct payload p = {.lines = 3};
    struct str stored = STR("\tabc\n\tdef\n\tghi\n"), whole = STR("abc\ndef\nghi");

    (void)state;
    for (uint64_t max = 0; max < 20; max++)
        assert_same(read_back(a, stored, p, "", max), str_take(whole, (size_t)max));
    assert_str(read_back(a, stored, p, "", UINT64_MAX - 3), "abc\ndef\nghi");
    p.lines = UINT32_MAX;
    assert_str(read_back(a, stored, p, "", UINT64_MAX), "abc\ndef\nghi");
    arena_free(a);
}

static void add_text(void *object, struct str text, bool prose, struct buf *out)
{
    (void)object;
    (void)prose;
    buf_str(out, text);
}

/* What is redacted ends with a whole word: part of one would be another word. */
static void no_part_of_a_word(void **state)
{
    static const struct {
        uint64_t max;
        const char *text;
    } cases[] = {
        {3, "a-"},   {4, "a-b "},           {5, "a-b "},
        {9, "a-b "}, {11, "a-b Till_7\n"}, {14, "a-b Till_7\nend"},
    };
    static const struct str stored = STR_INIT("x\n\ta-b Till_7\n\tend\n");
    struct payload p = {.offset = 2, .stored = stored.n - 2, .lines = 2, .text_bytes = 14, .flags = PAYLOAD_PRESENT};
    struct source s;
    struct payload_source from = {.source = &s, .keys = keys, .key_count = COUNT(keys), .filter = {.apply = add_text}};

    (void)state;
    assert_int_equal(source_open(&s, temp_write("words", stored), true), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct buf out = {0};

        assert_int_equal(payload_read_rest(&from, &p, READ_ALL, cases[i].max, &out), 0);
        assert_str(buf_view(&out), cases[i].text);
        buf_free(&out);
    }
    source_close(&s);
}

/* Shows where each text ends that a filter is called with. */
static void mark_end(void *object, struct str text, bool prose, struct buf *out)
{
    (void)object;
    (void)prose;
    buf_str(out, text);
    buf_char(out, '|');
}

/* A filter sees a line at once, unless that is longer than 1 MiB: then it sees pieces that are little longer. */
static void lines_of_a_filter(void **state)
{
    static const struct {
        size_t n, pieces;
    } cases[] = {{1000, 1}, {65536, 1}, {200000, 1}, {1 << 20, 1}, {1200000, 2}, {3000000, 3}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct payload p = {.stored = cases[i].n, .text_bytes = cases[i].n, .flags = PAYLOAD_PRESENT | PAYLOAD_WHOLE};
        struct source s;
        struct payload_source from = {
            .source = &s, .keys = keys, .key_count = COUNT(keys), .filter = {.apply = mark_end}};
        struct buf stored = {0}, out = {0};
        size_t pieces = 0;

        memset(buf_room(&stored, cases[i].n), 'x', cases[i].n);
        buf_added(&stored, cases[i].n);
        assert_int_equal(source_open(&s, temp_write("filtered", buf_view(&stored)), true), 0);
        assert_int_equal(payload_read(&from, &p, READ_ALL, &out), 0);
        for (size_t k = 0; k < out.n; k++)
            pieces += out.p[k] == '|';
        assert_int_equal(pieces, cases[i].pieces);
        assert_int_equal(out.n - pieces, cases[i].n);
        source_close(&s);
        buf_free(&stored);
        buf_free(&out);
    }
}

/* Larger than what is read at once, with lines of all lengths and one that is longer than that itself. */
static void large(void **state)
{
    struct arena *a = arena_new();
    struct buf stored = {0}, text = {0};
    struct payload p = {0};
    uint64_t seed = 4;

    (void)state;
    while (stored.n < 2000000) {
        size_t n = p.lines == 100 ? 600000 : (size_t)(test_random(&seed) % 3000);
        char *line = memset(arena_alloc(a, n), 'a' + (int)(p.lines % 26), n);

        if (p.lines++)
            buf_char(&text, '\n');
        buf_add(&text, line, n);
        buf_char(&stored, '\t');
        buf_add(&stored, line, n);
        buf_char(&stored, '\n');
    }
    assert_true(str_eq(read_back(a, buf_view(&stored), p, "", UINT64_MAX), buf_view(&text)));
    assert_true(str_eq(read_back(a, buf_view(&stored), p, "", 1000001), str_take(buf_view(&text), 1000001)));
    buf_free(&stored);
    buf_free(&text);
    arena_free(a);
}

static void gone(void **state)
{
    struct source s;
    struct payload_source from = {.source = &s, .keys = keys, .key_count = COUNT(keys)};
    struct payload p = {.offset = 2, .stored = 100, .lines = 9, .flags = PAYLOAD_PRESENT},
                   none = {.stored = 5, .lines = 1};
    struct buf out = {0};

    (void)state;
    assert_int_equal(source_open(&s, temp_write("short", STR("x\n\tabc\n")), true), 0);
    assert_int_equal(payload_read(&from, &p, READ_ALL, &out), -EIO);
    out.n = 0;
    p.offset = 1000000;
    assert_int_equal(payload_read(&from, &p, READ_ALL, &out), -EIO);
    out.n = 0;
    assert_int_equal(payload_read(&from, &none, READ_ALL, &out), 0);
    assert_int_equal(out.n, 0);
    source_close(&s);
    buf_free(&out);
}

/* The sizes of a text of several messages are sums. */
static void joined(void **state)
{
    struct arena *a = arena_new();
    struct payload p = {.offset = 10, .stored = 50, .text_bytes = 30, .lines = 2},
                   next = {.offset = 100, .stored = 7, .text_bytes = 5, .lines = 1};

    (void)state;
    payload_join(a, &p, &next);
    assert_int_equal(p.stored, 57);
    assert_int_equal(p.text_bytes, 36); /* with the newline between them */
    assert_int_equal(p.lines, 3);
    arena_free(a);
}

static void scattered(void **state)
{
    struct payload p = {.stored = 1000000, .text_bytes = 20000};

    (void)state;
    assert_false(payload_is_scattered(&p));
    p.text_bytes = 5000;
    assert_true(payload_is_scattered(&p));
    p.stored = 10000;
    p.text_bytes = 1;
    assert_false(payload_is_scattered(&p)); /* small enough in any case */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(whole),
        cmocka_unit_test(crlf),
        cmocka_unit_test(blank_lines),
        cmocka_unit_test(prefixed),
        cmocka_unit_test(decorated),
        cmocka_unit_test(no_more_than_asked_for),
        cmocka_unit_test(no_part_of_a_word),
        cmocka_unit_test(lines_of_a_filter),
        cmocka_unit_test(large),
        cmocka_unit_test(gone),
        cmocka_unit_test(joined),
        cmocka_unit_test(scattered),
    };

    return RUN(tests);
}
