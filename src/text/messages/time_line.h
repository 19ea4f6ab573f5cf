/*
 * time_line: reads the lines about compile times that vLLM and PyTorch's benchmark runner print, after any prefix.
 *
 *   Dynamo bytecode transform time: 6.48 s                          vllm/compilation/backends.py
 *   Compiling a graph for general shape takes 28.31 s               (or "for shape 8", ...)
 *   torch.compile takes 34.79 s in total                            vllm/compilation/monitor.py
 *   Compilation time (from dynamo_timed): 87.705186276              benchmarks/dynamo/common.py
 *   TIMING: code_gen:17.57586 entire_frame_compile:87.70519
 *
 * Views point into the text. Any thread.
 */
#pragma once

#include "text/messages/times_text.h"

/* Where these words begin in a line; -1 if it has none. */
ptrdiff_t time_line_find(struct str line);

/* The i-th of these words; empty after the last. */
struct str time_line_words(size_t i);

/* Fills the rows, each with a time, from the text that time_line_find found. */
void time_line_parse(struct arena *a, struct str text, struct times_text *out);
