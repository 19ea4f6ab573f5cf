/*
 * recorded: what libpt2trace_gpu.so wrote (inject/format.h), into the model. A file may end anywhere, and may be
 * anything behind its first line. One thread per input.
 */
#pragma once

#include "model/model.h"

bool recorded_sniff(struct str beginning);

/* Reads in->source, which is open, to its end. */
void recorded_read(struct input *in);
