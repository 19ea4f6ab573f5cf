/*
 * trace: reads one TORCH_TRACE file into the model.
 *
 *   lines ──> raw records ──> batches ──(decode: JSON, digests; any thread)──> in order ──> kinds[] ──> model
 *
 * The thread that reads a file also applies its records, in the order of the file. Decoding is pure, so batches are
 * decoded by whoever is free, and the result is the same for any number of threads.
 */
#pragma once

#include "model/model.h"
#include "trace/trace_options.h"
#include "util/system/pool.h"

/* Whether the beginning of a file looks like a trace: it has a record within its first LIMIT_SNIFF bytes. */
bool trace_sniff(struct str beginning);

/*
 * Reads in->source, which is open, to its end. Damage becomes messages. in->arena and in->messages must be set up
 * (input_new does). Call run_finish once all inputs are read.
 */
void trace_read(struct input *in, const struct trace_options *options, struct pool *pool);

/*
 * The same in several goes, while the file is being written: trace_more reads what is there by now and keeps the state
 * of reading; trace_end reads the rest and finishes the model, once. In between the source is paused (source_pause).
 * What trace_end leaves is what trace_read makes of the file as it is then. `options` and `pool` live as long.
 */
struct trace_reader;

struct trace_reader *trace_begin(struct input *in, const struct trace_options *options, struct pool *pool);
/* False when it cannot go on, and is to be dropped: the file is another one by now, or cannot be read in pieces. */
bool trace_more(struct trace_reader *r);
bool trace_is_stuck(const struct trace_reader *r); /* it is the latter */
void trace_end(struct trace_reader *r);
/* Gives up; the model in the input is of no use. */
void trace_drop(struct trace_reader *r);

/* Messages about the file itself, once it was read: damaged, changed meanwhile, not readable to its end. */
void trace_report_source(struct input *in);
