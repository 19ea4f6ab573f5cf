/*
 * batch: raw records between the thread that cuts the file into records and the threads that decode them. A batch owns
 * the bytes of its records. Decoding is pure: it looks at nothing but the batch.
 */
#pragma once

#include "input/glog.h"
#include "model/model.h"
#include "trace/kinds.h"
#include "util/system/pool.h"

/* The digest that has_payload announces where PyTorch puts it, at the end of the JSON, its quote and the brace. */
enum { DIGEST_TAIL = DIGEST_HEX + 2 };

struct raw_record {
    struct glog glog;    /* file and text point nowhere after the line is gone: only the numbers count */
    uint64_t file;       /* str_hash of glog.file */
    uint64_t line;
    struct span span;
    uint32_t stream;
    int launcher_rank;   /* from the launcher's prefix, or RANK_UNKNOWN */
    size_t json_at, json_n; /* in batch->bytes */
    size_t text_at, text_n; /* the payload's text, if it was captured */
    bool captured;          /* text_n bytes are there (possibly only the beginning) */
    bool captured_whole;
    bool at_end;            /* the file ended with it, without a final newline or inside its payload */
    bool unterminated;      /* its last line, the last of the file, has no newline */
    struct payload payload;
    bool cut;               /* a line of the payload was over the limit, so its digest is another one */
    bool hashed;            /* actual holds the digest of the payload's text */
    struct digest actual;
    bool text_not_utf8;     /* the captured payload has bytes that are not UTF-8 (looked at when digests are checked) */

    /* made by decoding */
    bool decoded;           /* doc holds an object */
    struct json_doc doc;    /* its root may be shared with a record that differs in its digest alone */
    struct str kind_name;   /* of doc; document lifetime */
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
    struct task task;
    struct batch *next;
};

void batch_free(struct batch *b);
/* Forgets the records, keeps the memory. */
void batch_clear(struct batch *b);
/* A zeroed record at the end. The records before it may move. */
struct raw_record *batch_add(struct batch *b);

/* Decodes every record; as a task's run function, arg is the batch. */
void batch_decode(void *arg);

/*
 * What the beginning of a record's JSON promises, without parsing it: the kind, and whether its payload is wanted.
 * `kind_flags` of the row, or KIND_TEXT | KIND_JSON when the kind is not known.
 */
unsigned record_peek(struct str json);
