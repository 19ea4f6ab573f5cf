/*
 * infer_breaks: adds the graph breaks that no record shows, from restart reasons, exceptions and resume functions.
 * Part of run_finish; one thread.
 */
#pragma once

#include "model/model.h"

/* Whether every break of the process has a record (PyTorch 2.6 and later). */
bool infer_breaks_needless(const struct process *p);

/* Counts a break of several attempts once; marks breaks that restarted the analysis, and adds them if may_add. */
void infer_breaks_of_compile(struct compile *c, bool may_add, struct arena *scratch);

/* Then adds breaks after which a resume function or another frame was compiled. */
void infer_breaks_of_frames(struct process *p);

/* Whether a compile has a break that a record or an exception shows. */
bool infer_breaks_has_record(const struct compile *c);
