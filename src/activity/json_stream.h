/*
 * json_stream: reads a JSON object of any size piece by piece: its members one after another, and for one member, a
 * list, each element by itself. Pieces are unparsed text; only strings and brackets are looked at. Memory is one
 * piece. One thread.
 */
#pragma once

#include "input/source.h"
#include "util/buf.h"

struct json_stream {
    struct source *source;
    const char *list; /* the member whose elements are returned one by one */
    size_t most;      /* maximum bytes of a piece; longer pieces are left out and counted */
    uint64_t left_out;
    uint64_t offset;  /* of the next byte to be read, in the source */
    bool complete;    /* the end of the object was reached */
    struct buf block; /* bytes that were read but not used yet ... */
    size_t at;
    struct buf key, piece;
    bool in_list;
};

struct json_piece {
    /* the key of the member, or of the list that the element is in: the bytes between the quotes, not unescaped */
    struct str key;
    struct str text; /* valid until the next call */
    uint64_t offset; /* where it began */
    bool element;
};

void json_stream_begin(struct json_stream *s, struct source *source, const char *list, size_t most);
/* False at the end of the object or of the file, or where the text cannot be understood. */
bool json_stream_next(struct json_stream *s, struct json_piece *out);
void json_stream_end(struct json_stream *s);
