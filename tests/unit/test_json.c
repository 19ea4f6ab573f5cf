#include "unit.h"

#include "util/formats/json.h"
#include "util/formats/json_plain.h"
#include "util/formats/json_scan.h"
#include "util/utf8.h"

#include <stdlib.h>

#define FFFD "\xef\xbf\xbd"

/* What a text is after loading, dumped with sorted keys; reals with few digits, which are enough here. */
static void check_loads(struct str text, const char *expected, bool repaired)
{
    struct json_doc doc;
    char *dumped;

    if (!json_doc_load(&doc, text))
        fail_msg("%.*s: %s", (int)text.n, text.p, doc.error);
    dumped = json_dumps(doc.root, JSON_ENCODE_ANY | JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(3));
    assert_string_equal(dumped, expected);
    assert_int_equal(doc.repaired, repaired);
    free(dumped);
    json_doc_free(&doc);
}

static void standard_texts(void **state)
{
    (void)state;
    check_loads(STR("{}"), "{}", false);
    check_loads(STR(" [1, -2, 3.5, true, null, \"x\"] "), "[1,-2,3.5,true,null,\"x\"]", false);
    check_loads(STR("\"\\u00e9\\ud83d\\ude00\""), "\"\xc3\xa9\xf0\x9f\x98\x80\"", false);
    check_loads(STR("\"a\\u0000b\""), "\"a\\u0000b\"", false);
    check_loads(STR("9223372036854775807"), "9223372036854775807", false);
    check_loads(STR("-9223372036854775808"), "-9223372036854775808", false);
    check_loads(STR("{\"a\": 1, \"a\": 2}"), "{\"a\":2}", false);
}

static void what_python_writes_besides(void **state)
{
    char digits[2000];

    (void)state;
    check_loads(STR("[NaN, Infinity, -Infinity, 1]"), "[null,null,null,1]", true);
    check_loads(STR("{\"NaN\": \"NaN\", \"x\": NaN}"), "{\"NaN\":\"NaN\",\"x\":null}", true);
    check_loads(STR("[9223372036854775808, -9223372036854775809, 7]"), "[9.22e18,-9.22e18,7]", true);
    check_loads(STR("[1e400, -1e400, 1e-400, 2.5]"), "[null,null,0.0,2.5]", true);
    check_loads(STR("\"\\ud800\""), "\"" FFFD "\"", true);
    check_loads(STR("\"a\\udc80b\""), "\"a" FFFD "b\"", true);
    check_loads(STR("\"\\ude00\\ud83d\""), "\"" FFFD FFFD "\"", true);
    check_loads(STR("\"\\ud83d\\ud83d\\ude00\""), "\"" FFFD "\xf0\x9f\x98\x80\"", true);
    check_loads(STR("\"\\ud83d\\u0041\""), "\"" FFFD "A\"", true);
    check_loads(STR("\"a\tb\x01\x1f\""), "\"a\\tb\\u0001\\u001F\"", true);
    check_loads(STR("\"\\\"\x02\\\\\""), "\"\\\"\\u0002\\\\\"", true);
    memset(digits, '9', sizeof digits);
    digits[0] = '[';
    digits[400] = ']';
    check_loads((struct str){digits, 401}, "[null]", true); /* over the largest real */
    digits[400] = '9';
    digits[sizeof digits - 1] = ']';
    check_loads((struct str){digits, sizeof digits}, "[null]", true);
}

static void bytes_that_are_not_utf8(void **state)
{
    struct json_doc doc;

    (void)state;
    check_loads(STR("\"a\xff\xe2\x82z\""), "\"a" FFFD FFFD "z\"", true);
    check_loads(STR("{\"a\": \"x\0y\"}"), "{\"a\":\"x" FFFD "y\"}", true);
    assert_true(json_doc_load(&doc, STR("\"\xff\"")));
    assert_true(doc.not_utf8);
    json_doc_free(&doc);
    assert_true(json_doc_load(&doc, STR("NaN")));
    assert_false(doc.not_utf8);
    json_doc_free(&doc);
}

