/*
 * input_tape: standard input for several launches of one program, each of which must read the same. Input from a pipe
 * is stored while the first launches read it, and given to later ones from the beginning; a file is opened again for
 * each launch; a terminal gives nothing to any of them, because nobody would type the same again. One thread.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

struct input_tape {
    bool of_terminal; /* launches get no input */
    bool of_file;     /* opened again for each launch, from `start` */
    int64_t start;
    int kept; /* the input so far, in an unnamed file; -1 if there is none yet */
    uint64_t size;
    bool whole;  /* the end of the input was reached */
    uint64_t at; /* how much of it the current launch was given */
    int to;      /* our end of its pipe; -1 if there is none */
};

/* Looks at our standard input. */
void tape_begin(struct input_tape *t);

/* The descriptor for the next launch's standard input; -errno. */
int tape_next(struct input_tape *t);

/* What to poll, and what to do afterwards. fds[0] is our standard input, fds[1] the launch. */
void tape_wants(const struct input_tape *t, struct pollfd fds[2]);
void tape_turn(struct input_tape *t, const struct pollfd fds[2]);

/* The launch has ended. */
void tape_rest(struct input_tape *t);
void tape_end(struct input_tape *t);
