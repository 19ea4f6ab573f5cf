/*
 * assemble: lines to raw records. A record is a line with a glog prefix and JSON; the lines that begin with a tab
 * after it are its payload. Lines of several writers that a launcher mixed are told apart by its prefixes: each writer
 * is a stream with a record of its own under construction.
 */
#pragma once

#include "input/lines.h"
#include "trace/batch.h"
#include "util/vec.h"

struct assembler {
    struct input *in;
    const struct trace_options *options;
    struct batch *batch;          /* where finished records go */
    VEC(struct stream *) streams; /* by payload.stream */
    struct map by_key;            /* launcher key -> struct stream */
    struct buf plain;             /* the line without colour codes */
    bool newline_at_end;          /* the last line seen ended in '\n' */
    struct stream *last;          /* whose line that was */
    uint64_t blank_at;            /* first of a run of blank lines that may be payload lines, 0 none */
    unsigned blanks;
};

void assembler_init(struct assembler *as, struct input *in, const struct trace_options *options, struct batch *batch);

/* Takes one line. Records that it completes are added to as->batch. */
void assembler_line(struct assembler *as, const struct line *line);

/* The file is over: completes what is open. */
void assembler_finish(struct assembler *as);
