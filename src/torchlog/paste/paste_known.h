/*
 * paste_known: the lines of a traceback or of a log that read in one way only: a call, a prefix of PyTorch's, a known
 * sentence, the head of a traceback. Private to paste.c and what belongs to it. Any thread.
 */
#pragma once

#include "input/launcher.h"
#include "input/log_line.h"

/* Of a line no more is looked at; a prefix is no longer than that. */
enum { PASTE_LOOKED_AT = 4096, PASTE_PREFIX_MAX = 250 };

extern const struct str paste_call_begin; /* `File "` */
extern const struct str paste_header;     /* of a traceback */

enum anchor { ANCHOR_NONE, ANCHOR_GOOD, ANCHOR_BAD };

/* Whether a line reads as one of them should, has what is in one and does not read so, or neither. */
enum anchor paste_look_at_line(struct str line);

/* Of a text that begins with paste_call_begin: `", line 3` stands behind the name of the file. */
bool paste_is_whole_call(struct str call);
/* As launcher_take, but for times in brackets: no two seconds have the same, so that they name no writer. */
bool paste_take_launcher(struct str line, struct launcher *out, struct str *rest);
/* Where the text of a line begins, behind what a launcher and PyTorch's own prefix take. */
size_t paste_own_prefix(struct str line);
/* That text, without blanks at its ends. */
struct str paste_bare(struct str line);
/* Where PyTorch's own prefix begins, of any form; -1 when the line has none. */
ptrdiff_t paste_find_logged(struct str line);
bool paste_is_logged(struct str line);
/* A line of a log, also "[WARNING] torch._dynamo.x: text", whose level is no launcher's name. */
bool paste_is_of_log(struct str line);
/* Where the head of a thread's stack begins, as py-spy prints it; -1 when the line has none. */
ptrdiff_t paste_find_dump(struct str line);
/*
 * Whether a text ends where the message of CUDA graphs goes on with a call, without an end of line: "... by a
 * subsequent run. Stack trace: File "/x.py", line 7, in f".
 */
bool paste_is_before_inline_call(struct str text);
/* Whether a line has what is only in CUDA's message of an assertion that failed, up to where it may have been cut. */
bool paste_has_gpu_assert(struct str line);
/* Whether the message is whole; `wanted` is not looked at. */
bool paste_is_gpu_assert(struct str text, struct str wanted);
/* The whole of the known sentence that a line begins, wherever in it; *at is where. NULL for none. */
const struct str *paste_sentence_in(struct str line, ptrdiff_t *at);
/* explain()'s reasons, up to the end of the last; `wanted` is not looked at. */
bool paste_is_reason_list(struct str text, struct str wanted);
/* Begins a line of its own, so that it is no rest of the line before. */
bool paste_begins_line(struct str line);
