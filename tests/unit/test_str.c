#include "unit.h"

#include <stdio.h>

static const char *program;

static const struct str nothing; /* p is NULL */

static void splits(void **state)
{
    struct str s = STR("a/b//c"), line, text = STR("one\ntwo\n");

    (void)state;
    assert_str(str_split(&s, '/'), "a");
    assert_str(str_split(&s, '/'), "b");
    assert_str(str_split(&s, '/'), "");
    assert_str(str_split(&s, '/'), "c");
    assert_int_equal(s.n, 0);
    assert_str(str_split(&s, '/'), "");
    assert_true(str_next_line(&text, &line));
    assert_str(line, "one");
    assert_true(str_next_line(&text, &line));
    assert_str(line, "two");
    assert_false(str_next_line(&text, &line));
}

static void lines_without_an_end(void **state)
{
    struct str text = STR("\n\nlast"), line;

    (void)state;
    assert_true(str_next_line(&text, &line));
    assert_str(line, "");
    assert_true(str_next_line(&text, &line));
    assert_str(line, "");
    assert_true(str_next_line(&text, &line));
    assert_str(line, "last");
    assert_false(str_next_line(&text, &line));
}

static void lines_with_words(void **state)
{
    (void)state;
    assert_str(str_line_with(STR("till\n  shop 1 \nshop 2"), STR("shop")), "shop 1");
    assert_str(str_line_with(STR("till\nshop 2"), STR("op 2")), "shop 2");
    assert_str(str_line_with(STR("till\nring"), STR("shop")), "");
    assert_str(str_line_with(STR(""), STR("shop")), "");
}

static void small_letters(void **state)
{
    char room[4];

    (void)state;
    assert_str(str_lower(STR("AZaz"), room, sizeof room), "azaz");
    assert_str(str_lower(STR("@[`{"), room, sizeof room), "@[`{"); /* beside the letters */
    assert_str(str_lower(STR("\xc3\x84"), room, sizeof room), "\xc3\x84");
    assert_str(str_lower(STR("SHOPS"), room, sizeof room), "shop");
    assert_str(str_lower(STR(""), room, sizeof room), "");
}

static void sentences(void **state)
{
    struct str s = STR("A shop. v2.6 of it. And. ");

    (void)state;
    assert_str(str_next_sentence(&s), "A shop.");
    assert_str(str_next_sentence(&s), "v2.6 of it.");
    assert_str(str_next_sentence(&s), "And.");
    assert_int_equal(s.n, 0);
    s = STR("no end");
    assert_str(str_next_sentence(&s), "no end");
    assert_int_equal(s.n, 0);
}

