/*
 * digest_file: digests, small files that hold the model of one or several inputs, without their payloads: what is
 * needed to put the ranks of a cluster together elsewhere. It is gzip: a line that names format and version, then the
 * inputs, each a member of its own, in the order of their paths. Equal inputs give equal bytes; a digest of digests is
 * the digest of all their inputs.
 */
#pragma once

#include "model/model.h"

/* A line in front of everything, also for people: zcat X.digest | head -1 */
#define DIGEST_MAGIC "pt2trace-digest "

/* Whether a file that begins so, unpacked, is a digest of any version. */
bool digest_sniff(struct str beginning);

/* Writes the inputs of a run that was read and not finished; main thread. 0 or -errno. */
int digest_write(const char *path, struct run *r);

/*
 * What a process needs to find the file again, and to see that it is the same: fills full_path and content. The input
 * was read and is no digest's. Any thread.
 */
void digest_note_source(struct input *in);

struct input_list {
    VEC(struct input *) list;
};

/*
 * Reads the digest at `file->path` into new inputs, in file's arena; the inputs themselves have arenas of their own.
 * Returns what is wrong with it, for a person, or nothing. Any thread.
 */
struct str digest_read(struct input *file, struct input_list *out);

/*
 * Opens the file that an input of a digest was read from, where it was, if it is there and as it was. Otherwise its
 * payloads are away, and the health of the trace says so. Any thread.
 */
void digest_open_source(struct input *in);

/*
 * Whether what a digest's input was read from is the beginning of what `of` was read from, or all of it: the same file,
 * wherever it lies now. Reads it again, so sizes should be compared first. Any thread.
 */
bool digest_is_beginning(const struct input *in, const struct input *of);
