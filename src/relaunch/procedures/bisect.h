/*
 * bisect: which part of the compiler makes a program fail, by Inductor's bisector
 * (torch/_inductor/compiler_bisector.py, PyTorch 2.6 and later): the first backend that fails, then the subsystem of it
 * without which it works, then the first application of that subsystem with which it fails.
 *
 * The search is ours, over the bisector's variables and state files, not the one of `python -m
 * torch._inductor.compiler_bisector run`: that one knows exit codes alone and no time limit, keeps its state in the
 * user's cache directory, and removes all of that directory. Ours has caches of its own. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* After the base. 0, or -errno with r->failure. Trials and conclusions go into the experiment. */
int bisect_run(struct rerun *r);

/* A bisection that was begun and not ended changes every program that has the same cache directory: says so. */
void bisect_note_stale(struct rerun *r);
