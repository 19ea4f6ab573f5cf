/*
 * dedup_log: counts graph breaks once that are in two texts. explain() prints the breaks that its own compiles log,
 * and torchdynamo/debug.log of a torch_compile_debug directory has the same breaks as the log, without compile ids.
 * One thread; part of run_finish.
 */
#pragma once

#include "model/model.h"

/* Drops breaks of p->unattributed at a place where a better source has a break. */
void dedup_log_drop(struct process *p);
