#include "util/formats/json.h"

#include "util/formats/json_plain.h"
#include "util/formats/json_room.h"
#include "util/formats/json_scan.h"
#include "util/mem.h"
#include "util/utf8.h"

#include <math.h>
#include <stdlib.h>

/*
 * A cut-out value is replaced by the string "\u0001N", where N is an index into doc->cuts. If a text already holds
 * that escape, nothing is cut out of it, so that a trace cannot forge a reference.
 */
#define CUT_MARK "\\u0001"

enum {
    CUT_STRING = 512,
    CUT_CONTAINER = 2048,
    CUT_TEXT = 2048, /* shorter texts are not worth cutting */
    /* A payload may be any JSON value, even a bare string, and strings may hold \u0000, which would end a C string. */
    LOAD_FLAGS = JSON_ALLOW_NUL | JSON_DECODE_ANY,
};

struct cutter {
    struct json_doc *doc;
    struct buf out;
    const char *copied; /* the text up to here has been copied to `out` or cut out */
};

static void cut(struct cutter *c, struct str value)
{
    struct json_doc *doc = c->doc;

    buf_str(&c->out, str_range(c->copied, value.p));
    buf_printf(&c->out, "\"" CUT_MARK "%zu\"", doc->cut_count);
    if ((doc->cut_count & (doc->cut_count + 1)) == 0)
        doc->cuts = xrealloc(doc->cuts, sizeof *doc->cuts * (doc->cut_count + 1) * 2);
    doc->cuts[doc->cut_count++] = (struct json_cut){value};
    c->copied = value.p + value.n;
}

/* Looks at the document and at the objects that are its members: lookups rarely go deeper. */
static void cut_long_values(struct cutter *c, struct str *text, bool is_document)
{
    struct str key, value;

    while (json_next_key(text, &key)) {
        if (is_document && str_starts(*text, STR("{"))) {
            cut_long_values(c, text, false);
            continue;
        }
        if (!json_take_value(text, &value))
            return;
        if (value.n > (str_starts(value, STR("\"")) ? CUT_STRING : CUT_CONTAINER))
            cut(c, value);
    }
}

static json_t *load(struct json_doc *doc, struct str text)
{
    json_error_t error;
    json_t *root = json_plain_load(text);

    if (root)
        return root;
    root = json_loadb(text.p ? text.p : "", text.n, LOAD_FLAGS, &error);
    if (!root)
        memcpy(doc->error, error.text, sizeof doc->error);
    return root;
}

static json_t *load_cut(struct json_doc *doc, struct str text)
{
    struct cutter c = {.doc = doc, .copied = text.p};
    struct str rest = text;
    json_t *root;

    if (text.n < CUT_TEXT || text.p[0] != '{' || str_has(text, STR(CUT_MARK)))
        return load(doc, text);
    cut_long_values(&c, &rest, true);
    buf_str(&c.out, str_range(c.copied, text.p + text.n));
    root = load(doc, buf_view(&c.out));
    buf_free(&c.out);
    return root;
}

/* --- repair ------------------------------------------------------------------------------------------------------- */

static bool is_number_char(char ch)
{
    return str_is_digit(ch) || ch == '-' || ch == '+' || ch == '.' || ch == 'e' || ch == 'E';
}

/*
 * Takes one number off s. A number that does not fit into 64 bits becomes a real, and one that does not fit into a
 * real becomes null.
 */
static void repair_number(struct buf *out, struct str *s)
{
    char copy[512];
    size_t n = 0;
    bool integer = true;
    int64_t v;

    while (n < s->n && is_number_char(s->p[n])) {
        integer &= str_is_digit(s->p[n]) || s->p[n] == '-';
        n++;
    }
    if (!str_terminate(str_take(*s, n), copy, sizeof copy) || !isfinite(strtod(copy, NULL)))
        buf_str(out, STR("null"));
    else
        buf_printf(out, "%s%s", copy, integer && !str_i64(str_take(*s, n), &v) ? ".0" : "");
    *s = str_skip(*s, n);
}

/* Takes one \escape off s. A surrogate without its partner becomes U+FFFD, and so does NUL, which no key may hold. */
static void repair_escape(struct buf *out, struct str *s)
{
    unsigned first, second;
    size_t n = 2;

    if (s->n >= 2 && s->p[1] == 'u' && str_hex4(str_skip(*s, 2), &first)) {
        n = 6;
        if (first >= 0xd800 && first < 0xdc00 && str_starts(str_skip(*s, 6), STR("\\u")) &&
            str_hex4(str_skip(*s, 8), &second) && second >= 0xdc00 && second < 0xe000)
            n = 12;
        else if (first == 0 || (first >= 0xd800 && first < 0xe000)) {
            buf_str(out, STR("\\ufffd"));
            *s = str_skip(*s, n);
            return;
        }
    }
    buf_str(out, str_take(*s, n));
    *s = str_skip(*s, n);
}

