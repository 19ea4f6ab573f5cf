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
        {"{\"describe_tensor\": {}}", KIND_OUTLINE},
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

/* A record of a batch with its payload, which was kept whole. */
static struct raw_record *add(struct batch *b, struct str json, struct str text)
{
    struct raw_record *raw = batch_add(b);

    raw->json_at = b->bytes.n;
    raw->json_n = json.n;
    buf_str(&b->bytes, json);
    raw->text_at = b->bytes.n;
    raw->text_n = text.n;
    buf_str(&b->bytes, text);
    raw->captured = raw->captured_whole = true;
    raw->payload.flags = PAYLOAD_PRESENT;
    raw->payload.text_bytes = text.n;
    return raw;
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
        struct batch *b = batch_new(false);
        struct raw_record *raw = add(b, str_of(cases[i].json), STR(""));

        batch_decode(b);
        assert_true(raw->decoded);
        assert_str(raw->kind_name, cases[i].kind);
        assert_ptr_equal(raw->kind, kind_find(str_of(cases[i].kind)));
        batch_free(b);
    }
}

/* A batch decodes records of its own bytes, and is used again. */
static void decodes(void **state)
{
    struct batch *b = batch_new(false);
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
        for (size_t i = 0; i < 20 * COUNT(cases); i++)
            add(b, str_of(cases[i % COUNT(cases)].json), str_of(cases[i % COUNT(cases)].text));
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

/* Of a payload that was not kept whole nothing is said. */
static void parts_are_not_hashed(void **state)
{
    struct batch *b = calloc(1, sizeof *b);
    struct raw_record *raw = add(b, STR("{}"), STR("text"));

    (void)state;
    b->check_digests = true;
    raw->payload.text_bytes++;
    batch_decode(b);
    assert_false(raw->hashed);
    batch_free(b);
}

#define EVENT(frame, digest) "{\"chromium_event\": {}, \"frame_id\": " frame ", \"has_payload\": \"" digest "\"}"
#define DIGEST_A "0123456789abcdef0123456789abcdef"
#define DIGEST_B "fedcba9876543210fedcba9876543210"

/* Envelopes that differ in the digest alone share a document; whatever else differs does not. */
static void envelopes_that_are_alike(void **state)
{
    static const struct {
        const char *json;
        int64_t frame; /* as the document says; -1: it is no JSON */
        int like;      /* the record whose document it shares */
    } cases[] = {
        {EVENT("1", DIGEST_A), 1, 0},
        {EVENT("1", DIGEST_B), 1, 0},
        {EVENT("2", DIGEST_B), 2, 2},
        {EVENT("1", DIGEST_A), 1, 0},
        {EVENT("22", DIGEST_A), 22, 4},
        {"{\"chromium_event\": {}, \"frame_id\": 2, \"has_payload\": \"" DIGEST_A "\"]", -1, 5},
        {"{\"chromium_event\": {}, \"frame_id\": 2, \"has_payload\": \"" DIGEST_A "\"}", 2, 2},
        {"{\"chromium_event\": {}, \"frame_id\": 2}", 2, 7},
        {"{\"chromium_event\": {}, \"frame_id\": 2}", 2, 8},
        {EVENT("3", DIGEST_A), 3, 9},
        {EVENT("4", DIGEST_A), 4, 10},
        {EVENT("5", DIGEST_A), 5, 11},
        {EVENT("6", DIGEST_A), 6, 12},
        {EVENT("1", DIGEST_A), 1, 13}, /* too long ago */
        {EVENT("6", DIGEST_B), 6, 12},
    };
    struct batch *b = calloc(1, sizeof *b);

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct raw_record *raw = add(b, str_of(cases[i].json), STR("{\"ph\": \"B\"}"));

        if (str_has(str_of(cases[i].json), STR("has_payload")))
            raw->payload.flags |= PAYLOAD_ANNOUNCED | PAYLOAD_DIGEST;
    }
    batch_decode(b);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct raw_record *raw = &b->records[i];
        int64_t frame = -1;

        assert_int_equal(raw->decoded, cases[i].frame >= 0);
        if (!raw->decoded)
            continue;
        json_get_i64(&raw->doc, raw->doc.root, "frame_id", &frame);
        assert_int_equal(frame, cases[i].frame);
        assert_str(raw->kind_name, "chromium_event");
        assert_true(raw->has_json);
        for (size_t k = 0; k < i; k++)
            assert_int_equal(raw->doc.root == b->records[k].doc.root, cases[i].like == cases[k].like);
    }
    batch_clear(b);
    batch_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peeks),
        cmocka_unit_test(finds_the_kind),
        cmocka_unit_test(decodes),
        cmocka_unit_test(parts_are_not_hashed),
        cmocka_unit_test(envelopes_that_are_alike),
    };

    return RUN(tests);
}
