/*
 * path: what becomes of a path or an address. Of a file of PyTorch or of the standard library the tail stays; of any
 * other the directories become one placeholder, the name another, and an extension that is known stays. Of addresses
 * those that belong to PyTorch stay. One thread, the one that uses the words.
 */
#pragma once

#include "redact/word.h"
#include "util/buf.h"

/* Appends what stands in the place of a path; relative ones and bare names are paths, too. */
void path_redact(struct words *w, struct str path, struct buf *out);
/* Whether path_redact leaves it recognisable as a file of PyTorch or of the standard library. */
bool path_is_kept(const struct words *w, struct str path);
/* Whether a run of characters without blanks is one: it begins at a root, or ends with a known extension. */
bool path_looks_like(struct str run);
/* Whether a character may stand in the path of some text. */
bool path_has(char c);

/* Appends what stands in the place of "https://…", the length of which is url_length. */
void url_redact(struct words *w, struct str url, struct buf *out);
/* Of an address at the beginning of s; 0 when there is none. */
size_t url_length(struct str s);
