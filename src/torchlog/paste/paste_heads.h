/*
 * paste_heads: a text that begins in the middle of a message, or is a message without its name, gets the line back that
 * says what it is. Private to paste.c. Any thread.
 */
#pragma once

#include "torchlog/paste/paste_lines.h"

/* Each makes a text of another, in the arena; false when it sees nothing to do. */
bool paste_name_break(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_name_explanation(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_name_message(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_announced(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_graph(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_head_of_rank(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_restore_lines(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_item_break(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_name_table(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_name_comparison(struct arena *a, const struct paste_text *from, struct paste_text *out);
