/*
 * time_line: reads the lines about compile times that vLLM, SGLang and PyTorch's benchmark runner print, after any
 * prefix.
 *
 *   Dynamo bytecode transform time: 6.48 s                          vllm/compilation/backends.py
 *   Compiling a graph for general shape takes 28.31 s               (or "for shape 8", ...)
 *   torch.compile takes 34.79 s in total                            vllm/compilation/monitor.py
 *   Using cache directory: DIR for vLLM's torch.compile             vllm/compilation/backends.py
 *   init engine (profile, create kv cache, warmup model) took 66.30 seconds
 *   Capture cuda graph end. Time elapsed: 268.41 s. mem usage=1.08 GB.          SGLang
 *   Capturing batches (bs=14 avail_mem=6.02 GB):  42%|####  | 10/24 [02:49<03:58, 17.02s/it]
 *   Compilation time (from dynamo_timed): 87.705186276              benchmarks/dynamo/common.py
 *   TIMING: code_gen:17.57586 entire_frame_compile:87.70519
 *
 * vLLM's logger puts "INFO 07-10 12:50:51 [backends.py:193] " before its lines. Views point into the text. Any thread.
 */
#pragma once

#include "model/model.h"
#include "text/messages/times_text.h"

struct time_line {
    struct times_text times;   /* for the table of times; none for a directory and for the engine */
    enum start_line_kind kind; /* START_LINE_KINDS: not one of vLLM's start */
    struct str directory;      /* of START_LINE_CACHE */
    int64_t ns;                /* of the others; -1 none */
    uint64_t done, all;        /* of START_LINE_CAPTURING: sizes, for each of which it has the time */
    int64_t clock_s;           /* as in struct start_line */
};

/* Where these words, or vLLM's prefix before them, begin in a line; -1 if it has none. */
ptrdiff_t time_line_find(struct str line);

/* The same for lines that say nothing of compiling by themselves: the directory, the engine, SGLang's capture. */
ptrdiff_t time_line_aside_find(struct str line);

/* The i-th of these words; empty after the last. */
struct str time_line_words(size_t i);

/* What a line says, from the text that time_line_find found. */
void time_line_parse(struct arena *a, struct str text, struct time_line *out);
