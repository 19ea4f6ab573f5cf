/*
 * told_again: graph breaks that two texts tell of count once. explain() prints the breaks that its own compiles log,
 * and torchdynamo/debug.log of a torch_compile_debug directory has without compile ids what the log has with them. One
 * thread; part of run_finish.
 */
#pragma once

#include "model/model.h"

/* Drops breaks of p->unattributed that are at the place of one that a better source tells. */
void told_again_drop(struct process *p);
