/*
 * json: what the project adds to jansson.
 *
 * - Lenient loading. PyTorch writes JSON with Python's json.dumps, which writes more than the standard allows: NaN and
 *   Infinity, integers of any size, lone surrogates (from file names that are not UTF-8). If jansson refuses a text,
 *   it is loaded again with these, raw control characters and bytes that are not UTF-8 replaced.
 * - Lazy values. A record can hold 30 kB of configuration in one string, or 70 kB of cache-key components in one
 *   array, that nobody asks for. Before parsing, strings over 512 bytes, arrays over 2 KiB and objects over 2 KiB that
 *   are not members of the document itself are cut out of the text (which is 5 to 10 times faster than building them);
 *   json_get parses a value when it is asked for. In real traces, nine tenths of the JSON text is never built. When
 *   you walk an object with json_object_foreach, get its values with json_get, or load the document whole.
 * - Typed access that forgives: a missing key and a value of the wrong type give different results, and neither is an
 *   error.
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
    bool lost;       /* a value that was cut out is not JSON: it counts as null */
    struct buf fixed; /* holds the repaired text */
    char error[JSON_ERROR_TEXT_LENGTH];
};

/* False, with doc->error set, if the text is not JSON even after repair. Free the document in either case. */
bool json_doc_load(struct json_doc *doc, struct str text);
/* The same without lazy values. */
bool json_doc_load_whole(struct json_doc *doc, struct str text);
void json_doc_free(struct json_doc *doc);

/*
 * The value under key; a value that was cut out is parsed first. NULL if obj is not an object or has no such key.
 * Borrowed.
 */
json_t *json_get(struct json_doc *doc, json_t *obj, const char *key);

/* Parses all cut-out values in v and in the objects inside it, for code that uses v as a whole. */
void json_get_all(struct json_doc *doc, json_t *v);

/* The result of a typed access. */
enum json_found { JSON_FOUND, JSON_MISSING, JSON_WRONG_TYPE }; /* null counts as missing */

enum json_found json_get_i64(struct json_doc *doc, json_t *obj, const char *key, int64_t *out);
enum json_found json_get_double(struct json_doc *doc, json_t *obj, const char *key, double *out);
enum json_found json_get_bool(struct json_doc *doc, json_t *obj, const char *key, bool *out);
/* The view lives as long as the document. */
enum json_found json_get_str(struct json_doc *doc, json_t *obj, const char *key, struct str *out);
enum json_found json_get_array(struct json_doc *doc, json_t *obj, const char *key, json_t **out);
enum json_found json_get_object(struct json_doc *doc, json_t *obj, const char *key, json_t **out);

/*
 * On the heap: the caller frees it with free(). NULL if there is no value. In place of json_dumps, whose text is in the
 * room where the thread is, see json_room.h.
 */
char *json_text(const json_t *v, size_t flags);

/* JSON for people to read as well: indented, with a newline at its end; in the arena. Takes over the reference. */
struct str json_print(struct arena *a, json_t *v);

/* The string's bytes, which may include NUL; valid as long as the string. Empty for a value of another type. */
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
json_t *json_of_texts(const struct str *texts, size_t n);
