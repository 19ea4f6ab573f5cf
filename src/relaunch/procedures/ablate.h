/*
 * ablate: takes the compiler away stage by stage: the program without torch.compile, then with one stage more each
 * time, then in other modes and with other dynamic shapes. Which trial is the first that is bad says whose fault it is.
 * The base must have been launched, with cold caches. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* 0, or -errno with r->failure. Trials and conclusions go into the experiment. */
int ablate_run(struct rerun *r);
