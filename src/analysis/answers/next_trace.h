/*
 * next_trace: how to get more data: questions that this trace could not answer, and the variables with which the next
 * one can. Results live in the arena given; its texts are static.
 */
#pragma once

#include "analysis/answers/answers.h"

struct next_trace_tip {
    const char *question, *environment;
};

struct next_trace {
    VEC(struct next_trace_tip) tips;
};

void next_trace_find(struct arena *arena, const struct answers *a, struct next_trace *out);
