/*
 * messages: lines of TORCH_LOGS text to logical messages. The lines of one message have the same prefix (or, in the
 * short form, all but the first have none); messages of several processes and ranks may be mixed line by line, and
 * output of the program, tracebacks and messages pasted without their prefixes may stand anywhere.
 *
 * Each writer (a launcher's prefix and a process id) has at most one message under construction; what has no prefix
 * belongs to the writer that wrote before it. One thread.
 */
#pragma once

#include "input/lines.h"
#include "input/log_line.h"
#include "model/model.h"
#include "torchlog/apply/log_kinds.h"
#include "torchlog/crash/crash_scan.h"
#include "util/map.h"
#include "util/vec.h"

/* One writer: a process, or, for lines that have no prefix of PyTorch's, whoever is behind a launcher's prefix. */
struct log_source {
    uint32_t index;
    uint64_t number;         /* process or thread id; 0 where there is none */
    struct log_source *bare; /* of the same launcher's prefix: where lines without PyTorch's go; may be itself */
    void *process;           /* for who takes the messages */
};

struct log_message {
    struct log_source *from;     /* of a message without prefix: the process that wrote before it, where there is one */
    const struct log_kind *kind; /* NULL: nobody's, kept as output of the program */
    enum crash_form crash;       /* of what has no prefix and is about a crash; then there is no kind */
    bool uncaught;               /* the traceback is printed as only torch.distributed prints one that nobody caught */
    struct log_line head;        /* of its first line; strings live until the message is handed over */
    uint64_t line;               /* from 1 */
    struct payload payload;
    struct str text;             /* lines joined by '\n', at most LIMIT_PAYLOAD_TEXT of it */
    bool at_end;                 /* the file ends with it */
};

struct log_writer;

struct log_messages {
    struct input *in;
    struct arena *arena;
    struct map writers;             /* (launcher key, process id) -> struct log_writer */
    VEC(struct log_writer *) list;
    struct log_prefixes known;
    struct buf colorless;
    bool (*take)(void *object, const struct log_message *m);
    void *object;
    bool header_above;              /* the last line was the header of a traceback, behind a prefix */
    uint64_t lines, understood;     /* how many lines there were, and how many of them are of known messages */
};

/* `take` gets every message when it is complete, and says whether one without prefix about a crash does. */
void log_messages_init(struct log_messages *m, struct input *in,
                       bool (*take)(void *object, const struct log_message *m), void *object);
void log_messages_line(struct log_messages *m, const struct line *line);
/* Takes the lines ahead that certainly go on with output of the program, as log_messages_line would do one by one. */
void log_messages_skip(struct log_messages *m, struct line_reader *lines);
/* The file is over: completes what is open. */
void log_messages_finish(struct log_messages *m);
