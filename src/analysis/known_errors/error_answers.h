/*
 * error_answers: maintainers' answers to specific messages, which come before the answers for a whole category.
 * Static; any thread. To add one, add a row in the answers_*.def of whoever raises the message, and the message in
 * tests/unit/test_error_answers.c.
 */
#pragma once

#include "analysis/answers/errors.h"

enum { ERROR_ANSWER_STEPS = 3 };

struct error_answer {
    const char *type;    /* the exception's type; NULL any */
    /*
     * Alternatives, separated by '\n', each a list of words that must all occur, separated by '\t': in the message, or
     * in the line of code; NULL any. A line of generated code that a C++ compiler shows is no part of the message.
     */
    const char *message;
    const char *code; /* the same, in such a line; NULL any */
    /* Functions, or parts of paths, separated by '\n', one of which must be among the calls; NULL any. */
    const char *within;
    const char *line; /* the same as `message`, in the last line of code that is not PyTorch's; NULL any */
    const char *steps[ERROR_ANSWER_STEPS];
};

/* The first matching row; NULL if there is none, and for problems of the machine. */
const struct error_answer *error_answer_of(const struct error *e);

/* Whether an answer, which may be NULL, is for a whole class of messages: what is known beside it says more. */
bool error_answer_is_general(const struct error_answer *answer);
