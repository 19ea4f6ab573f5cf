/*
 * debug_dir: reads one file of a torch_compile_debug directory that is an artifact as a whole (input/debug_file.h) into
 * the model: one process, known from the folder's name, and the artifact among what belongs to no compile. Which graph
 * it is of, and whose process it is, is found out when all inputs are read (model/merge/join_files.h).
 */
#pragma once

#include "trace/trace.h"

/* Reads in->source, which is open, to its end. */
void debug_dir_read(struct input *in, const struct trace_options *options, struct pool *pool);