static void repair_string(struct buf *out, struct str *s)
{
    buf_char(out, '"');
    *s = str_skip(*s, 1);
    while (s->n && s->p[0] != '"') {
        unsigned char ch = (unsigned char)s->p[0];

        if (ch == '\\') {
            repair_escape(out, s);
            continue;
        }
        if (ch < 0x20)
            buf_printf(out, "\\u%04x", ch);
        else
            buf_char(out, (char)ch);
        *s = str_skip(*s, 1);
    }
    if (s->n)
        buf_char(out, '"');
    *s = str_skip(*s, 1);
}

/*
 * Works token by token, without a grammar. A text that is not JSON for any other reason stays as it is, and fails to
 * load the second time too. Words inside strings are left alone.
 */
static void repair(struct buf *out, struct str s)
{
    while (s.n) {
        if (s.p[0] == '"')
            repair_string(out, &s);
        else if (str_consume(&s, STR("NaN")) || str_consume(&s, STR("Infinity")) || str_consume(&s, STR("-Infinity")))
            buf_str(out, STR("null"));
        else if (str_is_digit(s.p[0]) || s.p[0] == '-')
            repair_number(out, &s);
        else {
            buf_char(out, s.p[0]);
            s = str_skip(s, 1);
        }
    }
}

/* First without a repair: nearly all texts need none, and looking for faults costs more than parsing. */
static bool load_either(struct json_doc *doc, struct str text, json_t *(*loader)(struct json_doc *, struct str))
{
    struct buf clean = {0};

    *doc = (struct json_doc){.text = text};
    doc->root = loader(doc, text);
    if (doc->root)
        return true;
    doc->not_utf8 = !utf8_valid(text);
    utf8_repair(&clean, text);
    repair(&doc->fixed, buf_view(&clean));
    buf_free(&clean);
    doc->cut_count = 0;
    doc->root = loader(doc, buf_view(&doc->fixed));
    doc->repaired = doc->root != NULL;
    return doc->repaired;
}

bool json_doc_load(struct json_doc *doc, struct str text)
{
    return load_either(doc, text, load_cut);
}

bool json_doc_load_whole(struct json_doc *doc, struct str text)
{
    return load_either(doc, text, load);
}

void json_doc_free(struct json_doc *doc)
{
    json_decref(doc->root);
    free(doc->cuts);
    buf_free(&doc->fixed);
    *doc = (struct json_doc){0};
}

/* --- access ------------------------------------------------------------------------------------------------------- */

static bool cut_index(const struct json_doc *doc, const json_t *v, size_t *index)
{
    struct str s;
    uint64_t i;

    if (doc->cut_count == 0 || !json_is_string(v))
        return false;
    s = json_str(v);
    if (!str_consume(&s, STR("\x01")) || !str_u64(s, &i) || i >= doc->cut_count)
        return false;
    *index = (size_t)i;
    return true;
}

/* Parses a value that was cut out; null if it is not JSON. */
static json_t *load_cut_value(struct json_doc *doc, struct str text)
{
    json_t *v = load(doc, text);
    struct buf fixed = {0}, clean = {0};

    if (v)
        return v;
    /* The rest of the document was fine, but this value is not; it may hold a lone surrogate. */
    doc->not_utf8 |= !utf8_valid(text);
    utf8_repair(&clean, text);
    repair(&fixed, buf_view(&clean));
    v = load(doc, buf_view(&fixed));
    buf_free(&clean);
    buf_free(&fixed);
    doc->repaired = true;
    doc->lost |= v == NULL;
    return v ? v : json_null();
}

json_t *json_get(struct json_doc *doc, json_t *obj, const char *key)
{
    json_t *v = json_object_get(obj, key);
    size_t index;

    if (!cut_index(doc, v, &index))
        return v;
    if (json_object_set_new_nocheck(obj, key, load_cut_value(doc, doc->cuts[index].text)) != 0)
        out_of_memory();
    return json_object_get(obj, key);
}

/* Arrays hold no cut-out values: an array is cut out as a whole or not at all. */
void json_get_all(struct json_doc *doc, json_t *v)
{
    const char *key;
    json_t *member;

    if (doc->cut_count)
        json_object_foreach(v, key, member)
            json_get_all(doc, json_get(doc, v, key));
}

