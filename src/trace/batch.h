/*
 * batch: raw records on their way from the thread that cuts the file into records to the threads that decode them. A
 * batch owns the bytes of its records. Decoding is pure: it uses nothing but the batch.
 */
#pragma once

#include "input/glog.h"
#include "model/model.h"
#include "trace/kinds.h"
#include "util/formats/json_room.h"
#include "util/system/pool.h"

/* The end of a record's JSON as PyTorch writes it: the digest in has_payload, its quote, and the brace. */
enum { DIGEST_TAIL = DIGEST_HEX + 2 };

struct raw_record {
    struct glog glog;    /* only the numbers are valid: file and text point to memory that is gone */
    uint64_t file;       /* str_hash of glog.file */
    uint64_t line;
    struct span span;
    uint32_t stream;
    int launcher_rank;   /* from the launcher's prefix, or RANK_UNKNOWN */
    size_t json_at, json_n; /* in batch->bytes */
    size_t text_at, text_n; /* the payload's text, if it was captured */
    bool captured;          /* text_n bytes are there (possibly only the beginning of the payload) */
    bool captured_whole;
    bool at_end;            /* the file ended inside it, or without a final newline */
    bool unterminated;      /* its last line, the last of the file, has no newline */
    struct payload payload;
    bool cut;               /* a payload line was over the limit, so the digest cannot match */
    bool hashed;            /* actual holds the digest of the payload's text */
    struct digest actual;
    bool text_not_utf8; /* the captured payload has bytes that are not UTF-8 (checked along with digests) */

    /* made by decoding */
    bool decoded;           /* doc holds an object */
    struct json_doc doc;    /* its root may be shared with records that differ only in their digest */
    struct str kind_name;   /* points into doc; document lifetime */
    json_t *value;
    const struct kind *kind, *artifact_kind;
    bool has_json;
    struct json_doc json;   /* the payload */
};

struct batch {
    struct buf bytes;
    struct raw_record *records;
    size_t n, cap;
    bool check_digests;
    struct json_room *room; /* for the documents of its records; NULL: they are in ordinary memory */
    struct task task;
    struct batch *next;
};

struct batch *batch_new(bool check_digests);
void batch_free(struct batch *b);
/* Removes the records and keeps the memory. */
void batch_clear(struct batch *b);
/* Adds a zeroed record at the end. The other records may move. */
struct raw_record *batch_add(struct batch *b);

/* Decodes every record. Can be a task's run function; arg is the batch. */
void batch_decode(void *arg);

/*
 * Reads the beginning of a record's JSON without parsing it: the kind, and whether its payload is wanted. Returns the
 * `flags` of the kind's row, or KIND_TEXT | KIND_JSON if the kind is unknown.
 */
unsigned record_peek(struct str json);
