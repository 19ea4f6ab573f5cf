/*
 * fields: the model of one input as a table: every struct of model/model.h with every field, how it is kept in a digest
 * and what it may be. Writing and reading follow the table, so neither can forget a field that the other has;
 * tests/digest_fields compares it with the headers of the model. Static data.
 *
 * Adding one: a row in fields.c. What follows from other fields is a row too (LEFT_OUT), and set again in link.c.
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
    FIELD_VALUE,    /* of a metric: what it is, its type tells */
    FIELD_KINDS,    /* a map of kinds of records */
    FIELD_STRINGS,  /* a string table */
    FIELD_LEFT_OUT, /* follows from the others, or is set after reading */
};

/* How many there are of it. */
enum field_many { FIELD_ONE, FIELD_LIST, FIELD_ARRAY };

enum field_flags {
    FIELD_NEEDED = 1,  /* a pointer that is never NULL, also that of a text */
    FIELD_RAW = 2,     /* a text that need not be UTF-8 */
    FIELD_RISING = 4,  /* in a list, mostly a little more than in the entry before: the difference is kept */
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
};

struct shape {
    const char *name;
    size_t size;
    const struct field *fields;
    size_t field_count;
    enum object_class is; /* OBJECT_NONE when nobody points to it */
};

/* The whole: struct input. */
extern const struct shape input_shape;

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
