/*
 * paste_writers: what launchers, containers and Ray do to the lines of the processes that write them. Private to
 * paste.c. Any thread. Each makes a text of another, in the arena; false when it sees nothing to do.
 */
#pragma once

#include "torchlog/paste/paste_lines.h"

/*
 * Takes "[repeated 14x across cluster]" off the ends of lines, and begins a line with what stands behind it. False when
 * there is none.
 */
bool paste_unfold(struct arena *a, const struct paste_text *from, struct paste_text *out);

/* The same before all lines, of a launcher or a container, that names no rank: "trainer-1  | ". */
bool paste_unlaunch(struct arena *a, const struct paste_text *from, struct paste_text *out);

/* Colors are read where they are; but a repair compares what stands before lines, of which some have none. */
bool paste_uncolor(struct arena *a, const struct paste_text *from, struct paste_text *out);

/*
 * A launcher names the rank before each line: what stands below such a line without a name, and goes on with its
 * sentence, is the end of that line, which was wrapped.
 */
bool paste_join_writers(struct arena *a, const struct paste_text *from, struct paste_text *out);
