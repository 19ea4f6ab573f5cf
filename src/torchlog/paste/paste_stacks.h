/*
 * paste_stacks: calls that a reporter wrote in a form of its own, whose header was left out, or that were cut, become a
 * stack of Python's again. Private to paste.c. Any thread.
 */
#pragma once

#include "torchlog/paste/paste_lines.h"

/* Each makes a text of another, in the arena; false when it sees nothing to do. */
bool paste_header_of_library(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_report(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_error_report(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_uncode_message(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_unannotate(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_stack(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_cut_call(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_head_stack(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_head_record(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_raise_stack(struct arena *a, const struct paste_text *from, struct paste_text *out);
