/*
 * crash_raiser: who raised an exception, by the calls on its stack: the program, the compiler and which part of it, or
 * compiled code. Any thread.
 */
#pragma once

#include "torchlog/crash/crash_facts.h"

/* Whether a call on a stack is only there while something is compiled. */
bool crash_call_compiles(const struct text_call *c);

enum failure_part crash_part_of(const struct text_stack *calls);

/* Also sets backward and exporting. */
enum crash_origin crash_origin_of(const struct traceback *t, struct crash_text *out);

/* Where Python begins: a script, a module, a process of multiprocessing, a thread. */
bool crash_is_outermost(const struct text_stack *calls);
