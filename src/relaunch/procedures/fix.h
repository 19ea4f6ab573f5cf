/*
 * fix: puts the advice of the base's findings into the program from outside, first each by itself, then together those
 * that help, and measures the effect against two launches of the unchanged program. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* 0 or -errno with r->failure. Fills the experiment's fixes and patch, and writes fixes.md. */
int fix_run(struct rerun *r);
