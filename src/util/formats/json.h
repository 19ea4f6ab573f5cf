/*
 * json: what the project adds to jansson.
 *
 * - Lenient loading. PyTorch writes JSON with Python's json.dumps, which knows more than the standard: NaN and
 *   Infinity, integers of any size, lone surrogates (from file names that are not UTF-8). A text that jansson refuses
 *   is loaded again after these, raw control characters and bytes that are not UTF-8 were replaced.
 * - Lazy values. A record can hold 30 kB of configuration in one string, or 70 kB of cache-key components in one
 *   array, that nobody asks for. Before parsing, strings over 512 bytes, arrays over 2 KiB and objects over 2 KiB that
 *   are not members of the document itself are cut out of the text (which is 5 to 10 times faster than building them);
 *   json_get puts a value back when it is asked for. Measured on real traces, nine tenths of the JSON text is never
 *   built. Who walks an object with json_object_foreach gets its values with json_get, or loads the document whole.
 * - Typed access that forgives: a missing key and a value of another type are told apart, neither is an error here.
 *
 * A document belongs to one thread at a time.
 */
#pragma once

#include "util/arena.h"
#include "util/buf.h"

#include <jansson.h>

struct json_cut {
    struct str text;
};

struct json_doc {
    json_t *root;
    struct str text; /* the caller's; must outlive the document */
    struct json_cut *cuts;
    size_t cut_count;
    bool repaired;   /* loaded, but only after a repair */
    bool not_utf8;   /* the repair replaced bytes that are not UTF-8 */
    bool lost;       /* a value that was cut out is no JSON: it counts as null */
    struct buf fixed; /* holds the repaired text */
    char error[JSON_ERROR_TEXT_LENGTH];
};

/* False, with doc->error set, when the text is not JSON even after repair. Free the document in either case. */
bool json_doc_load(struct json_doc *doc, struct str text);
/* The same without lazy values. */
bool json_doc_load_whole(struct json_doc *doc, struct str text);
void json_doc_free(struct json_doc *doc);

/* The value under key, put back if it was cut out; NULL when obj is not an object or has no such key. Borrowed. */
json_t *json_get(struct json_doc *doc, json_t *obj, const char *key);

/* Puts back everything that was cut out of v and the objects in it: for a value that is used as a whole. */
void json_get_all(struct json_doc *doc, json_t *v);

/* What a typed access found. */
enum json_found { JSON_FOUND, JSON_MISSING, JSON_WRONG_TYPE }; /* null counts as missing */

enum json_found json_get_i64(struct json_doc *doc, json_t *obj, const char *key, int64_t *out);
enum json_found json_get_double(struct json_doc *doc, json_t *obj, const char *key, double *out);
enum json_found json_get_bool(struct json_doc *doc, json_t *obj, const char *key, bool *out);
/* The view lives as long as the document. */
enum json_found json_get_str(struct json_doc *doc, json_t *obj, const char *key, struct str *out);
enum json_found json_get_array(struct json_doc *doc, json_t *obj, const char *key, json_t **out);
enum json_found json_get_object(struct json_doc *doc, json_t *obj, const char *key, json_t **out);

/* A text that people read, too: indented, with a newline at its end; in the arena. Takes over the reference. */
struct str json_print(struct arena *a, json_t *v);

/* The string's bytes, NUL among them; lives as long as the string. Empty for a value of another type. */
struct str json_str(const json_t *string);

/* Builders that cannot fail. Strings are repaired to UTF-8. A NULL p gives null. */
json_t *json_of_str(struct str s);
json_t *json_of_i64(int64_t v);
json_t *json_of_double(double v); /* null for NaN and infinities */
json_t *json_of_bool(bool v);
json_t *json_new_object(void);
json_t *json_new_array(void);
void json_put(json_t *obj, const char *key, json_t *value); /* steals value */
void json_put_str(json_t *obj, const char *key, struct str s);
void json_put_i64(json_t *obj, const char *key, int64_t v);
void json_put_bool(json_t *obj, const char *key, bool v);
void json_push(json_t *array, json_t *value); /* steals value */
