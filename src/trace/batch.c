#include "trace/batch.h"

#include "util/mem.h"

#include <stdlib.h>

static void raw_clear(struct raw_record *raw)
{
    json_doc_free(&raw->doc);
    json_doc_free(&raw->json);
}

/* Memory that a batch keeps for its next use. */
enum { KEPT_BYTES = 4 << 20 };

void batch_clear(struct batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        raw_clear(&b->records[i]);
    b->n = 0;
    b->bytes.n = 0;
    if (b->bytes.cap > KEPT_BYTES)
        buf_free(&b->bytes);
}

void batch_free(struct batch *b)
{
    if (!b)
        return;
    batch_clear(b);
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
 * Keys that PyTorch adds to every record (torch/_logging/_internal.py, trace_structured); all others name the kind. It
 * writes the kind first, but who passes a trace on may have sorted the keys.
 */
static bool is_context_key(struct str key)
{
    static const struct str keys[] = {
        STR_INIT("rank"),    STR_INIT("compiled_autograd_id"), STR_INIT("frame_id"),    STR_INIT("frame_compile_id"),
        STR_INIT("attempt"), STR_INIT("subgraph_name"),        STR_INIT("has_payload"),
    };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_eq(keys[i], key))
            return true;
    return false;
}

/* The kind is the first key that is no context; `stack` is context unless nothing else is there. */
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

/* The row that says whether the payload is to be parsed: for an artifact the one of its name. */
static void find_artifact_kind(struct raw_record *raw)
{
    struct str name;

    if (raw->kind && raw->kind->apply == apply_artifact &&
        json_get_str(&raw->doc, raw->value, "name", &name) == JSON_FOUND)
        raw->artifact_kind = artifact_kind_find(name);
}

/*
 * Hashes a payload that was kept whole, and looks whether it is UTF-8. Without a digest in sight none of it was kept.
 */
static void check_payload(struct raw_record *raw, struct str text, struct verified *verified)
{
    bool utf8;

    if (raw->hashed || !(raw->payload.flags & PAYLOAD_PRESENT) || text.n != raw->payload.text_bytes)
        return;
    raw->actual = verified_digest(verified, &raw->payload.digest, text, &utf8);
    raw->hashed = true;
    raw->text_not_utf8 = !utf8;
}

void record_decode(struct raw_record *raw, struct str json, struct str text, bool check, struct verified *verified)
{
    unsigned flags;

    if (check)
        check_payload(raw, text, verified);
    if (raw->skip)
        return;
    raw->decoded = json_doc_load(&raw->doc, json) && json_is_object(raw->doc.root);
    if (!raw->decoded)
        return;
    find_kind(raw);
    find_artifact_kind(raw);
    flags = raw->artifact_kind ? raw->artifact_kind->flags : raw->kind ? raw->kind->flags : 0;
    if ((flags & KIND_JSON) && raw->captured)
        raw->has_json = json_doc_load(&raw->json, text);
}

void batch_decode(void *arg)
{
    struct batch *b = arg;

    for (size_t i = 0; i < b->n; i++) {
        struct raw_record *raw = &b->records[i];

        record_decode(raw, (struct str){b->bytes.p + raw->json_at, raw->json_n},
                      (struct str){b->bytes.p + raw->text_at, raw->text_n}, b->check_digests, b->verified);
    }
}

/*
 * Which payloads are worth keeping must be known before their first line comes, and parsing the JSON is for another
 * thread and another time. PyTorch begins all records alike; of any other beginning everything is kept.
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