static void no_json(void **state)
{
    static const char *const bad[] = {
        "",        " ",     "{",        "[",    "{\"a\"}", "{\"a\": }",       "{\"a\": 1,}", "[1 2]",
        "nul",     "Nan",   "-",        "01",   "1.",      "\"abc",           "\"\\",        "\"\\u12",
        "\"\\x\"", "{} {}", "{'a': 1}", "-NaN", "--1",     "{\"a\": 1}V1121",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct json_doc doc;

        if (json_doc_load(&doc, str_of(bad[i])))
            fail_msg("\"%s\" was loaded", bad[i]);
        assert_null(doc.root);
        assert_true(doc.error[0]);
        json_doc_free(&doc);
    }
}

/* --- values that are cut out and put back ------------------------------------------------------------------------- */

static void add_repeated(struct buf *b, const char *text, int times)
{
    while (times--)
        buf_str(b, str_of(text));
}

static void long_values_come_back(void **state)
{
    struct buf text = {0}, list = {0};
    struct json_doc doc;
    struct str s;
    json_t *inner, *array;

    (void)state;
    buf_str(&text, STR("{\"short\": \"x\", \"long\": \""));
    add_repeated(&text, "a\\\"\\\\]", 400); /* quotes, backslashes and brackets that do not end it */
    buf_str(&text, STR("\", \"list\": ["));
    add_repeated(&list, "[1, \"]\"], ", 400);
    buf_add(&text, list.p, list.n - 2);
    buf_str(&text, STR("], \"in\": {\"long\": \""));
    add_repeated(&text, "z", 600);
    buf_str(&text, STR("\"}, \"last\": 5}"));

    assert_true(json_doc_load(&doc, buf_view(&text)));
    assert_false(doc.repaired);
    assert_int_equal(doc.cut_count, 3);
    assert_int_equal(json_get_str(&doc, doc.root, "short", &s), JSON_FOUND);
    assert_str(s, "x");
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(json_get_str(&doc, doc.root, "long", &s), JSON_FOUND);
        assert_int_equal(s.n, 1600);
        assert_true(str_starts(s, STR("a\"\\]a\"\\]")));
        assert_int_equal(json_get_array(&doc, doc.root, "list", &array), JSON_FOUND);
        assert_int_equal(json_array_size(array), 400);
        assert_str(json_str(json_array_get(json_array_get(array, 399), 1)), "]");
    }
    assert_int_equal(json_get_object(&doc, doc.root, "in", &inner), JSON_FOUND);
    assert_int_equal(json_get_str(&doc, inner, "long", &s), JSON_FOUND);
    assert_int_equal(s.n, 600);
    assert_int_equal(json_integer_value(json_get(&doc, doc.root, "last")), 5);
    json_doc_free(&doc);
    buf_free(&text);
    buf_free(&list);
}

static struct str long_document(struct buf *text, const char *first, const char *in_string)
{
    text->n = 0;
    buf_printf(text, "{%s\"long\": \"%s", first, in_string);
    add_repeated(text, "x", 3000);
    buf_str(text, STR("\"}"));
    return buf_view(text);
}

/* A mark that the text brings along never stands for something that was cut out. */
static void marks_cannot_be_forged(void **state)
{
    struct buf text = {0};
    struct json_doc doc;
    struct str s;

    (void)state;
    assert_true(json_doc_load(&doc, long_document(&text, "\"forged\": \"\\u00010\", ", "")));
    assert_int_equal(json_get_str(&doc, doc.root, "forged", &s), JSON_FOUND);
    assert_same(s, STR("\x01"
                       "0"));
    assert_int_equal(json_get_str(&doc, doc.root, "long", &s), JSON_FOUND);
    assert_int_equal(s.n, 3000);
    json_doc_free(&doc);

    /* As a raw byte, which only the repair turns into an escape. */
    assert_true(json_doc_load(&doc, long_document(&text,
                                                  "\"forged\": \"\x01"
                                                  "0\", ",
                                                  "")));
    assert_true(doc.repaired);
    assert_int_equal(json_get_str(&doc, doc.root, "forged", &s), JSON_FOUND);
    assert_same(s, STR("\x01"
                       "0"));
    json_doc_free(&doc);

    /* Inside the value that was cut out. */
    assert_true(json_doc_load(&doc, long_document(&text, "", "\\u00010")));
    assert_int_equal(json_get_str(&doc, doc.root, "long", &s), JSON_FOUND);
    assert_int_equal(s.n, 3002);
    json_doc_free(&doc);
    buf_free(&text);
}

