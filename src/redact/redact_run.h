/*
 * redact_run: takes out of a whole run what a company would not publish. It runs right after reading: analyses and
 * outputs see only what is left, so nothing can slip past them. A name is replaced by the same placeholder everywhere
 * (redactor.h); payloads are redacted when they are read back. One thread; reading payloads back afterwards also needs
 * one thread, because placeholders are numbered in the order in which they are met.
 *
 * A skeleton keeps less: ids, times, counts, kinds and PyTorch's own words. Source lines, messages, sizes, settings
 * and payloads are left out, and numbers in guards are replaced, too.
 *
 * How a text is redacted is in its row of model/rows/fields.def, so that none can be forgotten.
 */
#pragma once

#include "model/model.h"
#include "redact/redactor.h"

/* The run keeps using r, which must outlive it. */
void redact_run(struct redactor *r, struct run *run, bool skeleton);

/*
 * The same for the inputs of an unfinished run, for a digest. Paths and contents that identify their files are removed
 * as well. The contents by which ranks are compared (ranks_keep_contents) must have been kept before.
 */
void redact_inputs(struct redactor *r, struct run *run, bool skeleton);
