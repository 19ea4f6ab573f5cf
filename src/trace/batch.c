#include "trace/batch.h"

#include "util/mem.h"
#include "util/utf8.h"

#include <stdlib.h>

static void raw_clear(struct raw_record *raw)
{
    json_doc_free(&raw->doc);
    json_doc_free(&raw->json);
}

/* The most memory that a batch keeps for its next use. */
enum { KEPT_BYTES = 4 << 20 };

void batch_clear(struct batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        raw_clear(&b->records[i]);
    json_room_clear(b->room);
    b->n = 0;
    b->bytes.n = 0;
    if (b->bytes.cap > KEPT_BYTES)
        buf_free(&b->bytes);
}

struct batch *batch_new(bool check_digests)
{
    struct batch *b = xcalloc(1, sizeof *b);

    b->check_digests = check_digests;
    b->room = json_room_take();
    return b;
}

void batch_free(struct batch *b)
{
    if (!b)
        return;
    batch_clear(b);
    json_room_give_back(b->room);
    buf_free(&b->bytes);
    free(b->records);
    free(b);
}

struct raw_record *batch_add(struct batch *b)
{
    if (b->n == b->cap) {
        b->cap = b->cap ? b->cap * 2 : 64;
        b->records = xrealloc(b->records, b->cap * sizeof *b->records);
    }
    b->records[b->n] = (struct raw_record){0};
    return &b->records[b->n++];
}

/*
 * Keys that PyTorch adds to every record (torch/_logging/_internal.py, trace_structured); any other key names the
 * kind. PyTorch writes the kind first, but a tool that passed the trace on may have sorted the keys.
 */
static bool is_context_key(struct str key)
{
    static const struct str keys[] = {
        STR_INIT("rank"),    STR_INIT("compiled_autograd_id"), STR_INIT("frame_id"),    STR_INIT("frame_compile_id"),
        STR_INIT("attempt"), STR_INIT("subgraph_name"),        STR_INIT("has_payload"),
    };

    return STR_IS_ANY(key, keys);
}

/* The kind is the first key that is not context; `stack` counts as context unless there is no other key. */
static void find_kind(struct raw_record *raw)
{
    const char *key;
    json_t *value;
    bool have_stack = false;

    json_object_foreach(raw->doc.root, key, value)
    {
        struct str k = str_of(key);

        if (is_context_key(k))
            continue;
        if (str_eq(k, STR("stack"))) {
            have_stack = true;
            continue;
        }
        raw->kind_name = k;
        break;
    }
    if (raw->kind_name.n == 0 && have_stack)
        raw->kind_name = STR("stack");
    raw->value = raw->kind_name.n ? json_get(&raw->doc, raw->doc.root, raw->kind_name.p) : NULL;
    raw->kind = kind_find(raw->kind_name);
}

/* The row that says whether to parse the payload; for an artifact, the row of its name. */
static void find_artifact_kind(struct raw_record *raw)
{
    struct str name;

    if (raw->kind && raw->kind->apply == apply_artifact &&
        json_get_str(&raw->doc, raw->value, "name", &name) == JSON_FOUND)
        raw->artifact_kind = artifact_kind_find(name);
}

/*
 * Hashes a payload that was kept whole, and checks whether it is UTF-8. If no digest was found in the record, the
 * payload was not kept.
 */
static void check_payload(struct raw_record *raw, struct str text)
{
    if (raw->hashed || !(raw->payload.flags & PAYLOAD_PRESENT) || text.n != raw->payload.text_bytes)
        return;
    raw->actual = digest_of(text);
    raw->hashed = true;
    raw->text_not_utf8 = !utf8_valid(text);
}

/* --- envelopes that are alike ------------------------------------------------------------------------------------- */

/*
 * Most records are events of the timeline, and the envelopes of one compile's events differ only in the digest of the
 * payload, which was read before (PAYLOAD_DIGEST). One parsed document serves for all of them.
 */
enum { RECENT = 4, RECENT_MAX = 1024 };

/* The envelopes of the batch that were parsed last. */
struct recent {
    struct raw_record *records[RECENT];
    unsigned next;
};

