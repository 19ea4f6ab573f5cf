/*
 * fields: what the structs of the model consist of, as a table with a row for each field (fields.def): what it is, what
 * it may be, how a digest keeps it, what redaction makes of it, and what becomes of it where a log completes a trace.
 * Whatever treats all fields follows the table, so that it cannot forget one. Static data.
 */
#pragma once

#include "model/model.h"

/* Things that others point to, by number. */
enum object_class { OBJECT_CALL, OBJECT_PROCESS, OBJECT_FRAME, OBJECT_COMPILE, OBJECT_ARTIFACT, OBJECT_METRICS,
                    OBJECT_CLASSES, OBJECT_NONE = OBJECT_CLASSES };

enum field_kind {
    FIELD_NUMBER,   /* an unsigned number of any size, a bool, an enum */
    FIELD_SIGNED,
    FIELD_TEXT,     /* struct str */
    FIELD_BYTES,    /* as they are in memory: an MD5 */
    FIELD_STRUCT,   /* a part of this struct */
    FIELD_OWNED,    /* a pointer to a struct that this one owns; may be NULL */
    FIELD_POINTER,  /* to one of the things above, which another struct owns; may be NULL */
    FIELD_OWNER,    /* a pointer to the struct that owns this one */
    FIELD_VALUE,    /* of a metric: its type says what it is */
    FIELD_KINDS,    /* a map of kinds of records */
    FIELD_STRINGS,  /* a string table */
    FIELD_LEFT_OUT, /* not in a digest: follows from the others, or is set after reading */
};

/* How many there are of it. */
enum field_many { FIELD_ONE, FIELD_LIST, FIELD_ARRAY };

enum field_flags {
    FIELD_NEEDED = 1,  /* a pointer that is never NULL; of a text, the pointer to its first byte */
    FIELD_RAW = 2,     /* a text that need not be UTF-8 */
    FIELD_RISING = 4,  /* in a list, mostly a little more than in the entry before: the difference is kept */
    FIELD_ALWAYS = 8,  /* in JSON never null, also when it is empty or unknown */
};

/* What redaction makes of a text. */
enum redact_class {
    REDACT_NOTHING, /* it is no text */
    REDACT_KEPT,    /* words of ours, ids, versions */
    REDACT_CODE,    /* words that are neither Python's nor PyTorch's are replaced ... */
    REDACT_PROSE,   /* ... and in what PyTorch writes for people, those that are none of its messages' */
    REDACT_PATH,
    REDACT_NAME,    /* of a function, a class, a host: replaced wherever it comes again */
    REDACT_KEY,     /* a cache key */
    REDACT_HASH,    /* an MD5: equal ones stay equal, but cannot be guessed */
    REDACT_EMPTIED, /* left out */
    REDACT_BY_HAND, /* depends on other fields of its struct: redact/redact_run.c has a function for it */

    REDACT_CLASS = 15,
    SKELETON_DROPS = 16,   /* a skeleton leaves it out */
    SKELETON_NUMBERS = 32, /* a skeleton replaces its numbers, too */
    REDACT_LAST = 64,      /* of a file, for digests alone: a report has it from elsewhere, or not at all */
};

/* What becomes of a field of a compile or a process in a trace when a log of the same process knows more. */
enum join_rule {
    JOIN_NEVER,   /* structs that are not joined, but taken as they are */
    JOIN_KEEP,    /* the trace's stays */
    JOIN_FIRST,   /* the trace's where it has one, else the log's */
    JOIN_ANY,     /* true if either is */
    JOIN_MOST,    /* the larger one */
    JOIN_SUM,
    JOIN_IF_NONE, /* a list: the log's where the trace's is empty, else both have the same */
    JOIN_BY_HAND, /* model/merge/join.c has a function for it */
};

struct field {
    const char *name;
    enum field_kind kind;
    enum field_many many;
    unsigned flags;
    size_t offset;
    size_t size;               /* of one */
    size_t count;              /* of an array */
    int64_t least;             /* of a number; with UNBOUNDED both ends are those of its type */
    uint64_t most;
    const struct shape *shape; /* of a struct, owned or not */
    enum object_class points_to;
    unsigned redact; /* enum redact_class */
    enum join_rule join;
    const char *why; /* it is left out */
};

struct shape {
    const char *name;
    size_t size;
    const struct field *fields;
    size_t field_count;
    enum object_class is; /* OBJECT_NONE when nobody points to it */
};

/* input_shape is the whole of what is in a digest. */
#define SHAPE(name, S, class) extern const struct shape name##_shape;
#define ROW(S, f, ...)
#define ARRAY_ROW ROW
#define END(name)
#include "model/rows/fields.def"

/* Every shape, input_shape first; NULL at the end. */
const struct shape *shape_at(size_t i);

/* A list of any type. */
struct any_list {
    void *v;
    size_t n, cap;
};

/* Bytes that a struct takes in a digest at least: what a forged count may ask for is bounded by it. */
size_t shape_least_bytes(const struct shape *s);

/* The number of a field at p, of as many bytes as the field has, with its sign where it has one. */
uint64_t field_number(const struct field *f, const void *p);
void field_set_number(const struct field *f, void *p, uint64_t n);

/* Changes when the table does: digests of another table are not read. */
uint32_t fields_fingerprint(void);
