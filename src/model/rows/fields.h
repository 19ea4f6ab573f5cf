/*
 * fields: a table of the fields of the model's structs, with a row for each (fields.def): its type, its range, how a
 * digest stores it, how it is redacted, and how it is joined when a log completes a trace. Code that treats all fields
 * follows the table, so that it cannot forget one. Static data.
 */
#pragma once

#include "model/model.h"

/* Objects that others point to, by number. */
enum object_class { OBJECT_CALL, OBJECT_PROCESS, OBJECT_FRAME, OBJECT_COMPILE, OBJECT_ARTIFACT, OBJECT_METRICS,
                    OBJECT_CLASSES, OBJECT_NONE = OBJECT_CLASSES };

enum field_kind {
    FIELD_NUMBER, /* an unsigned number of any size, a bool, an enum */
    FIELD_SIGNED,
    FIELD_TEXT,     /* struct str */
    FIELD_BYTES,    /* stored as in memory: an MD5 */
    FIELD_STRUCT,   /* a part of this struct */
    FIELD_OWNED,    /* a pointer to a struct that this one owns; may be NULL */
    FIELD_POINTER,  /* a pointer to one of the objects above, owned by another struct; may be NULL */
    FIELD_OWNER,    /* a pointer to the struct that owns this one */
    FIELD_VALUE,    /* the value of a metric, whose type says what it is */
    FIELD_KINDS,    /* a map of kinds of records */
    FIELD_STRINGS,  /* a string table */
    FIELD_LEFT_OUT, /* not in a digest: it follows from other fields, or is set after reading */
};

/* How many values the field has. */
enum field_many { FIELD_ONE, FIELD_LIST, FIELD_ARRAY };

enum field_flags {
    FIELD_NEEDED = 1, /* a pointer that is never NULL; for a text, the pointer to its first byte */
    FIELD_RAW = 2,    /* a text that may not be UTF-8 */
    FIELD_RISING = 4, /* in a list, usually a little more than in the previous entry: the difference is stored */
    FIELD_ALWAYS = 8, /* never null in JSON, even if it is empty or unknown */
};

/* How a text is redacted. */
enum redact_class {
    REDACT_NOTHING, /* not a text */
    REDACT_KEPT,    /* our own words, ids, versions */
    REDACT_CODE,    /* words that are neither Python's nor PyTorch's are replaced ... */
    REDACT_PROSE,   /* ... and in PyTorch's text for people, words of its messages stay, too */
    REDACT_PATH,
    REDACT_NAME,    /* the name of a function, a class or a host: replaced wherever it occurs */
    REDACT_KEY,     /* a cache key */
    REDACT_HASH,    /* an MD5: equal ones stay equal, but the original cannot be guessed */
    REDACT_EMPTIED, /* removed */
    REDACT_BY_HAND, /* depends on other fields of the struct: redact/redact_run.c has a function for it */

    REDACT_CLASS = 15,
    SKELETON_DROPS = 16,   /* a skeleton leaves it out */
    SKELETON_NUMBERS = 32, /* a skeleton replaces its numbers, too */
    REDACT_LAST = 64,      /* about a file, only redacted for digests: a report has it from elsewhere, or not at all */
};

/* What happens to a field of a compile or process in a trace when a log of the same process is joined to it. */
enum join_rule {
    JOIN_NEVER, /* for structs that are not joined but taken as a whole */
    JOIN_KEEP,  /* the trace's value stays */
    JOIN_FIRST, /* the trace's value if it has one, else the log's */
    JOIN_ANY,   /* true if either is */
    JOIN_MOST,  /* the larger one */
    JOIN_SUM,
    JOIN_IF_NONE, /* a list: the log's if the trace's is empty; otherwise both have the same */
    JOIN_BY_HAND, /* model/merge/join.c has a function for it */
};

struct field {
    const char *name;
    enum field_kind kind;
    enum field_many many;
    unsigned flags;
    size_t offset;
    size_t size;               /* of one element */
    size_t count;              /* of an array */
    int64_t least;             /* range of a number; with UNBOUNDED, the range of its type */
    uint64_t most;
    const struct shape *shape; /* of a struct, owned or not */
    enum object_class points_to;
    unsigned redact; /* enum redact_class */
    enum join_rule join;
    const char *why; /* why it is left out */
};

struct shape {
    const char *name;
    size_t size;
    const struct field *fields;
    size_t field_count;
    enum object_class is; /* OBJECT_NONE if nothing points to it */
};

/* input_shape covers everything that is in a digest. */
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

/* The fewest bytes that a struct takes in a digest: this limits what a forged count can ask for. */
size_t shape_least_bytes(const struct shape *s);

/* The value of a number field at p, which has the field's size and signedness. */
uint64_t field_number(const struct field *f, const void *p);
void field_set_number(const struct field *f, void *p, uint64_t n);

/* `hash`, changed by everything of a row that changes the meaning of a digest's bytes. */
uint32_t field_mix(uint32_t hash, const struct field *f);
/* Changes whenever the table does: a digest written with another table is not read. */
uint32_t fields_fingerprint(void);
