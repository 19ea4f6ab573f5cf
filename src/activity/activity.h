/*
 * activity: reads files that record GPU activity into the model: files of libpt2trace_gpu.so (src/inject), traces of
 * torch.profiler, and exports of Nsight Systems. This module finds out which of them a file is. One thread per input.
 */
#pragma once

#include "model/model.h"

/* Which kind of activity file begins like this; INPUT_OTHER if none does. */
enum input_kind activity_sniff(struct str beginning);

/* Whether a reader here reads inputs of that kind. */
bool activity_is(enum input_kind kind);

/* Reads in->source, which must be open, to its end. Damage becomes messages. */
void activity_read(struct input *in);
