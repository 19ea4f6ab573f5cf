/*
 * fault: what is wrong with a machine, known from the messages of PyTorch, Triton, compilers and the system: a program,
 * a library or a header is missing, or there is no room on the disk. The model is not the cause, so no other backend
 * and no smaller graph helps. Static; any thread.
 *
 * Adding one: a row in fault.c, with its message in tests/unit/test_names.c.
 */
#pragma once

#include "util/str.h"

struct fault {
    const char *id;
    const char *what; /* what is wrong, in one clause */
    const char *fix;  /* sentences, with what is to be typed in `backticks` */
    /*
     * By what it is known: alternatives, separated by '\n', of words that are all there, separated by '\t'. `alone` are
     * those that nobody says of anything else (and that have no '#'), so that a line which has them needs no exception
     * around it; `sure` mean so in any exception, and `within` in one that the compiler raised.
     */
    const char *alone, *sure, *within;
};

/* The first row that fits the type and the message of an exception; NULL when none does. */
const struct fault *fault_find(struct str type, struct str message, bool of_compiler);

/* Whether a line says by itself that something is missing. */
bool fault_is_known(struct str line);

/* The line of a message that says it, without blanks around; empty when it is not in one line. */
struct str fault_line(const struct fault *f, struct str type, struct str message);

/* The words that stand alone, one alternative after the other over all rows; empty behind the last. */
struct str fault_words(size_t i);
