/*
 * ablate: runs the program without torch.compile, then with one more stage of the compiler each time, then in other
 * modes and with other dynamic shapes. The first bad trial shows which stage is at fault. The base must have been
 * launched, with cold caches. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* 0, or -errno with r->failure. Adds trials and conclusions to the experiment. */
int ablate_run(struct rerun *r);
