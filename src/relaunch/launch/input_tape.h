/*
 * input_tape: standard input for several launches of one program, of which each is to read the same. What comes from a
 * pipe is kept while the first launches read it, and given to the later ones from the beginning; a file is opened again
 * for each; a terminal gives nothing to any of them, as nobody would type the same again. One thread.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

struct input_tape {
    bool of_terminal; /* nothing is given */
    bool of_file;     /* opened again each time, from `start` */
    int64_t start;
    int kept; /* what was read so far: a file without a name; -1 while nothing was */
    uint64_t size;
    bool whole;  /* there is no more to come */
    uint64_t at; /* how much of it the present launch was given */
    int to;      /* its end of a pipe; -1 when there is none */
};

/* Looks at standard input. */
void tape_begin(struct input_tape *t);

/* The descriptor that is to be the next launch's standard input; -errno. */
int tape_next(struct input_tape *t);

/* What to wait for, and after waiting. fds[0] is our standard input, fds[1] the launch. */
void tape_wants(const struct input_tape *t, struct pollfd fds[2]);
void tape_turn(struct input_tape *t, const struct pollfd fds[2]);

/* The launch is over. */
void tape_rest(struct input_tape *t);
void tape_end(struct input_tape *t);
