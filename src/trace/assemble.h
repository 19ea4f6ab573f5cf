/*
 * assemble: turns lines into raw records. A record is a line with a glog prefix and JSON; the lines after it that
 * begin with a tab are its payload. If a launcher mixed the lines of several writers, they are separated by its
 * prefixes: each writer is a stream with a record of its own under construction.
 */
#pragma once

#include "input/lines.h"
#include "trace/batch.h"
#include "util/vec.h"

/* Blank lines that may be part of the payload before them. */
struct blank_lines {
    unsigned n;
    uint64_t offset; /* of the first line */
    bool plain;      /* they are empty, without even a NUL byte */
};

struct assembler {
    struct input *in;
    const struct trace_options *options;
    struct arena *arena;                 /* lives until assembler_finish */
    struct messages *messages;           /* in->messages, or a separate list if lines are read ahead of records */
    struct batch *batch;                 /* receives finished records */
    VEC(struct writer_stream *) streams; /* by payload.stream */
    struct map by_key;                   /* launcher key -> struct writer_stream */
    struct buf colorless;                /* the line without color codes */
    struct blank_lines blanks;
    bool newline_at_end;        /* the last line ended with ' ' */
    struct writer_stream *last; /* the writer of that line; NULL if unknown */
    uint64_t understood;        /* offset after the last line that was part of a record */
    /* the bytes are read a second time: only the lines of one writer count, and nothing is reported again */
    bool again;
};

void assembler_init(struct assembler *as, struct input *in, const struct trace_options *options, struct batch *batch);

/* Takes one line. Records that it completes are added to as->batch. */
void assembler_line(struct assembler *as, const struct line *line);

/* The file has ended: completes open records. */
void assembler_finish(struct assembler *as);
