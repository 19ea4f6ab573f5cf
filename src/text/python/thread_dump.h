/*
 * thread_dump: reads the stacks that py-spy, and Python's faulthandler after a timeout, print for a process that hangs:
 *
 *   Thread 4711 (idle): "MainThread"
 *       wait (threading.py:320)                  innermost first
 *       train (/srv/train.py:88)
 *
 *   Thread 0x00007f3a (most recent call first):
 *     File "/srv/train.py", line 88 in train
 *
 * Views of the text. Any thread.
 */
#pragma once

#include "text/python/traceback.h"

/* Whether a line, without surrounding blanks, begins the stack of a thread. */
bool thread_dump_begins(struct str line);

/* Whether a line belongs to the stack of a thread: a call, or the variables that py-spy shows. */
bool thread_dump_goes_on(struct str line);

/*
 * The calls of the main thread, or else of the first thread, and the thread's name; in the arena. False if there are
 * none.
 */
bool thread_dump_take(struct arena *a, struct str text, struct text_stack *out, struct str *name);

/*
 * What the thread is doing, by the innermost call that shows it: "is in a collective". NULL if unknown. *call is that
 * call.
 */
const char *thread_dump_words(const struct text_stack *calls, const struct text_call **call);
