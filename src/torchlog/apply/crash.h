/*
 * crash: exceptions and crashes in console text become failures of the model: of the compile that was at work, where
 * that is known, else of the process. The same exception printed twice is one failure. What has nothing to do with the
 * compiler counts only when the program ended with it. One thread, the reader's.
 */
#pragma once

#include "torchlog/apply/known_crashes.h"
#include "torchlog/apply/crash_waits.h"
#include "torchlog/apply/messages.h"

/* What is remembered of a process while its messages are read. Starts zeroed. */
struct crash_process {
    struct process *process;
    struct compile *started; /* the last one of which the log says that it began; NULL when it says so of none */
    struct compile *latest;  /* of the last message that has an id */
    struct compile *failed;  /* the last one that was said to have failed: what it does next is another attempt */
    uint64_t lines_between;  /* of output behind the last message of PyTorch */
    struct known_crashes known;
    enum { CRASH_UNANNOUNCED, CRASH_ANNOUNCED, CRASH_HARMLESS } announced; /* by a message of the short form */
    struct str announced_file;                                             /* and of which function */
    int64_t announced_line;
    const struct failure *announced_as; /* the first traceback behind it; the second says the same */
    struct failure *last;               /* an exception of the program; it ended with it when nothing contradicts */
    struct failure *unsure;             /* the same of one that may have been caught; it counts at the end of a text */
    uint64_t lines_behind;              /* of other output */
    bool last_certain;                  /* only an exception that nobody caught is printed like that */
    bool last_may_be_caught;            /* its stack begins within the program */
    struct failure *death;              /* what the process died of */
    int death_rank;                     /* of which it speaks; -1 unknown */
    struct failure *assertion;          /* of a GPU; an exception will mention it */
    uint64_t assertions;
    VEC(struct failure *) warnings; /* what PyTorch went on without */
    struct str choice;              /* why the autotuner left out its first choice; empty when it left out none */
    struct crash_waits waits;  /* of its ranks, at which collective the watchdog of each found it */
    bool any;                  /* the text is a person's, about one error: an exception counts whoever raised it */
    bool small;                /* ... may be a person's: the first exception that was not taken is kept */
    bool judged;               /* an exception of the program was looked at, which may have caught it */
    struct failure *spare;     /* that one, for a text with nothing else; of no compile */
    struct failure *doubtful;  /* one that may have been caught, with little output behind it; likewise */
    struct failure *logged;    /* the first warning that PyTorch logged, likewise */
    struct known_crash *child; /* what torchrun says of a process that failed */
};

/* Whether its compile or process may be broken according to the message. Takes it into the model when it is. */
bool crash_take(struct crash_process *p, struct record *rec, const struct log_message *m);

/* Every message that crash_take did not take. */
void crash_note(struct crash_process *p, struct record *rec, const struct log_message *m);

/* What PyTorch went on without, for a log that is over: of the process that is given. */
void crash_put_warnings(const struct crash_process *p, struct process *of, struct arena *a);

/* The log is over. `processes` are all of it. */
void crash_finish(struct crash_process *const *processes, size_t n, struct arena *a);
