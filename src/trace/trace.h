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
#include "util/pool.h"

struct trace_options {
    bool check_digests; /* hash every payload */
};

/* Whether the beginning of a file looks like a trace: it has a record within its first LIMIT_SNIFF bytes. */
bool trace_sniff(struct str beginning);

/*
 * Reads in->source, which is open, to its end. Damage becomes messages. in->arena and in->messages must be set up
 * (input_new does). Call run_finish once all inputs are read.
 */
void trace_read(struct input *in, const struct trace_options *options, struct pool *pool);

/* Messages about the file itself, once it was read: damaged, changed meanwhile, not readable to its end. */
void trace_report_source(struct input *in);
