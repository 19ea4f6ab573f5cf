/*
 * experiment_file: an experiment as run.json and back; `pt2trace run` writes that file next to its report. Any thread.
 */
#pragma once

#include "model/experiment.h"
#include "util/buf.h"

/* Whether a file that begins like this is an experiment, of any version. */
bool experiment_sniff(struct str beginning);

/* JSON, with a newline at its end. */
void experiment_write(const struct experiment *x, struct buf *out);

/*
 * Fills *out and returns an empty text, or returns what is wrong with the file, in words for people. Texts live in the
 * arena.
 */
struct str experiment_read(struct arena *a, struct str text, struct experiment *out);