/* What is wrong inside a value that was cut out shows when it is asked for, and is repaired like the rest. */
static void cut_values_are_repaired(void **state)
{
    struct buf text = {0};
    struct json_doc doc;
    struct str s;
    json_t *array;

    (void)state;
    assert_true(json_doc_load(&doc, long_document(&text, "", "\\ud800")));
    assert_int_equal(json_get_str(&doc, doc.root, "long", &s), JSON_FOUND);
    assert_true(str_starts(s, STR(FFFD "xxx")));
    assert_true(doc.repaired);
    json_doc_free(&doc);

    text.n = 0;
    buf_str(&text, STR("{\"list\": [NaN"));
    add_repeated(&text, ", 1", 2000);
    buf_str(&text, STR("]}"));
    assert_true(json_doc_load(&doc, buf_view(&text)));
    assert_int_equal(json_get_array(&doc, doc.root, "list", &array), JSON_FOUND);
    assert_int_equal(json_array_size(array), 2001);
    assert_true(json_is_null(json_array_get(array, 0)));
    json_doc_free(&doc);

    /* Beyond repair: null, which counts as missing. */
    text.p[10] = ':';
    assert_true(json_doc_load(&doc, buf_view(&text)));
    assert_int_equal(json_get_array(&doc, doc.root, "list", &array), JSON_MISSING);
    json_doc_free(&doc);

    /* A document that needs repair and has values to cut out. */
    assert_true(json_doc_load(&doc, long_document(&text, "\"n\": NaN, ", "\xff")));
    assert_true(doc.repaired && doc.not_utf8);
    assert_int_equal(doc.cut_count, 1);
    assert_int_equal(json_get_str(&doc, doc.root, "long", &s), JSON_FOUND);
    assert_int_equal(s.n, 3003);
    json_doc_free(&doc);
    buf_free(&text);
}

/* A long string is what a short one of the same text is, whatever stands in it. */
static void long_strings_are_as_short_ones(void **state)
{
    struct buf text = {0}, brief = {0};

    (void)state;
    for (int c = 1; c < 256; c++)
        for (int escape = 0; escape < 2; escape++) {
            char middle[] = {escape ? '\\' : 'x', (char)c, '4', '1', '4', '1', '\0'};
            struct json_doc lazy, whole;
            struct str got = {0}, want = {0};
            bool loads, lazy_loads;

            long_document(&text, "", middle);
            brief.n = 0;
            buf_printf(&brief, "{\"long\": \"%s\"}", middle);
            loads = json_doc_load_whole(&whole, buf_view(&brief));
            lazy_loads = json_doc_load(&lazy, buf_view(&text));
            if (!loads) {
                assert_int_not_equal(json_get_str(&lazy, lazy_loads ? lazy.root : NULL, "long", &got), JSON_FOUND);
            } else if (json_get_str(&whole, whole.root, "long", &want) == JSON_FOUND) {
                assert_true(lazy_loads);
                assert_int_equal(json_get_str(&lazy, lazy.root, "long", &got), JSON_FOUND);
                assert_same(str_drop(got, 3000), want);
                assert_int_equal(lazy.repaired, whole.repaired);
            }
            json_doc_free(&lazy);
            json_doc_free(&whole);
        }
    buf_free(&text);
    buf_free(&brief);
}

/* A value is whole again wherever it stands in the object that is asked for. */
static void restores_what_is_inside(void **state)
{
    struct buf text = {0};
    struct json_doc doc;
    json_t *outer;
    char *dumped;

    (void)state;
    buf_str(&text, STR("{\"o\": {\"p\": {\"long\": \""));
    add_repeated(&text, "x", 3000);
    buf_str(&text, STR("\"}, \"q\": ["));
    add_repeated(&text, "1, ", 1000);
    buf_str(&text, STR("1]}}"));
    assert_true(json_doc_load(&doc, buf_view(&text)));
    assert_int_equal(doc.cut_count, 2);
    assert_int_equal(json_get_object(&doc, doc.root, "o", &outer), JSON_FOUND);
    json_get_all(&doc, outer);
    dumped = json_dumps(outer, 0);
    assert_non_null(dumped);
    assert_same(str_of(dumped), str_drop(str_skip(buf_view(&text), 6), 1));
    free(dumped);
    json_doc_free(&doc);
    buf_free(&text);
}

