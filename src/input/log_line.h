/*
 * log_line: one line of TORCH_LOGS text: what a launcher put before it, PyTorch's own prefix, and the text. Any thread.
 *
 *   [rank0]:V1121 08:00:06.012000 19898 torch/_dynamo/guards.py:4786] [0/0] [__guards] GUARDS:    2.5 and later
 *   V0214 07:00:49.354000 139646045393920 torch/_dynamo/guards.py:1023] [0/0] GUARDS:             2.3 and 2.4
 *   [2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards.__guards: [DEBUG] GUARDS:                2.2 and earlier
 *   DEBUG:torch._dynamo.guards.__guards:GUARDS:                            TORCH_LOGS_FORMAT=short, and logging's own
 *
 * In all forms but the last every line of a message has the prefix; in the last only the first one. Source:
 * TorchLogsFormatter in torch/_logging/_internal.py.
 */
#pragma once

#include "input/glog.h"
#include "input/launcher.h"

enum log_form {
    LOG_BARE, /* no prefix of PyTorch's: output of the program, a traceback, or a message that goes on */
    LOG_GLOG,
    LOG_BRACKETED, /* every line has the prefix, and there is no process id */
    LOG_SHORT,     /* nothing but level and logger, and only before the first line */
};

struct log_line {
    enum log_form form;
    struct launcher launcher;
    struct glog glog;    /* of LOG_SHORT: level and logger's name (in `file`) only */
    struct str id;       /* "0/1_1" out of its brackets; empty when there is none */
    struct str artifact; /* "guards" of [__guards] or of a logger's name; empty for the log of a module */
    struct str text;     /* what is left; all strings have line lifetime */
    bool plain;          /* nothing was taken off: no launcher's prefix, no colours */
};

/*
 * What launchers put before the lines of one file. A line without a prefix of PyTorch's may begin with anything, so
 * that only a writer that was seen before, or one that names a rank, is believed there.
 */
struct log_prefixes {
    const struct str *keys; /* launcher.key of the writers seen so far */
    size_t key_count;
    bool timed; /* times come before lines that have no other prefix */
};

/*
 * A line that log_line_may_have_prefix rules out is taken as it is, unless a launcher is known to put something there.
 * `colourless` holds a line whose colour codes were removed, until the next call.
 */
void log_line_parse(struct str line, const struct log_prefixes *known, struct buf *colourless, struct log_line *out);

/*
 * Quick: false when a line certainly has neither a prefix of PyTorch's nor colours. It is so for most text of others.
 */
bool log_line_may_have_prefix(struct str line, bool may_have_colours);

/* Whether both have the same prefix, so that b may be a further line of the message that a is of. */
bool log_line_continues(const struct log_line *a, const struct log_line *b);

/*
 * Blanks before a text, and the text without as many of them: what is pasted without prefixes is often indented as a
 * whole, by as much as its first line.
 */
size_t log_line_indent(struct str text);
struct str log_line_outdented(struct str text, size_t indent);
