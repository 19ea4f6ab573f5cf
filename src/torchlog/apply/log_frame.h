/*
 * log_frame: which frame a message is about, for messages that name it:
 *
 *   Recompiling function f in FILE:LINE                                   or FILE, in the first nightlies of 2.1
 *   Detected recompile when ... filename: 'FILE', function name: 'f', line number: N
 *   torchdynamo start compiling f FILE:LINE, stack (elided 5 frames):
 *   Step 1: torchdynamo start tracing f FILE:LINE
 *   ORIGINAL BYTECODE f FILE line N
 *   torch._dynamo hit config.recompile_limit (8)\n   function: 'f' (FILE:LINE)
 *   Graph break: from user code at:\n  File "FILE", line N, in f           2.5 and earlier; the line is not the frame's
 *
 * Views of the text. Any thread.
 */
#pragma once

#include "model/model.h"

struct log_frame {
    struct str function, file;
    int64_t line; /* where the function begins; 0 when the message does not say */
};

/* False, and *out is empty, when the text names none. */
bool log_frame_take(struct str text, struct log_frame *out);

/* Whether the message can not be about f. False when one of them has no name. */
bool log_frame_differs(const struct frame *f, const struct log_frame *named);
