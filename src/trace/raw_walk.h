/*
 * raw_walk: the records of a trace as they were written, one after the other, in a second pass over a file that was
 * read. The model keeps what records mean; this is for those who want the records. One thread.
 */
#pragma once

#include "trace/batch.h"

struct raw_walked {
    const struct raw_record *record; /* decoded */
    struct str json;                 /* its envelope */
    struct str place;                /* "torch/_dynamo/utils.py", as the prefix has it; may be empty */
    struct payload_source payloads;  /* for record->payload */
};

/*
 * Calls `take` for each record of in->source, in the order of the file; what is passed lives until it returns. A
 * record in which another one begins, because the file was cut there, comes as one that has no JSON. 0, or -errno when
 * the file cannot be read again.
 */
int raw_walk(const struct input *in, void (*take)(void *object, const struct raw_walked *), void *object);
