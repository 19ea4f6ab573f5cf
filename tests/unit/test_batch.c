#include "unit.h"

#include "trace/batch.h"

#define unsure (KIND_TEXT | KIND_JSON)

static void peeks(void **state)
{
    static const struct {
        const char *json;
        unsigned flags;
    } cases[] = {
        {"{\"artifact\": {\"name\": \"x\", \"encoding\": \"string\"}}", 0},
        {"{\"artifact\": {\"name\": \"dynamo_error\"", KIND_TEXT},
        {"{\"artifact\": {\"name\": \"fx_graph_cache_hit\"", KIND_JSON},
        {"{\"artifact\": {\"name\": \"dynamo\\u005ferror\"}}", unsure},
        {"{\"artifact\": {\"encoding\": \"string\", \"name\": \"dynamo_error\"}}", unsure},
        {"{\"artifact\":{\"name\":\"dynamo_error\"}}", unsure},
        {"{\"chromium_event\": {}}", KIND_JSON | KIND_OUTLINE},
        {"{\"describe_tensor\": {}}", KIND_BULK | KIND_OUTLINE},
        {"{\"from_the_future\": {}}", 0},
        {"{\"rank\": 0, \"artifact\": {\"name\": \"dynamo_error\"}}", unsure},
        {"{\"stack\": [], \"artifact\": {\"name\": \"dynamo_error\"}}", unsure},
        {"{ \"chromium_event\": {}}", unsure},
        {"{", unsure},
        {"", unsure},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (record_peek(str_of(cases[i].json)) != cases[i].flags)
            fail_msg("%s: %u", cases[i].json, record_peek(str_of(cases[i].json)));
}

/* The kind is the first key that PyTorch does not add to every record. */
static void finds_the_kind(void **state)
{
    static const struct {
        const char *json, *kind;
    } cases[] = {
        {"{\"dynamo_start\": {}, \"rank\": 1, \"frame_id\": 0}", "dynamo_start"},
        {"{\"rank\": 1, \"frame_id\": 0, \"dynamo_start\": {}}", "dynamo_start"},
        {"{\"stack\": [], \"dynamo_start\": {}}", "dynamo_start"},
        {"{\"stack\": [], \"has_payload\": \"\"}", "stack"},
        {"{\"has_payload\": \"x\", \"attempt\": 0, \"subgraph_name\": \"\", \"frame_compile_id\": 0, "
         "\"compiled_autograd_id\": 0}",
         ""},
        {"{}", ""},
        {"{\"new\": 1, \"dynamo_start\": {}}", "new"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct batch *b = test_calloc(1, sizeof *b);
        struct raw_record *raw = batch_add(b);

        record_decode(raw, str_of(cases[i].json), STR(""), false, NULL);
        assert_true(raw->decoded);
        assert_str(raw->kind_name, cases[i].kind);
        assert_ptr_equal(raw->kind, kind_find(str_of(cases[i].kind)));
        batch_clear(b);
        free(b->records);
        test_free(b);
    }
}

/* A batch decodes records of its own bytes, and is used again. */
static void decodes(void **state)
{
    struct batch *b = calloc(1, sizeof *b);
    static const struct {
        const char *json, *text;
        bool decoded, has_json;
    } cases[] = {
        {"{\"chromium_event\": {}}", "{\"name\": \"x\"}", true, true},
        {"{\"chromium_event\": {}}", "no json", true, false},
        {"{\"artifact\": {\"name\": \"torch_version\"}}", "{}", true, true},
        {"{\"artifact\": {\"name\": \"x\"}}", "{}", true, false},
        {"{\"artifact\": {\"name\": \"x\"}", "{}", false, false},
        {"[]", "", false, false},
        {"{\"a\": NaN}", "", true, false},
    };

    (void)state;
    for (int round = 0; round < 3; round++) {
        b->check_digests = round == 1;
        for (size_t i = 0; i < 20 * COUNT(cases); i++) {
            struct raw_record *raw = batch_add(b);
            struct str json = str_of(cases[i % COUNT(cases)].json), text = str_of(cases[i % COUNT(cases)].text);

            raw->json_at = b->bytes.n;
            raw->json_n = json.n;
            buf_str(&b->bytes, json);
            raw->text_at = b->bytes.n;
            raw->text_n = text.n;
            buf_str(&b->bytes, text);
            raw->captured = raw->captured_whole = true;
            raw->payload.flags = PAYLOAD_PRESENT;
            raw->payload.text_bytes = text.n;
        }
        batch_decode(b);
        for (size_t i = 0; i < b->n; i++) {
            struct digest expected = digest_of(str_of(cases[i % COUNT(cases)].text));

            assert_int_equal(b->records[i].decoded, cases[i % COUNT(cases)].decoded);
            assert_int_equal(b->records[i].has_json, cases[i % COUNT(cases)].has_json);
            assert_int_equal(b->records[i].hashed, round == 1);
            if (round == 1)
                assert_true(digest_eq(&b->records[i].actual, &expected));
        }
        batch_clear(b);
        assert_int_equal(b->n, 0);
    }
    batch_free(b);
    batch_free(NULL);
}

/* What a summary skips is hashed, and not decoded. */
static void skipped_records(void **state)
{
    struct raw_record raw = {
        .skip = true, .captured_whole = true, .payload = {.flags = PAYLOAD_PRESENT, .text_bytes = 4}};

    (void)state;
    record_decode(&raw, STR("{\"describe_tensor\": {}}"), STR("text"), true, NULL);
    assert_true(raw.hashed);
    assert_false(raw.decoded);
    assert_null(raw.doc.root);
}

/* Of a payload that was not kept whole nothing is said. */
static void parts_are_not_hashed(void **state)
{
    struct raw_record raw = {.captured = true, .payload = {.flags = PAYLOAD_PRESENT, .text_bytes = 5}};

    (void)state;
    record_decode(&raw, STR("{}"), STR("text"), true, NULL);
    assert_false(raw.hashed);
    json_doc_free(&raw.doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peeks),
        cmocka_unit_test(finds_the_kind),
        cmocka_unit_test(decodes),
        cmocka_unit_test(skipped_records),
        cmocka_unit_test(parts_are_not_hashed),
    };

    return RUN(tests);
}
