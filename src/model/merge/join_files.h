/*
 * join_files: makes the files of a torch_compile_debug directory artifacts of their graphs. One thread; part of
 * run_finish.
 */
#pragma once

#include "model/model.h"

/* A message is logged, and a folder is created, within this time of the record for the same fact; µs. */
#define NEAR_US (2 * 1000000ll)

/*
 * Moves the files in r->processes into the process that wrote them, if another input has it (by process id and time),
 * and there into the compile whose code has the file's AOT id. Otherwise all files of a folder become one process. A
 * text that the compile already has is dropped. Expects r->processes in the order of time, after join_logs; removes
 * those that were joined.
 */
void join_files(struct run *r);

/*
 * Whether a folder was created while process p ran. The folder's name contains the year; the year of the process may
 * be wrong, because it comes from the date of its file.
 */
bool files_are_of(const struct process *p, const struct process *folder);