static void deep_nesting(void **state)
{
    struct buf b = {0};

    (void)state;
    for (int depth = 1000; depth <= 1000000; depth *= 10) {
        static const char *const opens[] = {"[", "{\"a\":", "[{\"a\":"}, *const closes[] = {"]", "}", "}]"};

        for (size_t i = 0; i < COUNT(opens); i++) {
            struct json_doc doc;

            b.n = 0;
            add_repeated(&b, opens[i], depth);
            add_repeated(&b, "1", 1);
            add_repeated(&b, closes[i], depth);
            assert_int_equal(json_doc_load_whole(&doc, buf_view(&b)), depth == 1000);
            json_doc_free(&doc);
            /* What is deep may have been cut out: then it is null in the end. */
            if (json_doc_load(&doc, buf_view(&b)))
                json_get_all(&doc, doc.root);
            else
                assert_true(depth > 1000);
            json_doc_free(&doc);
        }
    }
    buf_free(&b);
}

static const char sample[] =
    "{\"compilation_metrics\": {\"compile_id\": \"0/1\", \"n\": -12.5e3, \"big\": 123456789012345678901234567890,"
    " \"nan\": NaN, \"list\": [1, {\"a\": [true, false, null]}, \"\\ud83d\\ude00\\n\"], \"bad\": \"\\ud800\"},"
    " \"frame_id\": 0, \"has_payload\": \"d41d8cd98f00b204e9800998ecf8427e\"}";

static void truncated_anywhere(void **state)
{
    struct str whole = {sample, sizeof sample - 1};

    (void)state;
    for (size_t n = 0; n <= whole.n; n++) {
        char *copy = malloc(n ? n : 1); /* of exactly this size: reading behind it would be seen */
        struct json_doc doc;

        memcpy(copy, whole.p, n);
        assert_int_equal(json_doc_load(&doc, (struct str){copy, n}), n == whole.n);
        json_doc_free(&doc);
        free(copy);
    }
}

/* Damage of any sort is survived; what loads can be walked. */
static void damaged_anywhere(void **state)
{
    struct buf text = {0}, copy = {0};
    uint64_t seed = 17;

    (void)state;
    buf_str(&text, str_drop((struct str){sample, sizeof sample - 1}, 1));
    buf_str(&text, STR(", \"long\": \""));
    add_repeated(&text, "y", 600);
    buf_str(&text, STR("\", \"list\": ["));
    add_repeated(&text, "\"entry\", ", 300);
    buf_str(&text, STR("0]}"));
    for (int round = 0; round < 3000; round++) {
        struct json_doc doc;

        copy.n = 0;
        buf_str(&copy, buf_view(&text));
        for (int i = 0; i < 3; i++)
            copy.p[test_random(&seed) % copy.n] = "\"\\[]{}:,\x01\xff u0N"[test_random(&seed) % 15];
        if (json_doc_load(&doc, buf_view(&copy))) {
            const char *key;
            json_t *v;

            json_object_foreach(doc.root, key, v) json_get(&doc, doc.root, key);
        }
        json_doc_free(&doc);
    }
    buf_free(&text);
    buf_free(&copy);
}

/* --- access and building ------------------------------------------------------------------------------------------ */