/* Texts are wrapped where they have a blank, and nowhere else. */
static void words_that_are_wrapped(void **state)
{
    static const struct {
        const char *text, *words;
        bool has;
    } cases[] = {
        {"where we guessed its\nmetadata", "guessed its metadata", true},
        {"where we guessed its \t\r\n  metadata", "guessed its metadata", true},
        {"guessed itsmetadata", "guessed its metadata", false},
        {"guessed its met adata", "guessed its metadata", false},
        {"ptxas fatal : x", "ptxas fatal   : x", true},
        {"out of memory", " out of memory", false},
        {"CUDA\nout of memory", " out of memory", true},
        {"out of sight, out of\nmemory", "out of memory", true},
        {"out of", "out of ", false},
        {"out of\n", "out of ", true},
        {"", "out", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(str_has_words(str_of(cases[i].text), str_of(cases[i].words)), cases[i].has);
}

static void numbers(void **state)
{
    struct str s = STR("12x");
    uint64_t v = 0;

    (void)state;
    assert_true(str_take_u64(&s, &v));
    assert_int_equal(v, 12);
    assert_str(s, "x");
    assert_false(str_take_u64(&s, &v));
    assert_int_equal(v, 12);
    assert_false(str_u64(STR("18446744073709551616"), &v));
    assert_true(str_u64(STR("18446744073709551615"), &v));
    assert_true(v == UINT64_MAX);
    assert_false(str_u64(STR("1x"), &v));
    assert_false(str_u64(STR(""), &v));
    assert_false(str_u64(STR("-1"), &v));
    assert_false(str_u64(STR(" 1"), &v));
    s = STR("99999999999999999999 rest");
    assert_false(str_take_u64(&s, &v));
    assert_str(s, "99999999999999999999 rest");
}

/* Each byte at each of the four places, and texts that end too early. */
static void four_hex_digits(void **state)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    unsigned v = 7;

    (void)state;
    for (size_t at = 0; at < 4; at++)
        for (int c = 0; c < 256; c++) {
            const char *digit = c ? strchr(digits, c) : NULL;
            char text[] = "1111more";

            text[at] = (char)c;
            v = 7;
            if (str_hex4((struct str){text, sizeof text - 1}, &v) != (digit != NULL))
                fail_msg("byte %d at %zu", c, at);
            if (digit)
                assert_int_equal(v, (0x1111 & ~(0xf << (12 - 4 * at))) | (digit - digits) % 16 << (12 - 4 * at));
            else
                assert_int_equal(v, 7);
        }
    for (size_t n = 0; n <= 4; n++)
        assert_int_equal(str_hex4(str_take(STR("fFfF"), n), &v), n == 4);
    assert_int_equal(v, 0xffff);
}

static void signed_numbers(void **state)
{
    static const char *const bad[] = {"", "-", "--1", "+1", "1-", "9223372036854775808", "-9223372036854775809", "0x1"};
    int64_t i;

    (void)state;
    assert_true(str_i64(STR("-5"), &i));
    assert_int_equal(i, -5);
    assert_true(str_i64(STR("-0"), &i));
    assert_int_equal(i, 0);
    assert_true(str_i64(STR("9223372036854775807"), &i));
    assert_true(i == INT64_MAX);
    assert_true(str_i64(STR("-9223372036854775808"), &i));
    assert_true(i == INT64_MIN);
    for (size_t k = 0; k < COUNT(bad); k++)
        if (str_i64(str_of(bad[k]), &i))
            fail_msg("%s was taken for %lld", bad[k], (long long)i);
}

static void searches(void **state)
{
    struct str out;

    (void)state;
    assert_int_equal(str_find(STR("abcabc"), STR("ca")), 2);
    assert_int_equal(str_find(STR(""), STR("x")), -1);
    assert_int_equal(str_find(STR("x"), STR("")), 0);
    assert_int_equal(str_find(STR("a\0b"), STR("\0b")), 1);
    assert_int_equal(str_chr(STR("a/b/c"), '/'), 1);
    assert_int_equal(str_rchr(STR("a/b/c"), '/'), 3);
    assert_int_equal(str_rchr(STR("abc"), '/'), -1);
    assert_true(str_has(STR("abc"), STR("bc")));
    assert_false(str_has(STR("abc"), STR("cb")));
    static const struct str list[] = {STR_INIT("ab"), STR_INIT("cd")};

    assert_true(STR_IS_ANY(STR("cd"), list) && !STR_IS_ANY(STR("abcd"), list));
    assert_true(STR_STARTS_ANY(STR("cde"), list) && !STR_STARTS_ANY(STR("xcd"), list));
    assert_true(STR_ENDS_ANY(STR("xab"), list) && !STR_ENDS_ANY(STR("abx"), list));
    assert_true(STR_HAS_ANY(STR("xabx"), list) && !STR_HAS_ANY(STR("a"), list));
    assert_true(str_between(STR("x [y] z"), STR("["), STR("]"), &out));
    assert_str(out, "y");
    assert_true(str_between(STR("]["), STR("]"), STR("["), &out));
    assert_str(out, "");
    assert_false(str_between(STR("x [y"), STR("["), STR("]"), &out));
    assert_false(str_between(STR("]x["), STR("["), STR("]"), &out));
}

/* Texts of a few letters, also with many of the byte that is looked for first, against a plain search. */
static void searches_everywhere(void **state)
{
    static const char letters[] = {'e', 'a', 'Z', '\0'};
    uint64_t seed = 7;
    char text[300];

    (void)state;
    for (int turn = 0; turn < 20000; turn++) {
        size_t n = (size_t)turn % sizeof text, kinds = 2 + (size_t)turn % 3, k, want = 0;
        struct str s = {text, n}, needle;
        char room[6];

        for (size_t i = 0; i < n + sizeof room; i++) {
            seed = seed * 6364136223846793005 + 1442695040888963407;
            (i < n ? &text[i] : &room[i - n])[0] = letters[(seed >> 33) % kinds];
        }
        k = 1 + (seed >> 40) % sizeof room;
        needle = (struct str){room, k};
        while (want + k <= n && memcmp(text + want, room, k) != 0)
            want++;
        assert_int_equal(str_find(s, needle), want + k <= n ? (ptrdiff_t)want : -1);
    }
}

static void ends(void **state)
{
    struct str s = STR("prefix-rest");

    (void)state;
    assert_true(str_starts(s, STR("prefix")));
    assert_false(str_starts(STR("pre"), STR("prefix")));
    assert_true(str_ends(s, STR("rest")));
    assert_false(str_ends(STR("st"), STR("rest")));
    assert_true(str_starts(s, STR("")));
    assert_true(str_ends(s, STR("")));
    assert_false(str_consume(&s, STR("rest")));
    assert_str(s, "prefix-rest");
    assert_true(str_consume(&s, STR("prefix-")));
    assert_str(s, "rest");
}

static void parts(void **state)
{
    struct str s = STR("abcdef");

    (void)state;
    assert_str(str_skip(s, 2), "cdef");
    assert_str(str_skip(s, 6), "");
    assert_str(str_skip(s, 7), "");
    assert_ptr_equal(str_skip(s, SIZE_MAX).p, s.p + 6);
    assert_str(str_drop(s, 2), "abcd");
    assert_str(str_drop(s, 7), "");
    assert_str(str_take(s, 2), "ab");
    assert_str(str_take(s, 7), "abcdef");
    assert_str(str_range(s.p + 1, s.p + 3), "bc");
}

static void trims(void **state)
{
    (void)state;
    assert_str(str_trim(STR(" \t a b\r\n")), "a b");
    assert_str(str_trim(STR(" \t\r\n")), "");
    assert_str(str_trim(STR("\fa\v")), "\fa\v");
    assert_same(str_trim(STR("a\0 ")), STR("a\0"));
}

static void order(void **state)
{
    static const char *const sorted[] = {"", "A", "a", "a/", "ab", "b", "\xc3\xa4"};

    (void)state;
    for (size_t i = 0; i < COUNT(sorted); i++)
        for (size_t k = 0; k < COUNT(sorted); k++) {
            int c = str_cmp(str_of(sorted[i]), str_of(sorted[k]));

            assert_int_equal((c > 0) - (c < 0), (i > k) - (i < k));
            assert_int_equal(str_eq(str_of(sorted[i]), str_of(sorted[k])), i == k);
        }
}

/* A view without bytes is as good as "". */
static void null_views(void **state)
{
    struct str s = nothing, line, out;
    uint64_t v;
    int64_t i;

    (void)state;
    assert_true(str_eq(nothing, STR("")));
    assert_true(str_eq(str_of(NULL), nothing));
    assert_int_equal(str_cmp(nothing, STR("")), 0);
    assert_true(str_cmp(nothing, STR("a")) < 0);
    assert_true(str_starts(nothing, nothing));
    assert_true(str_starts(STR("a"), nothing));
    assert_true(str_ends(nothing, nothing));
    assert_true(str_ends(STR("a"), nothing));
    assert_int_equal(str_find(nothing, STR("a")), -1);
    assert_int_equal(str_find(STR("a"), nothing), 0);
    assert_int_equal(str_chr(nothing, 'a'), -1);
    assert_int_equal(str_rchr(nothing, 'a'), -1);
    assert_int_equal(str_skip(nothing, 1).n, 0);
    assert_int_equal(str_skip(nothing, 0).n, 0);
    assert_int_equal(str_drop(nothing, 1).n, 0);
    assert_int_equal(str_take(nothing, 1).n, 0);
    assert_int_equal(str_trim(nothing).n, 0);
    assert_int_equal(str_split(&s, '/').n, 0);
    assert_false(str_next_line(&s, &line));
    assert_true(str_consume(&s, nothing));
    assert_false(str_between(nothing, STR("a"), STR("b"), &out));
    assert_false(str_u64(nothing, &v));
    assert_false(str_i64(nothing, &i));
    assert_true(str_hash(nothing) == str_hash(STR("")));
}

static void real_numbers(void **state)
{
    double value;

    (void)state;
    assert_int_equal(str_number(STR("2.5e-3 tills"), &value), 6);
    assert_true(value > 0.00249 && value < 0.00251);
    assert_int_equal(str_number(str_take(STR("1234"), 2), &value), 2);
    assert_true(value > 11.99 && value < 12.01);
    assert_int_equal(str_number(STR("till"), &value), 0);
    assert_int_equal(str_number((struct str){0}, &value), 0);
    assert_int_equal(str_number(STR("1111111111111111111111111111111111111111"), &value), STR_NUMBER_MAX);
}

static void hashes(void **state)
{
    enum { KEYS = 4096 };
    static unsigned hits[KEYS];
    unsigned most = 0;

    (void)state;
    assert_true(str_hash(STR("abc")) == str_hash(str_skip(STR("xabc"), 1)));
    assert_true(str_hash(STR("abc")) != str_hash(STR("abd")));
    /* Short keys that differ in one digit spread over a table of their number: no slot gets many. */
    for (unsigned i = 0; i < KEYS; i++) {
        unsigned slot = (unsigned)(str_hash((struct str){(const char *)&i, sizeof i}) % KEYS);

        if (++hits[slot] > most)
            most = hits[slot];
    }
    assert_in_range(most, 1, 16);
}

/* Who knows the key can make names that all get one slot: each process has its own. */
static void keys_of_hashes(void **state)
{
    uint64_t others[2] = {0};

    (void)state;
    for (int i = 0; i < 2; i++) {
        FILE *other;
        char command[4096];

        snprintf(command, sizeof command, "exec '%s' hash", program);
        other = popen(command, "r");
        assert_non_null(other);
        assert_int_equal(fread(&others[i], sizeof others[i], 1, other), 1);
        assert_int_equal(pclose(other), 0);
    }
    assert_true(others[0] != others[1] && others[0] != str_hash(STR("abc")));
}

int main(int argc, char **argv)
{
    uint64_t hash = str_hash(STR("abc"));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits),
        cmocka_unit_test(lines_without_an_end),
        cmocka_unit_test(sentences),
        cmocka_unit_test(words_that_are_wrapped),
        cmocka_unit_test(numbers),
        cmocka_unit_test(four_hex_digits),
        cmocka_unit_test(signed_numbers),
        cmocka_unit_test(searches),
        cmocka_unit_test(searches_everywhere),
        cmocka_unit_test(ends),
        cmocka_unit_test(parts),
        cmocka_unit_test(trims),
        cmocka_unit_test(lines_with_words),
        cmocka_unit_test(small_letters),
        cmocka_unit_test(order),
        cmocka_unit_test(null_views),
        cmocka_unit_test(real_numbers),
        cmocka_unit_test(hashes),
        cmocka_unit_test(keys_of_hashes),
    };

    program = argv[0];
    if (argc > 1) /* of the test that calls it */
        return fwrite(&hash, sizeof hash, 1, stdout) != 1;
    return RUN(tests);
}
