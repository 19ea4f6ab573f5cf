/* Lenient JSON with lazy values: agrees with jansson wherever jansson understands the text. */
#include "fuzz.h"

#include "util/formats/json.h"
#include "util/formats/json_plain.h"
#include "util/utf8.h"

/* Asks for every member by name, as the kinds do. */
static void visit(struct json_doc *doc, json_t *v, json_t *same, unsigned depth)
{
    const char *key;
    json_t *member;
    void *next;
    struct str s;
    int64_t i;
    double d;

    if (depth > 4 || !json_is_object(v))
        return;
    json_object_foreach_safe(v, next, key, member) {
        json_t *got = json_get(doc, v, key);

        fuzz_check(got != NULL, "a member that is there is found");
        json_get_i64(doc, v, key, &i);
        json_get_double(doc, v, key, &d);
        if (json_get_str(doc, v, key, &s) == JSON_FOUND)
            fuzz_check(s.p[s.n] == '\0', "strings end in NUL");
        visit(doc, got, json_object_get(same, key), depth + 1);
        if (same && depth == 0 && !json_is_object(got))
            fuzz_check(json_equal(got, json_object_get(same, key)), "a lazy value is what jansson makes of it");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    json_t *plain = json_loadb(size ? text.p : "", size, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    json_t *quick = json_plain_load(text);
    struct json_doc doc;
    bool ok = json_doc_load(&doc, text);

    fuzz_check(!quick || (plain && json_equal(quick, plain)), "plain JSON is what jansson makes of it");
    if (plain)
        fuzz_check(ok, "what jansson loads is loaded");
    if (ok)
        visit(&doc, doc.root, plain, 0);
    else
        fuzz_check(doc.error[0] != '\0', "an error has a text");
    json_doc_free(&doc);
    json_decref(plain);
    json_decref(quick);
    return 0;
}