static void typed_access(void **state)
{
    struct json_doc doc;
    int64_t i = 0;
    double d = 0;
    bool b = false;
    struct str s;
    json_t *v;

    (void)state;
    assert_true(json_doc_load(
        &doc, STR("{\"i\": 7, \"r\": 8.0, \"f\": 8.5, \"big\": 1e19, \"s\": \"x\", \"t\": true, \"n\": null,"
                  " \"a\": [], \"o\": {}}")));
    assert_int_equal(json_get_i64(&doc, doc.root, "i", &i), JSON_FOUND);
    assert_int_equal(i, 7);
    assert_int_equal(json_get_i64(&doc, doc.root, "r", &i), JSON_FOUND);
    assert_int_equal(i, 8);
    assert_int_equal(json_get_i64(&doc, doc.root, "f", &i), JSON_WRONG_TYPE);
    assert_int_equal(json_get_i64(&doc, doc.root, "big", &i), JSON_WRONG_TYPE);
    assert_int_equal(json_get_i64(&doc, doc.root, "s", &i), JSON_WRONG_TYPE);
    assert_int_equal(json_get_i64(&doc, doc.root, "t", &i), JSON_WRONG_TYPE);
    assert_int_equal(json_get_i64(&doc, doc.root, "n", &i), JSON_MISSING);
    assert_int_equal(json_get_i64(&doc, doc.root, "gone", &i), JSON_MISSING);
    assert_int_equal(i, 8);
    assert_int_equal(json_get_double(&doc, doc.root, "i", &d), JSON_FOUND);
    assert_true(d == 7);
    assert_int_equal(json_get_double(&doc, doc.root, "f", &d), JSON_FOUND);
    assert_true(d == 8.5);
    assert_int_equal(json_get_double(&doc, doc.root, "s", &d), JSON_WRONG_TYPE);
    assert_int_equal(json_get_bool(&doc, doc.root, "t", &b), JSON_FOUND);
    assert_true(b);
    assert_int_equal(json_get_bool(&doc, doc.root, "i", &b), JSON_WRONG_TYPE);
    assert_int_equal(json_get_str(&doc, doc.root, "s", &s), JSON_FOUND);
    assert_int_equal(json_get_str(&doc, doc.root, "a", &s), JSON_WRONG_TYPE);
    assert_int_equal(json_get_array(&doc, doc.root, "a", &v), JSON_FOUND);
    assert_int_equal(json_get_array(&doc, doc.root, "o", &v), JSON_WRONG_TYPE);
    assert_int_equal(json_get_object(&doc, doc.root, "o", &v), JSON_FOUND);
    assert_int_equal(json_get_object(&doc, doc.root, "a", &v), JSON_WRONG_TYPE);
    assert_int_equal(json_get_i64(&doc, NULL, "i", &i), JSON_MISSING);
    assert_int_equal(json_get_i64(&doc, json_get(&doc, doc.root, "a"), "i", &i), JSON_MISSING);
    json_doc_free(&doc);
}

static void builds(void **state)
{
    json_t *o = json_new_object(), *a = json_new_array();
    char *dumped;

    (void)state;
    json_put_str(o, "s", STR("a\xff"));
    json_put_str(o, "none", (struct str){0});
    json_put_str(o, "empty", STR(""));
    json_put_i64(o, "i", INT64_MIN);
    json_put_bool(o, "b", true);
    json_put(o, "nan", json_of_double(0.0 / 0.0));
    json_put(o, "inf", json_of_double(1e300 * 1e300));
    json_put(o, "d", json_of_double(0.5));
    json_push(a, json_of_i64(1));
    json_push(a, json_of_str(STR("x\0y")));
    json_put(o, "a", a);
    dumped = json_dumps(o, JSON_COMPACT);
    assert_string_equal(dumped,
                        "{\"s\":\"a" FFFD "\",\"none\":null,\"empty\":\"\",\"i\":-9223372036854775808,\"b\":true,"
                        "\"nan\":null,\"inf\":null,\"d\":0.5,\"a\":[1,\"x" FFFD "y\"]}");
    free(dumped);
    json_decref(o);
}

/* Members as "key=value;", items as "item;"; what is left over stands behind "|". */
static void check_pieces(struct str text, bool object, const char *expected)
{
    struct buf out = {0};
    struct str key = {"", 0}, value;

    while (object ? json_next_member(&text, &key, &value) : json_next_item(&text, &value))
        buf_printf(&out, "%.*s%s%.*s;", STR_ARG(key), object ? "=" : "", STR_ARG(value));
    buf_printf(&out, "|%.*s", STR_ARG(text));
    buf_char(&out, '\0');
    assert_string_equal(out.p, expected);
    buf_free(&out);
}

