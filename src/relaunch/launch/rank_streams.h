/*
 * rank_streams: what each rank of a job writes, apart from the others. Launchers such as torchrun start ranks that
 * write into what the launcher was given, all together. Our hook, in each rank, puts a pipe or a terminal of its own in
 * the place of an output that is ours, and hands us the other end: it is kept in a file of the rank, and passed on as
 * it comes. An output that leads elsewhere (a file of --log-dir, another node) stays as it is. One thread.
 */
#pragma once

#include "relaunch/launch/stream.h"
#include "util/arena.h"
#include "util/vec.h"

struct rank_stream {
    struct stream stream;
    int like; /* our output that the rank's took the place of */
};

struct rank_streams {
    struct arena *arena;
    const char *dir;  /* files go to DIR/attempt_N/RANK/stdout.log and stderr.log, as torchrun's --log-dir has them */
    const char *path; /* of the socket; NULL when there is none */
    int socket;
    int to[2]; /* where standard output and error are passed on; -1: nowhere */
    VEC(struct rank_stream) list;
    int error; /* a positive errno when not all could be kept */
};

/*
 * Makes a socket `path`, which ranks find by its name. Without one (a name that is too long) ranks stay together.
 */
void rank_streams_begin(struct rank_streams *r, const char *path, const char *dir, int out, int err);

/*
 * Variables for the environment of the command, for the hook: `fds` are the ends that it writes to. NULL when there is
 * no socket. In the arena.
 */
const char *rank_streams_variable(const struct rank_streams *r, const int fds[2]);

/* A rank wants to hand something over. */
void rank_streams_accept(struct rank_streams *r);

/* Where ours is a terminal, theirs have its size. */
void rank_streams_resize(struct rank_streams *r);

/* No rank has its output open any more. */
bool rank_streams_are_closed(const struct rank_streams *r);

/* Something that a rank wrote is not passed on yet. */
bool rank_streams_wait(const struct rank_streams *r);

void rank_streams_end(struct rank_streams *r);
