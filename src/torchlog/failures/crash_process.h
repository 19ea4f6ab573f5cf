/*
 * crash_process: what is remembered of the exceptions of a process while its console text is read. One thread, the
 * reader's.
 */
#pragma once

#include "torchlog/failures/crash_waits.h"
#include "torchlog/failures/known_crashes.h"

/* Starts zeroed. */
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
    struct str goes_on; /* the line just before, which says what PyTorch does in spite of what follows; or empty */
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
    struct str kernel;         /* why a kernel does not compile, as the last message about one says; may be empty */
    struct known_crash *child; /* what torchrun says of a process that failed */
};
