/*
 * conclude: what the records of one process say together. Part of run_finish; one thread.
 */
#pragma once

#include "model/model.h"

void conclude_process(struct process *p);
