/*
 * digest_file: digests, which are small files that hold the models of one or several inputs without their payloads.
 * With them, the ranks of a cluster can be put together on another machine. The file is gzip: first a line with format
 * and version, then the inputs in the order of their paths, each a gzip member of its own. Equal inputs give equal
 * bytes; a digest of digests is the digest of all their inputs.
 */
#pragma once

#include "model/model.h"

/* The first line, which people can read, too: zcat X.digest | head -1 */
#define DIGEST_MAGIC "pt2trace-digest "

/* Whether a file whose unpacked bytes begin like this is a digest, of any version. */
bool digest_sniff(struct str beginning);

/* Writes the inputs of a run that was read but not finished; main thread. 0 or -errno. */
int digest_write(const char *path, struct run *r);

/*
 * Fills full_path and content, by which another process can find the file again and recognize it. The input was read,
 * and does not come from a digest. Any thread.
 */
void digest_note_source(struct input *in);

struct input_list {
    VEC(struct input *) list;
};

/*
 * Reads the digest at `file->path` into new inputs, which have arenas of their own; the list is in file's arena.
 * Returns what is wrong with the digest, in words for people, or an empty text. Any thread.
 */
struct str digest_read(struct input *file, struct input_list *out);

/*
 * Opens the file that an input of a digest was read from, if it is still in its place and unchanged. Otherwise its
 * payloads are unavailable, and the trace's health says so. Any thread.
 */
void digest_open_source(struct input *in);

/*
 * Whether the file that a digest's input was read from is the file of `of`, or was its beginning, wherever it is now.
 * Reads the file again, so compare sizes first. Any thread.
 */
bool digest_is_beginning(const struct input *in, const struct input *of);
