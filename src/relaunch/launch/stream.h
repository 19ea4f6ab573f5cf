/*
 * stream: one output of a program, stored in a file and passed on to an output of ours as it arrives. Passing on never
 * blocks: if our output takes no more, we do not read from the program until it does, so that the program waits as it
 * would without us. One thread.
 */
#pragma once

#include "util/buf.h"

#include <poll.h>

enum stream_way { STREAM_NOWHERE, STREAM_FILE, STREAM_NONBLOCKING, STREAM_SOCKET, STREAM_CAREFULLY };

struct stream {
    int from;       /* -1 at its end */
    int file;       /* -1 if it is not stored */
    int to, own_to; /* our output; own_to is our second opening of it, which we close, or -1 */
    enum stream_way way;
    struct buf waiting; /* read, but not passed on yet */
    bool ahead;         /* the program has ended: the rest is read even if output is waiting, up to a limit */
    int error;          /* a positive errno if not everything could be stored */
    int pass_error;     /* ... if not everything could be passed on, although there was a reader */
    bool unfinished;    /* the last line that was passed on has no newline */
};

/* Takes `from` and `file` over, and closes them at the end. `to` is -1 if nothing is passed on. */
void stream_begin(struct stream *s, int from, int file, int to);

/* What to poll: fds[0] is the program, fds[1] our output. An entry with fd -1 is not polled. */
void stream_wants(const struct stream *s, struct pollfd fds[2]);

/* Call it after polling. */
void stream_turn(struct stream *s, const struct pollfd fds[2]);

/* Stops reading from the program. */
void stream_close_input(struct stream *s);

/* Closes everything; output that is waiting is dropped, but the file has it. */
void stream_end(struct stream *s);
