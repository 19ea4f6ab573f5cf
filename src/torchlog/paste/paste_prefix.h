/*
 * paste_prefix: repairs of what a viewer, a CI or a shipper of logs puts before lines. Private to paste.c. Any thread.
 * Each makes a text of another, in the arena; false when it sees nothing to do.
 */
#pragma once

#include "torchlog/paste/paste_lines.h"

/* Numbers of lines: "  12  ", "12: ", "12 | ". */
bool paste_unnumber(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* The same words before many lines, other numbers in them aside: "2026-11-22T18:36:47Z ", "| build: ". */
bool paste_unprefix(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* The same before all lines, of a viewer of logs, whatever the lines are: a time and a tag, or a name of no rank. */
bool paste_unshared(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* Some lines are quoted, among the writer's own: a message between empty lines. */
bool paste_unquote_some(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* All lines are indented. */
bool paste_outdent(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* Only the output is, below the writer's own sentences: code in Markdown. */
bool paste_outdent_block(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* What follows the header of a traceback stands below a logger's words: "ERROR:    Traceback (most recent ...". */
bool paste_outdent_hanging(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* Lines of a log whose date was cut off: "torch._dynamo.convert_frame: [WARNING] text". */
bool paste_redate(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* A line of a log whose level and date were cut off: "torch/_dynamo/variables/tensor.py:869] [2/0] Graph break". */
bool paste_rehead(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* A bar of tqdm, which does not end its line, before a line of a traceback. */
bool paste_unbar(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* A stack goes on with a later time: someone left out lines of two messages from the same place. */
bool paste_retime(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* What another logger put before a message of PyTorch's: "WARNING:root:Recompiling function f in shop.py:7". */
bool paste_unlog(struct arena *a, const struct paste_text *from, struct paste_text *out);
