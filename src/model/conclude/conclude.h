/*
 * conclude: draws conclusions from all records of one process together: statuses, failures, and breaks that no record
 * shows. Part of run_finish; one thread.
 */
#pragma once

#include "model/model.h"

void conclude_process(struct process *p);
