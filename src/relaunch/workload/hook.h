/*
 * hook: changes the user's program without touching its files. The Python files in hook/, compiled in by
 * tools/embed-texts, are written into a directory that comes first on PYTHONPATH (without an empty entry after it,
 * which would mean the working directory). Python loads sitecustomize.py at its start, in every process. It only does
 * what environment variables ask for; its header explains each of them. `python -S`, `-E` and `-I` do not load it, and
 * neither does a program whose PYTHONPATH was set again: hook_report.h shows whether it was loaded. One thread.
 */
#pragma once

#include "util/str.h"

/*
 * The exit status of a program that ended because a request to the hook cannot be fulfilled; standard error says
 * which.
 */
enum { HOOK_FAILED = 97 };

/* Creates the directory, with parents, and writes the hook into it. 0 or -errno. */
int hook_write(const char *dir);

/* Writes hook/compare.py, which compares files of arrays and tensors: a separate program, for another directory. */
int hook_write_compare(const char *dir);

extern const struct str hook_sitecustomize, hook__pt2trace_compile, hook__pt2trace_logs, hook__pt2trace_patch,
    hook__pt2trace_profile, hook_compare, hook_ask;
