/*
 * raw_walk: walks the records of a trace as they were written, in a second pass over a file that was read before. The
 * model only has what the records mean; this module is for code that needs the records themselves. One thread.
 */
#pragma once

#include "trace/batch.h"

struct raw_walked {
    const struct raw_record *record; /* decoded */
    struct str json;                 /* its envelope */
    struct str place;                /* "torch/_dynamo/utils.py", as in the prefix; may be empty */
    struct payload_source payloads;  /* for record->payload */
};

/*
 * Calls `take` for each record of in->source, in the order of the file; its argument is valid during the call. If the
 * file was cut so that another record begins inside a record, the outer one is passed without JSON. 0, or -errno if
 * the file cannot be read again.
 */
int raw_walk(const struct input *in, void (*take)(void *object, const struct raw_walked *), void *object);
