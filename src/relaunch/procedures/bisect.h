/*
 * bisect: finds the part of the compiler that makes a program fail, with Inductor's bisector
 * (torch/_inductor/compiler_bisector.py, PyTorch 2.6 and later): the first backend that fails, then the subsystem
 * without which that backend works, then the first application of that subsystem with which it fails. The search is
 * our own, using the bisector's variables and state files, not `python -m torch._inductor.compiler_bisector run`,
 * which only uses exit codes, has no time limit, keeps its state in the user's cache directory, and deletes that whole
 * directory. Ours uses separate caches. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* Call it after the base. 0, or -errno with r->failure. Adds trials and conclusions to the experiment. */
int bisect_run(struct rerun *r);

/* An unfinished bisection changes every program that uses the same cache directory: warns about it. */
void bisect_note_stale(struct rerun *r);
