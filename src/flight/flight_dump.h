/*
 * flight_dump: reads a dump of PyTorch's Flight Recorder in JSON: what _dump_nccl_trace_json and _dump_fr_trace_json
 * give, or a pickled dump that somebody turned into JSON, which has the stacks of calls, too. Pickles themselves are
 * only known by their beginning: reading one would run what it says. Any thread; an input belongs to the one that reads
 * it.
 */
#pragma once

#include "model/model.h"

/* Whether the beginning of a file looks like a dump in JSON. */
bool flight_sniff(struct str beginning);
/* ... like one in Python's pickle format, which TORCH_NCCL_DEBUG_INFO_TEMP_FILE names. */
bool flight_is_pickle(struct str beginning);

/* What to do with a pickle, for people. */
extern const struct str flight_pickle_reason;

/*
 * Reads in->source, which is open, to its end: one process with one dump. False, with in->why_not set, when nothing can
 * be used. A dump that is cut off gives what it holds, and a message.
 */
bool flight_read(struct input *in);
