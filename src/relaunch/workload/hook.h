/*
 * hook: what is changed in the user's program without touching it. Files for Python, those in hook/, compiled in by
 * tools/embed-texts, are written into a directory that stands first on PYTHONPATH (and no empty entry behind it: that
 * would be the working directory): Python loads sitecustomize.py at start, in every process. It does nothing but what
 * variables of the environment ask; its own head says what each means. `python -S`, `-E` and `-I` do not load it, nor
 * does a program whose PYTHONPATH somebody sets again: its report (hook_report.h) says so. One thread.
 */
#pragma once

#include "util/str.h"

/* The status of a program that ended because something that was asked cannot be done; standard error says what. */
enum { HOOK_FAILED = 97 };

/* Makes the directory, with parents, and writes the hook into it. 0 or -errno. */
int hook_write(const char *dir);

/* Writes hook/compare.py, which compares files of arrays and tensors: another program, for another directory. */
int hook_write_compare(const char *dir);

extern const struct str hook_sitecustomize, hook__pt2trace_compile, hook__pt2trace_logs, hook__pt2trace_patch,
    hook__pt2trace_profile, hook_compare, hook_ask;
