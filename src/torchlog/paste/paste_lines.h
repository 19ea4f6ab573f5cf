/*
 * paste_lines: repairs of lines. Private to paste.c. Any thread.
 *
 * Some lines of a traceback or of a log read in one way only (paste_known.h). How many of a text's lines read so shows
 * whether a repair was one.
 */
#pragma once

#include "util/arena.h"

struct paste_text {
    struct str *v;
    uint32_t *numbers; /* of each line in the original, from 1 */
    size_t n;
};

void paste_split(struct arena *a, struct str text, struct paste_text *out);
struct str paste_join(struct arena *a, const struct paste_text *t);
struct paste_text paste_copy(struct arena *a, const struct paste_text *from);

/*
 * How many lines read as they should, how many have words of such a line and do not, and how sure it is that lines are
 * cut: 2 and more is certain.
 */
struct paste_count {
    size_t good, bad, cut;
    size_t width; /* of the longest line in columns, at which lines may have been cut; 0 when it is too long for that */
};
struct paste_count paste_look(const struct paste_text *t);

/* Each makes a text of another, in the arena; false when it sees nothing to do. */
bool paste_rejoin(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_unquote(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_unpad(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_unwrap(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_uncut_calls(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_unwrap_message(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_uncut_phrases(struct arena *a, const struct paste_text *from, struct paste_text *out);
bool paste_indent(struct arena *a, const struct paste_text *from, struct paste_text *out);
