/*
 * trace: reads one TORCH_TRACE file into the model.
 *
 *   lines ──> raw records ──> batches ──(decode: JSON, digests; any thread)──> in order ──> kinds[] ──> model
 *
 * The thread that reads a file also applies its records, in the order of the file. Decoding is pure, so any free
 * thread can decode a batch, and the result is the same for any number of threads.
 */
#pragma once

#include "model/model.h"
#include "trace/trace_options.h"
#include "util/system/pool.h"

/*
 * Whether the beginning of a file looks like a trace, that is, whether it has a record within its first LIMIT_SNIFF
 * bytes.
 */
bool trace_sniff(struct str beginning);

/*
 * Reads in->source, which must be open, to its end. Damage becomes messages. in->arena and in->messages must be set up
 * (input_new does that). Call run_finish once all inputs are read.
 */
void trace_read(struct input *in, const struct trace_options *options, struct pool *pool);

/*
 * The same in several steps, while the file is still being written: trace_more reads what is there so far and keeps
 * the state; trace_end reads the rest and finishes the model, once. In between, the source is paused (source_pause).
 * The result of trace_end is the same as if trace_read had read the file in its final form. `options` and `pool` must
 * live as long.
 */
struct trace_reader;

struct trace_reader *trace_begin(struct input *in, const struct trace_options *options, struct pool *pool);
/* False if it cannot continue and must be dropped: the file was replaced, or it cannot be read in steps. */
bool trace_more(struct trace_reader *r);
bool trace_is_stuck(const struct trace_reader *r); /* Whether it is the latter. */
void trace_end(struct trace_reader *r);
/* Gives up; the input's model is unusable. */
void trace_drop(struct trace_reader *r);

/* Adds messages about the file itself, after it was read: damaged, changed meanwhile, or not readable to its end. */
void trace_report_source(struct input *in);