static void piece_by_piece(void **state)
{
    (void)state;
    check_pieces(STR("[1, \"a]\\\"b\", [2, [3]], {\"x\": \"}\"} , null]"), false,
                 "1;\"a]\\\"b\";[2, [3]];{\"x\": \"}\"};null;|");
    check_pieces(STR(" { \"a\" : 1 , \"b\":[2]}"), true, "a=1;b=[2];|");
    check_pieces(STR("[]"), false, "|");
    check_pieces(STR("{}"), true, "|");
    check_pieces(STR(""), false, "|");
    check_pieces(STR("7"), false, "|");
    check_pieces(STR("[1, [2"), false, "1;|[2");
    check_pieces(STR("[1, \"2"), false, "1;|\"2");
    check_pieces(STR("[1"), false, "|1");
    check_pieces(STR("{\"a\": 1, \"b"), true, "a=1;|\"b");
    check_pieces(STR("{\"a\": 1, \"b\": [2"), true, "a=1;|[2");
    check_pieces(STR("{\"a\" 1}"), true, "|\"a\" 1}");
    check_pieces(STR("{a: 1}"), true, "|a: 1}");
    check_pieces(STR("{\"a\\\\\": \"\\\\\\\"\", \"b\": 2}"), true, "a\\\\=\"\\\\\\\"\";b=2;|");
    check_pieces(STR("[,]"), false, "|,]");
}

/* --- the quick way ------------------------------------------------------------------------------------------------ */

static bool same_as_jansson(const char *text)
{
    json_t *quick = json_plain_load(str_of(text));
    json_t *slow = json_loads(text, JSON_DECODE_ANY, NULL);
    bool same = quick && slow && json_equal(quick, slow) && json_typeof(quick) == json_typeof(slow);

    json_decref(quick);
    json_decref(slow);
    return same;
}

static void plain_texts(void **state)
{
    static const char *const texts[] = {
        "{}",
        "[]",
        "\"\"",
        "0",
        "-0",
        "-17",
        "999999999999999999",
        "1.5",
        "-2.5e-3",
        "1E+10",
        "0.0",
        "true",
        "false",
        "null",
        " { \"a\" : [ 1 , 2 ] , \"a\" : { \"b\" : \"c\" } }\n",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u001b\\u007f~\"",
        "{\"a\": \"x\\ny\", \"b\\tc\": [\"\\n\", \"z\"]}",
        "[[[[[]]]], {\"\": null}]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!same_as_jansson(texts[i]))
            fail_msg("%s", texts[i]);
}

/* For jansson, which knows better, or says what is wrong. */
static void texts_that_are_not_plain(void **state)
{
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "[1",
        "[1,]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{1:2}",
        "\"",
        "\"a",
        "\"\\",
        "\"\\x\"",
        "\"\\u00\"",
        "\"\\u0000\"",
        "\"\\u0080\"",
        "\"\\u1234\"",
        "\"\\u00G1\"",
        "\"\xc3\xa4\"",
        "\"\t\"",
        "\"\x7f\"",
        "01",
        "-",
        "-a",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1e999",
        "+1",
        "1234567890123456789",
        "NaN",
        "Infinity",
        "tru",
        "nul",
        "[] []",
        "1 2",
        "{}x",
    };
    struct str nul = {"\"a\0b\"", 5};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (json_plain_load(str_of(texts[i])))
            fail_msg("%s", texts[i]);
    assert_null(json_plain_load(nul));
}

static void plain_and_deep(void **state)
{
    struct buf text = {0};
    json_t *v;

    (void)state;
    for (int depth = 1; depth <= 101; depth++) {
        text.n = 0;
        for (int i = 0; i < depth; i++)
            buf_char(&text, '[');
        for (int i = 0; i < depth; i++)
            buf_char(&text, ']');
        v = json_plain_load(buf_view(&text));
        assert_int_equal(v != NULL, depth <= 100);
        json_decref(v);
    }
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_texts),
        cmocka_unit_test(texts_that_are_not_plain),
        cmocka_unit_test(plain_and_deep),
        cmocka_unit_test(standard_texts),
        cmocka_unit_test(what_python_writes_besides),
        cmocka_unit_test(bytes_that_are_not_utf8),
        cmocka_unit_test(no_json),
        cmocka_unit_test(long_values_come_back),
        cmocka_unit_test(marks_cannot_be_forged),
        cmocka_unit_test(cut_values_are_repaired),
        cmocka_unit_test(long_strings_are_as_short_ones),
        cmocka_unit_test(restores_what_is_inside),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(typed_access),
        cmocka_unit_test(builds),
        cmocka_unit_test(piece_by_piece),
    };

    return RUN(tests);
}
