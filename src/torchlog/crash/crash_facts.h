/*
 * crash_facts: what the text of a crash says, whatever its form is. Views point into the text, or into the arena. Any
 * thread.
 */
#pragma once

#include "model/model.h"
#include "text/python/traceback.h"
#include "torchlog/crash/crash_scan.h"

/* Who raised it. */
enum crash_origin {
    CRASH_OF_PROGRAM,  /* nothing of the compiler is in it */
    CRASH_OF_COMPILER, /* raised by the compiler, or while it compiled */
    CRASH_OF_COMPILED, /* raised inside of compiled code */
};

struct crash_text {
    struct str type; /* "InductorError", "Segmentation fault" */
    struct str message;
    struct text_stack calls;      /* outermost first */
    struct str first;              /* the message of the first exception of a chain */
    struct text_stack first_calls; /* of the first exception of a chain, whose words the last one has; else empty */
    struct text_stack user_calls; /* of the code that was being compiled; may be empty */
    enum crash_origin origin;
    enum failure_part part;
    bool backward;       /* while a backward graph was compiled */
    bool exporting;      /* by torch.export, which has no compile ids */
    bool ignored;        /* of a thread or a destructor: the program goes on */
    bool unraised;       /* the same of what Python cannot raise: in a destructor, or while the program ends */
    struct str unraised_in; /* the function that Python names there: "shutdown_compile_workers"; may be empty */
    bool outermost;      /* the stack begins where a program begins: nobody above could have caught it */
    bool ours;           /* something in it is of PyTorch or Triton; any program prints lines such as "ValueError: 3" */
    bool headless;       /* a part of a traceback: who called is not known */
    bool incomplete;     /* the text shows that calls are left out of a stack */
    bool incomplete_below; /* ... in the user's stack, below its last call that is shown */
    bool nameless;       /* the exception itself is not in the text */
    struct str asserted; /* of an assertion without a message: what it asserts, as in the code; may be empty */
    bool child;          /* the table of torchrun speaks of another process */
    int rank;            /* of which the text speaks; -1 unknown */
    uint64_t pid;        /* 0 unknown */
};
