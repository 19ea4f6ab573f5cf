/*
 * thread_dump: the stacks that py-spy prints of a process that does not go on:
 *
 *   Thread 4711 (idle): "MainThread"
 *       wait (threading.py:320)                  innermost first
 *       train (/srv/train.py:88)
 *
 * Views of the text. Any thread.
 */
#pragma once

#include "text/python/traceback.h"

/* Whether a line, without blanks around, begins the stack of a thread. */
bool thread_dump_begins(struct str line);

/* Whether a line is of the stack of a thread: a call, or what py-spy shows of its variables. */
bool thread_dump_goes_on(struct str line);

/*
 * The calls of the main thread, or else of the first, and the name of the thread; in the arena. False when there are
 * none.
 */
bool thread_dump_take(struct arena *a, struct str text, struct text_stack *out, struct str *name);

/*
 * What it does there, by the innermost call that says so: "is in a collective". NULL when nothing does. *call is the
 * call.
 */
const char *thread_dump_words(const struct text_stack *calls, const struct text_call **call);
