/*
 * guard_message: reads failures that guards.cpp and guards.py write as a sentence ("tensor 'x' size mismatch at index
 * 0. expected 4, actual 5", "GLOBAL_STATE changed: grad_mode ", "Cache line invalidated because ..."). Any thread.
 */
#pragma once

#include "text/guards/guard_class.h"

/* How the words begin where a guard's code raised an exception instead of an answer. */
#define GUARD_ITSELF_FAILED "the guard itself fails: "

/* How they begin where a guard failed, and none does any more. */
#define GUARD_HOLDS_AGAIN "no guard fails any more when looked at again"

/* Fills class, source, name, expected, actual, index, words, could_be_dynamic. False if it is no such sentence. */
bool guard_message_read(struct arena *a, struct str text, struct guard_reason *out);
