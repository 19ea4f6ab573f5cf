/*
 * artifact_text: reads the texts of artifacts back, within budgets. A text that is so scattered over its file that
 * reading it would take too long is not read. Any thread, once reading is over.
 */
#pragma once

#include "model/model.h"

/* Appends the text, or its beginning; false if it cannot be read. */
bool artifact_read(const struct artifact *a, enum payload_budget budget, struct buf *out);

/* Reads texts one after another, within what the budget allows for all of them. Starts with only the budget set. */
struct artifact_reader {
    enum payload_budget budget;
    uint64_t used;
    struct buf text; /* the last text; the owner frees it */
    bool cut;        /* the artifact is longer than what was read of it */
};

/*
 * The text, or its beginning in whole lines, because half a line could be read as a different one. Empty if it cannot
 * be read; valid until the next call.
 */
struct str artifact_reader_next(struct artifact_reader *r, const struct artifact *a);
