/*
 * paste_tables: rows of tables that stand for messages (metrics, timers, profiles, guards) become those messages.
 * Private to paste.c. Any thread.
 */
#pragma once

#include "torchlog/paste/paste_lines.h"

/* Each makes a text of another, in the arena; false when it sees nothing to do. */
bool paste_metrics(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_timers(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_profile(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_guards(struct arena *a, const struct paste_text *from, struct paste_text *out);
/* torchrun's own line that a process failed, where its table is missing: the table, with what the line has. */
bool paste_child(struct arena *a, const struct paste_text *from, struct paste_text *out);
