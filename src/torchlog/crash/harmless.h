/*
 * harmless: what PyTorch logs of something that it goes on without, and that a person who reads it takes for an error:
 * a choice of the autotuner that does not fit the GPU, a GPU that is too small for some of the choices, an exception
 * that PyTorch has dealt with. Any thread.
 */
#pragma once

#include "util/arena.h"

struct harmless {
    struct str message;
    struct str choice; /* why a choice of the autotuner was left out; empty when the message is about something else */
};

/*
 * The first lines of a message, and its logger or file; empty when it has no prefix. False when it is another message.
 */
bool harmless_take(struct arena *a, struct str text, struct str logger, struct harmless *out);

/*
 * A message that PyTorch logs as a warning, with the traceback of an exception below its first line: whoever logs that
 * has caught it, whatever the line says. False when there is no such traceback.
 */
bool harmless_warned(struct arena *a, struct str text, struct str logger, struct harmless *out);

/* Whether a warning says what PyTorch does in spite of an exception, whose traceback follows. */
bool harmless_goes_on(struct str text);

/*
 * The last line of a text that says that PyTorch could not analyze a kernel, or make a key of its cache, and goes on:
 * the traceback right behind it is why, also where neither has a prefix. Empty if it is another line.
 */
struct str harmless_unanalyzed(struct str text);
