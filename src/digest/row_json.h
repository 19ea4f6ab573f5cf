/*
 * row_json: structs of the model as JSON objects, and back, by their rows: the keys are the names of the fields, and
 * what is empty or unknown is null. For run.json. Any thread.
 */
#pragma once

#include "model/rows/fields.h"
#include "util/formats/json.h"

/* Puts one field under its name; a key that is there already keeps its place. */
void row_json_put(json_t *o, const struct shape *s, const struct field *f, const void *object);

/*
 * Sets all fields of a struct; one for which the object has nothing of its type is empty or unknown. Texts are copied
 * into the arena, and lists end at LIMIT_LIST.
 */
void row_json_read(struct arena *a, struct json_doc *doc, json_t *o, const struct shape *s, void *object);
