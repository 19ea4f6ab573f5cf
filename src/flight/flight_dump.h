/*
 * flight_dump: reads a dump of PyTorch's Flight Recorder in JSON. It may come from _dump_nccl_trace_json or
 * _dump_fr_trace_json, or be a pickled dump that someone converted to JSON, which has the stacks of calls, too.
 * Pickles themselves are recognized but not read, because reading one would execute its contents. Any thread; an input
 * belongs to the thread that reads it.
 */
#pragma once

#include "model/model.h"

/* Whether the beginning of a file looks like a dump in JSON. */
bool flight_sniff(struct str beginning);
/* ... like a pickled dump, which PyTorch writes to TORCH_NCCL_DEBUG_INFO_TEMP_FILE. */
bool flight_is_pickle(struct str beginning);

/* What to do with a pickle, in words for people. */
extern const struct str flight_pickle_reason;

/*
 * Reads in->source, which must be open, to its end: one process with one dump. False, with in->why_not set, if nothing
 * can be used. A dump that is cut off gives the entries it has, and a message.
 */
bool flight_read(struct input *in);
