/*
 * rank_streams: separates the output of the ranks of a job. Launchers such as torchrun start ranks that all write to
 * the launcher's output. In each rank, our hook replaces an output that is ours by a pipe or terminal of its own and
 * sends us the other end: we store it in a file for the rank, and pass it on as it arrives. An output that goes
 * elsewhere (a file of --log-dir, another node) is not changed. One thread.
 */
#pragma once

#include "relaunch/launch/stream.h"
#include "util/arena.h"
#include "util/vec.h"

struct rank_stream {
    struct stream stream;
    int like; /* our output that the rank's output replaces */
};

struct rank_streams {
    struct arena *arena;
    const char *dir;  /* files are DIR/attempt_N/RANK/stdout.log and stderr.log, the layout of torchrun's --log-dir */
    const char *path; /* the path of the socket; NULL if there is none */
    int socket;
    int to[2]; /* descriptors for passing on standard output and error; -1: not passed on */
    VEC(struct rank_stream) list;
    int error; /* a positive errno if not everything could be stored */
};

/*
 * Makes a socket `path`, by which ranks find us. Without one (if the name is too long), the output of ranks stays
 * mixed.
 */
void rank_streams_begin(struct rank_streams *r, const char *path, const char *dir, int out, int err);

/*
 * Variables for the command's environment, for the hook: `fds` are the descriptors that it writes to. NULL if there is
 * no socket. In the arena.
 */
const char *rank_streams_variable(const struct rank_streams *r, const int fds[2]);

/* Call it if a rank wants to send a descriptor. */
void rank_streams_accept(struct rank_streams *r);

/* If our output is a terminal, gives the ranks' terminals its size. */
void rank_streams_resize(struct rank_streams *r);

/* Whether all ranks have closed their outputs. */
bool rank_streams_are_closed(const struct rank_streams *r);

/* Whether some output of a rank has not been passed on yet. */
bool rank_streams_wait(const struct rank_streams *r);

void rank_streams_end(struct rank_streams *r);
