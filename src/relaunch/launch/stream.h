/*
 * stream: what a program writes to one of its outputs: kept in a file, and passed on to an output of ours as it comes.
 * Passing on never blocks: where ours takes no more, the program is not read from until it does, so that the program
 * waits as it would without us. One thread.
 */
#pragma once

#include "util/buf.h"

#include <poll.h>

enum stream_way { STREAM_NOWHERE, STREAM_FILE, STREAM_NONBLOCKING, STREAM_SOCKET, STREAM_CAREFULLY };

struct stream {
    int from;       /* -1 at its end */
    int file;       /* -1 when nothing is kept */
    int to, own_to; /* ours; own_to is an opening of its own, to be closed, or -1 */
    enum stream_way way;
    struct buf waiting; /* read, and not passed on yet */
    bool ahead;         /* the program ended: what it left is read though something waits, up to a limit */
    int error;          /* a positive errno when not all could be kept */
    int pass_error;     /* ... when not all could be passed on, though somebody wanted it */
    bool unfinished;    /* what was passed on last has no line end */
};

/* Takes `from` and `file`, and closes them at the end. `to` is -1 when nothing is passed on. */
void stream_begin(struct stream *s, int from, int file, int to);

/* What to wait for: fds[0] the program, fds[1] our output. An entry with fd -1 waits for nothing. */
void stream_wants(const struct stream *s, struct pollfd fds[2]);

/* After waiting. */
void stream_turn(struct stream *s, const struct pollfd fds[2]);

/* The program is no longer read from. */
void stream_close_input(struct stream *s);

/* Closes all; what waits is dropped. The file has it. */
void stream_end(struct stream *s);
