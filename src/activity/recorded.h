/*
 * recorded: reads what libpt2trace_gpu.so wrote (inject/format.h) into the model. A file may end anywhere, and after
 * its first line it may contain anything. One thread per input.
 */
#pragma once

#include "model/model.h"

bool recorded_sniff(struct str beginning);

/* Reads in->source, which must be open, to its end. */
void recorded_read(struct input *in);