struct str json_str(const json_t *string)
{
    return (struct str){json_string_value(string), json_string_length(string)};
}

static enum json_found classify(json_t *v, bool right_type)
{
    if (!v || json_is_null(v))
        return JSON_MISSING;
    return right_type ? JSON_FOUND : JSON_WRONG_TYPE;
}

enum json_found json_get_i64(struct json_doc *doc, json_t *obj, const char *key, int64_t *out)
{
    json_t *v = json_get(doc, obj, key);
    double d;

    if (json_is_integer(v)) {
        *out = json_integer_value(v);
        return JSON_FOUND;
    }
    /*
     * A count that went through a float ("3.0", or an integer over 64 bits that was repaired) still counts as an
     * integer.
     */
    d = json_real_value(v);
    if (json_is_real(v) && d == floor(d) && fabs(d) < 9e18) {
        *out = (int64_t)d;
        return JSON_FOUND;
    }
    return classify(v, false);
}

enum json_found json_get_double(struct json_doc *doc, json_t *obj, const char *key, double *out)
{
    json_t *v = json_get(doc, obj, key);

    if (json_is_number(v))
        *out = json_number_value(v);
    return classify(v, json_is_number(v));
}

enum json_found json_get_bool(struct json_doc *doc, json_t *obj, const char *key, bool *out)
{
    json_t *v = json_get(doc, obj, key);

    if (json_is_boolean(v))
        *out = json_is_true(v);
    return classify(v, json_is_boolean(v));
}

enum json_found json_get_str(struct json_doc *doc, json_t *obj, const char *key, struct str *out)
{
    json_t *v = json_get(doc, obj, key);

    if (json_is_string(v))
        *out = json_str(v);
    return classify(v, json_is_string(v));
}

enum json_found json_get_array(struct json_doc *doc, json_t *obj, const char *key, json_t **out)
{
    json_t *v = json_get(doc, obj, key);

    if (json_is_array(v))
        *out = v;
    return classify(v, json_is_array(v));
}

enum json_found json_get_object(struct json_doc *doc, json_t *obj, const char *key, json_t **out)
{
    json_t *v = json_get(doc, obj, key);

    if (json_is_object(v))
        *out = v;
    return classify(v, json_is_object(v));
}

/* --- building ----------------------------------------------------------------------------------------------------- */

/* Strings are made valid UTF-8 first, so this can only fail for lack of memory. */
static json_t *must(json_t *v)
{
    if (!v)
        out_of_memory();
    return v;
}

json_t *json_of_str(struct str s)
{
    struct buf b = {0};
    json_t *v;

    if (!s.p)
        return json_null();
    if (utf8_valid(s))
        return must(json_stringn_nocheck(s.p, s.n));
    utf8_repair(&b, s);
    v = must(json_stringn_nocheck(b.p, b.n));
    buf_free(&b);
    return v;
}

json_t *json_of_i64(int64_t v)
{
    return must(json_integer(v));
}

json_t *json_of_double(double v)
{
    return isfinite(v) ? must(json_real(v)) : json_null();
}

json_t *json_of_bool(bool v)
{
    return json_boolean(v);
}

char *json_text(const json_t *v, size_t flags)
{
    struct json_room *room = json_room_enter(NULL);
    char *text = json_dumps(v, flags);

    json_room_enter(room);
    return text;
}

struct str json_print(struct arena *a, json_t *v)
{
    char *text = json_text(v, JSON_INDENT(1));
    struct str out;

    if (!text)
        out_of_memory();
    out = arena_printf(a, "%s\n", text);
    free(text);
    json_decref(v);
    return out;
}

json_t *json_new_object(void)
{
    return must(json_object());
}

json_t *json_new_array(void)
{
    return must(json_array());
}

void json_put(json_t *obj, const char *key, json_t *value)
{
    if (json_object_set_new_nocheck(obj, key, value) != 0)
        out_of_memory();
}

void json_put_str(json_t *obj, const char *key, struct str s)
{
    json_put(obj, key, json_of_str(s));
}

void json_put_i64(json_t *obj, const char *key, int64_t v)
{
    json_put(obj, key, json_of_i64(v));
}

void json_put_bool(json_t *obj, const char *key, bool v)
{
    json_put(obj, key, json_of_bool(v));
}

void json_push(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        out_of_memory();
}

json_t *json_of_texts(const struct str *texts, size_t n)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < n; i++)
        json_push(list, json_of_str(texts[i]));
    return list;
}
