/*
 * torchlog: reads one file of TORCH_LOGS text, or any other console text, into the model.
 *
 *   lines ──> messages ──> log_kinds[] ──> model
 *
 * What the messages say is put where the records of a trace would put it, under the same artifact names, so that
 * everything behind the model works for both.
 */
#pragma once

#include "model/model.h"
#include "trace/trace.h"

/* Whether the beginning of a file holds a message of PyTorch's. */
bool torchlog_sniff(struct str beginning);

/*
 * The same of a text that somebody gives to be read: one that is about PyTorch is, too, when all that it has is an
 * error or a warning.
 */
bool torchlog_sniff_given(struct str beginning);

/*
 * For a file of which `replaced` was set when torchlog_read had read it: replaces its text as torchlog_read did. `s`
 * was opened with `keep`, and nothing of it was read.
 */
bool torchlog_mend_again(struct source *s);

/* Reads in->source, which is open, to its end. As trace_read. */
void torchlog_read(struct input *in, const struct trace_options *options, struct pool *pool);
