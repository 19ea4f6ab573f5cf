/*
 * record: one record while it is read into the model, with access functions for kinds[] that forgive errors. A field
 * of the wrong type becomes a message and counts as missing: the rest of the record is used.
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
    const struct kind *kind;          /* row of kinds[]; NULL if the kind is unknown */
    const struct kind *artifact_kind; /* row of artifact_kinds[], if this is an artifact with a function of its own */
    struct str kind_name;             /* interned */
    struct str name;                  /* an artifact's name, or else kind_name; interned */
    uint64_t line;
    struct span span;
    int64_t time_us; /* local time; 0 if the prefix has none */
    struct json_doc *doc;
    json_t *value;   /* the value under the kind's key; any type */
    struct str text; /* the payload, if the kind wants it; batch lifetime */
    /* the payload as JSON, if the kind wants that and the payload is JSON; else NULL */
    struct json_doc *json;
    struct payload payload;
    struct compile_id id;
    int attempt; /* -1 if the record has none */
    int rank;    /* RANK_UNKNOWN if the record has none */
    struct str subgraph;
    struct process *process;
    struct process_state *state;      /* the state of `process` */
    struct compile *compile;          /* never NULL */
};

/* Fields of obj, a value inside rec->doc. Strings are interned (rank lifetime) and have at most LIMIT_NAME bytes. */
struct str record_name(struct record *rec, json_t *obj, const char *key);
/* A longer text: copied as a whole, not interned. */
struct str record_text(struct record *rec, json_t *obj, const char *key);
/* A string, or the JSON text of any other value: for fields that PyTorch writes either way (sizes, hints). */
struct str record_any(struct record *rec, json_t *obj, const char *key);
/* Whole numbers, including ones like 3.0. False, with *out unchanged, if there is none. */
bool record_i64(struct record *rec, json_t *obj, const char *key, int64_t *out);
bool record_list(struct record *rec, json_t *obj, const char *key, json_t **out);
/* False if there is none. */
bool record_bool(struct record *rec, json_t *obj, const char *key);
/*
 * The list of {line, name, filename, loc} under key (torch/_logging/structured.py, from_traceback), outermost first,
 * as a stack of the process: returns its innermost call, or NULL if there is none. A file whose number is not in the
 * string table is named "<str 7>" until run_finish.
 */
const struct call *record_stack(struct record *rec, json_t *obj, const char *key);
/* The stack in a text. */
const struct call *record_text_stack(struct record *rec, const struct text_stack *from);
/*
 * In the calls of an exception, the innermost line of the program itself that raised it, or that Inductor called: a
 * lowering, a pass or a backend. Else the line of a package that raised it, if the compiler called it. Without its
 * callers; NULL if there is none. `caught`: the compiler caught the exception and raised another, so that the calls
 * need not show it.
 */
const struct call *record_own_code(struct record *rec, const struct text_stack *calls, bool caught);

/* The innermost of the calls, without its callers, if it is of PyTorch's compiler; NULL if not. */
const struct call *record_raised_in(struct record *rec, const struct text_stack *calls);

/*
 * The value as compact JSON text (or the string itself), with equal texts stored once in the input's arena: for values
 * that repeat from record to record, such as whole configurations.
 */
struct str record_shared_text(struct record *rec, json_t *v);

/* Copies a text into the input's arena, or interns it. Bytes that are not UTF-8 are replaced. */
struct str record_copy(struct record *rec, struct str s);
struct str record_intern(struct record *rec, struct str s);
struct arena *record_arena(struct record *rec);

/* Adds a message about this record. */
void record_message(struct record *rec, enum message_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the record to its compile as an artifact. `detail` may be empty. */
struct artifact *record_add_artifact(struct record *rec, struct str detail);