static bool is_alike(const char *bytes, const struct raw_record *a, const struct raw_record *b)
{
    const char *pa = bytes + a->json_at, *pb = bytes + b->json_at;
    size_t n = a->json_n, digest = n - DIGEST_TAIL, behind = digest + DIGEST_HEX;

    return n == b->json_n && memcmp(pa, pb, digest) == 0 && memcmp(pa + behind, pb + behind, n - behind) == 0;
}

/* False, with nothing done, if no recent envelope is the same except for the digest. */
static bool decode_alike(const struct recent *recent, const char *bytes, struct raw_record *raw)
{
    for (size_t i = 0; i < RECENT && (raw->payload.flags & PAYLOAD_DIGEST); i++) {
        const struct raw_record *r = recent->records[i];

        if (!r || !is_alike(bytes, r, raw))
            continue;
        raw->doc.root = json_incref(r->doc.root);
        raw->doc.text = (struct str){bytes + raw->json_at, raw->json_n};
        raw->decoded = true;
        raw->kind_name = r->kind_name;
        raw->value = r->value;
        raw->kind = r->kind;
        raw->artifact_kind = r->artifact_kind;
        return true;
    }
    return false;
}

/*
 * Values that were cut out are put back into the document, so a document with such values belongs to one record alone.
 */
static void remember(struct recent *recent, struct raw_record *raw)
{
    if (raw->decoded && (raw->payload.flags & PAYLOAD_DIGEST) && raw->json_n <= RECENT_MAX &&
        raw->doc.cut_count == 0 && !raw->doc.repaired)
        recent->records[recent->next++ % RECENT] = raw;
}

/* --- decoding ----------------------------------------------------------------------------------------------------- */

static void decode_envelope(struct raw_record *raw, struct str json)
{
    raw->decoded = json_doc_load(&raw->doc, json) && json_is_object(raw->doc.root);
    if (!raw->decoded)
        return;
    find_kind(raw);
    find_artifact_kind(raw);
}

static void decode_payload(struct raw_record *raw, struct str text)
{
    unsigned flags = raw->artifact_kind ? raw->artifact_kind->flags : raw->kind ? raw->kind->flags : 0;

    if (raw->decoded && (flags & KIND_JSON) && raw->captured)
        raw->has_json = json_doc_load(&raw->json, text);
}

static void decode_record(struct batch *b, struct raw_record *raw, struct recent *recent)
{
    struct str text = {b->bytes.p + raw->text_at, raw->text_n};

    if (b->check_digests)
        check_payload(raw, text);
    if (!decode_alike(recent, b->bytes.p, raw)) {
        decode_envelope(raw, (struct str){b->bytes.p + raw->json_at, raw->json_n});
        remember(recent, raw);
    }
    decode_payload(raw, text);
}

void batch_decode(void *arg)
{
    struct batch *b = arg;
    struct recent recent = {0};
    struct json_room *outside = json_room_enter(b->room);

    for (size_t i = 0; i < b->n; i++)
        decode_record(b, &b->records[i], &recent);
    json_room_enter(outside);
}

/*
 * Which payloads to keep must be known before their first line arrives, while the JSON is parsed later on another
 * thread. PyTorch begins all records the same way; if a record begins differently, its payload is kept.
 */
unsigned record_peek(struct str json)
{
    const unsigned unsure = KIND_TEXT | KIND_JSON;
    struct str key, name;
    const struct kind *kind;

    if (!str_consume(&json, STR("{\"")))
        return unsure;
    key = str_split(&json, '"');
    kind = kind_find(key);
    if (!kind)
        return is_context_key(key) || str_eq(key, STR("stack")) ? unsure : 0;
    if (kind->apply != apply_artifact)
        return kind->flags;
    if (!str_consume(&json, STR(": {\"name\": \"")))
        return unsure;
    name = str_split(&json, '"');
    if (str_chr(name, '\\') >= 0)
        return unsure;
    kind = artifact_kind_find(name);
    return kind ? kind->flags : 0;
}
