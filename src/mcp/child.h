/*
 * child: a call of this program as a process of its own, whose output is kept. Where no program can be started
 * (child_none.c), every call is an error. One thread.
 */
#pragma once

#include "util/buf.h"

struct child_output {
    struct buf out, err;
    bool cut;       /* out was longer than it may be */
    bool timed_out; /* it took too long, and was ended */
    int status;     /* of exit; -1: it was ended by a signal */
};

/*
 * Runs `program` with `args` (without its name, NULL at the end) until it ends, for `seconds` at most, and keeps `max`
 * bytes of what it prints. Its standard input is empty. 0 or -errno. Free the output in either case.
 */
int child_run(const char *program, const char *const *args, size_t max, unsigned seconds, struct child_output *out);
void child_output_free(struct child_output *out);
