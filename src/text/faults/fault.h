/*
 * fault: recognizes problems of the machine by the messages of PyTorch, Triton, compilers and the system: a program, a
 * library or a header is missing, or the disk is full. The model is not the cause, so neither another backend nor a
 * smaller graph helps. Static; any thread. Adding one: a row in faults.def; tests/unit/test_fault.c finds it by its
 * words, and tests/cases/paste has whole texts.
 */
#pragma once

#include "util/str.h"

/* Which CUDA toolkits know the newest GPUs. */
#define FAULT_TOOLKITS                                                                                                 \
    "12.8 or later for sm_100 and sm_120, 12.9 or later for sm_103 and sm_121, 13.0 or later for sm_110"

/* For a GPU that this PyTorch has no code for. */
#define FAULT_NEWER_BUILD "Install a PyTorch that was built for it: a newer version, with a newer CUDA."

struct fault {
    const char *id;
    const char *what; /* the problem, in one clause */
    const char *fix;  /* sentences, with commands in `backticks` */
    /*
     * The words that identify it: alternatives separated by '\n', each a list of words that must all occur, separated
     * by '\t'. `alone` occur in no other text (and contain no
     * '#'), so a line with them needs no exception around it; `sure` identify it in any exception, and `within` only
     * in an exception that the compiler raised.
     */
    const char *alone, *sure, *within;
    const char *unless; /* ... and none of these alternatives is in the message; NULL: any */
    bool headers; /* the first error of the C or C++ compiler is in a header, which is nobody's generated code */
    bool standard; /* Visual Studio's compiler does not find a header or library of its own or of the Windows SDK */
    bool eager;   /* what cannot be compiled runs without `torch.compile` */
    size_t path;  /* ... and a path of Windows of at least so many characters is in the message; 0: any message */
};

/* The first row that matches the type and the message of an exception; NULL if none does. */
const struct fault *fault_find(struct str type, struct str message, bool of_compiler);

/* Whether a line by itself shows such a problem. */
bool fault_is_known(struct str line);

/* The line of a message that shows it, without surrounding blanks; empty if it is not in a single line. */
struct str fault_line(const struct fault *f, struct str type, struct str message);

/*
 * The first line with which a C or C++ compiler rejects something: "/usr/include/x.h:3:2: error: ...",
 * "x.h(3): error C2065: ..."; without surrounding blanks, empty if there is none.
 */
struct str fault_compiler_line(struct str text);

/* The i-th row; NULL after the last. */
const struct fault *fault_at(size_t i);

/* The i-th alternative of `alone` over all rows; empty after the last. */
struct str fault_words(size_t i);
