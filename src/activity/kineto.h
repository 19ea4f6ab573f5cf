/*
 * kineto: reads what torch.profiler exports (export_chrome_trace; libkineto/src/output_json.cpp) as GPU activity:
 * events of the categories kernel, gpu_memcpy and gpu_memset. Other events are only counted. One thread per input.
 */
#pragma once

#include "model/model.h"

bool kineto_sniff(struct str beginning);

/* Reads in->source, which must be open, to its end. */
void kineto_read(struct input *in);
