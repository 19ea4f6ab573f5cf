/*
 * assemble: lines to raw records. A record is a line with a glog prefix and JSON; the lines that begin with a tab
 * after it are its payload. Lines of several writers that a launcher mixed are told apart by its prefixes: each writer
 * is a stream with a record of its own under construction.
 */
#pragma once

#include "input/lines.h"
#include "trace/batch.h"
#include "util/vec.h"

/* Blank lines that may be lines of the payload before them. */
struct blank_lines {
    unsigned n;
    uint64_t offset; /* of the first */
    bool plain;      /* nothing, not even NUL bytes, is in them */
};

struct assembler {
    struct input *in;
    const struct trace_options *options;
    struct arena *arena;          /* until assembler_finish */
    struct messages *messages;    /* in->messages; a list of its own where lines are read ahead of records */
    struct batch *batch;          /* where finished records go */
    VEC(struct writer_stream *) streams; /* by payload.stream */
    struct map by_key;                   /* launcher key -> struct writer_stream */
    struct buf colourless;        /* the line without colour codes */
    struct blank_lines blanks;
    bool newline_at_end;          /* the last line seen ended in '\n' */
    struct writer_stream *last;   /* whose line that was; NULL when nobody's */
    uint64_t understood;          /* offset behind the last line that was part of a record */
    bool again; /* these bytes were read before: only the lines of one writer count, nothing is reported twice */
};

void assembler_init(struct assembler *as, struct input *in, const struct trace_options *options, struct batch *batch);

/* Takes one line. Records that it completes are added to as->batch. */
void assembler_line(struct assembler *as, const struct line *line);

/* The file is over: completes what is open. */
void assembler_finish(struct assembler *as);
