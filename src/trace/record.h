/*
 * record: one record on its way into the model, and the forgiving access that the kinds[] functions use. A field that
 * has the wrong type becomes a message and counts as missing: the rest of the record is used.
 */
#pragma once

#include "input/limits.h"
#include "model/model.h"
#include "text/python/traceback.h"
#include "trace/reading.h"
#include "util/formats/json.h"

struct kind;

struct record {
    struct reading *reading;
    const struct kind *kind;          /* row of kinds[]; NULL for a kind that is not known */
    const struct kind *artifact_kind; /* row of artifact_kinds[] when this is an artifact with a meaning of its own */
    struct str kind_name;             /* interned */
    struct str name;                  /* an artifact's name, else kind_name; interned */
    uint64_t line;
    struct span span;
    int64_t time_us;                  /* local; 0 when the prefix has none */
    struct json_doc *doc;
    json_t *value;                    /* under the kind's key; any type */
    struct str text;                  /* the payload, when the kind asked for it; batch lifetime */
    struct json_doc *json;            /* the payload as JSON, when the kind asked for that and it is; else NULL */
    struct payload payload;
    struct compile_id id;
    int attempt;                      /* -1 when the record has none */
    int rank;                         /* RANK_UNKNOWN when the record has none */
    struct str subgraph;
    struct process *process;
    struct process_state *state;      /* of process */
    struct compile *compile;          /* never NULL */
};

/* Fields of obj, a value inside rec->doc. Strings are interned (rank lifetime) and at most LIMIT_NAME long. */
struct str record_name(struct record *rec, json_t *obj, const char *key);
/* A longer text: copied, not interned, whole. */
struct str record_text(struct record *rec, json_t *obj, const char *key);
/* A string, or the text of any other value: for fields that PyTorch writes as either (sizes, hints). */
struct str record_any(struct record *rec, json_t *obj, const char *key);
/* Whole numbers, also such as 3.0. False, and *out as it was, when there is none. */
bool record_i64(struct record *rec, json_t *obj, const char *key, int64_t *out);
bool record_list(struct record *rec, json_t *obj, const char *key, json_t **out);
/* False also when there is none. */
bool record_bool(struct record *rec, json_t *obj, const char *key);
/*
 * The list of {line, name, filename, loc} under key (torch/_logging/structured.py, from_traceback), outermost first, as
 * a stack of the process: its innermost call, NULL when there is none. A file whose number the string table lacks is
 * named "<str 7>" until run_finish.
 */
const struct call *record_stack(struct record *rec, json_t *obj, const char *key);
/* A stack that stands in a text. */
const struct call *record_text_stack(struct record *rec, const struct text_stack *from);

/*
 * The value as compact JSON text (or the string itself), one copy of equal texts in the arena of the input: for values
 * that repeat from record to record, whole configurations among them.
 */
struct str record_shared_text(struct record *rec, json_t *v);

/* Copies into / interns in the input's arena. Bytes that are not UTF-8 are replaced. */
struct str record_copy(struct record *rec, struct str s);
struct str record_intern(struct record *rec, struct str s);
struct arena *record_arena(struct record *rec);

/* A message about this record. */
void record_message(struct record *rec, enum message_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the record to its compile as an artifact. `detail` may be empty. */
struct artifact *record_add_artifact(struct record *rec, struct str detail);
