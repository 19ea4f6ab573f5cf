/*
 * dedup_log: graph breaks that stand in two texts count once. explain() prints the breaks that its own compiles log,
 * and torchdynamo/debug.log of a torch_compile_debug directory has without compile ids what the log has with them. One
 * thread; part of run_finish.
 */
#pragma once

#include "model/model.h"

/* Drops breaks of p->unattributed that are at the place of one from a better source. */
void dedup_log_drop(struct process *p);
