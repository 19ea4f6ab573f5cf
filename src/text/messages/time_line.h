/*
 * time_line: what vLLM and the benchmark runner of PyTorch print about compile times, behind any prefix.
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

/* Where the words begin in a line; -1 when it has none. */
ptrdiff_t time_line_find(struct str line);

/* The words alone, one after the other; empty behind the last. */
struct str time_line_words(size_t i);

/* Fills the rows of the text that time_line_find found, with a time each. */
void time_line_parse(struct arena *a, struct str text, struct times_text *out);
