/*
 * versions: which PyTorch, Python and GPU wrote the records of a process, and of a run. Any thread.
 */
#pragma once

#include "model/model.h"

/*
 * The version of PyTorch to judge a process by: what it says, else what the lines of the sources that wrote its records
 * show: "2.8". Empty when neither does.
 */
struct str process_pytorch(const struct process *p);

/* The environment of the run: what any of its processes says, the first in order; of PyTorch, else what one shows. */
struct versions run_versions(const struct run *r);
