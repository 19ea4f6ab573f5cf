/*
 * child: runs this program as a child process and keeps its output. On systems that cannot start programs
 * (child_none.c), every call fails. One thread.
 */
#pragma once

#include "util/buf.h"

struct child_output {
    struct buf out, err;
    bool cut;       /* the output was longer than `max` */
    bool timed_out; /* it took too long and was killed */
    int status;     /* its exit status; -1: a signal ended it */
};

/*
 * Runs `program` with `args` (without its name, NULL at the end) for at most `seconds`, and keeps the first `max`
 * bytes that it prints. Its standard input is empty. 0 or -errno. Free the output in either case.
 */
int child_run(const char *program, const char *const *args, size_t max, unsigned seconds, struct child_output *out);
void child_output_free(struct child_output *out);
