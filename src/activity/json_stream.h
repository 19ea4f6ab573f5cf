/*
 * json_stream: a JSON object of any size, piece by piece: its members one after another, and of one of them, a list,
 * each element alone. What is handed out is text, not parsed: only strings and brackets are looked at. Memory is one
 * piece. One thread.
 */
#pragma once

#include "input/source.h"
#include "util/buf.h"

struct json_stream {
    struct source *source;
    const char *list;     /* the member whose elements come one by one */
    size_t most;          /* bytes of a piece; longer ones are left out and counted */
    uint64_t left_out;
    uint64_t offset;      /* of what is read next, in the source */
    bool complete;        /* the object's end was seen */
    struct buf block;     /* what is read and not used yet ... */
    size_t at;
    struct buf key, piece;
    bool in_list;
};

struct json_piece {
    struct str key;  /* of the member; of an element, its list's key. Bytes between the quotes, not unescaped */
    struct str text; /* until the next call */
    uint64_t offset; /* where it began */
    bool element;
};

void json_stream_begin(struct json_stream *s, struct source *source, const char *list, size_t most);
/* False at the end: of the object, of the file, or of what can be understood. */
bool json_stream_next(struct json_stream *s, struct json_piece *out);
void json_stream_end(struct json_stream *s);
