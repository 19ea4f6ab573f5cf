/*
 * path: redacts a path or a URL. For a file of PyTorch or of the standard library the tail stays. For any other file
 * the directories become one placeholder and the name another; a known extension stays. URLs of PyTorch stay. One
 * thread, the one that uses the words.
 */
#pragma once

#include "redact/word.h"
#include "util/buf.h"

/* Appends the redacted path; relative paths and bare names count as paths, too. */
void path_redact(struct words *w, struct str path, struct buf *out);
/* Whether path_redact leaves it recognizable as a file of PyTorch or of the standard library. */
bool path_is_kept(const struct words *w, struct str path);
/* Whether a run of characters without blanks is a path: it begins at a root, or ends with a known extension. */
bool path_looks_like(struct str run);
/* Whether a character may be part of a path. */
bool path_has(char c);

/* Appends the redacted form of a URL, "https://…", whose length is url_length. */
void url_redact(struct words *w, struct str url, struct buf *out);
/* The length of the URL at the beginning of s; 0 if there is none. */
size_t url_length(struct str s);
