/*
 * unnamed: recompiles whose message has no compile id: those of 2.3 and earlier, and all that were logged in the short
 * form or pasted without their prefix.
 *
 * Since 2.4 the reasons name the compiles whose guards failed, the newest first, so that the id is known. Before, only
 * the function is: the message is held until a compile of it says more, or else gets a frame of its own, which is
 * numbered after all others when the file is read. One thread.
 */
#pragma once

#include "torchlog/apply/log_frame.h"
#include "trace/record.h"

struct unnamed_frame {
    struct log_frame named;
    int32_t last; /* its newest compile */
};

/* Of one process. Zero to begin with. */
struct unnamed {
    bool held;
    struct record record; /* the message that waits for its compile; its text is in the arena that was given */
    struct log_frame named;
    VEC(struct unnamed_frame) frames;
    uint64_t recompiles;  /* how many got a frame of their own */
};

/* The compile id by what the reasons say. False when they do not. */
bool unnamed_id(const struct record *rec, struct compile_id *id);

/* A recompile, or the warning about too many of them, without any id. */
void unnamed_take(struct unnamed *u, struct arena *a, const struct record *rec);

/* rec is about a compile that is known: is it the one that the message waits for? */
void unnamed_join(struct unnamed *u, const struct record *rec);

/* The file is over: the message that waits for its compile makes one. */
void unnamed_release(struct unnamed *u, struct arena *a);

/*
 * Then, where no message had an id: gives breaks without a compile, that were logged before a function was
 * compiled for the second time, to its first compile, when the function is among their calls.
 */
void unnamed_breaks(struct reading *r, struct process_state *s);

/* After that: frames without a number get those behind the ones that are taken. */
void unnamed_number(const struct unnamed *u, struct process *p);
