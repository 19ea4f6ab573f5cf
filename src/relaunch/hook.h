/*
 * hook: what is changed in the user's program without touching it. A file for Python, hook/sitecustomize.py, compiled
 * in by tools/embed-texts, is written into a private directory that stands first on PYTHONPATH (and no empty entry
 * behind it: that would be the working directory): Python loads it at start, in every process. It does nothing but what
 * these variables of the environment ask; its own head says what each means.
 *
 *     PT2TRACE_BACKEND, PT2TRACE_MODE, PT2TRACE_DYNAMIC, PT2TRACE_FULLGRAPH, PT2TRACE_RECOMPILE_LIMIT,
 *     PT2TRACE_DISABLE, PT2TRACE_CONFIG, PT2TRACE_DEADLINE, PT2TRACE_PROFILE, PT2TRACE_HOOK_LOG
 *
 * `python -S`, `-E` and `-I` do not load it: then the file of PT2TRACE_HOOK_LOG holds no line. One thread.
 */
#pragma once

#include "util/str.h"

/* The status of a program that ended because something that was asked cannot be done; standard error says what. */
enum { HOOK_FAILED = 97 };

/* Makes the directory, with parents, and writes the hook into it. 0 or -errno. */
int hook_write(const char *dir);

/* Writes hook/compare.py, which compares files of arrays and tensors: another program, for another directory. */
int hook_write_compare(const char *dir);

extern const struct str hook_sitecustomize, hook_compare;
