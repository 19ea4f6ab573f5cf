/*
 * redact_run: takes out of a whole run what a company would not publish, between reading and everything else: analyses
 * and outputs see only what is left, so that nothing slips by any of them. Names are replaced everywhere by the same
 * placeholders (redactor.h); payloads are replaced when they are read back. One thread; so is reading payloads back
 * afterwards, as placeholders are numbered in the order in which they are met.
 *
 * A skeleton keeps less: ids, times, counts, kinds and PyTorch's own words. Source lines, messages, sizes, settings and
 * payloads are left out, and numbers in guards are replaced, too.
 *
 * What is made of a text stands in its row of model/rows/fields.def, so that none is forgotten.
 */
#pragma once

#include "model/model.h"
#include "redact/redactor.h"

/* The run keeps using r, which must outlive it. */
void redact_run(struct redactor *r, struct run *run, bool skeleton);

/*
 * The same for the inputs of a run that is not finished, as a digest holds them. What would lead back to their files
 * goes, too; what ranks are compared by (ranks_keep_contents) must have been kept before.
 */
void redact_inputs(struct redactor *r, struct run *run, bool skeleton);
