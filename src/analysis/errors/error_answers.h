/*
 * error_answers: what maintainers answer to messages of a kind, before what holds for the whole category. Static; any
 * thread.
 *
 * Adding one: a row in error_answers.c, and a message in tests/unit/test_error_answers.c.
 */
#pragma once

#include "analysis/answers/errors.h"

enum { ERROR_ANSWER_STEPS = 3 };

struct error_answer {
    const char *type;    /* of the exception; NULL any */
    const char *message; /* alternatives, separated by '\n': in the message, or in the line of code; NULL any */
    const char *steps[ERROR_ANSWER_STEPS];
};

/* The first row that fits; NULL when none does, and for what a machine lacks. */
const struct error_answer *error_answer_of(const struct error *e);
