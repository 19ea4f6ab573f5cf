/*
 * row_json: structs of the model as JSON objects and back, following their rows. Keys are the names of the fields;
 * empty and unknown values are null. For run.json. Any thread.
 */
#pragma once

#include "model/rows/fields.h"
#include "util/formats/json.h"

/* Puts one field under its name; a key that exists already keeps its position. */
void row_json_put(json_t *o, const struct shape *s, const struct field *f, const void *object);

/*
 * Sets all fields of a struct. A field without a value of its type in the object becomes empty or unknown. Texts are
 * copied into the arena, and lists end at LIMIT_LIST.
 */
void row_json_read(struct arena *a, struct json_doc *doc, json_t *o, const struct shape *s, void *object);
