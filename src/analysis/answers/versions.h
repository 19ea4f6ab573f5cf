/*
 * versions: which PyTorch, Python and GPU wrote the records of a process, and of a run. Any thread.
 */
#pragma once

#include "model/model.h"

/*
 * The PyTorch version of a process: the recorded one, else the one that the source lines in its records imply ("2.8"),
 * else the one that a pasted text names. Empty if there is none.
 */
struct str process_pytorch(const struct process *p);

/* The environment of the run: the first process that records one; for PyTorch, else the first that implies one. */
struct versions run_versions(const struct run *r);
