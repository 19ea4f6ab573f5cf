/*
 * join_files: the files of a torch_compile_debug directory become artifacts of their graphs. One thread; part of
 * run_finish.
 */
#pragma once

#include "model/model.h"

/*
 * Moves what files of r->processes hold into the process that made them, when another input knows it (by process id
 * and time), and there into the compile whose code has the file's AOT id; otherwise all files of one folder are one
 * process. A text that the compile has already is left out. Expects r->processes in the order of time, after join_logs;
 * leaves out those that were joined.
 */
void join_files(struct run *r);

/*
 * Whether a folder was made while process p ran. The folder's name has the year; the year of the process may be wrong,
 * as it comes from the date of the file that mentions it.
 */
bool files_are_of(const struct process *p, const struct process *folder);
