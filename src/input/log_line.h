/*
 * log_line: one line of TORCH_LOGS text: the launcher's prefix, PyTorch's own prefix, and the text. Any thread.
 *
 *   [rank0]:V1121 08:00:06.012000 19898 torch/_dynamo/guards.py:4786] [0/0] [__guards] GUARDS:    2.5 and later
 *   V0214 07:00:49.354000 139646045393920 torch/_dynamo/guards.py:1023] [0/0] GUARDS:             2.3 and 2.4
 *   [2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards.__guards: [DEBUG] GUARDS:                2.2 and earlier
 *   DEBUG:torch._dynamo.guards.__guards:GUARDS:                            TORCH_LOGS_FORMAT=short, and logging's own
 *
 * In all forms but the last, every line of a message has the prefix; in the last, only the first line has it. Source:
 * TorchLogsFormatter in torch/_logging/_internal.py.
 */
#pragma once

#include "input/glog.h"
#include "input/launcher.h"

enum log_form {
    LOG_BARE, /* no PyTorch prefix: output of the program, a traceback, or a message that continues */
    LOG_GLOG,
    LOG_BRACKETED, /* every line has the prefix, and there is no process id */
    LOG_SHORT,     /* only level and logger, and only on the first line */
};

struct log_line {
    enum log_form form;
    struct launcher launcher;
    struct glog glog;    /* for LOG_SHORT, only the level and the logger's name (in `file`) */
    struct str id;       /* "0/1_1", without its brackets; empty if there is none */
    struct str artifact; /* "guards" of [__guards] or of a logger's name; empty for the log of a module */
    struct str text;     /* the rest; all strings have line lifetime */
    bool plain;          /* nothing was removed: no launcher prefix, no colors */
};

/*
 * The launcher prefixes of one file. A line without a PyTorch prefix may begin with anything, so only a writer seen
 * earlier, or one that names a rank, is accepted there.
 */
struct log_prefixes {
    const struct str *keys; /* launcher.key of each writer seen so far */
    size_t key_count;
    bool timed; /* lines without any other prefix begin with a time */
};

/*
 * A line that log_line_may_have_prefix rules out is taken as it is, unless a launcher is known to write a prefix
 * there. `colorless` holds a line whose color codes were removed, until the next call.
 */
void log_line_parse(struct str line, const struct log_prefixes *known, struct buf *colorless, struct log_line *out);

/* A quick test: false if a line certainly has neither a PyTorch prefix nor colors, as most other text. */
bool log_line_may_have_prefix(struct str line, bool may_have_colors);

/* Whether both have the same prefix, so that b may continue the message of a. */
bool log_line_continues(const struct log_line *a, const struct log_line *b);

/*
 * The number of blanks before a text, and the text with that many removed: text pasted without prefixes is often
 * indented as a whole, as far as its first line.
 */
size_t log_line_indent(struct str text);
struct str log_line_outdented(struct str text, size_t indent);
