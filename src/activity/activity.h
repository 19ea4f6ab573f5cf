/*
 * activity: reads files on what GPUs did into the model: those of libpt2trace_gpu.so (src/inject), traces of
 * torch.profiler and exports of Nsight Systems. This module tells them apart. One thread per input.
 */
#pragma once

#include "model/model.h"

/* Which of them the beginning of a file is; INPUT_OTHER when it is none. */
enum input_kind activity_sniff(struct str beginning);

/* Whether inputs of the kind are read here. */
bool activity_is(enum input_kind kind);

/* Reads in->source, which is open, to its end. Damage becomes messages. */
void activity_read(struct input *in);
