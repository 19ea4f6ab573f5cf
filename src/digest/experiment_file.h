/*
 * experiment_file: an experiment as run.json, which `pt2trace run` leaves beside its report, and back. Any thread.
 */
#pragma once

#include "model/experiment.h"
#include "util/buf.h"

/* Whether a file that begins so is one, of any version. */
bool experiment_sniff(struct str beginning);

/* JSON, with a newline at its end. */
void experiment_write(const struct experiment *x, struct buf *out);

/* Empty when *out was filled; else what is wrong with it, for a person. Texts live in the arena. */
struct str experiment_read(struct arena *a, struct str text, struct experiment *out);
